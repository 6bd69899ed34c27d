#include "model/joints/joint.hpp"

namespace taut {

/// A shaft in a sleeve: moves along a line of the first body and turns about it.
void build_cylindrical(JointBuilder& joint) {
  const Vector3 axis = joint.unit(*joint.given.axis, "axis");
  joint.keep_on_line(*joint.given.at, axis);
  joint.keep_parallel(axis);
  joint.turns_about(axis);
  joint.slides_along(*joint.given.at, axis);
}

}  // namespace taut
