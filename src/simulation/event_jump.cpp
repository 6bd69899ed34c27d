#include "simulation/event_jump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

/// A position constraint that is off by more than this beside the coordinates is not met.
constexpr double largest_offset = 1e-6;

std::vector<Expression> formulas_of(const Model& model) {
  std::vector<Expression> formulas;
  for (const Watch& event : model.events)
    for (const Action::Change& change : event.action.changes) formulas.push_back(change.value);
  return formulas;
}

}  // namespace

EventJump::EventJump(RunState& run, StateValues& values, const Model& model)
    : run_(run),
      values_(values),
      model_(model),
      contacts_(model, run.parts),
      solver_(run.parts),
      formulas_(model, run.parts.system, formulas_of(model)) {
  for (const Watch& event : model.events) {
    first_.push_back(targets_.size());
    for (const Action::Change& change : event.action.changes) targets_.push_back(target_of(change));
  }
  first_.push_back(targets_.size());
  const Shape& shape = run.parts.shape;
  q_ = Vector::Zero(shape.n_q());
  v_ = before_ = impulse_ = Vector::Zero(shape.n_v());
  Phi_ = Phi_before_ = Vector::Zero(shape.position_rows);
}

EventJump::Target EventJump::target_of(const Action::Change& change) const {
  const auto is = [&](SymbolId symbol) { return symbol == change.symbol; };
  for (std::size_t k = 0; k < model_.parameters.size(); ++k)
    if (is(model_.parameters[k].symbol)) return {Kind::parameter, static_cast<Eigen::Index>(k)};
  Eigen::Index speed = 0;
  for (std::size_t k = 0; k < model_.coordinates.size(); ++k) {
    const Coordinate& x = model_.coordinates[k];
    if (is(x.symbol)) return {Kind::coordinate, static_cast<Eigen::Index>(k)};
    if (is(x.rate)) return {Kind::speed, speed};
    if (!x.kinematics) ++speed;
  }
  for (const Speed& u : model_.speeds) {
    if (is(u.symbol)) return {Kind::speed, speed};
    ++speed;
  }
  throw InputError(change.place, fmt::format("'{}' cannot be set", change.name), "set a speed, or a parameter");
}

bool EventJump::touches(double t, const Vector& y, const std::vector<double>& parameters) {
  if (!contacts_.exist()) return false;
  values_.find_state(t, y);
  return contacts_.touch(t, values_.q(), values_.v(), parameters);
}

std::string EventJump::perform(const std::vector<int>& events, double t, Vector& y, std::vector<double>& parameters) {
  if (formulas_.need_accelerations()) values_.find_accelerations(t, y);
  values_.find_rates(t, y);
  q_ = values_.q();
  v_ = before_ = values_.v();
  energy_before_ = run_.parts.system.energy(t, q_, v_);
  run_.parts.system.position(t, q_, Phi_before_);
  parameters_ = parameters;
  wrong_.clear();
  const auto change = [&] { change_state(events, t, y); };
  if (run_.parts.switched)
    run_.parts.switched->change_equations(t, y, change);
  else
    run_.parts.motion->change_equations(t, y, change);
  if (!wrong_.empty()) {
    run_.parts.system.change_parameters(parameters);
    return wrong_;
  }
  parameters = parameters_;
  log(events, t);
  return {};
}

/// Values first, then impulses.
void EventJump::change_state(const std::vector<int>& events, double t, Vector& y) {
  change_values(events, t);
  if (!wrong_.empty()) return;
  System& system = run_.parts.system;
  system.change_parameters(parameters_);
  system.retract(t, q_);
  wrong_ = position_error(t);
  if (wrong_.empty()) wrong_ = contacts_.resolve(t, q_, v_, parameters_);
  if (!wrong_.empty()) return;
  Motion& motion = *run_.parts.motion;
  motion.at().q = q_;
  motion.at().v = v_;
  motion.layout().pack(q_, v_, y);
  motion.jump_to(t, y);
}

