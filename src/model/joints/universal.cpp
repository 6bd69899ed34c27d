#include "model/joints/joint.hpp"

namespace taut {

/// A Cardan joint: one point in common, and the two arms of the cross, one held by each body, stay
/// perpendicular.
void build_universal(JointBuilder& joint) {
  joint.keep_together(*joint.given.at);
  joint.keep_perpendicular(joint.given.axes[0], joint.given.axes[1]);
}

}  // namespace taut
