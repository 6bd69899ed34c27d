#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "expression/native.hpp"
#include "expression/program.hpp"
#include "expression/strided_program.hpp"
#include "system/branches.hpp"
#include "system/equations.hpp"
#include "system/formula_solver.hpp"
#include "system/levels.hpp"
#include "system/parametrised_system.hpp"
#include "taut/system.hpp"

#ifdef __GLIBC__  // known by the headers above
#include <malloc.h>
#endif

namespace taut {
namespace {

/// Registers that several strided programs use in turn, each for one evaluation at a time.
struct SharedRegisters {
  std::vector<double> values;
  const void* user = nullptr;
};

/// A program with its registers and the places of its inputs, which are the same for all programs.
class Compiled {
 public:
  Compiled() = default;
  /// CompactFormulas whose evaluation nobody interrupts may share registers; of others `shared` is null. They are made
  /// short at once if they are longer than `longest`.
  Compiled(const Equations& eq, std::span<const Program::Input> inputs, CompactFormulas formulas,
           std::span<const double> parameter_values, std::shared_ptr<SharedRegisters> shared, std::size_t longest)
      : program_(*eq.graph, inputs, formulas, Program::Purpose::code), shared_(std::move(shared)) {
    formulas = CompactFormulas();
    parameters_ = static_cast<int>(parameter_values.size());
    first_ = parameters_ + static_cast<int>(eq.branches.size());
    n_q_ = static_cast<int>(eq.q.size());
    n_v_ = static_cast<int>(eq.v.size());
    outputs_ = program_.outputs();
    instructions_ = program_.instructions();
    if (instructions_ > longest) {
      use_strided_program(parameter_values);
      return;
    }
    program_.schedule();
    workspace_ = program_.workspace();
    for (int i = 0; i < parameters_; ++i) *workspace_.input(i) = parameter_values[static_cast<std::size_t>(i)];
    program_.run(Level::parameters, workspace_);
  }
  // Shared registers know their user by its address.
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  Compiled(Compiled&&) = default;
  Compiled& operator=(Compiled&&) = default;

  /// False of long programs, which keep what depends on parameters in other places.
  bool set_parameters(std::span<const double> values) {
    if (is_strided_) return false;
    std::ranges::copy(values, workspace_.input(0));
    program_.run(Level::parameters, workspace_);
    has_velocity_ = false;
    return true;
  }
  /// Is every output the same whatever the parameters are?
  bool is_constant() const {
    for (int k = 0; k < outputs_; ++k)
      if (is_strided_ || program_.output_level(k) >= 0) return false;
    return true;
  }

  /// The same while a run goes on.
  void change_parameters(std::span<const double> values) {
    if (outputs_ == 0) return;
    copy_registers();
    std::ranges::copy(values, input(0));
    run(Level::parameters);
    has_velocity_ = false;
    if (is_strided_ && shared_) keep_fixed();
  }
  void set_branches(std::span<const double> values) {
    std::ranges::copy(values, input(parameters_));
    has_velocity_ = false;
  }
  void at_position(double t, const Vector& q) {
    copy_registers();
    *input(first_) = t;
    std::copy_n(q.data(), n_q_, input(first_ + 1));
    run(Level::position);
    has_velocity_ = false;
  }
  void at_velocity(const Vector& v) {
    std::copy_n(v.data(), n_v_, input(first_ + 1 + n_q_));
    run(Level::velocity);
    has_velocity_ = true;
  }
  void at_acceleration(const Vector& a, const Vector& lambda) {
    const int first = first_ + 1 + n_q_ + n_v_;
    std::copy_n(a.data(), n_v_, input(first));
    std::copy_n(lambda.data(), lambda.size(), input(first + n_v_));
    run(Level::acceleration);
  }
  /// As at_acceleration, for formulas without accelerations.
  void at_multipliers(const Vector& lambda) {
    std::copy_n(lambda.data(), lambda.size(), input(first_ + 1 + n_q_ + 2 * n_v_));
    run(Level::acceleration);
  }
  void copy(int first, Vector& out) const {
    const int count = static_cast<int>(out.size());
    if (!is_strided_) return program_.copy(first, count, workspace_, out.data());
    const double* from = registers().data();
    for (int k = 0; k < count; ++k) out[k] = from[slots_[first + k]];
  }
  /// Has everything up to the velocities been computed here?
  bool stands_at(double t, const Vector& q, const Vector& v) {
    return has_velocity_ && *input(first_) == t && std::equal(q.begin(), q.end(), input(first_ + 1)) &&
           std::equal(v.begin(), v.end(), input(first_ + 1 + n_q_));
  }
  double value(int k) const {
    return is_strided_ ? registers()[static_cast<std::size_t>(slots_[k])] : program_.output(k, workspace_);
  }
  int outputs() const { return outputs_; }
  Program& program() { return program_; }
  std::size_t instructions() const { return instructions_; }

