#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/present.hpp"
#include "model/reader.hpp"

/// Where parts stand. `at:` and `orientation:` of a part move what its file gives by places and directions: bodies,
/// joints, force elements, and what is drawn on the ground. Formulas see the world.
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

}  // namespace

Placement Placement::operator*(const Placement& inner) const {
  Placement both{point(inner.at), turn * inner.turn, std::nullopt};
  if (angle && inner.angle) both.angle = *angle + *inner.angle;
  return both;
}

std::optional<Placement> Reader::placement(const Node& entry, const std::string& what, const Part& pass) const {
  const Node* at = entry.find("at");
  const Node* turned = entry.find("orientation");
  const Placement* outer = placement_of(pass);
  if (at == nullptr && turned == nullptr) return outer == nullptr ? std::nullopt : std::optional(*outer);
  Placement own;
  own.angle = 0;
  if (at != nullptr) own.at = vector3(*at, fmt::format("'at' of {}", what), context::initial, pass);
  if (turned != nullptr) {
    const std::string name = fmt::format("the orientation of {}", what);
    own.turn = orientation(*turned, name, pass);
    own.angle = planar_angle(*turned, name, pass);
    if (!own.angle) own.angle = angle_about_z(own.turn);
  }
  return outer == nullptr ? own : *outer * own;
}

/// What is given by formulas of coordinates stands where they say, wherever its part is put.
void Reader::check_placements() const {
  for (const auto& [part, node] : placed_) {
    const auto belongs = [&](const Body& body) { return body.name.starts_with(part->prefix); };
    if (std::ranges::any_of(model_.bodies, belongs)) continue;
    refuse(*node, fmt::format("part '{}' has no bodies that could be moved", part->name()),
           "let its file have parameters for where it stands, and give them under 'set'");
  }
}

Vector3 Reader::placed(const Vector3& point, const Part& part) {
  const Placement* placement = placement_of(part);
  return placement == nullptr ? point : placement->point(point);
}

Vector3 Reader::turned(const Vector3& direction, const Part& part) {
  const Placement* placement = placement_of(part);
  return placement == nullptr ? direction : placement->direction(direction);
}

void Reader::place_body(BodyDescription& body, const Part& part) const {
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

void Reader::place_joint(JointDescription& joint, const Part& part) {
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

void Reader::place_force(ForceDescription& force, const Part& part) {
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

void Reader::place_on_ground(Solid& solid, const Part& part) {
  const Placement* placement = placement_of(part);
  if (placement == nullptr) return;
  solid.at = placement->point(solid.at);
  solid.orientation = placement->turn * solid.orientation;
}

/// Gravity is the whole model's. A file that has its own, to run alone, does not bring it along.
void Reader::look_at_gravity_of_part(const Node& gravity, const Part& part) {
  if (part.indices.part == nullptr || !gravities_.insert(&gravity).second) return;
  if (root_.find("gravity") == nullptr)
    refuse(gravity, "there is gravity in a part, and the model around it has none",
           "give the model a gravity, for a part does not bring its own: gravity: [0, -9.81, 0], or [0, 0, 0]");
  const Vector3 own = gravity_vector(gravity, part);
  bool same = true;
  for (int k = 0; k < 3; ++k) same = same && value_now(model_, own[k]) == value_now(model_, model_.gravity[k]);
  if (!same)
    model_.notes.push_back(
        fmt::format("the gravity in {} is passed over: that of the model counts", place(gravity).file.text()));
}

}  // namespace taut
