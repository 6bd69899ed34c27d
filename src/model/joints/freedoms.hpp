#pragma once

#include <string>
#include <vector>

namespace taut {

/// One of the ways in which a joint lets the second body move, as joint coordinates see it: a link of its own, with the
/// link before it as its base.
struct JointFreedom {
  enum class Kind { turn, travel, ball };
  /// The direction, in terms of what the joint was given: its axis or normal, or the first of two axes; the second of
  /// these, made square to the first; or one of two directions square to the normal.
  enum class Along { axis, second_axis, across1, across2 };

  Kind kind;
  const char* name;  ///< of its coordinate; of a ball, where it joins planar bodies and is a hinge
  Along along = Along::axis;
  bool leads = false;  ///< a turn that travels along, by the joint's pitch
};
using JointFreedoms = std::vector<JointFreedom>;

/// Those of a type, from the ground side on; a weld has none. Null of a type that is no branch of a tree.
const JointFreedoms* tree_freedoms(const std::string& type);
/// Do planar bodies stay in their plane when they hang on such a joint?
bool keeps_to_plane(const JointFreedoms& freedoms);

}  // namespace taut