  /// Where a program is long and is not to become machine code, the same formulas of many parts of a model run
  /// together, as lanes do, and their code need not be kept. A short one with many inputs gains by sharing registers.
  void shorten() {
    const bool is_long = std::max(instructions_, static_cast<std::size_t>(program_.registers())) > many_instructions;
    if (!is_long || is_strided_ || program_.is_native()) return;
    const std::vector<double> parameters(workspace_.input(0), workspace_.input(0) + parameters_);
    workspace_ = {};
    use_strided_program(parameters);
  }

  /// Above this, a program does not stay in the second cache.
  static constexpr std::size_t many_instructions = 20'000;

 private:
  std::vector<double>& registers() { return shared_ ? shared_->values : registers_; }
  const std::vector<double>& registers() const { return shared_ ? shared_->values : registers_; }
  double* input(int k) { return is_strided_ ? &registers()[static_cast<std::size_t>(k)] : workspace_.input(k); }
  void run(int level) {
    if (!is_strided_) return program_.run(level, workspace_);
    if (level < strided_.levels()) strided_.run(level, registers().data());
  }

  /// Puts what does not change back into registers that others have used.
  void copy_registers() {
    if (!is_strided_ || !shared_ || shared_->user == this) return;
    std::ranges::copy(fixed_, shared_->values.begin() + inputs_);
    shared_->user = this;
  }

  void use_strided_program(std::span<const double> parameter_values) {
    std::vector<std::span<const Instruction>> levels;
    for (int level = 0; level < program_.levels(); ++level) levels.push_back(program_.code(level));
    inputs_ = program_.inputs();
    const int first = inputs_ + static_cast<int>(program_.constants().size());
    std::vector<int> renumbered;
    strided_ = StridedProgram(levels, {first, program_.kept(), program_.registers()}, renumbered);
    slots_.reserve(program_.output_slots().size());
    for (const int slot : program_.output_slots()) slots_.push_back(renumbered[slot]);
    renumbered = std::vector<int>();
    fixed_.assign(program_.constants().begin(), program_.constants().end());
    program_ = {};
    is_strided_ = true;
    const auto count = static_cast<std::size_t>(strided_.registers());
    if (registers().size() < count) registers().resize(count);
    std::ranges::copy(parameter_values, registers().begin());
    std::ranges::copy(fixed_, registers().begin() + inputs_);
    run(Level::parameters);
    if (!shared_) {
      fixed_ = std::vector<double>();
      return;
    }
    known_ = strided_.levels() > Level::parameters ? strided_.kept(Level::parameters) : first;
    keep_fixed();
    shared_->user = nullptr;
  }

  void keep_fixed() { fixed_.assign(registers().begin() + inputs_, registers().begin() + known_); }

