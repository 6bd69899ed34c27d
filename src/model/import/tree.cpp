#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/import/node.hpp"
#include "model/import/robot.hpp"

/// A Robot as the sections of a model file.
namespace taut::robot {
namespace {

using yaml::Node;

std::string_view type_of(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
      return "revolute";
    case JointKind::prismatic:
      return "prismatic";
    case JointKind::spherical:
      return "spherical";
    case JointKind::planar:
      return "planar";
    case JointKind::fixed:
      return "fixed";
    case JointKind::free:
      return "free";
  }
  return "";
}

Node names(const std::string& first, const std::string& second, int line) {
  Node made = list(line);
  made.items = {scalar(first, line), scalar(second, line)};
  return made;
}

class Writer {
 public:
  explicit Writer(const Robot& robot) : robot_(robot), carriers_(carriers(robot)) {}

  Node tree() const {
    Node root = mapping(1);
    put(root, "model", scalar(robot_.name, 1));
    put(root, "gravity", vector(robot_.gravity, robot_.gravity_line));
    add(root, "parameters", parameters());
    add(root, "bodies", bodies());
    add(root, "joints", joints());
    add(root, "forces", forces());
    add(root, "draw", drawing());
    if (root.find("bodies") == nullptr) {
      throw InputError({robot_.file, 1, 0}, fmt::format("no {} has mass, so nothing moves", robot_.link_word),
                       fmt::format("give one {}", robot_.mass_word));
    }
    return root;
  }

 private:
  static void add(Node& root, const std::string& section, Node content) {
    if (content.items.empty()) return;
    content.position.line = content.items.front().position.line;
    put(root, section, std::move(content));
  }

  const Link& carrier(int link) const { return robot_.links[carriers_[link]]; }

  Node parameters() const {
    Node made = mapping(1);
    for (const Parameter& parameter : robot_.parameters) put(made, parameter.name, number(0, parameter.line));
    return made;
  }

  Node bodies() const {
    Node made = mapping(1);
    for (const Link& link : robot_.links) {
      if (link.mass) put(made, link.body, body(link));
    }
    return made;
  }

  static Node body(const Link& link) {
    Node made = mapping(link.line);
    put(made, "mass", number(link.mass->mass, link.line));
    put(made, "inertia", inertia(link.mass->inertia, link.line));
    put(made, "position", vector(link.pose * link.mass->center, link.line));
    add_orientation(made, link.pose.linear());
    return made;
  }

  static void add_orientation(Node& entry, const Eigen::Matrix3d& rotation) {
    if (rotation != Eigen::Matrix3d::Identity()) put(entry, "orientation", quaternion(rotation, entry.position.line));
  }

  static Node inertia(const Eigen::Matrix3d& I, int line) {
    const Eigen::Vector3d products(I(0, 1), I(0, 2), I(1, 2));
    const double rounding = 1e-15 * I.cwiseAbs().maxCoeff();
    Node made = vector(I.diagonal(), line);
    if (products.cwiseAbs().maxCoeff() <= rounding) return made;
    for (const double product : products) made.items.push_back(number(product, line));
    return made;
  }

  Node joints() const {
    Node made = mapping(1);
    for (const Joint& joint : robot_.joints) {
      if (joint.kind == JointKind::free || is_inside_a_body(joint)) continue;
      put(made, joint.label, entry(joint));
    }
    for (const Gear& gear : robot_.gears) put(made, gear.label, entry(gear));
    return made;
  }

  bool is_inside_a_body(const Joint& joint) const {
    const bool is_one = carriers_[joint.first] == carriers_[joint.second];
    if (is_one && joint.kind != JointKind::fixed) {
      throw InputError(
          {robot_.file, joint.line, 0},
          fmt::format("'{}' connects a body with itself, for its two ends are rigidly fixed to each other", joint.name),
          "take it out");
    }
    return is_one;
  }

