#include "simulation/run_loop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/derivative.hpp"
#include "simulation/model_parts.hpp"
#include "simulation/option_error.hpp"
#include "simulation/run_evidence.hpp"
#include "simulation/run_notes.hpp"
#include "simulation/summary_totals.hpp"
#include "simulation/undefined_formula.hpp"
#include "system/parametrised_system.hpp"

namespace taut {
namespace {

/// Of each parameter: does the motion depend on it? All that is not known to watch alone does.
std::vector<char> acting_parameters(const Model& model) {
  std::vector<char> acts(model.parameters.size(), model.joint_form != nullptr);
  std::vector<char> by_symbol(model.graph->symbols(), 0);
  for (const ModelPart& part : parts_of(model))
    if (part.acts)
      for (const SymbolId symbol : symbols_of(part.formula)) by_symbol[symbol] = 1;
  for (std::size_t k = 0; k < acts.size(); ++k) acts[k] = acts[k] || by_symbol[model.parameters[k].symbol];
  return acts;
}

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
      parameters_(std::move(known.parameters)),
      sampled_(parameters_) {
  check_options(options);
  for (std::string& note : state_.parts.notes) state_.log.note(std::move(note));
  if (model_) make_moments();
}

/// Controllers, and events that act.
void RunLoop::make_moments() {
  if (!model_->controllers.empty()) {
    sampling_ = Sampling(*model_, state_.parts.system, parameters_);
    acts_ = acting_parameters(*model_);
  }
  std::vector<WatchRule> rules;
  for (const Watch& event : model_->events)
    rules.push_back({event.direction, event.contact || !event.action.empty(), event.contact.has_value()});
  if (std::ranges::any_of(rules, &WatchRule::acts)) {
    if (state_.parts.method->is_dae())
      throw InputError("events that act do not go with a method that solves for positions and speeds at once",
                       "choose another method, such as auto");
    jump_.emplace(state_, values_, *model_);
  }
  events_.set_rules(std::move(rules));
}

// ---- the beginning --------------------------------------------------------------------------------

void RunLoop::start(InitialState initial) {
  describe();
  start_on_constraints(initial);
  if (model_) forget_disengaged(*model_, parameters_, state_.log.summary().dependent);
  start_time_ = initial.t;
  const double t = initial.t;
  const Vector& y = state_.y;
  if (state_.parts.switched) state_.parts.switched->settle(t, y);
  interior_.start(y);
  review_.start(t, y, initial.q, initial.v);
  if (sampling_.exists() || jump_) begin_moments(initial);
  recorder_.start(t, y);
  reports_.start(t, y, model_, parameters_);
  if (is_started()) start_integrator();
  turns_.start();
  if (values_.has_outputs()) values_.find_outputs(t, y);
  events_.start(t, y);
  if (is_started()) state_.y = Vector();  // the integrator has its own
}

/// Where the equations have no value, what has none in the model's formulas.
void RunLoop::start_on_constraints(InitialState& initial) {
  const Vector q = initial.q, v = initial.v;
  try {
    start_run(state_, initial, std::move(features_));
  } catch (const NoStart& error) {
    if (!model_) throw;
    std::vector<double> values = parameters_;
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

/// What is found where a run begins is in its first row, and what touches there has struck.
void RunLoop::begin_moments(const InitialState& initial) {
  if (is_started()) start_integrator();
  if (initial.as_it_is || initial.history.size > 0)
    renew_watches(parameters_);
  else if (jump_ && jump_->touches(t(), y(), parameters_))
    act({});
  if (initial.memory.empty())
    sampling_.start(initial.t);
  else
    sampling_.restore(initial.memory);
  sample();
}

void RunLoop::start_integrator() {
  RunParts& parts = state_.parts;
  parts.integrator->start(parts.ode(), start_time_, state_.y, parts.control);
}

// ---- the steps ------------------------------------------------------------------------------------

bool RunLoop::step() {
  while (goes_on()) {
    state_.begin_step();
    if (sampling_.exists()) end_step_at_sample();
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

void RunLoop::end_step_at_sample() {
  const double end = state_.parts.control.until, next = sampling_.next();
  state_.parts.integrator->set_end(next < end && !is_same_instant(next, end) ? next : end);
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
  if (acts && state_.log.goes_on()) act(events_.acting());
  if (sampling_.exists() && state_.log.goes_on()) sample();
  if (recorder_.is_wanted()) recorder_.record_end();
  reports_.report(step);
  turns_.judge_step();
  if (options.max_steps && summary.steps >= *options.max_steps && state_.parts.integrator->t() < options.until)
    state_.fail("the largest number of steps was reached");
}

// ---- changes --------------------------------------------------------------------------------------

void RunLoop::set_parameters(const std::vector<double>& values) {
  if (values == parameters_) return;
  if (const auto error = position_jump(values)) throw InputError(*error);
  change_equations(values);
  parameters_ = values;
}

/// The step ends where an event acts, by its own interpolation.
void RunLoop::cut_step_at_event() {
  const double at = events_.acting_at();
  if (at >= t()) return;
  interior_.project_at(at);
  state_.end_within_step(at, interior_.y());
}

/// Has events change the state where the run stands, or contacts that touch where it begins.
void RunLoop::act(const std::vector<int>& events) {
  const double at = t();
  state_.y = y();
  const std::string wrong = jump_->perform(events, at, state_.y, parameters_);
  if (!wrong.empty()) return state_.log.stop(Outcome::failed, wrong);
  renew_watches(parameters_);
  events_.restart(at, state_.y);
  state_.parts.motion->approval().start(at);
  if (values_.find_state(at, state_.y)) state_.conformance.measure(at, values_.q(), values_.v());
  state_.ended_at.reset();
  if (is_started()) turns_.restart(at, state_.y);
}

/// Controllers find new values where the run stands.
void RunLoop::sample() {
  const double at = t();
  if (!sampling_.is_due(at)) return;
  if (sampling_.needs_accelerations()) values_.find_accelerations(at, y());
  values_.find_rates(at, y());
  sampled_ = parameters_;
  const std::string wrong =
      sampling_.act({at, values_.q(), values_.qdot(), values_.v(), values_.a(), values_.lambda()}, sampled_);
  if (!wrong.empty()) return state_.log.stop(Outcome::failed, wrong);
  if (const auto error = position_jump(sampled_)) return state_.log.stop(Outcome::failed, error->message());
  take(sampled_);
}

/// What the motion does not depend on, such as a controller's memory, changes nothing of the steps.
void RunLoop::take(const std::vector<double>& values) {
  bool acts = false, changed = false;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool differs = values[k] != parameters_[k];
    changed = changed || differs;
    acts = acts || (differs && acts_[k]);
  }
  if (acts) {
    change_equations(values);
  } else if (changed) {
    state_.parts.system.change_parameters(values);
    events_.renew_bounds(*model_, values);
  }
  parameters_ = values;
}

/// Speeds may jump, by an impulse, but nothing gets from one place to another in no time.
std::optional<InputError> RunLoop::position_jump(const std::vector<double>& values) {
  System& system = state_.parts.system;
  const Shape& shape = state_.parts.shape;
  if (shape.position_rows == 0 || values == parameters_ || !values_.find_state(t(), y())) return std::nullopt;
  Vector before = Vector::Zero(shape.position_rows), after = before;
  system.position(t(), values_.q(), before);
  system.change_parameters(values);
  system.position(t(), values_.q(), after);
  system.change_parameters(parameters_);
  Eigen::Index row = 0;
  const double jump = (after - before).cwiseAbs().maxCoeff(&row);
  if (jump <= largest_position_jump * (1 + values_.q().lpNorm<Eigen::Infinity>())) return std::nullopt;
  return InputError(shape.constraint_place(static_cast<int>(row)),
                    fmt::format("at t = {:.9g} the change would have constraint '{}' jump by {:.3g}", t(),
                                shape.constraints[static_cast<std::size_t>(row)], jump),
                    "let an input drive a speed or a force, or reset the state to one that fits");
}

void RunLoop::change_equations(const std::vector<double>& values) {
  RunParts& parts = state_.parts;
  const double at = t();
  Vector& state = state_.y;
  state = y();
  const auto change = [&] { parts.system.change_parameters(values); };
  if (parts.switched)
    parts.switched->change_equations(at, state, change);
  else
    parts.motion->change_equations(at, state, change);
  renew_watches(values);
  if (is_started()) turns_.restart(at, state);
}

/// What is known of formulas before they are evaluated is of the values that inputs have.
void RunLoop::renew_watches(const std::vector<double>& values) {
  StepApproval& approval = state_.parts.motion->approval();
  const FeatureWatch* features = approval.features();
  if (features && features->follow_inputs()) approval.watch_features(FeatureWatch::make(*model_, values));
  events_.renew_bounds(*model_, values);
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
  for (const Sampler& sampler : sampling_.samplers())
    summary.controllers.push_back({sampler.name(), sampler.sample_time(), sampler.samples()});
  fill_step_totals(state_, turns_.rejected());
  note_what_happened(state_, recorder_);
  final_state.find(summary.t, y());
  return evidence_of_motion(state_);
}

/// Also of constraints that are switched off in the end.
void RunLoop::measure_sizes() {
  System& system = state_.parts.system;
  if (jump_) {
    sampled_ = parameters_;
    for (const Switchable& switchable : model_->switchables) sampled_[static_cast<std::size_t>(switchable.engaged)] = 1;
    for (const Watch& event : model_->events)
      if (event.contact) sampled_[static_cast<std::size_t>(event.contact->engaged)] = 1;
    system.change_parameters(sampled_);
  }
  state_.conformance.measure(state_.log.summary().t, values_.q(), values_.v());
  if (jump_) system.change_parameters(parameters_);
}

/// What needs neither of them: in large systems names take the room of what has served.
void RunLoop::fill(FinalState& final_state, Evidence evidence) {
  Summary& summary = state_.log.summary();
  const auto& softness = state_.parts.shape.softness;
  measure_sizes();
  state_.conformance.fill(summary);
  pass_judgement(state_, review_.invariants(), values_.q().lpNorm<Eigen::Infinity>(), std::move(evidence));
  summary.degrees_of_freedom +=
      static_cast<int>(std::ranges::count_if(softness, [](double square) { return square > 0; }));
  final_state.fill(summary.t, summary);
}

}  // namespace taut
