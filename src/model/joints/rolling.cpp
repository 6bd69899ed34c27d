#include "model/joints/rolling.hpp"

#include <fmt/format.h>

namespace taut {

void refuse_rolling_ground(const JointBuilder& joint) {
  if (!joint.second.is_ground) return;
  throw InputError(
      joint.given.place,
      fmt::format("in joint '{}' the ground would move on a surface of '{}'", joint.given.name, joint.first.name),
      fmt::format("name the body that moves second: [ground, {}]", joint.first.name));
}

Surface plane_of(const JointBuilder& joint, OnPlane on_plane) {
  const Plane& plane = *joint.given.plane;
  const Vector3 normal = joint.unit(plane.normal, "plane's normal");
  const Vector3 start = joint.given.at.value_or(joint.second.initial_position);
  if (on_plane == OnPlane::no && joint.value(dot(normal, start - plane.point)) < 0)
    throw InputError(
        joint.given.place,
        fmt::format("the plane of joint '{}' has its normal away from '{}'", joint.given.name, joint.second.name),
        "let the normal point to the side where the body is");
  return {joint.on_first(plane.point), joint.turned_first(normal), normal, plane.velocity.value_or(Vector3())};
}

Expression positive_radius(const JointBuilder& joint) {
  refuse_rolling_ground(joint);
  if (joint.value(*joint.given.radius) > 0) return *joint.given.radius;
  throw InputError(joint.given.place, fmt::format("the radius of joint '{}' is not above zero", joint.given.name),
                   "give the distance from the centre to the point of contact");
}

Vector3 rolling_center(const JointBuilder& joint) {
  return joint.given.at ? joint.on_second(*joint.given.at) : joint.second.position;
}

Vector3 slip(const JointBuilder& joint, const Surface& surface, const Vector3& contact) {
  return joint.second.velocity_at(contact) - joint.first.velocity_at(contact) - surface.velocity;
}

void no_slip(JointBuilder& joint, const Surface& plane, const Vector3& contact) {
  const auto [e1, e2] = joint.across(plane.initial_normal);
  const Vector3 slipping = slip(joint, plane, contact);
  joint.row("roll1", dot(joint.turned_first(e1), slipping));
  joint.row("roll2", dot(joint.turned_first(e2), slipping));
  joint.acts_at(contact);
}

}  // namespace taut