/// All formulas see the values before.
void EventJump::change_values(const std::vector<int>& events, double t) {
  const ObservedState at{t, values_.q(), values_.qdot(), values_.v(), values_.a(), values_.lambda()};
  const std::vector<double>& values = formulas_.evaluate(at, parameters_);
  for (const int event : events) {
    const auto which = static_cast<std::size_t>(event);
    const Watch& watch = model_.events[which];
    if (watch.contact && watch.contact->holds) contacts_.let_go(watch.contact->engaged);
    for (std::size_t k = first_[which]; k < first_[which + 1]; ++k) {
      if (!std::isfinite(values[k])) {
        wrong_ = fmt::format("event '{}' at t = {:.9g} has no finite value for '{}'", watch.name, t,
                             watch.action.changes[k - first_[which]].name);
        return;
      }
      put(targets_[k], values[k]);
    }
  }
}

void EventJump::put(const Target& target, double value) {
  switch (target.kind) {
    case Kind::parameter:
      parameters_[static_cast<std::size_t>(target.index)] = value;
      break;
    case Kind::coordinate:
      q_[target.index] = value;
      break;
    case Kind::speed:
      v_[target.index] = value;
      break;
  }
}

/// Nothing gets from one place to another in no time. What a constraint had drifted by before is not the event's doing.
std::string EventJump::position_error(double t) {
  if (Phi_.size() == 0) return {};
  run_.parts.system.position(t, q_, Phi_);
  Eigen::Index row = 0;
  const double off = Phi_.cwiseAbs().cwiseMin((Phi_ - Phi_before_).cwiseAbs()).maxCoeff(&row);
  if (off <= largest_offset * (1 + q_.lpNorm<Eigen::Infinity>())) return {};
  return fmt::format(
      "at t = {:.9g} constraint '{}' is to hold, and is off by {:.3g}: engage it where it is met, or let the event "
      "'hold' it where it is",
      t, run_.parts.shape.constraints[static_cast<std::size_t>(row)], off);
}

// ---- what is told ---------------------------------------------------------------------------------

void EventJump::log(const std::vector<int>& events, double t) {
  const double energy = run_.parts.system.energy(t, q_, v_) - energy_before_;
  double impulse = 0;
  before_ = v_ - before_;
  if (before_.lpNorm<Eigen::Infinity>() > 0 && solver_.find_impulse(t, q_, before_, impulse_))
    impulse = impulse_.lpNorm<Eigen::Infinity>();
  const auto tell = [&](const char* kind, const std::string& name, const std::string& what) {
    run_.log.event(t, kind, name, fmt::format("{}; impulse {:.6g}, energy {:+.6g}", what, impulse, energy));
    Summary& summary = run_.log.summary();
    if (run_.log.unlisted_events() > 0) return;
    summary.events.back().impulse = impulse;
    if (run_.parts.shape.has_energy) summary.events.back().energy_change = energy;
  };
  for (const int event : events) {
    const Watch& watch = model_.events[static_cast<std::size_t>(event)];
    if (!watch.action.empty()) tell("action", watch.name, watch.action.words);
  }
  for (const ContactLaw::Deed& deed : contacts_.deeds()) {
    if (deed.struck)
      tell("impact", deed.name,
           deed.left > 0 ? fmt::format("'{}' strikes at {:.6g} and comes to rest: the bounces that were left, without "
                                       "end, would have taken {:.3g} s",
                                       deed.name, -deed.before, deed.left)
           : deed.rests
               ? fmt::format("'{}' strikes at {:.6g} and comes to rest", deed.name, -deed.before)
               : fmt::format("'{}' strikes at {:.6g} and leaves at {:.6g}", deed.name, -deed.before, deed.after));
    if (deed.opened) tell("release", deed.name, fmt::format("'{}' would have to pull, and opens", deed.name));
  }
}

}  // namespace taut
