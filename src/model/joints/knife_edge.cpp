#include <fmt/format.h>

#include "model/joints/joint.hpp"
#include "model/joints/rolling.hpp"

namespace taut {
namespace {

/// Square to the blade, in the plane. Planar bodies carry it along; in space a blade may pitch.
Vector3 sideways(const JointBuilder& joint, const Vector3& initial_normal, const Vector3& normal) {
  const Vector3 blade = joint.unit(*joint.given.axis, "axis");
  constexpr double nearly_upright = 1e-6;
  const Vector3 initial = cross(initial_normal, blade);
  if (!(joint.value(norm(initial)) > nearly_upright))
    throw InputError(
        joint.given.place,
        fmt::format("the blade of joint '{}' stands upright on its plane, so it points nowhere", joint.given.name),
        "give the 'axis' along which the blade may move");
  if (joint.first.planar && joint.second.planar) return joint.turned_second(normalized(initial));
  return normalized(cross(normal, joint.turned_second(blade)));
}

}  // namespace

/// A blade on a plane: it moves along its edge and turns about its point, but does not move sideways. Planar bodies
/// are on the x-y plane anyway; in space the blade's point stays on the plane that is given.
void build_knife_edge(JointBuilder& joint) {
  refuse_rolling_ground(joint);
  const bool in_plane = joint.first.planar && joint.second.planar;
  if (!joint.given.plane && !in_plane)
    throw InputError(joint.given.place,
                     fmt::format("the knife-edge joint '{}' lacks 'plane', which only planar bodies may do without",
                                 joint.given.name),
                     "give 'plane: {point, normal}'");
  const Vector3 point = rolling_center(joint);
  const Surface plane = joint.given.plane ? plane_of(joint, OnPlane::yes) : Surface{point, {0, 0, 1}, {0, 0, 1}, {}};
  if (joint.given.plane) joint.row("contact", dot(plane.normal, point - plane.point));
  joint.row("side", dot(sideways(joint, plane.initial_normal, plane.normal), slip(joint, plane, point)));
  joint.acts_at(point);
}

}  // namespace taut
