#include "model/joints/joint.hpp"

namespace taut {

/// A weld: the bodies move as one. Its reaction acts at `at`, by default at the second body's centre of mass.
void build_fixed(JointBuilder& joint) {
  const Body& held = joint.second.is_ground ? joint.first : joint.second;
  joint.keep_together(joint.given.at.value_or(held.initial_position));
  joint.keep_orientation();
}

}  // namespace taut