  Program program_;
  Program::Workspace workspace_;
  bool is_strided_ = false;  ///< they then serve instead of the program
  StridedProgram strided_;
  std::shared_ptr<SharedRegisters> shared_;
  std::vector<double> registers_;  ///< of the strided program, unless they share them
  std::vector<double> fixed_;      ///< in shared registers: constants, and what depends on parameters alone
  std::vector<int> slots_;         ///< where the strided program leaves the outputs
  int known_ = 0;                  ///< registers before this one hold what depends on parameters alone
  int outputs_ = 0, inputs_ = 0;
  std::size_t instructions_ = 0;
  int parameters_ = 0, first_ = 0, n_q_ = 0, n_v_ = 0;
  bool has_velocity_ = false;
};

/// Fewer evaluations than this do not even pay for looking into the cache, which means writing the code out.
constexpr double few_evaluations = 200;

/// Does making machine code take less time than it saves? Measured, for want of something better to go by: a compiler
/// takes 0.05 s and 75 µs an instruction, and each time that an instruction runs, 0.6 ns are saved.
bool compiling_pays(double instructions, double instructions_per_evaluation, double evaluations) {
  return 0.05 + 75e-6 * instructions < 0.6e-9 * instructions_per_evaluation * evaluations;
}

/// Gives what has been freed back to the system, where the C library would keep it. What deriving large models leaves
/// behind lies in holes that the next, larger pieces do not fit into: without this a process would hold both.
void give_back_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

/// Systems of more speeds than this have a solution that is too long to be written out.
constexpr int most_speeds_to_solve = 64;

/// The equations of a model, compiled.
class CompiledSystem : public ParametrisedSystem {
 public:
  /// Long programs that will not become machine code are made short at once.
  CompiledSystem(Equations eq, std::span<const double> values, bool may_be_native)
      : M_(std::move(eq.M.pattern)), H_(std::move(eq.H.pattern)), N_(std::move(eq.N.pattern)) {
    shape_ = std::move(eq.shape);
    parameters_.assign(values.begin(), values.end());
    const auto inputs = inputs_of(eq);
    const auto shared = std::make_shared<SharedRegisters>();
    const std::size_t longest = may_be_native ? most_native_instructions : Compiled::many_instructions;
    const bool is_large = shape_.n_v() > most_speeds_to_solve;
    const auto compile = [&](CompactFormulas formulas) {
      return Compiled(eq, inputs, std::move(formulas), values, shared, longest);
    };
    const auto one = [](const Expression& formula) { return CompactFormulas(std::span(&formula, 1)); };
    // What is compiled is needed no longer, and of large systems takes much room.
    const auto compacted = [&](std::vector<Expression>& formulas) {
      CompactFormulas taken(formulas);
      if (is_large) formulas = std::vector<Expression>();  // {} would keep the room
      return taken;
    };
    if (is_large) {
      eq.graph->shrink();
      give_back_memory();
    }
    if (is_large && shape_.plain_rates) {
      for (auto* unused : {&eq.rates, &eq.N.entries}) *unused = std::vector<Expression>();
      N_ = Pattern();
    }
    // The longest first, while nothing else takes room. Others may be evaluated between its positions and velocities.
    dynamics_ = Compiled(eq, inputs, dynamics_of(eq, is_large), values, nullptr, longest);
    position_ = compile(compacted(eq.Phi));
    velocity_ = compile(compacted(eq.chi));
    if (!shape_.plain_rates) {
      N_values_.setZero(static_cast<Eigen::Index>(eq.N.entries.size()));
      rates_ = compile(compacted(eq.rates));
      N_program_ = compile(compacted(eq.N.entries));
    }
    if (shape_.retracts) {
      retraction_ = compile(compacted(eq.retractions));
      retracted_ = eq.retracted;
    }
    if (eq.energy) {
      energy_ = compile(one(*eq.energy));
      gradient_ = compile(compacted(eq.energy_gradient));
      slope_ = compile(compacted(eq.energy_slope));
      energy_rate_ = compile(one(eq.energy_rate));
      power_ = compile(one(eq.power));
    }
    outputs_ = compile(compacted(eq.outputs));
    if (!eq.following.empty()) {
      following_ = compile(compacted(eq.following));
      no_multipliers_ = Vector::Zero(shape_.rows());
    }
    if (shape_.forces_need_multipliers) {
      reaction_slopes_ = eq.reaction_slopes.pattern;
      eq.reactions.insert(eq.reactions.end(), eq.reaction_slopes.entries.begin(), eq.reaction_slopes.entries.end());
      reactions_ = Compiled(eq, inputs, CompactFormulas(eq.reactions), values, nullptr, longest);
    }
    if (!eq.branches.empty()) compile_switches(eq, inputs, values, shared, longest);
    const Compiled softness(eq, inputs, compacted(eq.softness), values, nullptr, longest);
    shape_is_fixed_ = shape_is_fixed_ && softness.is_constant();
    set_softness(softness);
    if (is_large || !shape_.softness.empty() || shape_.forces_need_multipliers) return;
    eq.M.pattern = M_;
    eq.H.pattern = H_;
    eq.N.pattern = N_;
    eq.shape = shape_;
    equations_ = std::move(eq);
  }

