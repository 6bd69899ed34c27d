#pragma once

#include "model/tree/applied_forces.hpp"
#include "model/tree/joint_reactions.hpp"
#include "model/tree/loop_rows.hpp"

namespace taut {

/// Forces in joints, in joint coordinates: of those that are cut by their multipliers, of branches by what they hand
/// on.
class TreeReactions {
 public:
  TreeReactions(RewrittenModel& writing, const JointMotion& motion, const LoopRows& rows, AppliedForces& forces)
      : w_(writing), motion_(motion), rows_(rows), forces_(forces) {}
  void write_reactions();

 private:
  Reaction reaction_at(const SpanningTree::Branch& branch, const BranchEnd& end, bool all) const;
  /// Constraints that joints of the tree no longer have: outputs may ask for what would hold them.
  void bind_multipliers(int joint, const Reaction& bearing);

  RewrittenModel& w_;
  const JointMotion& motion_;
  const LoopRows& rows_;
  AppliedForces& forces_;
};

}  // namespace taut
