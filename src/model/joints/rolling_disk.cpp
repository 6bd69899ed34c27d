#include <fmt/format.h>

#include "model/joints/joint.hpp"
#include "model/joints/rolling.hpp"

namespace taut {

/// A disk on a plane. With the centre c, the axis a and the plane's normal n, the lowest point of the rim is
///   k = c − r (n − (n·a) a)/√(1 − (n·a)²);
/// it is on the plane, and the disk's material there does not slip.
void build_rolling_disk(JointBuilder& joint) {
  const Surface plane = plane_of(joint);
  const Expression radius = positive_radius(joint);
  const Vector3 axis = joint.unit(*joint.given.axis, "axis");
  constexpr double nearly_flat = 1e-6;
  if (!(joint.value(norm(cross(axis, plane.initial_normal))) > nearly_flat))
    throw InputError(
        joint.given.place,
        fmt::format("the disk of joint '{}' lies flat on its plane, so it has no lowest point", joint.given.name),
        "tilt it, or give the axis about which the disk is round");
  const Vector3 center = rolling_center(joint), a = joint.turned_second(axis);
  const Expression along = dot(plane.normal, a), upright = sqrt(1 - along * along);
  joint.row("contact", dot(plane.normal, center - plane.point) - radius * upright);
  no_slip(joint, plane, center - (radius / upright) * (plane.normal - along * a));
}

}  // namespace taut
