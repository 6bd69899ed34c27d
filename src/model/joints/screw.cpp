#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "model/joints/joint.hpp"

namespace taut {

/// A nut on a thread: travels by `pitch` along the axis with each turn about it, forward with a right-handed
/// turn where the pitch is positive. Its coordinate is the angle.
void build_screw(JointBuilder& joint) {
  const Expression pitch = *joint.given.pitch;
  if (!(std::abs(joint.value(pitch)) > 0))
    throw InputError(joint.given.place, fmt::format("the pitch of screw '{}' is zero", joint.given.name),
                     "give the travel per turn, or use a revolute joint where there is none");
  const Vector3 axis = joint.unit(*joint.given.axis, "axis");
  joint.keep_on_line(*joint.given.at, axis);
  joint.keep_parallel(axis);
  joint.turns_about(axis);
  const Expression angle = joint.angle();
  const Expression travel =
      dot(joint.turned_first(axis), joint.on_second(*joint.given.at) - joint.on_first(*joint.given.at));
  joint.row("thread", travel - pitch / (2 * std::numbers::pi) * angle);
  joint.joint().travel = travel;
}

}  // namespace taut
