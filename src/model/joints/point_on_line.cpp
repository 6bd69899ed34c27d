#include "model/joints/joint.hpp"

namespace taut {

/// A bead on a wire: a point of the second body stays on a line of the first.
void build_point_on_line(JointBuilder& joint) {
  const Vector3 axis = joint.unit(*joint.given.axis, "axis");
  joint.keep_on_line(*joint.given.at, axis);
  joint.slides_along(*joint.given.at, axis);
}

}  // namespace taut
