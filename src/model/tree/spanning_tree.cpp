#include "model/tree/spanning_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "expression/derivative.hpp"
#include "model/joints/freedoms.hpp"

namespace taut {
namespace {

class TreeGrowth {
 public:
  explicit TreeGrowth(const Model& model)
      : model_(model), depth_(model.bodies.size(), -1), joints_at_(model.bodies.size()) {
    tree_.is_branch.assign(model.joints.size(), false);
    const std::vector<bool> felt = joints_felt_by_forces(model);
    for (std::size_t k = 0; k < model.joints.size(); ++k) {
      if (!model.joints[k].drawn || model.joints[k].cut.value_or(felt[k])) continue;
      joints_at_[model.joints[k].first].push_back(static_cast<int>(k));
      joints_at_[model.joints[k].second].push_back(static_cast<int>(k));
    }
  }

  SpanningTree grow() {
    reach(0, 0);
    for (;;) {
      while (take_best_joint()) {
      }
      const int body = next_free_body();
      if (body < 0) return std::move(tree_);
      tree_.branches.push_back({body, 0, -1, false});
      reach(body, 0);
    }
  }

 private:
  struct Edge {
    int joint, parent, body;
  };

  void reach(int body, int depth) {
    depth_[body] = depth;
    for (const int joint : joints_at_[body]) {
      const Joint& j = model_.joints[joint];
      edges_.push_back({joint, body, j.first == body ? j.second : j.first});
    }
  }

  /// A body that keeps to the plane hangs on nothing that leaves it, and on no joint that would turn it out of it.
  bool may_hang(const Edge& edge) const {
    if (!model_.bodies[edge.body].planar) return true;
    return model_.bodies[edge.parent].planar && keeps_to_plane(*tree_freedoms(model_.joints[edge.joint].type));
  }

  bool has_mass(int body) const { return body == 0 || !model_.bodies[body].mass.is_zero(); }

  /// Bodies without mass only lead from one body to the next: cut off from one of the two they would have no inertia.
  /// A way through them is taken as soon as one of its ends is reached, so that loops are cut elsewhere.
  auto merit(const Edge& edge) const {
    const Joint& joint = model_.joints[edge.joint];
    const bool wished = joint.cut.has_value(), leads_on = !has_mass(joint.first) || !has_mass(joint.second);
    return std::tuple(wished, leads_on, joint.rows.size(), -depth_[edge.parent], -edge.joint);
  }

  bool take_best_joint() {
    std::erase_if(edges_, [this](const Edge& e) { return depth_[e.body] >= 0 || !may_hang(e); });
    const auto best =
        std::ranges::max_element(edges_, [this](const Edge& a, const Edge& b) { return merit(a) < merit(b); });
    if (best == edges_.end()) return false;
    const auto [joint, parent, body] = *best;
    tree_.branches.push_back({body, parent, joint, model_.joints[joint].second == parent});
    tree_.is_branch[joint] = true;
    reach(body, depth_[parent] + 1);
    return true;
  }

  /// Of the bodies that are left, one that has others hang on it within the fewest joints: a chain is shortest from its
  /// middle.
  int next_free_body() const {
    int best = -1, least = 0;
    for (std::size_t body = 1; body < depth_.size(); ++body) {
      if (depth_[body] >= 0) continue;
      const int far = farthest_from(static_cast<int>(body));
      if (best < 0 || far < least) {
        best = static_cast<int>(body);
        least = far;
      }
      if (depth_.size() > many_bodies) break;
    }
    return best;
  }

  /// How far the farthest body is, in joints; many more where a joint leads to one that cannot hang on it.
  int farthest_from(int start) const {
    std::vector<int> far(depth_.size(), -1), queue{start};
    far[start] = 0;
    int unreached = 0;
    for (std::size_t k = 0; k < queue.size(); ++k) {
      for (const int joint : joints_at_[queue[k]]) {
        const Joint& j = model_.joints[joint];
        const int other = j.first == queue[k] ? j.second : j.first;
        if (far[other] >= 0 || depth_[other] >= 0) continue;
        if (!may_hang({joint, queue[k], other})) {
          ++unreached;
          continue;
        }
        far[other] = far[queue[k]] + 1;
        queue.push_back(other);
      }
    }
    return far[queue.back()] + 1000 * unreached;
  }

  static constexpr std::size_t many_bodies = 300;

  const Model& model_;
  std::vector<int> depth_;  ///< -1: not reached yet
  std::vector<std::vector<int>> joints_at_;
  std::vector<Edge> edges_;
  SpanningTree tree_;
};

}  // namespace

SpanningTree find_spanning_tree(const Model& model) { return TreeGrowth(model).grow(); }

std::vector<bool> joints_felt_by_forces(const Model& model) {
  std::unordered_set<SymbolId> felt;
  const auto look_at = [&](const Expression& e) {
    if (e.is_constant()) return;
    for (const SymbolId s : symbols_of(e))
      if (model.graph->info(s).kind == SymbolKind::multiplier) felt.insert(s);
  };
  for (const Load& load : model.loads)
    for (const Expression& force : load.force) look_at(force);
  for (const Coordinate& x : model.coordinates) look_at(x.force);
  for (const Speed& u : model.speeds) look_at(u.force);
  std::vector<bool> result(model.joints.size(), false);
  if (felt.empty()) return result;
  for (std::size_t k = 0; k < model.joints.size(); ++k)
    result[k] = std::ranges::any_of(model.joints[k].rows,
                                    [&](std::size_t row) { return felt.contains(model.constraints[row].multiplier); });
  return result;
}

std::string why_cut(const Model& model, const SpanningTree& tree, std::size_t k) {
  const Joint& joint = model.joints[k];
  if (!joint.drawn) return fmt::format("of type {}, which is no branch", joint.type);
  if (joint.cut == true) return "as asked for";
  if (joints_felt_by_forces(model)[k]) return "forces depend on its reaction";
  const auto hangs = [&](int body) {
    return body == 0 || std::ranges::any_of(tree.branches, [&](const SpanningTree::Branch& b) {
             return b.body == body && b.joint >= 0;
           });
  };
  const bool planar = model.bodies[joint.first].planar != model.bodies[joint.second].planar;
  if (planar && (!hangs(joint.first) || !hangs(joint.second))) return "it ties a planar body to one in space";
  return fmt::format("closes a loop, by {} constraint{}", joint.rows.size(), joint.rows.size() == 1 ? "" : "s");
}

}  // namespace taut
