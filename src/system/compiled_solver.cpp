#include "system/compiled_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "system/levels.hpp"
#include "system/solution.hpp"

namespace taut {
namespace {

/// A longer solution is left to a kernel.
constexpr std::size_t longest_solution = 20000;
/// Products lose to a pivot p what squares lose, ε/p²; refined once, (ε/p²)², which is less than what any factor loses,
/// ε/p, down to this pivot.
constexpr double least_squared_pivot = 1e-5;

/// Where the plan's inputs begin, in their order, and the registers of its outputs.
void make_plan(SolverProgram& s, int first_input) {
  const auto places = [&](int output) { return s.program.output_slots().data() + output; };
  taut_stage_plan& p = s.plan;
  p = {s.n_q,       s.n_v,     s.rows, s.position_rows, s.stresses, static_cast<int>(s.retracted.size()),
       s.does_work, s.squared, false};
  p.position = first_input;
  p.velocity = p.position + 1 + s.n_q;
  p.demanded = p.velocity + s.n_v;
  p.residual = p.demanded + s.rows;
  p.position_residual = p.residual + s.rows;
  p.trial_velocity = p.position_residual + s.position_rows;
  p.trial_position = p.trial_velocity + s.n_v;
  p.trial_acceleration = p.trial_position + 1 + s.n_q;
  p.stress = p.trial_acceleration + s.n_v + s.rows;
  p.retracted_coordinates = s.retracted.data();
  p.mass_pivots = places(s.mass_pivots);
  p.pivots = places(s.pivots);
  p.exchange = places(s.exchange);
  p.b = places(s.b);
  p.acceleration = places(s.acceleration);
  p.multipliers = places(s.multipliers);
  p.missing_acceleration = places(s.missing_acceleration);
  p.power = places(s.power);
  p.rates = places(s.rates);
  p.correction = places(s.correction);
  p.correction_multipliers = places(s.correction_multipliers);
  p.position_correction = places(s.position_correction);
  p.missing_velocity = places(s.missing_velocity);
  p.retraction = places(s.retraction);
  p.missing_position = places(s.missing_position);
}

/// Is M known from the parameters to be regular everywhere?
bool has_constant_mass(SolverProgram& s) {
  for (int i = 0; i < s.n_v; ++i)
    if (s.program.output_level(s.mass_pivots + i) > Level::parameters) return false;
  return taut_has_mass(s.begun.input(0), s.plan.mass_pivots, s.n_v);
}

class CompiledSolver : public Solver {
 public:
  explicit CompiledSolver(std::shared_ptr<const SolverProgram> shared)
      : shared_(std::move(shared)), s_(*shared_), plan_(s_.plan), workspace_(s_.begun) {
    own_ = {&s_.program, &workspace_, &workspace_};
    stress_.setZero(static_cast<Eigen::Index>(s_.stress_rows.size()), s_.stresses);
    lengths_.setOnes(stress_.rows());
  }

  bool at_position(double t, const Vector& q, Vector& Phi) override {
    take_branches();
    *workspace_.input(plan_.position) = t;
    put(plan_.position + 1, q.data(), s_.n_q);
    run(Level::position);
    has_looked_ = false;
    copy(s_.Phi, Phi);
    return (plan_.constant_mass || taut_has_mass(registers(), plan_.mass_pivots, s_.n_v)) && Phi.allFinite();
  }

  bool at_velocity(const Vector& v) override {
    put(plan_.velocity, v.data(), s_.n_v);
    run(Level::velocity);
    for (int i = 0; i < s_.n_v; ++i)
      if (!std::isfinite(value(s_.f + i))) return false;
    for (int k = 0; k < s_.rows; ++k)
      if (!std::isfinite(value(s_.b + k))) return false;
    return true;
  }

  void copy_to(Point& point) const override {
    copy(s_.Phi, point.Phi);
    copy(s_.f, point.f);
    copy(s_.b, point.b);
    copy(s_.chi, point.chi);
  }

  void position_step(double t, const double* q, double* dq) override {
    const taut_stage_call call = alone();
    taut_position_step(&plan_, &call, registers(), t, q);
    get(s_.position_correction, s_.n_q, dq);
  }

  bool factor_at(double t, const double* q, const Vector& scales, double least) override {
    const taut_stage_call call = alone(scales, least);
    take_branches();
    return has_looked_ = taut_factor(&plan_, &call, registers(), t, q, s_.n_q) != 0;
  }

  void velocity_step(const double* v, double* dv) override {
    const taut_stage_call call = alone();
    taut_velocity_step(&plan_, &call, registers(), v);
    get(s_.correction, s_.n_v, dv);
  }

  void rates(double* ydot) override {
    const taut_stage_call call = alone();
    taut_rates(&plan_, &call, registers(), 1, ydot);
  }

