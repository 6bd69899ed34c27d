#include "model/tree/rewriting.hpp"

#include <fmt/format.h>

#include "model/tree/tree_multipliers.hpp"

/// Forces in joints, in joint coordinates.
namespace taut {

void Rewriting::write_reactions() {
  for (const PoseRow& row : rows_)
    pull_late(row.velocity, {pose_.graph(), pose_.graph().symbol(model_.constraints[row.given].multiplier)});
  for (const auto& [velocity, effort] : late_pulls_) pull_late(velocity, effort);
  const TreeLinks apart = make_links(model_, tree_, coordinates_, parameters_only(), now_, true);
  const WorldMotion motion = world_motion(apart.links);
  const std::vector<Wrench> handed = handed_through(apart.links, applied(apart, motion), gravity_, true);
  form_.reactions.resize(model_.joints.size());
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    if (tree_.is_branch[k]) continue;
    at(fmt::format("the reaction of joint '{}'", model_.joints[k].name), model_.joints[k].place);
    const Reaction given = reaction(pose_.model(), static_cast<int>(k));
    form_.reactions[k] = {full_(pose_v(given.force)), full_(pose_v(given.torque))};
  }
  for (std::size_t k = 0; k < tree_.branches.size(); ++k) {
    const SpanningTree::Branch& branch = tree_.branches[k];
    if (branch.joint < 0) continue;
    const int link = apart.link_of_branch[k];
    const BranchEnd end{branch.reversed, apart.links, link, motion, handed[link]};
    form_.reactions[branch.joint] = reaction_at(branch, end, true);
    bind_multipliers(branch.joint, reaction_at(branch, end, false));
  }
}

Reaction Rewriting::reaction_at(const SpanningTree::Branch& branch, const BranchEnd& end, bool all) const {
  const Joint& joint = out_.joints[branch.joint];
  const Reaction handed = branch_reaction(joint, end, all);
  const Body& second = out_.bodies[joint.second];
  const Body& held = second.is_ground ? out_.bodies[joint.first] : second;
  return out_.bodies[branch.body].planar ? in_plane(handed, joint.point - held.position) : handed;
}

void Rewriting::bind_multipliers(int joint, const Reaction& bearing) {
  const std::vector<std::size_t>& rows = model_.joints[joint].rows;
  std::vector<std::string> names;
  for (const std::size_t row : rows)
    names.push_back(model_.constraints[row].name.substr(model_.joints[joint].name.size() + 1));
  Joint drawn = out_.joints[joint];
  DrawnJoint geometry{parameters_only()(model_.joints[joint].drawn->at), {}, 0};
  for (const Vector3& axis : model_.joints[joint].drawn->axes) geometry.axes.push_back(parameters_only()(axis));
  const std::vector<Expression> values = multipliers_of(out_, drawn, geometry, names, bearing, now_);
  for (std::size_t k = 0; k < rows.size(); ++k) full_.bind(model_.constraints[rows[k]].multiplier, values[k]);
}

void Rewriting::pull_late(const Expression& velocity, const Expression& effort) {
  for (const SymbolKind kind : {SymbolKind::rate, SymbolKind::speed})
    for (const auto& [s, value] : gradient(velocity, kind))
      if (const auto body = body_of_.find(s); body != body_of_.end() && !generalised_.contains(s))
        pull_body(s, body->second, value * effort, pulls_[body->second]);
}

}  // namespace taut