  bool set_parameters(const std::vector<double>& values) override {
    if (!shape_is_fixed_) return false;
    for (Compiled* part : parts())
      if (part->outputs() > 0 && !part->set_parameters(values)) return false;
    if (!branch_values_.empty()) set_branches(std::vector<Branch>(shape_.switches.size()));
    parameters_ = values;
    solution_is_inherited_ = solution_ != nullptr;
    return !solution_ || (solution_->start.cols() == 0 && taut::set_parameters(*solution_, values));
  }
  bool is_as_new() const override { return is_as_new_; }

  /// Programs become machine code, in one library, or stay as they are: those that steps and rows need.
  void use_native(const NativePlan& plan) {
    wish_ = plan.wish;
    evaluations_ = plan.evaluations;
    if (wish_ == Native::off) {
      native_ = {false, false, "switched off"};
      return;
    }
    if (wish_ == Native::automatic && evaluations_ < few_evaluations) {
      native_ = {false, false, "the run is too short"};
      return;
    }
    std::vector<Program*> programs;
    std::size_t instructions = 0;
    for (Compiled* part : parts()) {
      if (!plan.corrects_energy && is_slope_of_energy(part)) continue;
      programs.push_back(&part->program());
      instructions += part->instructions();
    }
    const double each = static_cast<double>(dynamics_.instructions());
    const bool pays = compiling_pays(static_cast<double>(instructions), each, evaluations_);
    const bool compile = wish_ == Native::on || pays;
    if (instructions > most_native_instructions) {  // long programs are strided by now
      native_ = {false, compile, std::to_string(instructions) + " instructions are too many to compile"};
      return;
    }
    const NativeReport report = make_native(programs, compile ? Compiling::allowed : Compiling::not_worth_it);
    native_ = {report.used, compile && !report.used, report.reason};
  }

  /// What will not become machine code any more is made short.
  void shorten() {
    for (Compiled* part : parts()) part->shorten();
  }

  Point make_point() const override {
    const auto zero = [](const Pattern& pattern) {
      return SparseValues{pattern, Vector::Zero(static_cast<Eigen::Index>(pattern.entries.size()))};
    };
    const int n = shape_.n_v(), m = shape_.rows();
    return {zero(M_), zero(H_), Vector::Zero(n), Vector::Zero(m), Vector::Zero(m), Vector::Zero(shape_.position_rows)};
  }

  void position(double t, const Vector& q, Vector& Phi) override {
    position_.at_position(t, q);
    position_.copy(0, Phi);
  }

  void velocity(double t, const Vector& q, const Vector& v, Vector& chi) override {
    velocity_.at_position(t, q);
    velocity_.at_velocity(v);
    velocity_.copy(0, chi);
  }

