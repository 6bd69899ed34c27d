#pragma once

#include <unordered_map>
#include <vector>

#include "model/tree/rewritten_model.hpp"
#include "model/tree/tree_links.hpp"
#include "model/tree/world_motion.hpp"

namespace taut {

/// Coordinates, speeds and links of a mechanism in joint coordinates, and how the links move.
class JointMotion {
 public:
  explicit JointMotion(RewrittenModel& writing) : w_(writing) {}

  /// Coordinates: those that stay first, then those of the joints.
  void declare();
  void build();
  /// What coordinates that stay are worth at the start, and what acts on them.
  void write_coordinates();

  std::vector<BranchCoordinates> coordinates;
  std::unordered_map<SymbolId, int> speed_of;     ///< of rates and speeds of the model that is written
  std::unordered_map<SymbolId, int> generalised;  ///< the same, of rates and speeds of the poses
  TreeLinks tree_links;
  WorldMotion world;
  Vector3 gravity;

 private:
  void number_speeds();
  void number(std::vector<Link>& links) const;
  void find_arms();

  RewrittenModel& w_;
};

}  // namespace taut
