#include "simulation/run_loop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulation/run_evidence.hpp"
#include "simulation/run_notes.hpp"
#include "simulation/summary_totals.hpp"
#include "simulation/undefined_formula.hpp"
#include "system/parametrised_system.hpp"

namespace taut {
namespace {

/// A constraint that events have yet to engage is not implied by others.
void forget_disengaged(const Model& model, const std::vector<double>& parameters, std::vector<std::string>& dependent) {
  const auto forget = [&](int engaged, std::size_t row) {
    if (parameters[static_cast<std::size_t>(engaged)] == 0) std::erase(dependent, model.constraints[row].name);
  };
  for (const Switchable& switchable : model.switchables)
    for (const std::size_t row : switchable.rows) forget(switchable.engaged, row);
  for (const Watch& event : model.events)
    if (event.contact) forget(event.contact->engaged, event.contact->row);
}

}  // namespace

RunLoop::RunLoop(System& system, ModelKnowledge known, const Options& options, Observer* observer)
    : state_(system, known, options),
      place_(state_),
      values_(state_),
      interior_(state_),
      review_(state_, values_, interior_),
      events_(state_, values_, interior_, std::move(known.events)),
      recorder_(state_, values_, interior_, observer),
      reports_(state_, values_, observer),
      turns_(state_),
      features_(std::move(known.features)),
      model_(known.model),
      changes_({state_, place_, values_, events_, turns_}, model_, std::move(known.parameters)) {
  check_options(options);
  for (std::string& note : state_.parts.notes) state_.log.note(std::move(note));
  changes_.prepare();
}

// ---- the beginning --------------------------------------------------------------------------------

void RunLoop::start(InitialState initial) {
  describe();
  start_on_constraints(initial);
  if (model_) forget_disengaged(*model_, changes_.parameters(), state_.log.summary().dependent);
  place_.start(initial.t);
  const double t = initial.t;
  const Vector& y = state_.y;
  if (state_.parts.switched) state_.parts.switched->settle(t, y);
  interior_.start(y);
  review_.start(t, y, initial.q, initial.v);
  if (changes_.exist()) {
    if (place_.moves()) start_integrator();
    changes_.begin(initial);
  }
  recorder_.start(t, y);
  reports_.start(t, y, model_, changes_.parameters());
  if (place_.moves()) start_integrator();
  turns_.start();
  if (values_.has_outputs()) values_.find_outputs(t, y);
  events_.start(t, y);
  if (place_.moves()) state_.y = Vector();  // the integrator has its own
}

/// Where the equations have no value, what has none in the model's formulas.
void RunLoop::start_on_constraints(InitialState& initial) {
  const Vector q = initial.q, v = initial.v;
  try {
    start_run(state_, initial, std::move(features_));
  } catch (const NoStart& error) {
    if (!model_) throw;
    std::vector<double> values = changes_.parameters();
    find_driven(state_.parts.system, initial.t, q, v, values);
    throw with_undefined_formula(error, *model_, values, initial.t, q, v);
  }
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
  parts.integrator->start(parts.ode(), place_.start(), state_.y, parts.control);
}

// ---- the steps ------------------------------------------------------------------------------------

bool RunLoop::step() {
  while (goes_on()) {
    state_.begin_step();
    changes_.end_step_at_sample();
    const Step& step = state_.parts.integrator->advance();
    if (step.ok) {
      follow_up(step);
      return true;
    }
    if (!turns_.replace_failed()) review_.explain_failure(step.reason);
  }
  return false;
}

bool RunLoop::step(double until) {
  set_end(std::min(until, state_.parts.options.until));
  const bool stepped = t() < state_.parts.control.until && step();
  set_end(state_.parts.options.until);
  return stepped;
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
  const bool acts = !events_.acting().empty() && state_.log.goes_on();
  if (acts) cut_step_at_event();
  if (recorder_.is_wanted()) recorder_.record_within_step();
  if (acts && state_.log.goes_on()) changes_.act(events_.acting());
  if (state_.log.goes_on()) changes_.sample();
  if (recorder_.is_wanted()) recorder_.record_end();
  reports_.report(step);
  turns_.judge_step();
  if (options.max_steps && summary.steps >= *options.max_steps && state_.parts.integrator->t() < options.until)
    state_.fail("the largest number of steps was reached");
}

// ---- changes --------------------------------------------------------------------------------------

/// The step ends where an event acts, by its own interpolation.
void RunLoop::cut_step_at_event() {
  const double at = events_.acting_at();
  if (at >= t()) return;
  interior_.project_at(at);
  state_.end_within_step(at, interior_.y());
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
  for (const Sampler& sampler : changes_.samplers())
    summary.controllers.push_back({sampler.name(), sampler.sample_time(), sampler.samples()});
  fill_step_totals(state_, turns_.rejected());
  note_what_happened(state_, recorder_);
  final_state.find(summary.t, y());
  return evidence_of_motion(state_);
}

/// What needs neither of them: in large systems names take the room of what has served.
void RunLoop::fill(FinalState& final_state, Evidence evidence) {
  Summary& summary = state_.log.summary();
  const auto& softness = state_.parts.shape.softness;
  changes_.with_all_engaged([&] { state_.conformance.measure(summary.t, values_.q(), values_.v()); });
  state_.conformance.fill(summary);
  pass_judgement(state_, review_.invariants(), values_.q().lpNorm<Eigen::Infinity>(), std::move(evidence));
  summary.degrees_of_freedom +=
      static_cast<int>(std::ranges::count_if(softness, [](double square) { return square > 0; }));
  final_state.fill(summary.t, summary);
}

}  // namespace taut
