#include <fmt/format.h>

#include <cmath>

#include "model/export/rigid_tree.hpp"

namespace taut {
namespace {

/// A link's frame is where the joint is that carries it, with the axes of its body.
Eigen::Isometry3d frame_of(const RigidLink& link) {
  Eigen::Isometry3d frame = link.pose;
  if (!link.joints.empty()) frame.translation() = link.joints.front().at;
  return frame;
}

std::string origin(const Eigen::Isometry3d& pose) {
  const Eigen::Matrix3d& R = pose.linear();
  const double pitch = std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0)));
  const bool is_upright = std::hypot(R(0, 0), R(1, 0)) < 1e-12;
  const double roll = is_upright ? std::atan2(-R(1, 2), R(1, 1)) : std::atan2(R(2, 1), R(2, 2));
  const double yaw = is_upright ? 0 : std::atan2(R(1, 0), R(0, 0));
  const Eigen::Vector3d p = pose.translation();
  return fmt::format("<origin xyz=\"{} {} {}\" rpy=\"{} {} {}\"/>", p.x(), p.y(), p.z(), roll, pitch, yaw);
}

std::string link_text(const RigidLink& link) {
  Eigen::Isometry3d at = frame_of(link).inverse() * link.pose;
  const Eigen::Matrix3d& I = link.inertia;
  return fmt::format(
      "  <link name=\"{}\">\n    <inertial>\n      {}\n      <mass value=\"{}\"/>\n"
      "      <inertia ixx=\"{}\" iyy=\"{}\" izz=\"{}\" ixy=\"{}\" ixz=\"{}\" iyz=\"{}\"/>\n    </inertial>\n  "
      "</link>\n",
      link.name, origin(at), link.mass, I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
}

std::string joint_text(const RigidTree& tree, const RigidLink& link) {
  const RigidLink& parent = tree.links[static_cast<std::size_t>(link.parent)];
  const bool is_ball = !link.joints.empty() && link.joints.front().kind == RigidJoint::Kind::ball;
  if (link.joints.size() > 1 || is_ball)
    throw InputError(
        fmt::format("the joint '{}' has several freedoms, which a URDF has no word for", link.joints.front().name),
        "export the model as MJCF");
  const Eigen::Isometry3d frame = frame_of(link);
  const std::string place = origin(frame_of(parent).inverse() * frame);
  const auto text = [&](const std::string& name, const char* type, const std::string& more) {
    return fmt::format(
        "  <joint name=\"{}\" type=\"{}\">\n    {}\n    <parent link=\"{}\"/>\n    <child link=\"{}\"/>\n{}  "
        "</joint>\n",
        name, type, place, parent.name, link.name, more);
  };
  if (link.is_free) return text(link.name + "_free", "floating", "");
  if (link.joints.empty()) return text(link.name + "_fixed", "fixed", "");
  const RigidJoint& joint = link.joints.front();
  if (joint.armature != 0)
    throw InputError(fmt::format("joint '{}' has an armature, which a URDF has no word for", joint.name),
                     "export the model as MJCF");
  const Eigen::Vector3d axis = frame.linear().transpose() * joint.axis;
  const std::string axis_text = fmt::format("    <axis xyz=\"{} {} {}\"/>\n", axis.x(), axis.y(), axis.z());
  if (joint.kind == RigidJoint::Kind::hinge) return text(joint.name, "continuous", axis_text);
  return text(joint.name, "prismatic",
              axis_text + "    <limit lower=\"-1e3\" upper=\"1e3\" effort=\"1e9\" velocity=\"1e9\"/>\n");
}

}  // namespace

std::string model_as_urdf(const Model& model) {
  const RigidTree tree = rigid_tree(model);
  if (!tree.ties.empty())
    throw InputError(fmt::format("'{}' closes a loop, and a URDF is a tree", tree.ties.front().name),
                     "export the model as MJCF");
  if ((tree.gravity - Eigen::Vector3d(0, 0, -9.81)).norm() > 1e-12)
    throw InputError("a URDF says nothing of gravity, which is taken as 9.81 m/s² along -z, and the model has another",
                     "let gravity be [0, 0, -9.81], or export the model as MJCF");
  std::string text = fmt::format("<?xml version=\"1.0\"?>\n{}<robot name=\"{}\">\n  <link name=\"{}\"/>\n",
                                 tree.comment, model.name, tree.links.front().name);
  for (std::size_t k = 1; k < tree.links.size(); ++k)
    text += link_text(tree.links[k]) + joint_text(tree, tree.links[k]);
  return text + "</robot>\n";
}

}  // namespace taut