  bool go_to(Solver& normals, const Stage& stage) override {
    auto& other = static_cast<CompiledSolver&>(normals);
    const StageProgram program{&s_.program, &other.workspace_, &workspace_};
    take_branches();
    has_looked_ = stage.slack == 0;
    const taut_stage_call call{&program,    other.registers(), registers(),  stage.scales.data(), stage.least,
                               stage.t,     stage.y,           stage.reach,  stage.size,          stage.tolerance,
                               stage.slack, stage.slack == 0,  stage.refine, stage.found,         stage.ydot};
    return s_.driver.function ? s_.driver.function(&call) : taut_stage(&plan_, &call);
  }

  bool at_state(double t, const double* y, const Vector& scales, double least) override {
    const taut_stage_call call = alone(scales, least);
    take_branches();
    has_looked_ = taut_factor(&plan_, &call, registers(), t, y, s_.n_q + s_.n_v) != 0;
    if (!has_looked_) return false;
    run(Level::velocity);
    return true;
  }

  void violations(double* Phi, double* chi) const override {
    get(s_.Phi, s_.position_rows, Phi);
    get(s_.chi, s_.rows, chi);
  }

  void held_rates(const double* Phi, const double* chi, double* ydot) override {
    double* c = workspace_.input(plan_.demanded);
    for (int k = 0; k < s_.rows; ++k) c[k] = value(s_.b + k) - chi[k];
    const taut_stage_call call = alone();
    taut_accelerate(&plan_, &call, registers(), 1, ydot + s_.n_q);
    double* r = workspace_.input(plan_.position_residual);
    for (int k = 0; k < s_.position_rows; ++k) r[k] = -Phi[k] - value(s_.chi + k);
    run(Level::position_correction);
    for (int i = 0; i < s_.n_q; ++i) ydot[i] = value(s_.rates + i) + value(s_.position_correction + i);
    if (s_.does_work) ydot[s_.n_q + s_.n_v] = power();
  }

  void sizes(Vector& squares) const override { copy(s_.sizes, squares); }

  double smallest_pivot(const Vector& scales) const override {
    double smallest = 1;
    for (int k = 0; k < s_.rows; ++k) {
      const double share = value(s_.pivots + k) / scales[k];
      if (!(share >= smallest)) smallest = share;  // not a number is kept
    }
    return std::sqrt(smallest);
  }

  double largest_remainder() override {
    look();
    double largest = 0;
    for (int k = 0; k < s_.stresses; ++k) {
      const double square = value(s_.remainders + k);
      if (!(square <= largest)) largest = square;
    }
    return std::sqrt(largest);
  }

  double exchange() override {
    look();
    return std::sqrt(std::max(0.0, value(s_.exchange)));
  }

  void take_stress(const Matrix& stress) override {
    for (Eigen::Index i = 0; i < stress_.rows(); ++i) lengths_[i] = size(i);
    for (Eigen::Index k = 0; k < stress_.cols(); ++k)
      for (Eigen::Index i = 0; i < stress_.rows(); ++i) stress_(i, k) = stress(s_.stress_rows[i], k);
    put_stress();
  }

  void take_stress_of(Solver& other) override {
    auto& found = static_cast<CompiledSolver&>(other);
    found.look();
    found.get(s_.self_stress, static_cast<int>(stress_.size()), stress_.data());
    for (Eigen::Index k = 0; k < stress_.cols(); ++k)
      for (Eigen::Index i = 0; i < stress_.rows(); ++i) stress_(i, k) *= found.size(i);
    for (Eigen::Index i = 0; i < stress_.rows(); ++i) lengths_[i] = found.size(i);
    put_stress();
  }

  void accelerate(const Vector& c, Vector& a, Vector& lambda) override {
    put(plan_.demanded, c.data(), s_.rows);
    const taut_stage_call call = alone();
    taut_accelerate(&plan_, &call, registers(), 1, a.data());
    if (taut_tries_acceleration(&plan_, 1)) {
      std::copy_n(workspace_.input(plan_.trial_acceleration + s_.n_v), s_.rows, lambda.data());
    } else {
      copy(s_.multipliers, lambda);
    }
  }

  double power() const override { return value(s_.power); }

  void correct(const Vector& r, Vector& dv) override {
    put(plan_.residual, r.data(), s_.rows);
    run(Level::correction);
    copy(s_.correction, dv);
  }

  void correct_position(const Vector& r, Vector& dq) override {
    put(plan_.position_residual, r.data(), s_.position_rows);
    run(Level::position_correction);
    copy(s_.position_correction, dq);
  }

 private:
  /// Inputs of one lane stand side by side.
  void put(int first, const double* values, int count) { std::copy_n(values, count, workspace_.input(first)); }
  void run(Level level) { s_.program.run(level, workspace_); }
  double value(int k) const { return s_.program.output(k, workspace_); }
  void get(int first, int count, double* out) const { s_.program.copy(first, count, workspace_, out); }
  void copy(int first, Vector& out) const { get(first, static_cast<int>(out.size()), out.data()); }

  double* registers() { return workspace_.input(0); }
  void take_branches() { std::ranges::copy(s_.branches, workspace_.input(s_.parameters)); }

