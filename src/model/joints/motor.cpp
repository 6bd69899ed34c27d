#include "model/joints/motor.hpp"

#include <fmt/format.h>

#include "expression/derivative.hpp"
#include "model/declare.hpp"

/// A motor acts along the joint's own coordinate c, on the second body and back on the first. It gives the
/// effort itself, or prescribes the motion by a row
///   c − position(t) = 0   or   ċ − velocity(t) = 0
/// whose multiplier is the effort it takes, for the row's gradient is that of the coordinate.
namespace taut {
namespace {

bool depends_on_motion(const Model& model, const Expression& formula) {
  for (const SymbolId id : symbols_of(formula)) {
    const SymbolKind kind = model.graph->info(id).kind;
    if (kind != SymbolKind::parameter && kind != SymbolKind::time) return true;
  }
  return false;
}

}  // namespace

void declare_motor(Model& model, int index, Drive drive, const Place& place) {
  Joint& joint = model.joints[index];
  if (!joint.has_coordinate())
    throw InputError(
        place,
        fmt::format("the {} joint '{}' has no single coordinate that a motor could drive", joint.type, joint.name),
        "revolute, prismatic, screw and point-on-line joints have one");
  if (joint.has_motor)
    throw InputError(place, fmt::format("joint '{}' has two motors", joint.name),
                     "give one of 'position', 'velocity' and 'torque'");
  joint.has_motor = true;
  if (drive == Drive::torque) return;
  joint.motor = model.constraints.size();
  const Constraint& row = add_constraint(model, joint.name + ".motor", place);
  joint.effort = Expression(*model.graph, model.graph->symbol(row.multiplier));
}

void drive_motor(Model& model, int index, const MotorDescription& given) {
  if (given.drive == Drive::torque) {
    Joint& joint = model.joints[index];
    joint.effort = given.value;
    model.loads.push_back({joint.name + ".motor", {}, {given.value}, given.place, {joint_rate(model, index)}});
    return;
  }
  const bool by_position = given.drive == Drive::position;
  const Expression driven = by_position ? joint_coordinate(model, index) : joint_rate(model, index);
  const Joint& joint = model.joints[index];
  const Expression residual = driven - given.value;
  if (!depends_on_motion(model, residual))
    throw InputError(
        given.place,
        fmt::format("the {} of joint '{}' is given by itself", by_position ? "position" : "velocity", joint.name),
        "give it as a formula of time");
  set_residual(model, model.constraints[*joint.motor], residual, given.place);
}

void add_motor(Model& model, int joint, const MotorDescription& description) {
  declare_motor(model, joint, description.drive, description.place);
  drive_motor(model, joint, description);
}

}  // namespace taut
