#include <fmt/format.h>

#include <cmath>

#include "model/joints/joint.hpp"

namespace taut {

/// A slider: moves along a line of the first body and does not turn against it.
void build_prismatic(JointBuilder& joint) {
  const Vector3 axis = joint.unit(*joint.given.axis, "axis");
  const bool planar = joint.first.planar && joint.second.planar;
  if (planar && std::abs(joint.value(axis.z)) > 1e-6)
    throw InputError(joint.given.place,
                     fmt::format("joint '{}' slides out of the plane that its planar bodies stay in", joint.given.name),
                     "give an axis in the x-y plane, or leave 'planar' out of the bodies");
  joint.keep_on_line(*joint.given.at, axis);
  joint.keep_orientation();
  joint.slides_along(*joint.given.at, axis);
}

}  // namespace taut