  Node entry(const Joint& joint) const {
    const int line = joint.line;
    Node made = mapping(line);
    put(made, "type", scalar(std::string(type_of(joint.kind)), line));
    put(made, "bodies", names(carrier(joint.first).body, carrier(joint.second).body, line));
    put(made, "at", vector(joint.at, line));
    if (joint.has_coordinate()) put(made, "axis", vector(joint.axis, line));
    if (joint.kind == JointKind::planar) put(made, "normal", vector(joint.axis, line));
    if (joint.position) put(made, "position", number(*joint.position, line));
    if (!joint.torque.empty()) put(made, "torque", scalar(joint.torque, line));
    return made;
  }

  Node entry(const Gear& gear) const {
    Node made = mapping(gear.line);
    put(made, "type", scalar("gear", gear.line));
    put(made, "joints", names(robot_.joints[gear.first].label, robot_.joints[gear.second].label, gear.line));
    put(made, "ratio", number(gear.ratio, gear.line));
    if (gear.offset != 0) put(made, "offset", number(gear.offset, gear.line));
    return made;
  }

  Node forces() const {
    Node made = mapping(1);
    for (const Joint& joint : robot_.joints) {
      if (joint.stiffness == 0 && joint.damping == 0) continue;
      put(made, joint.label + "_spring", spring(joint));
    }
    return made;
  }

  static Node spring(const Joint& joint) {
    const int line = joint.line;
    Node made = mapping(line);
    put(made, "type", scalar("torsion-spring", line));
    put(made, "joint", scalar(joint.label, line));
    if (joint.stiffness != 0) put(made, "stiffness", number(joint.stiffness, line));
    if (joint.damping != 0) put(made, "damping", number(joint.damping, line));
    if (joint.stiffness != 0 && joint.rest != 0) {
      put(made, joint.kind == JointKind::revolute ? "angle" : "travel", number(joint.rest, line));
    }
    return made;
  }

  Node drawing() const {
    Node shapes = list(1);
    for (std::size_t k = 0; k < robot_.links.size(); ++k) {
      for (const Shape& shape : robot_.links[k].shapes)
        shapes.items.push_back(entry(shape, carrier(static_cast<int>(k))));
    }
    Node made = mapping(1);
    if (!shapes.items.empty()) add(made, "only", std::move(shapes));
    return made;
  }

  /// Where the shape stands in the axes of a body, from its centre of mass.
  static Node entry(const Shape& shape, const Link& link) {
    Node made = mapping(shape.line);
    add_form(made, shape);
    put(made, "body", scalar(link.body, shape.line));
    const Eigen::Vector3d center = link.mass ? link.mass->center : Eigen::Vector3d::Zero();
    const Eigen::Isometry3d pose = link.pose.inverse() * shape.pose;
    put(made, "at", vector(pose.translation() - center, shape.line, shape.pose.translation().norm()));
    if (shape.kind != Shape::Kind::sphere) add_orientation(made, pose.linear());
    if (!shape.color.empty()) put(made, "color", scalar(shape.color, shape.line));
    if (!shape.label.empty()) put(made, "label", scalar(shape.label, shape.line));
    return made;
  }

  static void add_form(Node& made, const Shape& shape) {
    const int line = shape.line;
    switch (shape.kind) {
      case Shape::Kind::box:
        return put(made, "box", vector(shape.size, line));
      case Shape::Kind::sphere:
        return put(made, "sphere", number(shape.size.x(), line));
      case Shape::Kind::cylinder: {
        Node form = mapping(line);
        put(form, "radius", number(shape.size.x(), line));
        put(form, "length", number(shape.size.y(), line));
        return put(made, "cylinder", std::move(form));
      }
      case Shape::Kind::mesh:
        put(made, "mesh", scalar(shape.file, line));
        if (shape.size != Eigen::Vector3d::Ones()) put(made, "scale", vector(shape.size, line));
    }
  }

  const Robot& robot_;
  std::vector<int> carriers_;
};

}  // namespace

std::string color_text(double red, double green, double blue) {
  const auto part = [](double x) { return static_cast<int>(std::lround(255 * std::clamp(x, 0.0, 1.0))); };
  return fmt::format("#{:02x}{:02x}{:02x}", part(red), part(green), part(blue));
}

Node tree_of(const Robot& robot) { return Writer(robot).tree(); }

}  // namespace taut::robot
