#include "model/import/robot.hpp"

namespace taut::robot {
namespace {

/// Links that fixed joints hold together move as one: those among them without mass belong to one that has it.
class Rigid {
 public:
  explicit Rigid(const Robot& robot) : robot_(robot), children_(robot.links.size()) {
    for (std::size_t k = 1; k < robot.links.size(); ++k) {
      if (is_fixed(static_cast<int>(k))) children_[parent(static_cast<int>(k))].push_back(static_cast<int>(k));
    }
  }

  /// The link's own mass, or that of what carries it, or the first of what it carries; -1: there is none.
  int carrier(int link) const {
    while (!has_body(link) && is_fixed(link)) link = parent(link);
    return has_body(link) ? link : first_below(link);
  }
  /// Of those that are fixed to one another, the one that a joint moves.
  int first_of(int link) const {
    while (is_fixed(link)) link = parent(link);
    return link;
  }

 private:
  bool has_body(int link) const { return link == 0 || robot_.links[link].mass.has_value(); }
  int parent(int link) const { return robot_.joints[robot_.links[link].parent_joint].first; }
  bool is_fixed(int link) const {
    const int joint = robot_.links[link].parent_joint;
    return joint >= 0 && robot_.joints[joint].kind == JointKind::fixed;
  }
  int first_below(int link) const {
    if (has_body(link)) return link;
    for (const int child : children_[link]) {
      if (const int found = first_below(child); found >= 0) return found;
    }
    return -1;
  }

  const Robot& robot_;
  std::vector<std::vector<int>> children_;  ///< that are fixed to it
};

}  // namespace

std::vector<int> carriers(const Robot& robot) {
  const Rigid rigid(robot);
  std::vector<int> list;
  for (std::size_t k = 0; k < robot.links.size(); ++k) {
    const int found = rigid.carrier(static_cast<int>(k));
    list.push_back(found >= 0 ? found : rigid.first_of(static_cast<int>(k)));
  }
  return list;
}

}  // namespace taut::robot
