#include "model/joints/joint.hpp"

namespace taut {

/// A direction of the second body stays perpendicular to one of the first.
void build_perpendicular(JointBuilder& joint) {
  joint.keep_perpendicular(joint.given.axes[0], joint.given.axes[1]);
  joint.acts_at(joint.second.position);
}

}  // namespace taut