  /// A call of what needs no other solver.
  taut_stage_call alone() {
    taut_stage_call call = {};
    call.program = &own_;
    return call;
  }
  /// The length of a row that V has entries in.
  double size(Eigen::Index i) const { return std::sqrt(value(s_.sizes + s_.stress_rows[i])); }

  /// V = the columns made orthonormal, in rows of length 1, times the rows' lengths.
  void put_stress() {
    make_orthonormal(stress_);
    double* V = workspace_.input(plan_.stress);
    for (Eigen::Index k = 0; k < stress_.cols(); ++k)
      for (Eigen::Index i = 0; i < stress_.rows(); ++i) *V++ = stress_(i, k) * lengths_[i];
  }

  /// Unless that was done when the solver went to where it stands.
  void look() {
    if (!has_looked_ && plan_.stresses > 0) run(Level::look);
    has_looked_ = true;
  }

  taut_stage_call alone(const Vector& scales, double least) {
    taut_stage_call call = alone();
    call.look = 1;
    call.scales = scales.data();
    call.least = s_.squared ? std::max(least, least_squared_pivot) : least;
    return call;
  }

  std::shared_ptr<const SolverProgram> shared_;
  const SolverProgram& s_;
  const taut_stage_plan& plan_;
  Program::Workspace workspace_;
  StageProgram own_;
  bool has_looked_ = false;  ///< self-stresses are known here
  Matrix stress_;            ///< V, of rows of length 1 …
  Vector lengths_;           ///< … and their lengths
};

}  // namespace

std::unique_ptr<Solver> make_solver(std::shared_ptr<const SolverProgram> program) {
  return std::make_unique<CompiledSolver>(std::move(program));
}

std::shared_ptr<SolverProgram> make_solver_program(const Equations& eq, const Matrix& stress,
                                                   const std::vector<double>& parameters) {
  const std::optional<Solution> solution = solution_of(eq, stress, longest_solution);
  if (!solution) return nullptr;
  std::vector<Program::Input> inputs = state_inputs(eq);
  add_inputs(inputs, solution->demanded, Level::acceleration);
  add_inputs(inputs, solution->residual, Level::correction);
  add_inputs(inputs, solution->position_residual, Level::position_correction);
  add_inputs(inputs, solution->trial_velocity, Level::trial_velocity);
  add_inputs(inputs, solution->trial_position, Level::trial_position);
  add_inputs(inputs, eq.a, Level::trial_acceleration);
  add_inputs(inputs, eq.multipliers, Level::trial_acceleration);
  add_inputs(inputs, solution->stress_inputs, Level::position);
  add_inputs(inputs, solution->look, Level::look);

  auto made = std::make_shared<SolverProgram>();
  SolverProgram& s = *made;
  std::vector<Expression> outputs;
  const auto place = [&](int& first, std::span<const Expression> formulas) {
    first = static_cast<int>(outputs.size());
    outputs.insert(outputs.end(), formulas.begin(), formulas.end());
  };
  place(s.Phi, eq.Phi);
  place(s.mass_pivots, solution->mass_pivots);
  place(s.sizes, solution->sizes);
  place(s.pivots, solution->pivots);
  place(s.self_stress, solution->self_stress);
  place(s.remainders, solution->remainders);
  place(s.exchange, std::array{solution->exchange});
  place(s.f, eq.f);
  place(s.b, eq.b);
  place(s.chi, eq.chi);
  place(s.acceleration, solution->acceleration);
  place(s.multipliers, solution->multipliers);
  place(s.power, std::array{eq.shape.does_work ? eq.power : Expression(0)});
  place(s.missing_acceleration, solution->missing_acceleration);
  place(s.rates, eq.rates);
  place(s.correction, solution->correction);
  place(s.correction_multipliers, solution->correction_multipliers);
  place(s.position_correction, solution->position_correction);
  place(s.missing_velocity, solution->missing_velocity);
  place(s.retraction, solution->retraction);
  place(s.missing_position, solution->missing_position);

  s.start = stress;
  s.stress_rows.assign(solution->stress.rows.begin(), solution->stress.rows.end());
  s.stresses = static_cast<int>(solution->stress.columns.size());
  s.n_q = eq.shape.n_q();
  s.n_v = eq.shape.n_v();
  s.rows = eq.shape.rows();
  s.position_rows = eq.shape.position_rows;
  s.does_work = eq.shape.does_work;
  s.squared = solution->squared;
  s.retracted = eq.retracted;
  s.program = Program(*eq.graph, inputs, outputs);
  s.begun = s.program.workspace();
  std::ranges::copy(parameters, s.begun.input(0));
  *s.begun.input(static_cast<int>(inputs.size()) - 1) = 1;
  s.program.run(Level::parameters, s.begun);
  s.parameters = static_cast<int>(parameters.size());
  make_plan(s, s.parameters + static_cast<int>(eq.branches.size()));
  s.plan.constant_mass = has_constant_mass(s);
  s.driver.text = stage_driver(s.plan);
  return made;
}

}  // namespace taut
