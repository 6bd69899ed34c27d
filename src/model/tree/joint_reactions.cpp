#include "model/tree/joint_reactions.hpp"

#include <algorithm>

#include "model/joints/freedoms.hpp"

namespace taut {
namespace {

using Motion = Link::Motion;

/// The links that a joint is made of, the last first; of a weld, the one that stands for it.
std::vector<int> links_of(const Joint& joint, const std::vector<Link>& links, int last) {
  const std::size_t count = std::max<std::size_t>(tree_freedoms(joint.type)->size(), 1);
  std::vector<int> result;
  for (int k = last; result.size() < count; k = links[k].parent) result.push_back(k);
  return result;
}

/// By its motor, its stops and its friction.
Expression driven(const Joint& joint) {
  Expression sum = 0;
  for (const auto* part : {&joint.effort, &joint.stop, &joint.friction})
    if (*part) sum += **part;
  return sum;
}

}  // namespace

Reaction branch_reaction(const Joint& joint, const BranchEnd& end, bool all) {
  const WorldMotion::State& state = end.motion.links[end.link];
  Vector3 force = state.axes * end.handed.force;
  Vector3 torque = state.axes * end.handed.torque + cross(state.origin - joint.point, force);
  const Expression along = all ? driven(joint) : Expression(0);
  for (const int k : links_of(joint, end.links, end.link)) {
    const Link& part = end.links[k];
    if (part.motion == Motion::none) continue;
    const Rotation& before = end.motion.links[part.parent].axes;
    const Expression rotor = all ? part.armature : Expression(0);
    if (part.motion == Motion::ball) {
      const auto& du = part.accelerations;
      torque = -rotor * (before * Vector3{du[0], du[1], du[2]});
      continue;
    }
    // A link's direction has the sense in which the body beyond it moves: what acts along the joint's coordinate acts
    // on that body along the link's direction, whichever of the two bodies it is.
    const Vector3 a = before * part.direction;
    const Expression effort = along - rotor * part.accelerations[0];
    if (part.motion == Motion::travel)
      force += (effort - dot(a, force)) * a;
    else
      torque += (effort - dot(a, torque) - part.lead * dot(a, force)) * a;
  }
  return end.reversed ? Reaction{-force, -torque} : Reaction{force, torque};
}

Reaction in_plane(const Reaction& reaction, const Vector3& arm) {
  const Vector3 force{reaction.force.x, reaction.force.y, 0};
  return {force, {arm.z * force.y, -arm.z * force.x, reaction.torque.z}};
}

}  // namespace taut
