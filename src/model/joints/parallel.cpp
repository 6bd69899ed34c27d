#include "model/joints/joint.hpp"

namespace taut {

/// A direction of the second body stays along the same direction of the first; the bodies are free to move
/// apart and to turn about it.
void build_parallel(JointBuilder& joint) {
  joint.keep_parallel(joint.unit(*joint.given.axis, "axis"));
  joint.acts_at(joint.second.position);
}

}  // namespace taut
