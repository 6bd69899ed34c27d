#include "model/joints/joint.hpp"

namespace taut {

/// A foot on a table: a plane of the second body slides on one of the first.
void build_planar(JointBuilder& joint) {
  const Vector3 normal = joint.unit(*joint.given.normal, "normal");
  joint.keep_on_plane(*joint.given.at, normal);
  joint.keep_parallel(normal);
}

}  // namespace taut
