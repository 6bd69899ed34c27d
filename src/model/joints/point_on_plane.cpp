#include "model/joints/joint.hpp"

namespace taut {

/// A needle's tip on a table: a point of the second body stays on a plane of the first.
void build_point_on_plane(JointBuilder& joint) {
  joint.keep_on_plane(*joint.given.at, joint.unit(*joint.given.normal, "normal"));
}

}  // namespace taut
