#include <fmt/format.h>

#include "model/export/rigid_tree.hpp"

namespace taut {
namespace {

std::string words(const Eigen::Vector3d& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

std::string turn_words(const Eigen::Matrix3d& turn) {
  const Eigen::Quaterniond q = Eigen::Quaterniond(turn).normalized();
  return fmt::format("{} {} {} {}", q.w(), q.x(), q.y(), q.z());
}

class MjcfWriter {
 public:
  explicit MjcfWriter(const RigidTree& tree) : tree_(tree) {}

  std::string text(const std::string& name) {
    text_ = fmt::format(
        "<mujoco model=\"{}\">\n  <compiler angle=\"radian\"/>\n  <option gravity=\"{}\"/>\n  <worldbody>\n", name,
        words(tree_.gravity));
    write_children(0, "    ");
    text_ += "  </worldbody>\n";
    if (!tree_.ties.empty()) write_ties();
    return tree_.comment + text_ + "</mujoco>\n";
  }

 private:
  void write_children(int parent, const std::string& indent) {
    for (std::size_t k = 1; k < tree_.links.size(); ++k)
      if (tree_.links[k].parent == parent) write_body(static_cast<int>(k), indent);
  }

  void write_body(int index, const std::string& indent) {
    const RigidLink& link = tree_.links[static_cast<std::size_t>(index)];
    const Eigen::Isometry3d pose = tree_.links[static_cast<std::size_t>(link.parent)].pose.inverse() * link.pose;
    text_ += fmt::format("{}<body name=\"{}\" pos=\"{}\" quat=\"{}\">\n", indent, link.name, words(pose.translation()),
                         turn_words(pose.linear()));
    if (link.is_free) text_ += fmt::format("{}  <freejoint/>\n", indent);
    for (const RigidJoint& joint : link.joints) write_joint(joint, link, indent);
    const Eigen::Matrix3d& I = link.inertia;
    text_ += fmt::format("{}  <inertial pos=\"0 0 0\" mass=\"{}\" fullinertia=\"{} {} {} {} {} {}\"/>\n", indent,
                         link.mass, I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
    write_children(index, indent + "  ");
    text_ += indent + "</body>\n";
  }

  void write_joint(const RigidJoint& joint, const RigidLink& link, const std::string& indent) {
    const char* const types[] = {"hinge", "slide", "ball"};
    text_ += fmt::format("{}  <joint name=\"{}\" type=\"{}\" pos=\"{}\"", indent, joint.name,
                         types[static_cast<std::size_t>(joint.kind)], words(link.pose.inverse() * joint.at));
    if (joint.kind != RigidJoint::Kind::ball)
      text_ += fmt::format(" axis=\"{}\"", words(link.pose.linear().transpose() * joint.axis));
    if (joint.armature != 0) text_ += fmt::format(" armature=\"{}\"", joint.armature);
    text_ += "/>\n";
  }

  void connect(const RigidTie& tie, const std::string& name, const Eigen::Vector3d& at) {
    const RigidLink& second = tree_.links[static_cast<std::size_t>(tie.second)];
    // The anchor is given on the first body named, which has to be one that moves.
    const bool swaps = tie.second == 0;
    const RigidLink& named = swaps ? tree_.links[static_cast<std::size_t>(tie.first)] : second;
    const int other = swaps ? tie.second : tie.first;
    text_ +=
        fmt::format("    <connect name=\"{}\" body1=\"{}\"{} anchor=\"{}\"/>\n", name, named.name,
                    other == 0 ? "" : fmt::format(" body2=\"{}\"", tree_.links[static_cast<std::size_t>(other)].name),
                    words(named.pose.inverse() * at));
  }

  void write_ties() {
    text_ += "  <equality>\n";
    for (const RigidTie& tie : tree_.ties) {
      if (tie.type == "gear") {
        text_ += fmt::format("    <joint name=\"{}\" joint1=\"{}\" joint2=\"{}\" polycoef=\"{} {} 0 0 0\"/>\n",
                             tie.name, tie.second_joint, tie.first_joint, tie.offset, tie.ratio);
      } else if (tie.type == "fixed") {
        const bool swaps = tie.second == 0;
        const int one = swaps ? tie.first : tie.second, two = swaps ? tie.second : tie.first;
        text_ += fmt::format(
            "    <weld name=\"{}\" body1=\"{}\"{}/>\n", tie.name, tree_.links[static_cast<std::size_t>(one)].name,
            two == 0 ? "" : fmt::format(" body2=\"{}\"", tree_.links[static_cast<std::size_t>(two)].name));
      } else {
        connect(tie, tie.name, tie.at);
        // Two points of a hinge's axis: six rows of rank five.
        if (tie.type == "revolute") connect(tie, tie.name + "_2", tie.at + tie.axis);
      }
    }
    text_ += "  </equality>\n";
  }

  const RigidTree& tree_;
  std::string text_;
};

}  // namespace

std::string model_as_mjcf(const Model& model) {
  const RigidTree tree = rigid_tree(model);
  return MjcfWriter(tree).text(model.name);
}

}  // namespace taut