  void at_position(double t, const Vector& q, Point& point) override {
    dynamics_.at_position(t, q);
    dynamics_.copy(0, point.M.values);
    dynamics_.copy(first_Phi(), point.Phi);
    dynamics_.copy(first_H(), point.H.values);
  }

  void at_velocity(double, const Vector&, const Vector& v, Point& point) override {
    dynamics_.at_velocity(v);
    if (shape_.jacobian_of_speeds) dynamics_.copy(first_H(), point.H.values);
    dynamics_.copy(first_f(), point.f);
    dynamics_.copy(first_f() + shape_.n_v(), point.b);
    dynamics_.copy(first_f() + shape_.n_v() + shape_.rows(), point.chi);
  }

  void rates(double t, const Vector& q, const Vector& v, Vector& qdot) override {
    if (shape_.plain_rates) {
      qdot = v;
      return;
    }
    rates_.at_position(t, q);
    rates_.at_velocity(v);
    rates_.copy(0, qdot);
  }

  void spread(double t, const Vector& q, const Vector& dv, Vector& dq) override {
    if (shape_.plain_rates) {
      dq = dv;
      return;
    }
    N_program_.at_position(t, q);
    N_program_.copy(0, N_values_);
    dq.setZero();
    for (std::size_t k = 0; k < N_.entries.size(); ++k)
      dq[N_.entries[k].first] += N_values_[static_cast<Eigen::Index>(k)] * dv[N_.entries[k].second];
  }

  void retract(double t, Vector& q) override {
    if (!shape_.retracts) return;
    retraction_.at_position(t, q);
    for (std::size_t k = 0; k < retracted_.size(); ++k) q[retracted_[k]] = retraction_.value(static_cast<int>(k));
  }

  double energy(double t, const Vector& q, const Vector& v) override {
    if (!shape_.has_energy) return 0;
    energy_.at_position(t, q);
    energy_.at_velocity(v);
    return energy_.value(0);
  }

  void energy_gradient(double t, const Vector& q, const Vector& v, Vector& dE) override {
    gradient_.at_position(t, q);
    gradient_.at_velocity(v);
    gradient_.copy(0, dE);
  }

  void energy_slope(double t, const Vector& q, const Vector& v, Vector& dE) override {
    slope_.at_position(t, q);
    slope_.at_velocity(v);
    slope_.copy(0, dE);
  }

  double energy_rate(double t, const Vector& q, const Vector& v) override {
    energy_rate_.at_position(t, q);
    energy_rate_.at_velocity(v);
    return energy_rate_.value(0);
  }

  double power(double t, const Vector& q, const Vector& v, const Vector& a, const Vector& lambda) override {
    if (!shape_.does_work) return 0;
    if (dynamics_.stands_at(t, q, v)) {
      dynamics_.at_acceleration(a, lambda);
      return dynamics_.value(dynamics_.outputs() - 1);
    }
    power_.at_position(t, q);
    power_.at_velocity(v);
    power_.at_acceleration(a, lambda);
    return power_.value(0);
  }

  std::unique_ptr<FormulaSolver> make_solver(const Matrix& stress) override {
    if (!equations_) return nullptr;
    const bool made = solution_ && solution_->start.cols() == stress.cols() && solution_->start == stress;
    if (!made) {
      is_as_new_ = is_as_new_ && !solution_is_inherited_;
      solution_ = make_solution(stress);
    }
    return solution_ ? std::make_unique<FormulaSolver>(solution_) : nullptr;
  }

  void change_parameters(const std::vector<double>& values) override {
    std::ranges::copy(values, parameters_.begin());
    ++*parameters_version_;
    for (Compiled* part : parts()) part->change_parameters(values);
  }

