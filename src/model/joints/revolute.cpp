#include <fmt/format.h>

#include <cmath>

#include "model/joints/joint.hpp"

namespace taut {

/// A hinge: one point and one axis in common.
void build_revolute(JointBuilder& joint) {
  const Vector3 axis = joint.unit(*joint.given.axis, "axis");
  const bool planar = joint.first.planar && joint.second.planar;
  if (planar && std::abs(std::abs(joint.value(axis.z)) - 1) > 1e-6)
    throw InputError(joint.given.place,
                     fmt::format("joint '{}' is a hinge about an axis that lies in the plane, and planar bodies turn "
                                 "about z only",
                                 joint.given.name),
                     "give 'axis: [0, 0, 1]', or leave 'planar' out of the bodies");
  joint.keep_together(*joint.given.at);
  joint.keep_parallel(axis);
  joint.turns_about(axis);
}

}  // namespace taut
