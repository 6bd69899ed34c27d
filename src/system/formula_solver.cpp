#include "system/formula_solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "expression/gathering.hpp"
#include "system/levels.hpp"

namespace taut {
namespace {

/// Products lose to a pivot p what squares lose, ε/p²; refined once, (ε/p²)², which is less than what any factor loses,
/// ε/p, down to this pivot.
constexpr double least_squared_pivot = 1e-5;

/// Where the plan's inputs begin, in their order.
void place_inputs(taut_stage_plan& p, int first) {
  p.position = first;
  p.velocity = p.position + 1 + p.coordinates;
  p.demanded = p.velocity + p.speeds;
  p.residual = p.demanded + p.rows;
  p.position_residual = p.residual + p.rows;
  p.trial_velocity = p.position_residual + p.position_rows;
  p.trial_position = p.trial_velocity + p.speeds;
  p.trial_acceleration = p.trial_position + 1 + p.coordinates;
  p.stress = p.trial_acceleration + p.speeds + p.rows;
}

/// Is M known from the parameters to be regular everywhere?
bool has_constant_mass(SolverProgram& s) {
  const auto first = s.plan.mass_pivots - s.program.output_slots().data();
  for (int i = 0; i < s.plan.speeds; ++i)
    if (s.program.output_level(static_cast<int>(first) + i) > Level::parameters) return false;
  return taut_has_mass(s.begun.input(0), s.plan.mass_pivots, s.plan.speeds);
}

}  // namespace

// ---- self-stresses --------------------------------------------------------------------------------

SelfStress::SelfStress(const SolverProgram& shared, SolverMemory& memory) : shared_(shared), memory_(memory) {
  stress_.setZero(static_cast<Eigen::Index>(shared.stress_rows.size()), shared.plan.stresses);
  lengths_.setOnes(stress_.rows());
}

void SelfStress::set(const Matrix& stress) {
  for (Eigen::Index i = 0; i < stress_.rows(); ++i) lengths_[i] = row_length(i);
  for (Eigen::Index k = 0; k < stress_.cols(); ++k)
    for (Eigen::Index i = 0; i < stress_.rows(); ++i) stress_(i, k) = stress(shared_.stress_rows[i], k);
  load();
}

void SelfStress::set_exact_of(SelfStress& other) {
  other.find();
  other.memory_.copy(shared_.plan.self_stress, stress_.size(), stress_.data());
  for (Eigen::Index k = 0; k < stress_.cols(); ++k)
    for (Eigen::Index i = 0; i < stress_.rows(); ++i) stress_(i, k) *= other.row_length(i);
  for (Eigen::Index i = 0; i < stress_.rows(); ++i) lengths_[i] = other.row_length(i);
  load();
}

/// V = the columns made orthonormal, in rows of length 1, times the rows' lengths.
void SelfStress::load() {
  taut_make_orthonormal(stress_.data(), static_cast<int>(stress_.rows()), static_cast<int>(stress_.cols()));
  double* V = memory_.registers() + shared_.plan.stress;
  for (Eigen::Index k = 0; k < stress_.cols(); ++k)
    for (Eigen::Index i = 0; i < stress_.rows(); ++i) *V++ = stress_(i, k) * lengths_[i];
}

/// Of a row that V has entries in.
double SelfStress::row_length(Eigen::Index i) const {
  return std::sqrt(memory_.value(shared_.plan.sizes[shared_.stress_rows[i]]));
}

void SelfStress::find() {
  if (!known_ && shared_.plan.stresses > 0) memory_.run(Level::self_stress);
  known_ = true;
}

double SelfStress::largest_remainder() {
  find();
  double largest = 0;
  for (int k = 0; k < shared_.plan.stresses; ++k) {
    const double square = memory_.value(shared_.plan.remainders[k]);
    if (!(square <= largest)) largest = square;
  }
  return std::sqrt(largest);
}

double SelfStress::drift() {
  find();
  return std::sqrt(std::max(0.0, memory_.value(*shared_.plan.stress_drift)));
}

// ---- going to a point -----------------------------------------------------------------------------

FormulaSolver::FormulaSolver(std::shared_ptr<const SolverProgram> program)
    : shared_(std::move(program)),
      plan_(shared_->plan),
      memory_(*shared_),
      own_{&shared_->program, &memory_.workspace(), &memory_.workspace()},
      stress_(*shared_, memory_) {}

/// A call of what needs no other solver.
taut_stage_call FormulaSolver::alone() {
  taut_stage_call call = {};
  call.program = &own_;
  return call;
}

taut_stage_call FormulaSolver::alone(const Trust& trust) {
  taut_stage_call call = alone();
  call.check_stress = 1;
  call.scales = trust.scales.data();
  call.least = plan_.squared ? std::max(trust.least, least_squared_pivot) : trust.least;
  return call;
}

bool FormulaSolver::at_position(double t, const Vector& q, Vector& Phi) {
  memory_.load_branches();
  memory_.registers()[plan_.position] = t;
  memory_.load(plan_.position + 1, q);
  memory_.run(Level::position);
  stress_.move(false);
  memory_.copy(plan_.Phi, Phi);
  return (plan_.constant_mass || taut_has_mass(memory_.registers(), plan_.mass_pivots, plan_.speeds)) &&
         Phi.allFinite();
}

bool FormulaSolver::factor_at(double t, const Vector& q, const Trust& trust) {
  const taut_stage_call call = alone(trust);
  memory_.load_branches();
  const bool factored = taut_factor(&plan_, &call, memory_.registers(), t, q.data(), plan_.coordinates) != 0;
  stress_.move(factored);
  return factored;
}

bool FormulaSolver::at_velocity(const Vector& v) {
  memory_.load(plan_.velocity, v);
  memory_.run(Level::velocity);
  for (int i = 0; i < plan_.speeds; ++i)
    if (!std::isfinite(memory_.value(plan_.f[i]))) return false;
  for (int k = 0; k < plan_.rows; ++k)
    if (!std::isfinite(memory_.value(plan_.b[k]))) return false;
  return true;
}

bool FormulaSolver::at_state(double t, const Vector& y, const Trust& trust) {
  const taut_stage_call call = alone(trust);
  memory_.load_branches();
  const int count = plan_.coordinates + plan_.speeds;
  const bool factored = taut_factor(&plan_, &call, memory_.registers(), t, y.data(), count) != 0;
  stress_.move(factored);
  if (factored) memory_.run(Level::velocity);
  return factored;
}

void FormulaSolver::copy_to(Point& point) const {
  memory_.copy(plan_.Phi, point.Phi);
  memory_.copy(plan_.f, point.f);
  memory_.copy(plan_.b, point.b);
  memory_.copy(plan_.chi, point.chi);
}

bool FormulaSolver::run_stage(FormulaSolver& normals, const Stage& stage) {
  const StageProgram program{&shared_->program, &normals.memory_.workspace(), &memory_.workspace()};
  const bool may_be_result = stage.slack == 0;
  memory_.load_branches();
  stress_.move(may_be_result);
  const taut_stage_call call{&program,
                             normals.memory_.registers(),
                             memory_.registers(),
                             stage.trust.scales.data(),
                             stage.trust.least,
                             stage.t,
                             stage.y.data(),
                             stage.reach,
                             stage.size,
                             stage.tolerance,
                             stage.slack,
                             may_be_result,
                             stage.refine,
                             stage.found.data(),
                             stage.ydot.data()};
  return shared_->driver.function ? shared_->driver.function(&call) : taut_stage(&plan_, &call);
}

// ---- at that point --------------------------------------------------------------------------------

void FormulaSolver::accelerate(const Vector& c, Vector& a, Vector& lambda) {
  memory_.load(plan_.demanded, c);
  const taut_stage_call call = alone();
  taut_accelerate(&plan_, &call, memory_.registers(), 1, a.data());
  if (taut_tries_acceleration(&plan_, 1)) {
    std::copy_n(memory_.registers() + plan_.trial_acceleration + plan_.speeds, plan_.rows, lambda.data());
  } else {
    memory_.copy(plan_.multipliers, lambda);
  }
}

double FormulaSolver::power(double, const Vector&, const Vector&, const Vector&, const Vector&) {
  return memory_.value(*plan_.power);
}

void FormulaSolver::correct_velocity(const Vector& r, Vector& dv) {
  memory_.load(plan_.residual, r);
  memory_.run(Level::correction);
  memory_.copy(plan_.correction, dv);
}

bool FormulaSolver::correct_position(double, const Vector&, const Vector& r, Vector& dq) {
  std::copy_n(r.data(), plan_.position_rows, memory_.registers() + plan_.position_residual);
  memory_.run(Level::position_correction);
  memory_.copy(plan_.position_correction, dq);
  return true;
}

void FormulaSolver::position_step(double t, const Vector& q, Vector& dq) {
  const taut_stage_call call = alone();
  taut_position_step(&plan_, &call, memory_.registers(), t, q.data());
  memory_.copy(plan_.position_correction, dq);
}

void FormulaSolver::velocity_step(double, const Vector&, const Vector& v, Vector& dv) {
  const taut_stage_call call = alone();
  taut_velocity_step(&plan_, &call, memory_.registers(), v.data());
  memory_.copy(plan_.correction, dv);
}

void FormulaSolver::rates(Vector& ydot) {
  const taut_stage_call call = alone();
  taut_rates(&plan_, &call, memory_.registers(), 1, ydot.data());
}

void FormulaSolver::violations(Vector& Phi, Vector& chi) const {
  memory_.copy(plan_.Phi, Phi);
  memory_.copy(plan_.chi, chi);
}

void FormulaSolver::held_rates(const Vector& Phi, const Vector& chi, Vector& ydot) {
  double* c = memory_.registers() + plan_.demanded;
  for (int k = 0; k < plan_.rows; ++k) c[k] = memory_.value(plan_.b[k]) - chi[k];
  const taut_stage_call call = alone();
  taut_accelerate(&plan_, &call, memory_.registers(), 1, ydot.data() + plan_.coordinates);
  double* r = memory_.registers() + plan_.position_residual;
  for (int k = 0; k < plan_.position_rows; ++k) r[k] = -Phi[k] - memory_.value(plan_.chi[k]);
  memory_.run(Level::position_correction);
  for (int i = 0; i < plan_.coordinates; ++i)
    ydot[i] = memory_.value(plan_.rates[i]) + memory_.value(plan_.position_correction[i]);
  if (plan_.works) ydot[plan_.coordinates + plan_.speeds] = memory_.value(*plan_.power);
}

double FormulaSolver::smallest_pivot(const Vector& scales) const {
  double smallest = 1;
  for (int k = 0; k < plan_.rows; ++k) {
    const double share = memory_.value(plan_.pivots[k]) / scales[k];
    if (!(share >= smallest)) smallest = share;  // not a number is kept
  }
  return std::sqrt(smallest);
}

// ---- the program ----------------------------------------------------------------------------------

bool set_parameters(SolverProgram& s, const std::vector<double>& parameters) {
  std::ranges::copy(parameters, s.begun.input(0));
  s.program.run(Level::parameters, s.begun);
  return static_cast<bool>(s.plan.constant_mass) == has_constant_mass(s);
}

std::shared_ptr<SolverProgram> make_solver_program(const Equations& eq, const Matrix& stress,
                                                   const std::vector<double>& parameters,
                                                   const SolutionChoice& choice) {
  const std::optional<Solution> solution = solution_of(eq, stress, choice.longest, choice.rows);
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
  add_inputs(inputs, solution->stress_request, Level::self_stress);

  auto made = std::make_shared<SolverProgram>();
  SolverProgram& s = *made;
  std::vector<Expression> outputs;
#define TAUT_APPEND(name, count) outputs.insert(outputs.end(), solution->name.begin(), solution->name.end());
  TAUT_SOLVER_OUTPUTS(TAUT_APPEND)
#undef TAUT_APPEND
  if (choice.gathered) outputs = gather_factors(*eq.graph, outputs);
  s.program = Program(*eq.graph, inputs, outputs);
  s.begun = s.program.workspace();
  std::ranges::copy(parameters, s.begun.input(0));
  *s.begun.input(static_cast<int>(inputs.size()) - 1) = 1;
  s.program.run(Level::parameters, s.begun);
  s.start = stress;
  s.stress_rows.assign(solution->stress.rows.begin(), solution->stress.rows.end());
  s.parameters = static_cast<int>(parameters.size());
  s.retracted = eq.retracted;
  s.plan.one = 1;
  s.plan.coordinates = eq.shape.n_q();
  s.plan.speeds = eq.shape.n_v();
  s.plan.rows = eq.shape.rows();
  s.plan.position_rows = eq.shape.position_rows;
  s.plan.stresses = static_cast<int>(solution->stress.columns.size());
  s.plan.stress_entries = static_cast<int>(solution->self_stress.size());
  s.plan.retracted = static_cast<int>(s.retracted.size());
  s.plan.works = eq.shape.does_work;
  s.plan.squared = solution->squared;
  s.plan.retracted_coordinates = s.retracted.data();
  place_inputs(s.plan, s.parameters + static_cast<int>(eq.branches.size()));
  const int* places = s.program.output_slots().data();
#define TAUT_PLACE(name, count) \
  s.plan.name = places;         \
  places += static_cast<int>(solution->name.size());
  TAUT_SOLVER_OUTPUTS(TAUT_PLACE)
#undef TAUT_PLACE
  s.plan.constant_mass = has_constant_mass(s);
  s.driver.text = stage_driver(s.plan);
  return made;
}

}  // namespace taut