  ReactionForces make_reaction_forces() const override {
    return {Vector::Zero(shape_.n_v()),
            {reaction_slopes_, Vector::Zero(static_cast<Eigen::Index>(reaction_slopes_.entries.size()))}};
  }
  void react_at(double t, const Vector& q, const Vector& v) override {
    reactions_.at_position(t, q);
    reactions_.at_velocity(v);
  }
  void reaction_forces(const Vector& lambda, ReactionForces& forces) override {
    reactions_.at_multipliers(lambda);
    reactions_.copy(0, forces.R);
    reactions_.copy(shape_.n_v(), forces.slopes.values);
  }

  void set_branches(const std::vector<Branch>& branches) override {
    for (std::size_t k = 0; k < branches.size(); ++k)
      choose_branch(branches[k], std::span(branch_values_).subspan(k * BranchInput::count, BranchInput::count));
    for (Compiled* part : parts())
      if (part->outputs() > 0) part->set_branches(branch_values_);
  }

  void switching(double t, const Vector& q, const Vector& v, Vector& s) override {
    switching_.at_position(t, q);
    switching_.at_velocity(v);
    switching_.copy(0, s);
  }

  void switching_rates(double t, const Vector& q, const Vector& v, const Vector& a, Vector& rates) override {
    switching_rates_.at_position(t, q);
    switching_rates_.at_velocity(v);
    switching_rates_.at_acceleration(a, no_multipliers_);
    switching_rates_.copy(0, rates);
  }

  void following(double t, const Vector& q, const Vector& v, const Vector& a, Vector& out) override {
    following_.at_position(t, q);
    following_.at_velocity(v);
    following_.at_acceleration(a, no_multipliers_);
    following_.copy(0, out);
  }

  void outputs(double t, const Vector& q, const Vector& v, const Vector& a, const Vector& lambda,
               Vector& out) override {
    outputs_.at_position(t, q);
    outputs_.at_velocity(v);
    if (shape_.outputs_need_accelerations) outputs_.at_acceleration(a, lambda);
    outputs_.copy(0, out);
  }

 private:
  void compile_switches(Equations& eq, std::span<const Program::Input> inputs, std::span<const double> values,
                        const std::shared_ptr<SharedRegisters>& shared, std::size_t longest) {
    switching_ = Compiled(eq, inputs, CompactFormulas(eq.switching), values, shared, longest);
    switching_rates_ = Compiled(eq, inputs, CompactFormulas(eq.switching_rates), values, shared, longest);
    const Compiled reach(eq, inputs, CompactFormulas(eq.reach), values, nullptr, longest);
    for (int k = 0; k < reach.outputs(); ++k) shape_.switch_reach.push_back(reach.value(k));
    shape_is_fixed_ = reach.is_constant();
    branch_values_.assign(eq.branches.size(), 0);
    no_multipliers_ = Vector::Zero(shape_.rows());
    set_branches(std::vector<Branch>(eq.switching.size()));
  }

  /// The power comes along: an integrated work asks for it wherever the equations are evaluated.
  static CompactFormulas dynamics_of(Equations& eq, bool taking) {
    std::vector<Expression> power(eq.power.is_zero() ? 0 : 1, eq.power);
    CompactFormulas all;
    all.reserve(eq.M.entries.size() + eq.Phi.size() + eq.H.entries.size() + eq.f.size() + eq.b.size() + eq.chi.size() +
                power.size());
    for (auto* part : {&eq.M.entries, &eq.Phi, &eq.H.entries, &eq.f, &eq.b, &eq.chi, &power}) {
      all.add(*part);
      if (taking && part != &eq.Phi && part != &eq.chi) *part = std::vector<Expression>();  // those two come again
    }
    return all;
  }

  std::vector<Program::Input> inputs_of(const Equations& eq) const {
    std::vector<Program::Input> inputs = state_inputs(eq);
    if (!shape_.does_work && !shape_.outputs_need_accelerations && eq.following.empty() &&
        !shape_.forces_need_multipliers && eq.branches.empty())
      return inputs;
    add_inputs(inputs, eq.a, Level::acceleration);
    add_inputs(inputs, eq.multipliers, Level::acceleration);
    return inputs;
  }

