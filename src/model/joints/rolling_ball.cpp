#include <fmt/format.h>

#include "model/joints/joint.hpp"
#include "model/joints/rolling.hpp"

namespace taut {
namespace {

/// n·(c − p) = r, and no slip at c − r n.
void roll_on_plane(JointBuilder& joint) {
  const Surface plane = plane_of(joint);
  const Expression radius = positive_radius(joint);
  const Vector3 center = rolling_center(joint);
  joint.row("contact", dot(plane.normal, center - plane.point) - radius);
  no_slip(joint, plane, center - radius * plane.normal);
}

/// Inside a cylinder of radius R about the axis A, with ρ from the axis to the centre: |ρ| = R − r, and no slip at
/// c + r ρ/|ρ|, along the axis and around it.
void roll_in_cylinder(JointBuilder& joint) {
  const Cylinder& given = *joint.given.cylinder;
  const Vector3 initial_axis = joint.unit(given.axis, "cylinder's axis");
  const Expression radius = positive_radius(joint), room = given.radius - radius;
  const Vector3 start = joint.given.at.value_or(joint.second.initial_position) - given.point;
  const auto refuse = [&](const char* message, const char* remedy) {
    throw InputError(joint.given.place, fmt::format("the ball of joint '{}' {}", joint.given.name, message), remedy);
  };
  if (!(joint.value(room) > 0)) refuse("is not smaller than its cylinder", "give the cylinder a larger radius");
  if (!(joint.value(norm(cross(initial_axis, start))) > 0))
    refuse("starts on the axis of its cylinder, where it touches no side", "put its centre R - r away from the axis");
  const Vector3 center = rolling_center(joint), axis = joint.turned_first(initial_axis);
  const Vector3 from_point = center - joint.on_first(given.point);
  const Vector3 across = from_point - dot(axis, from_point) * axis;
  const Expression distance = norm(across);
  const Vector3 outward = (1 / distance) * across;
  const Vector3 contact = center + radius * outward;
  const Vector3 slip = joint.second.velocity_at(contact) - joint.first.velocity_at(contact);
  joint.row("contact", room - distance);
  joint.row("roll1", dot(axis, slip));
  joint.row("roll2", dot(cross(axis, outward), slip));
  joint.acts_at(contact);
}

}  // namespace

void build_rolling_ball(JointBuilder& joint) {
  if (joint.given.plane.has_value() == joint.given.cylinder.has_value())
    throw InputError(joint.given.place,
                     fmt::format("the rolling-ball joint '{}' {}", joint.given.name,
                                 joint.given.plane ? "has a plane and a cylinder" : "lacks 'plane'"),
                     "give 'plane: {point, normal}', or 'cylinder: {point, axis, radius}' for a ball inside one");
  if (joint.given.plane) {
    roll_on_plane(joint);
  } else {
    roll_in_cylinder(joint);
  }
}

}  // namespace taut
