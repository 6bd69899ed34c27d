#include "model/tree/tree_reactions.hpp"

#include <fmt/format.h>

#include "model/tree/tree_multipliers.hpp"

namespace taut {

void TreeReactions::write_reactions() {
  for (const LoopRows::PoseRow& row : rows_.rows)
    forces_.pull_late(row.velocity,
                      {w_.pose.graph(), w_.pose.graph().symbol(w_.model.constraints[row.given].multiplier)});
  forces_.pull_late();
  const TreeLinks apart = make_links(w_.model, w_.tree, motion_.coordinates, w_.parameters_only(), w_.now, true);
  const WorldMotion motion = world_motion(apart.links);
  const std::vector<Wrench> handed = handed_through(apart.links, forces_.applied(apart, motion), motion_.gravity, true);
  w_.form.reactions.resize(w_.model.joints.size());
  for (std::size_t k = 0; k < w_.model.joints.size(); ++k) {
    if (w_.tree.is_branch[k]) continue;
    w_.at(fmt::format("the reaction of joint '{}'", w_.model.joints[k].name), w_.model.joints[k].place);
    const Reaction given = reaction(w_.pose.model(), static_cast<int>(k));
    w_.form.reactions[k] = {w_.full(w_.in_pose(given.force)), w_.full(w_.in_pose(given.torque))};
  }
  for (std::size_t k = 0; k < w_.tree.branches.size(); ++k) {
    const SpanningTree::Branch& branch = w_.tree.branches[k];
    if (branch.joint < 0) continue;
    const int link = apart.link_of_branch[k];
    const BranchEnd end{branch.reversed, apart.links, link, motion, handed[link]};
    w_.form.reactions[branch.joint] = reaction_at(branch, end, true);
    bind_multipliers(branch.joint, reaction_at(branch, end, false));
  }
}

Reaction TreeReactions::reaction_at(const SpanningTree::Branch& branch, const BranchEnd& end, bool all) const {
  const Joint& joint = w_.out.joints[branch.joint];
  const Reaction handed = branch_reaction(joint, end, all);
  const Body& second = w_.out.bodies[joint.second];
  const Body& held = second.is_ground ? w_.out.bodies[joint.first] : second;
  return w_.out.bodies[branch.body].planar ? in_plane(handed, joint.point - held.position) : handed;
}

void TreeReactions::bind_multipliers(int joint, const Reaction& bearing) {
  const std::vector<std::size_t>& rows = w_.model.joints[joint].rows;
  std::vector<std::string> names;
  for (const std::size_t row : rows)
    names.push_back(w_.model.constraints[row].name.substr(w_.model.joints[joint].name.size() + 1));
  Joint drawn = w_.out.joints[joint];
  DrawnJoint geometry{w_.parameters_only()(w_.model.joints[joint].drawn->at), {}, 0};
  for (const Vector3& axis : w_.model.joints[joint].drawn->axes) geometry.axes.push_back(w_.parameters_only()(axis));
  const std::vector<Expression> values = multipliers_of(w_.out, drawn, geometry, names, bearing, w_.now);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    w_.full.bind(w_.model.constraints[rows[k]].multiplier, values[k]);
    w_.form.multipliers.push_back({w_.model.constraints[rows[k]].name, values[k], 0});
  }
}

}  // namespace taut