  void set_softness(const Compiled& softness) {
    shape_.softness.clear();
    for (int i = 0; i < shape_.rows(); ++i) {
      const double value = softness.value(i);
      if (!(value >= 0) || std::isinf(value))
        throw InputError(
            shape_.constraint_place(i),
            "the softness of constraint '" + shape_.constraints[i] + "' is not a number that is zero or greater",
            "give σ², such as 1e-4; without it the constraint holds exactly");
      if (value > 0) shape_.softness.resize(shape_.rows(), 0);
      if (value > 0) shape_.softness[i] = value;
    }
  }

  std::shared_ptr<SolverProgram> make_solution(const Matrix& stress) {
    const auto made = make_solver_program(*equations_, stress, parameters_);
    if (made) made->branches = branch_values_;
    if (made) made->follow(parameters_, parameters_version_);
    if (made) make_native_too(made->program, made->driver);
    return made;
  }

  /// Machine code for a program that came later, where the others have it.
  void make_native_too(Program& program, NativeDriver& driver) {
    if (!native_.used) return;
    const double instructions = static_cast<double>(program.instructions());
    const bool compile = wish_ == Native::on || compiling_pays(instructions, instructions, evaluations_);
    const NativeReport report = make_native(program, driver, compile ? Compiling::allowed : Compiling::not_worth_it);
    if (report.used || !compile) return;
    native_.refused = true;
    native_.reason = report.reason;
  }

  std::vector<Compiled*> parts() {
    return {&position_,  &velocity_,        &dynamics_,    &rates_,    &N_program_, &energy_,
            &gradient_,  &slope_,           &energy_rate_, &power_,    &outputs_,   &retraction_,
            &switching_, &switching_rates_, &reactions_,   &following_};
  }

  bool is_slope_of_energy(const Compiled* part) const {
    return part == &gradient_ || part == &slope_ || part == &energy_rate_;
  }

  int first_Phi() const { return static_cast<int>(M_.entries.size()); }
  int first_H() const { return first_Phi() + shape_.position_rows; }
  int first_f() const { return first_H() + static_cast<int>(H_.entries.size()); }

  Pattern M_, H_, N_, reaction_slopes_;
  Compiled position_, velocity_, dynamics_, rates_, N_program_, energy_, gradient_, slope_, energy_rate_, power_,
      outputs_, retraction_, switching_, switching_rates_, reactions_, following_;
  std::vector<double> branch_values_;  ///< for every program
  Vector no_multipliers_;
  std::optional<Equations> equations_;  ///< kept where they may be solved
  std::vector<double> parameters_;
  std::shared_ptr<long> parameters_version_ = std::make_shared<long>(0);  ///< counts their changes
  std::shared_ptr<SolverProgram> solution_;
  bool solution_is_inherited_ = false;  ///< it was made for other values of the parameters
  bool shape_is_fixed_ = true, is_as_new_ = true;
  Native wish_ = Native::off;
  double evaluations_ = 0;
  std::vector<int> retracted_;
  Vector N_values_;
};

}  // namespace

std::unique_ptr<ParametrisedSystem> make_parametrised_system(const Model& model, const std::vector<double>& parameters,
                                                             const NativePlan& plan) {
  const bool may_be_native =
      plan.wish == Native::on || (plan.wish == Native::automatic && plan.evaluations >= few_evaluations);
  auto system = std::make_unique<CompiledSystem>(derive(model), parameters, may_be_native);
  system->use_native(plan);
  system->shorten();
  return system;
}

std::unique_ptr<System> make_system(const Model& model, const std::vector<double>& parameters, Native native,
                                    double evaluations) {
  return make_parametrised_system(model, parameters, {native, evaluations});
}

}  // namespace taut
