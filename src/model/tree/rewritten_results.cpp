#include "model/tree/rewritten_results.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace taut {

void RewrittenResults::write_results() {
  for (const Output& given : w_.model.outputs) {
    w_.at(fmt::format("output '{}'", given.name), given.place);
    w_.out.outputs.push_back({given.name, w_.write(given.value), given.place});
  }
  for (const Watch& given : w_.model.events) write_event(given);
  for (const Controller& given : w_.model.controllers) write_controller(given);
  for (const StateFunction& given : w_.model.functions) {
    w_.at("an argument of a function", given.place);
    StateFunction& function = w_.out.functions.emplace_back(given);
    for (Expression& argument : function.arguments) argument = w_.write(argument);
  }
  for (const Breakaway& given : w_.model.breakaways) {
    w_.at(fmt::format("the friction of '{}'", given.name), given.place);
    w_.out.breakaways.push_back({w_.write(given.slip), w_.write(given.ratio), given.place, given.name});
  }
}

void RewrittenResults::write_event(const Watch& given) {
  w_.at(fmt::format("event '{}'", given.name), given.place);
  Watch& watch = w_.out.events.emplace_back(
      Watch{given.name, w_.write(given.value), given.stop, given.place, given.direction, given.action});
  for (Action::Change& change : watch.action.changes) {
    const auto target = symbol_of(w_.write(w_.given_symbol(change.symbol)));
    if (!target || !means_the_same(change.symbol))
      throw InputError(
          change.place,
          fmt::format("event '{}' sets '{}', which joints answer with impulses, and branches of a tree do not",
                      given.name, change.name),
          remedy_bodies);
    change.symbol = *target;
    change.value = w_.write(change.value);
  }
}

/// A speed of a body alone is set first, and then the joints' impulses change it and others. That of a branch takes
/// along what hangs on it, which is another motion.
bool RewrittenResults::means_the_same(SymbolId set) const {
  const auto body = w_.body_of.find(set);
  if (body == w_.body_of.end()) return w_.stays(set);
  return w_.free.contains(body->second) && std::ranges::none_of(w_.model.joints, [&](const Joint& joint) {
           return joint.first == static_cast<int>(body->second) || joint.second == static_cast<int>(body->second);
         });
}

void RewrittenResults::write_controller(const Controller& given) {
  Controller& controller = w_.out.controllers.emplace_back(given);
  w_.at(fmt::format("controller '{}'", given.name), given.place);
  controller.sample_time = w_.write(given.sample_time);
  controller.offset = w_.write(given.offset);
  for (SampledValue& sample : controller.values) {
    for (Expression* formula : {&sample.value, &sample.delay}) *formula = w_.write(*formula);
    for (auto* limit : {&sample.quantum, &sample.lowest, &sample.highest}) *limit = w_.write(*limit);
  }
}

void RewrittenResults::write_mechanism() {
  for (const Body& given : w_.pose.model().bodies) {
    Body& body = w_.out.bodies.emplace_back(given);
    w_.at(fmt::format("body '{}'", given.name), given.place);
    const Body& drawn = w_.model.bodies[w_.out.bodies.size() - 1];
    body.mass = w_.write(drawn.mass);
    for (Expression& entry : body.inertia) entry = w_.write(entry);
    for (Vector3* v : {&body.position, &body.velocity, &body.acceleration, &body.omega, &body.alpha})
      *v = w_.full(w_.in_pose(*v));
    body.orientation = w_.write(given.orientation);
    body.axes = w_.write(given.axes);
    body.angle = w_.write(given.angle);
    body.initial_angle = w_.write(drawn.initial_angle);
    body.initial_position = w_.write(drawn.initial_position);
    body.initial_orientation = w_.write(drawn.initial_orientation);
    body.initial_axes = w_.write(drawn.initial_axes);
  }
  for (std::size_t k = 0; k < w_.model.joints.size(); ++k) write_joint(k);
}

void RewrittenResults::write_joint(std::size_t k) {
  const Joint& given = w_.model.joints[k];
  w_.at(fmt::format("joint '{}'", given.name), given.place);
  Joint& joint = w_.out.joints.emplace_back(given);
  joint.rows.clear();
  if (!w_.tree.is_branch[k])
    for (const std::size_t row : given.rows)
      if (rows_.new_row.contains(row)) joint.rows.push_back(rows_.new_row.at(row));
  if (given.motor) joint.motor = rows_.new_row.at(*given.motor);
  joint.point = w_.write(given.point);
  if (given.axis) joint.axis = w_.write(*given.axis);
  for (auto member : {&Joint::travel, &Joint::travel_rate, &Joint::angle, &Joint::angle_rate, &Joint::cosine,
                      &Joint::sine, &Joint::effort, &Joint::stop, &Joint::friction, &Joint::armature})
    joint.*member = w_.write(given.*member);
  if (w_.tree.is_branch[k] && given.angle_rate && w_.pose.joint(k).angle)
    joint.angle = w_.full(w_.pose.joint(k).angle->value);
  joint.drawn = nullptr;
  joint.start = nullptr;  // what starts elsewhere is moved there by simulation/moved_start.hpp
}

void RewrittenResults::show_bodies() {
  for (const Coordinate& x : w_.model.coordinates) {
    if (w_.stays(x.symbol) || !w_.is_of_body(x.symbol)) continue;
    w_.form.coordinates.push_back({x.name, w_.write(w_.given_symbol(x.symbol)), w_.write(w_.rate_of(x))});
    if (!x.kinematics) w_.form.accelerations.push_back({x.name, w_.write(w_.given_symbol(x.acceleration)), 0});
  }
  for (const Speed& u : w_.model.speeds) {
    if (w_.stays(u.symbol)) continue;
    w_.form.speeds.push_back({u.name, w_.write(w_.given_symbol(u.symbol)), 0});
  }
  const char* const axes[] = {"x", "y", "z"};
  for (std::size_t b = 1; b < w_.model.bodies.size(); ++b) {
    if (w_.free.contains(b)) continue;
    const Body& given = w_.model.bodies[b];
    const Body& body = w_.out.bodies[b];
    for (int k = 0; k < 3; ++k)
      if (!given.acceleration[k].is_constant())
        w_.form.accelerations.push_back({fmt::format("{}.a{}", body.name, axes[k]), body.acceleration[k], 0});
    for (int k = 0; k < 3; ++k)
      if (!given.alpha[k].is_constant())
        w_.form.accelerations.push_back({fmt::format("{}.alpha_{}", body.name, axes[k]), body.alpha[k], 0});
  }
}

}  // namespace taut
