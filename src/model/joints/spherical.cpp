#include "model/joints/joint.hpp"

namespace taut {

/// A ball in a socket: one point in common.
void build_spherical(JointBuilder& joint) { joint.keep_together(*joint.given.at); }

}  // namespace taut
