#include "simulation/run_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "simulation/model_parts.hpp"

namespace taut {
namespace {

/// A constraint that jumps by more than this, compared to the coordinates, asks for another position.
constexpr double largest_position_jump = 1e-6;

}  // namespace

RunChanges::RunChanges(const Told& told, const Model* model, std::vector<double> parameters)
    : state_(told.state),
      place_(told.place),
      values_(told.values),
      events_(told.events),
      turns_(told.turns),
      model_(model),
      parameters_(std::move(parameters)),
      sampled_(parameters_) {}

// ---- the beginning --------------------------------------------------------------------------------

void RunChanges::prepare() {
  if (!model_) return;
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

void RunChanges::begin(const InitialState& initial) {
  if (initial.as_it_is || initial.history.size > 0)
    renew_watches(parameters_);
  else if (jump_ && jump_->touches(place_.t(), place_.y(), parameters_))
    act({});
  if (initial.memory.empty())
    sampling_.start(initial.t);
  else
    sampling_.restore(initial.memory);
  sample();
}

bool RunChanges::remembers(std::ptrdiff_t numbers) const {
  return sampling_.has_units() ? numbers >= 0 : numbers == static_cast<std::ptrdiff_t>(sampling_.memory_size());
}

// ---- at single moments ----------------------------------------------------------------------------

void RunChanges::set_parameters(const std::vector<double>& values) {
  if (values == parameters_) return;
  if (const auto error = position_jump(values)) throw InputError(*error);
  change_equations(values);
  parameters_ = values;
}

void RunChanges::act(const std::vector<int>& events) {
  const double at = place_.t();
  state_.y = place_.y();
  const std::string wrong = jump_->perform(events, at, state_.y, parameters_);
  if (!wrong.empty()) return state_.log.stop(Outcome::failed, wrong);
  renew_watches(parameters_);
  events_.restart(at, state_.y);
  state_.parts.motion->approval().start(at);
  if (values_.find_state(at, state_.y)) state_.conformance.measure(at, values_.q(), values_.v());
  state_.ended_at.reset();
  if (place_.moves()) turns_.restart(at, state_.y);
}

void RunChanges::sample() {
  const double at = place_.t();
  if (!sampling_.exists() || !sampling_.is_due(at)) return;
  if (sampling_.needs_accelerations()) values_.find_accelerations(at, place_.y());
  values_.find_rates(at, place_.y());
  sampled_ = parameters_;
  const std::string wrong =
      sampling_.act({at, values_.q(), values_.qdot(), values_.v(), values_.a(), values_.lambda()}, sampled_);
  if (!wrong.empty()) return state_.log.stop(Outcome::failed, wrong);
  if (const auto error = position_jump(sampled_)) return state_.log.stop(Outcome::failed, error->message());
  take(sampled_);
}

/// What the motion does not depend on, such as a controller's memory, changes nothing of the steps.
void RunChanges::take(const std::vector<double>& values) {
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
std::optional<InputError> RunChanges::position_jump(const std::vector<double>& values) {
  System& system = state_.parts.system;
  const Shape& shape = state_.parts.shape;
  if (shape.position_rows == 0 || values == parameters_ || !values_.find_state(place_.t(), place_.y()))
    return std::nullopt;
  Vector before = Vector::Zero(shape.position_rows), after = before;
  system.position(place_.t(), values_.q(), before);
  system.change_parameters(values);
  system.position(place_.t(), values_.q(), after);
  system.change_parameters(parameters_);
  Eigen::Index row = 0;
  const double jump = (after - before).cwiseAbs().maxCoeff(&row);
  if (jump <= largest_position_jump * (1 + values_.q().lpNorm<Eigen::Infinity>())) return std::nullopt;
  return InputError(shape.constraint_place(static_cast<int>(row)),
                    fmt::format("at t = {:.9g} the change would have constraint '{}' jump by {:.3g}", place_.t(),
                                shape.constraints[static_cast<std::size_t>(row)], jump),
                    "let an input drive a speed or a force, or reset the state to one that fits");
}

void RunChanges::change_equations(const std::vector<double>& values) {
  RunParts& parts = state_.parts;
  const double at = place_.t();
  Vector& state = state_.y;
  state = place_.y();
  const auto change = [&] { parts.system.change_parameters(values); };
  if (parts.switched)
    parts.switched->change_equations(at, state, change);
  else
    parts.motion->change_equations(at, state, change);
  renew_watches(values);
  if (place_.moves()) turns_.restart(at, state);
}

/// What is known of formulas before they are evaluated is of the values that inputs have.
void RunChanges::renew_watches(const std::vector<double>& values) {
  StepApproval& approval = state_.parts.motion->approval();
  const FeatureWatch* features = approval.features();
  if (features && features->follow_inputs()) approval.watch_features(FeatureWatch::make(*model_, values));
  events_.renew_bounds(*model_, values);
}

void RunChanges::end_step_at_sample() {
  if (!sampling_.exists()) return;
  const double end = state_.parts.control.until, next = sampling_.next();
  state_.parts.integrator->set_end(next < end && !is_same_instant(next, end) ? next : end);
}

void RunChanges::engage_all() {
  sampled_ = parameters_;
  for (const Switchable& switchable : model_->switchables) sampled_[static_cast<std::size_t>(switchable.engaged)] = 1;
  for (const Watch& event : model_->events)
    if (event.contact) sampled_[static_cast<std::size_t>(event.contact->engaged)] = 1;
  state_.parts.system.change_parameters(sampled_);
}

}  // namespace taut
