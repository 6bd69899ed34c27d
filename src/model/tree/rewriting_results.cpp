#include "model/tree/rewriting.hpp"

#include <fmt/format.h>

/// Outputs, bodies and joints in joint coordinates, and what is shown of bodies.
namespace taut {

void Rewriting::write_results() {
  for (const Output& given : model_.outputs) {
    at(fmt::format("output '{}'", given.name), given.place);
    out_.outputs.push_back({given.name, write(given.value), given.place});
  }
  for (const Watch& given : model_.events) {
    at(fmt::format("event '{}'", given.name), given.place);
    Watch& watch = out_.events.emplace_back(
        Watch{given.name, write(given.value), given.stop, given.place, given.direction, given.action});
    for (Action::Change& change : watch.action.changes) {
      const auto target = symbol_of(write(given_symbol(change.symbol)));
      if (!target)
        throw InputError(change.place,
                         fmt::format("event '{}' sets '{}', which follows from others in joint coordinates", given.name,
                                     change.name),
                         remedy_bodies);
      change.symbol = *target;
      change.value = write(change.value);
    }
  }
  for (const Controller& given : model_.controllers) {
    Controller& controller = out_.controllers.emplace_back(given);
    at(fmt::format("controller '{}'", given.name), given.place);
    controller.sample_time = write(given.sample_time);
    controller.offset = write(given.offset);
    for (SampledValue& sample : controller.values) {
      for (Expression* formula : {&sample.value, &sample.delay}) *formula = write(*formula);
      for (auto* limit : {&sample.quantum, &sample.lowest, &sample.highest}) *limit = write(*limit);
    }
  }
  for (const Breakaway& given : model_.breakaways) {
    at(fmt::format("the friction of '{}'", given.name), given.place);
    out_.breakaways.push_back({write(given.slip), write(given.ratio), given.place, given.name});
  }
}

void Rewriting::write_mechanism() {
  for (const Body& given : pose_.model().bodies) {
    Body& body = out_.bodies.emplace_back(given);
    at(fmt::format("body '{}'", given.name), given.place);
    const Body& drawn = model_.bodies[out_.bodies.size() - 1];
    body.mass = write(drawn.mass);
    for (Expression& entry : body.inertia) entry = write(entry);
    for (Vector3* v : {&body.position, &body.velocity, &body.acceleration, &body.omega, &body.alpha})
      *v = full_(pose_v(*v));
    body.orientation = write(given.orientation);
    body.axes = write(given.axes);
    body.angle = write(given.angle);
    body.initial_angle = write(drawn.initial_angle);
    body.initial_position = write(drawn.initial_position);
    body.initial_orientation = write(drawn.initial_orientation);
    body.initial_axes = write(drawn.initial_axes);
  }
  for (std::size_t k = 0; k < model_.joints.size(); ++k) write_joint(k);
}

void Rewriting::write_joint(std::size_t k) {
  const Joint& given = model_.joints[k];
  at(fmt::format("joint '{}'", given.name), given.place);
  Joint& joint = out_.joints.emplace_back(given);
  joint.rows.clear();
  if (!tree_.is_branch[k])
    for (const std::size_t row : given.rows)
      if (new_row_.contains(row)) joint.rows.push_back(new_row_.at(row));
  if (given.motor) joint.motor = new_row_.at(*given.motor);
  joint.point = write(given.point);
  if (given.axis) joint.axis = write(*given.axis);
  for (auto member : {&Joint::travel, &Joint::travel_rate, &Joint::angle, &Joint::angle_rate, &Joint::cosine,
                      &Joint::sine, &Joint::effort, &Joint::stop, &Joint::friction, &Joint::armature})
    joint.*member = write(given.*member);
  if (tree_.is_branch[k] && given.angle_rate && pose_.joint(k).angle) joint.angle = full_(pose_.joint(k).angle->value);
  joint.drawn = nullptr;
  joint.start = nullptr;  // what starts elsewhere is moved there by simulation/moved_start.hpp
}

void Rewriting::show_bodies() {
  for (const Coordinate& x : model_.coordinates) {
    if (stays(x.symbol) || !is_of_body(x.symbol)) continue;
    form_.coordinates.push_back({x.name, write(given_symbol(x.symbol)), write(rate_of(x))});
    if (!x.kinematics) form_.accelerations.push_back({x.name, write(given_symbol(x.acceleration)), 0});
  }
  for (const Speed& u : model_.speeds) {
    if (stays(u.symbol)) continue;
    form_.speeds.push_back({u.name, write(given_symbol(u.symbol)), 0});
  }
  const char* const axes[] = {"x", "y", "z"};
  for (std::size_t b = 1; b < model_.bodies.size(); ++b) {
    if (free_.contains(b)) continue;
    const Body& given = model_.bodies[b];
    const Body& body = out_.bodies[b];
    for (int k = 0; k < 3; ++k)
      if (!given.acceleration[k].is_constant())
        form_.accelerations.push_back({fmt::format("{}.a{}", body.name, axes[k]), body.acceleration[k], 0});
    for (int k = 0; k < 3; ++k)
      if (!given.alpha[k].is_constant())
        form_.accelerations.push_back({fmt::format("{}.alpha_{}", body.name, axes[k]), body.alpha[k], 0});
  }
}

}  // namespace taut
