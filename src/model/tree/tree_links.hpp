#pragma once

#include <map>
#include <vector>

#include "model/tree/link.hpp"
#include "model/tree/spanning_tree.hpp"
#include "model/tree/transcript.hpp"
#include "taut/model.hpp"

namespace taut {

/// The coordinates of a tree's joints, as they are declared in the model in joint coordinates.
struct TreeCoordinate {
  Expression value, rate, acceleration;
};
struct BranchCoordinates {
  std::vector<TreeCoordinate> lines;     ///< of freedoms that are angles or travels, in the order of the links
  std::optional<Quaternion> quaternion;  ///< of a ball, with its three rates and accelerations in `lines` behind others
};

/// Which link a body is part of, and how it lies in it.
struct BodyPlace {
  int link = 0;
  Rotation axes;         ///< of the body, in those of the link
  Vector3 center;        ///< of mass, from the link's origin in its axes
  bool is_link = false;  ///< the link has the body's own axes and its centre of mass for origin
};

struct TreeLinks {
  std::vector<Link> links;
  std::vector<BodyPlace> places;    ///< of each body
  std::vector<int> link_of_branch;  ///< the last link of each branch
};

/// Declares the coordinates and speeds that a branch needs. Those of a free body are its own, and there already.
BranchCoordinates declare_branch(Model& out, const Model& model, const SpanningTree::Branch& branch);
/// Those of a free body.
BranchCoordinates coordinates_of_free_body(const Model& out, const Body& body);

/// What a branch is made of, in formulas of the model in joint coordinates: `in_out` writes formulas of parameters
/// there. Welds become links by themselves where forces in them are asked for, else the bodies become one.
TreeLinks make_links(const Model& model, const SpanningTree& tree, const std::vector<BranchCoordinates>& coordinates,
                     Transcript& in_out, const ValueNow& now, bool welds_apart);

}  // namespace taut
