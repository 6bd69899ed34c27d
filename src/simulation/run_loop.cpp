#include "simulation/run_loop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulation/run_evidence.hpp"
#include "simulation/run_notes.hpp"
#include "simulation/summary_totals.hpp"

namespace taut {
namespace {

/// A constraint that jumps by more than this, compared to the coordinates, asks for another position.
constexpr double largest_position_jump = 1e-6;

}  // namespace

RunLoop::RunLoop(System& system, ModelKnowledge known, const Options& options, Observer* observer)
    : state_(system, known, options),
      values_(state_),
      interior_(state_),
      review_(state_, values_, interior_),
      events_(state_, values_, interior_, std::move(known.events)),
      recorder_(state_, values_, interior_, observer),
      reports_(state_, values_, observer),
      turns_(state_),
      features_(std::move(known.features)),
      model_(known.model),
      parameters_(std::move(known.parameters)) {
  check_options(options);
  for (std::string& note : state_.parts.notes) state_.log.note(std::move(note));
}

// ---- the beginning --------------------------------------------------------------------------------

void RunLoop::start(InitialState initial) {
  describe();
  start_run(state_, initial, std::move(features_));
  start_time_ = initial.t;
  const double t = initial.t;
  const Vector& y = state_.y;
  if (state_.parts.switched) state_.parts.switched->settle(t, y);
  interior_.start(y);
  review_.start(t, y, initial.q, initial.v);
  recorder_.start(t, y);
  reports_.start(t, y);
  if (is_started()) start_integrator();
  turns_.start();
  if (values_.has_outputs()) values_.find_outputs(t, y);
  events_.start(t, y);
  if (is_started()) state_.y = Vector();  // the integrator has its own
}

/// What the summary says of the run before it begins.
void RunLoop::describe() {
  const RunParts& parts = state_.parts;
  Summary& summary = state_.log.summary();
  summary.method = parts.options.method.to_string();
  summary.energy = parts.options.energy.to_string();
  summary.step = parts.options.step;
  if (!parts.options.step) {
    summary.rtol = parts.control.rtol;
    summary.atol = parts.control.atol;
  }
  summary.coordinates = parts.shape.n_q();
  summary.speeds = parts.shape.n_v();
  summary.constraints = parts.shape.rows();
}

void RunLoop::start_integrator() {
  RunParts& parts = state_.parts;
  parts.integrator->start(parts.ode(), start_time_, state_.y, parts.control);
}

// ---- the steps ------------------------------------------------------------------------------------

bool RunLoop::step() {
  while (goes_on()) {
    state_.begin_step();
    const Step& step = state_.parts.integrator->advance();
    if (step.ok) {
      follow_up(step);
      return true;
    }
    if (!turns_.replace_failed()) review_.explain_failure(step.reason);
  }
  return false;
}

void RunLoop::advance(double until) {
  RunParts& parts = state_.parts;
  set_end(std::min(until, parts.options.until));
  while (t() < parts.control.until && step()) {
  }
  set_end(parts.options.until);
}

/// Also of integrators that take over.
void RunLoop::set_end(double until) {
  state_.parts.control.until = until;
  state_.parts.integrator->set_end(until);
}

void RunLoop::follow_up(const Step& step) {
  Summary& summary = state_.log.summary();
  const Options& options = state_.parts.options;
  ++summary.steps;
  interior_.begin_step(step);
  review_.review(step);
  if (summary.outcome == Outcome::failed && !state_.contradictory) return;
  review_.review_branches();
  if (!state_.contradictory) events_.search(step);
  if (recorder_.is_wanted()) recorder_.record_step();
  reports_.report(step);
  turns_.judge_step();
  if (options.max_steps && summary.steps >= *options.max_steps && state_.parts.integrator->t() < options.until)
    state_.fail("the largest number of steps was reached");
}

// ---- changes --------------------------------------------------------------------------------------

void RunLoop::set_parameters(const std::vector<double>& values) {
  if (values == parameters_) return;
  refuse_position_jump(values);
  change_equations(values);
  parameters_ = values;
}

/// Speeds may jump, by an impulse, but nothing gets from one place to another in no time.
void RunLoop::refuse_position_jump(const std::vector<double>& values) {
  System& system = state_.parts.system;
  const Shape& shape = state_.parts.shape;
  if (shape.position_rows == 0 || !values_.find_state(t(), y())) return;
  Vector before = Vector::Zero(shape.position_rows), after = before;
  system.position(t(), values_.q(), before);
  system.change_parameters(values);
  system.position(t(), values_.q(), after);
  system.change_parameters(parameters_);
  Eigen::Index row = 0;
  const double jump = (after - before).cwiseAbs().maxCoeff(&row);
  if (jump <= largest_position_jump * (1 + values_.q().lpNorm<Eigen::Infinity>())) return;
  throw InputError(shape.constraint_place(static_cast<int>(row)),
                   fmt::format("at t = {:.9g} the change would have constraint '{}' jump by {:.3g}", t(),
                               shape.constraints[static_cast<std::size_t>(row)], jump),
                   "let an input drive a speed or a force, or reset the state to one that fits");
}

void RunLoop::change_equations(const std::vector<double>& values) {
  RunParts& parts = state_.parts;
  const double at = t();
  Vector state = y();
  const auto change = [&] { parts.system.change_parameters(values); };
  if (parts.switched)
    parts.switched->change_equations(at, state, change);
  else
    parts.motion->change_equations(at, state, change);
  const FeatureWatch* features = parts.motion->approval().features();
  if (features && features->follow_inputs())
    parts.motion->approval().watch_features(FeatureWatch::make(*model_, values));
  events_.renew_bounds(*model_, values);
  state_.y = state;
  if (is_started()) turns_.restart(at, state);
}

// ---- the end --------------------------------------------------------------------------------------

Summary RunLoop::summary() {
  const RunLog log = state_.log;
  FinalState final_state(state_, values_);
  Evidence evidence = gather(final_state);
  fill(final_state, std::move(evidence));
  Summary summary = std::move(state_.log.summary());
  state_.log = log;
  return summary;
}

Run RunLoop::finish() {
  FinalState final_state(state_, values_);
  Evidence evidence = gather(final_state);
  state_.parts.switched.reset();
  state_.parts.motion.reset();
  state_.parts.integrator.reset();
  fill(final_state, std::move(evidence));
  return {std::move(state_.log.summary()), recorder_.take_trajectory(), review_.take_diagnostics()};
}

/// What motion and integrator know.
Evidence RunLoop::gather(FinalState& final_state) {
  const RunParts& parts = state_.parts;
  Summary& summary = state_.log.summary();
  summary.linear = parts.chosen.linear;
  summary.integrator = parts.chosen.integrator;
  summary.control = parts.chosen.control;
  summary.t = summary.t_end = t();
  fill_step_totals(state_, turns_.rejected());
  note_what_happened(state_, recorder_);
  final_state.find(summary.t, y());
  return evidence_of_motion(state_);
}

/// What needs neither of them: in large systems names take the room of what has served.
void RunLoop::fill(FinalState& final_state, Evidence evidence) {
  Summary& summary = state_.log.summary();
  const auto& softness = state_.parts.shape.softness;
  state_.conformance.measure(summary.t, values_.q(), values_.v());
  state_.conformance.fill(summary);
  pass_judgement(state_, review_.invariants(), values_.q().lpNorm<Eigen::Infinity>(), std::move(evidence));
  summary.degrees_of_freedom +=
      static_cast<int>(std::ranges::count_if(softness, [](double square) { return square > 0; }));
  final_state.fill(summary.t, summary);
}

}  // namespace taut
