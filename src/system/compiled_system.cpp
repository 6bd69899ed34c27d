#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "system/branches.hpp"
#include "system/compiled_dynamics.hpp"
#include "system/driven_inputs.hpp"
#include "system/formula_solver.hpp"
#include "system/kinks_of_time.hpp"
#include "system/native_choice.hpp"

namespace taut {
namespace {

/// The equations of a model, compiled, and whatever else is asked of it: energies, outputs, kinks, nonideal forces, and
/// a solution of the equations as formulas.
class CompiledSystem final : public CompiledDynamics {
 public:
  CompiledSystem(Equations& eq, const FormulaCompiler& compiler, std::span<const double> values)
      : CompiledDynamics(eq, compiler), parameters_(values.begin(), values.end()) {
    if (eq.energy) {
      energy_ = compiler.compile(*eq.energy);
      gradient_ = compiler.compile(compiler.take(eq.energy_gradient));
      slope_ = compiler.compile(compiler.take(eq.energy_slope));
      energy_rate_ = compiler.compile(eq.energy_rate);
      power_ = compiler.compile(eq.power);
    }
    outputs_ = compiler.compile(compiler.take(eq.outputs));
    if (!eq.following.empty()) {
      following_ = compiler.compile(compiler.take(eq.following));
      no_multipliers_ = Vector::Zero(shape_.rows());
    }
    if (shape_.forces_need_multipliers) {
      reaction_slopes_ = eq.reaction_slopes.pattern;
      eq.reactions.insert(eq.reactions.end(), eq.reaction_slopes.entries.begin(), eq.reaction_slopes.entries.end());
      reactions_ = compiler.compile_apart(CompactFormulas(eq.reactions));
    }
    if (!eq.branches.empty()) compile_switches(eq, compiler);
    const CompiledFormulas softness = compiler.compile_apart(compiler.take(eq.softness));
    shape_is_fixed_ = shape_is_fixed_ && softness.is_constant();
    set_softness(softness);
    if (!eq.functions.empty()) {  // nobody can write the solution out then
      driven_ = std::make_shared<DrivenInputs>(eq, compiler);
      for (CompiledFormulas* part :
           {&dynamics_, &rates_, &energy_rate_, &power_, &outputs_, &reactions_, &switching_rates_})
        part->set_driven(driven_);
    }
    if (!driven_ && !compiler.is_large() && shape_.softness.empty() && !shape_.forces_need_multipliers) keep(eq);
  }

  bool set_parameters(const std::vector<double>& values) override {
    if (!shape_is_fixed_) return false;
    for (CompiledFormulas* part : parts())
      if (part->outputs() > 0 && !part->set_parameters(values)) return false;
    if (driven_ && !driven_->set_parameters(values)) return false;
    if (!branch_values_.empty()) set_branches(std::vector<Branch>(shape_.switches.size()));
    parameters_ = values;
    solution_is_inherited_ = solution_ != nullptr;
    return !solution_ || (solution_->start.cols() == 0 && taut::set_parameters(*solution_, values));
  }
  bool is_as_new() const override { return is_as_new_; }

  /// Programs become machine code, in one library, or stay as they are: those that steps and rows need.
  void use_native(const NativeChoice& choice, bool corrects_energy) {
    native_choice_ = choice;
    std::vector<Program*> programs;
    std::size_t instructions = 0;
    for (CompiledFormulas* part : parts()) {
      const bool is_slope_of_energy = part == &gradient_ || part == &slope_ || part == &energy_rate_;
      if (is_slope_of_energy && !corrects_energy) continue;
      programs.push_back(&part->program());
      instructions += part->instructions();
    }
    native_ = choice.make(programs, instructions, dynamics_.instructions());
  }

  /// What will not become machine code any more is made short.
  void shorten() {
    for (CompiledFormulas* part : parts()) part->shorten();
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
    for (CompiledFormulas* part : parts()) part->change_parameters(values);
    if (driven_) driven_->change_parameters(values);
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
    for (CompiledFormulas* part : parts())
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
  /// Keeps the equations to be solved.
  void keep(Equations& eq) {
    eq.M.pattern = M_;
    eq.H.pattern = H_;
    eq.N.pattern = N_;
    eq.shape = shape_;
    equations_ = std::move(eq);
  }

  void compile_switches(Equations& eq, const FormulaCompiler& compiler) {
    switching_ = compiler.compile(CompactFormulas(eq.switching));
    switching_rates_ = compiler.compile(CompactFormulas(eq.switching_rates));
    const CompiledFormulas reach = compiler.compile_apart(CompactFormulas(eq.reach));
    for (int k = 0; k < reach.outputs(); ++k) shape_.switch_reach.push_back(reach.value(k));
    shape_is_fixed_ = reach.is_constant();
    branch_values_.assign(eq.branches.size(), 0);
    no_multipliers_ = Vector::Zero(shape_.rows());
    set_branches(std::vector<Branch>(eq.switching.size()));
  }

  void set_softness(const CompiledFormulas& softness) {
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
    if (made) native_choice_.make_too(made->program, made->driver, native_);
    return made;
  }

  std::vector<CompiledFormulas*> parts() {
    return {&position_,  &velocity_,        &dynamics_,    &rates_,    &N_program_, &energy_,
            &gradient_,  &slope_,           &energy_rate_, &power_,    &outputs_,   &retraction_,
            &switching_, &switching_rates_, &reactions_,   &following_};
  }

  Pattern reaction_slopes_;
  CompiledFormulas energy_, gradient_, slope_, energy_rate_, power_, outputs_, switching_, switching_rates_, reactions_,
      following_;
  std::vector<double> branch_values_;  ///< for every program
  Vector no_multipliers_;
  std::optional<Equations> equations_;  ///< kept where they may be solved
  std::vector<double> parameters_;
  std::shared_ptr<long> parameters_version_ = std::make_shared<long>(0);  ///< counts their changes
  std::shared_ptr<SolverProgram> solution_;
  bool solution_is_inherited_ = false;  ///< it was made for other values of the parameters
  bool shape_is_fixed_ = true, is_as_new_ = true;
  NativeChoice native_choice_;
};

/// What is left of the equations is gone when this returns: of large systems they take much room.
std::unique_ptr<CompiledSystem> compile(Equations eq, std::span<const double> parameters, bool may_be_native) {
  const FormulaCompiler compiler(eq, parameters, may_be_native);
  return std::make_unique<CompiledSystem>(eq, compiler, parameters);
}

}  // namespace

std::unique_ptr<ParametrisedSystem> make_parametrised_system(const Model& model, const std::vector<double>& parameters,
                                                             const NativePlan& plan) {
  const NativeChoice choice(plan.wish, plan.evaluations);
  auto system = compile(derive(model), parameters, choice.is_possible());
  system->use_native(choice, plan.corrects_energy);
  system->shorten();
  return system;
}

std::unique_ptr<System> make_system_with_kinks_of_time(const Model& model, const std::vector<double>& parameters) {
  return compile(derive_with_kinks_of_time(model), parameters, false);
}

std::unique_ptr<System> make_system(const Model& model, const std::vector<double>& parameters, Native native,
                                    double evaluations) {
  return make_parametrised_system(model, parameters, {native, evaluations});
}

}  // namespace taut
