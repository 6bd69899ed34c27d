#pragma once

#include <string>
#include <vector>

#include "taut/model.hpp"

namespace taut {

/// A tree of joints that reaches every body from the ground, and the joints that are left over.
struct SpanningTree {
  struct Branch {
    int body = 0;           ///< that hangs on it
    int parent = 0;         ///< the body that it hangs on
    int joint = -1;         ///< -1: the body moves freely
    bool reversed = false;  ///< the body that hangs on the joint is its first one
  };
  std::vector<Branch> branches;  ///< each after the one it hangs on
  std::vector<bool> is_branch;   ///< of each joint of the model
};

/// Joints whose reactions forces depend on, as dry friction does: in a tree nothing knows these before the
/// accelerations, so they are cut.
std::vector<bool> joints_felt_by_forces(const Model& model);

/// Why a joint is no branch, in a few words.
std::string why_cut(const Model& model, const SpanningTree& tree, std::size_t joint);

/// A joint in the tree saves its constraints: those come first that have the most, then those near the ground, then
/// those that stand first in the model. What the user says of a joint comes before all that.
SpanningTree find_spanning_tree(const Model& model);

}  // namespace taut
