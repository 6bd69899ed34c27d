#include "model/part_placement.hpp"

#include <fmt/format.h>

#include "model/space_reading.hpp"

namespace taut {
namespace {

/// The angle about z of a quaternion that turns about nothing else.
std::optional<Expression> angle_about_z(const Quaternion& turn) {
  if (!turn.x.is_zero() || !turn.y.is_zero()) return std::nullopt;
  return 2 * atan2(turn.z, turn.w);
}

const Placement* placement_of(const Part& part) {
  const Instance* instance = part.indices.part;
  return instance != nullptr && instance->placement ? &*instance->placement : nullptr;
}

bool is_turned(const Placement& placement) { return !placement.angle || !placement.angle->is_zero(); }

/// The axes of a bushing are those of its first body, and the ground's do not turn with a part.
void refuse_turned_bushing(const ForceDescription& force) {
  const auto differs = [](const std::vector<Expression>& each) { return each.size() > 1; };
  const bool has_axes = differs(force.stiffness) || differs(force.damping) || differs(force.torsional_stiffness) ||
                        differs(force.torsional_damping);
  if (force.type != "bushing" || force.first != "ground" || !has_axes) return;
  throw InputError(
      force.place,
      fmt::format("bushing '{}' has figures along the axes of the ground, which do not turn with its part", force.name),
      "give one number for all axes, or let its first body be one of the part");
}

Vector3 turned(const Vector3& direction, const Part& part) {
  const Placement* placement = placement_of(part);
  return placement == nullptr ? direction : placement->direction(direction);
}

}  // namespace

Placement Placement::operator*(const Placement& inner) const {
  Placement both{point(inner.at), turn * inner.turn, std::nullopt};
  if (angle && inner.angle) both.angle = *angle + *inner.angle;
  return both;
}

std::optional<Placement> read_placement(const std::optional<Value>& at, const std::optional<Value>& orientation,
                                        const Part& around) {
  const Placement* outer = placement_of(around);
  if (!at && !orientation) return outer == nullptr ? std::nullopt : std::optional(*outer);
  Placement own;
  own.angle = 0;
  if (at) own.at = at->vector3(context::initial);
  if (orientation) {
    own.turn = read_orientation(*orientation);
    own.angle = read_planar_angle(*orientation);
    if (!own.angle) own.angle = angle_about_z(own.turn);
  }
  return outer == nullptr ? own : *outer * own;
}

Vector3 placed(const Vector3& point, const Part& part) {
  const Placement* placement = placement_of(part);
  return placement == nullptr ? point : placement->point(point);
}

Vector3 unplaced(const Vector3& point, const Part& part) {
  const Placement* placement = placement_of(part);
  return placement == nullptr ? point : rotation_of(placement->turn).back(point - placement->at);
}

void place_body(BodyDescription& body, const Part& part) {
  const Placement* placement = placement_of(part);
  if (placement == nullptr) return;
  if (body.planar && !placement->angle)
    throw InputError(body.place, fmt::format("planar body '{}' is turned out of the x-y plane", body.name),
                     "turn its part about z only, or leave 'planar' out");
  if (body.planar)
    body.angle = body.angle.value_or(2 * atan2(body.orientation.z, body.orientation.w)) + *placement->angle;
  body.position = placement->point(body.position);
  body.orientation = placement->turn * body.orientation;
  body.velocity = placement->direction(body.velocity);
  body.angular_velocity = placement->direction(body.angular_velocity);
}

void place_joint(JointDescription& joint, const Part& part) {
  if (placement_of(part) == nullptr) return;
  if (joint.at) joint.at = placed(*joint.at, part);
  for (auto* direction : {&joint.axis, &joint.normal})
    if (*direction) *direction = turned(**direction, part);
  for (Vector3& axis : joint.axes) axis = turned(axis, part);
  for (Vector3& point : joint.points) point = placed(point, part);
  if (joint.plane) {
    joint.plane->point = placed(joint.plane->point, part);
    joint.plane->normal = turned(joint.plane->normal, part);
    if (joint.plane->velocity) joint.plane->velocity = turned(*joint.plane->velocity, part);
  }
  if (!joint.cylinder) return;
  joint.cylinder->point = placed(joint.cylinder->point, part);
  joint.cylinder->axis = turned(joint.cylinder->axis, part);
}

void place_force(ForceDescription& force, const Part& part) {
  const Placement* placement = placement_of(part);
  if (placement == nullptr) return;
  if (is_turned(*placement)) refuse_turned_bushing(force);
  if (force.at) force.at = placed(*force.at, part);
  if (force.axis) force.axis = turned(*force.axis, part);
  for (Vector3& point : force.points) point = placed(point, part);
  if (force.value.size() != 3 || force.in_body_axes) return;
  const Vector3 value = turned({force.value[0], force.value[1], force.value[2]}, part);
  force.value = {value.x, value.y, value.z};
}

void place_on_ground(Solid& solid, const Part& part) {
  const Placement* placement = placement_of(part);
  if (placement == nullptr) return;
  solid.at = placement->point(solid.at);
  solid.orientation = placement->turn * solid.orientation;
}

}  // namespace taut
