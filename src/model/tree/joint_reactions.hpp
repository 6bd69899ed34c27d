#pragma once

#include <vector>

#include "model/tree/link.hpp"
#include "model/tree/tree_dynamics.hpp"
#include "model/tree/world_motion.hpp"
#include "taut/mechanism.hpp"

namespace taut {

/// The last link of a joint of the tree, and what it hands on.
struct BranchEnd {
  bool reversed;  ///< the body beyond is the joint's first
  const std::vector<Link>& links;
  int link;
  const WorldMotion& motion;
  const Wrench& handed;
};

/// The reaction of a joint of the tree. Along its freedoms there is what its motor, its stops and its friction give, if
/// these count (`all`), and nothing of what else acts there.
Reaction branch_reaction(const Joint& joint, const BranchEnd& end, bool all);

/// What of a reaction acts in the plane: the rest, which bodies in space may hand on to planar ones, these bear without
/// their joints. `arm` leads from the centre of mass of the body it acts on to where it acts.
Reaction in_plane(const Reaction& reaction, const Vector3& arm);

}  // namespace taut
