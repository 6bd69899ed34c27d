#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/import/node.hpp"
#include "model/import/robot.hpp"

/// A Robot as the sections of a model file.
namespace taut::robot {
namespace {

using yaml::Node;

constexpr std::array type_names{"revolute", "prismatic", "spherical", "planar", "fixed", "free", "screw", "universal"};

std::string type_of(JointKind kind) { return type_names[static_cast<std::size_t>(kind)]; }

Node names(const std::string& first, const std::string& second, const Place& place) {
  Node made = list(place);
  made.items = {scalar(first, place), scalar(second, place)};
  return made;
}

void add_orientation(Node& entry, const Eigen::Matrix3d& rotation, const Place& place) {
  if (rotation != Eigen::Matrix3d::Identity()) put(entry, "orientation", quaternion(rotation, place));
}

Node inertia(const Eigen::Matrix3d& I, const Place& place) {
  const Eigen::Vector3d products(I(0, 1), I(0, 2), I(1, 2));
  const double rounding = 1e-15 * I.cwiseAbs().maxCoeff();
  Node made = vector(I.diagonal(), place);
  if (products.cwiseAbs().maxCoeff() <= rounding) return made;
  for (const double product : products) made.items.push_back(number(product, place));
  return made;
}

Node body(const Link& link) {
  const MassProperties mass = link.mass.value_or(MassProperties{});
  Node made = mapping(link.place);
  put(made, "mass", number(mass.mass, link.place));
  put(made, "inertia", inertia(mass.inertia, link.place));
  put(made, "position", vector(link.pose * mass.center, link.place));
  add_orientation(made, link.pose.linear(), link.place);
  return made;
}

Node spring(const Joint& joint) {
  const Place& place = joint.place;
  Node made = mapping(place);
  put(made, "type", scalar("torsion-spring", place));
  put(made, "joint", scalar(joint.label, place));
  if (joint.stiffness != 0) put(made, "stiffness", number(joint.stiffness, place));
  if (joint.damping != 0) put(made, "damping", number(joint.damping, place));
  if (joint.stiffness != 0 && joint.rest != 0)
    put(made, joint.kind == JointKind::prismatic ? "travel" : "angle", number(joint.rest, place));
  return made;
}

Node dry_friction(const Joint& joint) {
  Node made = mapping(joint.place);
  put(made, joint.kind == JointKind::prismatic ? "force" : "torque", number(joint.friction, joint.place));
  return made;
}

Node limits(const Joint& joint) {
  Node made = mapping(joint.place);
  put(made, "lower", number(joint.range->first, joint.place));
  put(made, "upper", number(joint.range->second, joint.place));
  put(made, "stiffness", number(joint.stop->stiffness, joint.place));
  put(made, "damping", number(joint.stop->damping, joint.place));
  return made;
}

void add_form(Node& made, const Shape& shape) {
  const Place& place = shape.place;
  switch (shape.kind) {
    case Shape::Kind::box:
      return put(made, "box", vector(shape.size, place));
    case Shape::Kind::sphere:
      return put(made, "sphere", number(shape.size.x(), place));
    case Shape::Kind::cylinder: {
      Node form = mapping(place);
      put(form, "radius", number(shape.size.x(), place));
      put(form, "length", number(shape.size.y(), place));
      return put(made, "cylinder", std::move(form));
    }
    case Shape::Kind::mesh:
      put(made, "mesh", scalar(shape.file, place));
      if (shape.size != Eigen::Vector3d::Ones()) put(made, "scale", vector(shape.size, place));
  }
}

/// Where the shape stands in the axes of a body, from its centre of mass.
Node drawn(const Shape& shape, const Link& link) {
  const Place& place = shape.place;
  Node made = mapping(place);
  add_form(made, shape);
  put(made, "body", scalar(link.body, place));
  const Eigen::Vector3d center = link.mass ? link.mass->center : Eigen::Vector3d::Zero();
  const Eigen::Isometry3d pose = link.pose.inverse() * shape.pose;
  put(made, "at", vector(pose.translation() - center, place, shape.pose.translation().norm()));
  if (shape.kind != Shape::Kind::sphere) add_orientation(made, pose.linear(), place);
  if (!shape.color.empty()) put(made, "color", scalar(shape.color, place));
  if (!shape.label.empty()) put(made, "label", scalar(shape.label, place));
  return made;
}

class Writer {
 public:
  explicit Writer(const Robot& robot) : robot_(robot), carriers_(carriers(robot)) {}

  Node tree() const {
    Node root = mapping({Word(), 1, 0});
    put(root, "model", scalar(robot_.name, {Word(), 1, 0}));
    put(root, "gravity", vector(robot_.gravity, robot_.gravity_place));
    add(root, "parameters", parameters());
    add(root, "bodies", bodies());
    add(root, "joints", joints());
    add(root, "states", mapping({}));
    add(root, "definitions", mapping({}));
    add(root, "forces", forces());
    add(root, "constraints", mapping({}));
    add(root, "draw", drawing());
    add(root, "starts", mapping({}));
    add(root, "simulate", mapping({}));
    if (std::ranges::none_of(robot_.links, [](const Link& link) { return link.mass.has_value(); }))
      throw InputError({robot_.file, 1, 0}, fmt::format("no {} has mass, so nothing moves", robot_.link_word),
                       fmt::format("give one {}", robot_.mass_word));
    return root;
  }

 private:
  /// A section with what else the robot has for it.
  void add(Node& root, const std::string& section, Node content) const {
    for (const Entry& entry : robot_.entries)
      if (entry.section == section) put(content, entry.name, entry.value);
    if (content.items.empty()) return;
    content.position = content.items.front().position;
    put(root, section, std::move(content));
  }

  const Link& carrier(int link) const { return robot_.links[carriers_[link]]; }

  Node parameters() const {
    Node made = mapping({});
    for (const Parameter& p : robot_.parameters) put(made, p.name, number(p.value, p.place));
    return made;
  }

  Node bodies() const {
    Node made = mapping({});
    for (std::size_t k = 1; k < robot_.links.size(); ++k)
      if (carriers_[k] == static_cast<int>(k)) put(made, robot_.links[k].body, body(robot_.links[k]));
    return made;
  }

  Node joints() const {
    Node made = mapping({});
    for (const Joint& joint : robot_.joints) {
      if (joint.kind == JointKind::free || is_inside_a_body(joint)) continue;
      put(made, joint.label, entry(joint));
    }
    for (const Gear& gear : robot_.gears) put(made, gear.label, entry(gear));
    return made;
  }

  bool is_inside_a_body(const Joint& joint) const {
    const bool is_one = carriers_[joint.first] == carriers_[joint.second];
    if (!is_one || joint.kind == JointKind::fixed) return is_one;
    throw InputError(
        joint.place,
        fmt::format("'{}' connects a body with itself, for its two ends are rigidly fixed to each other", joint.name),
        "take it out");
  }

  Node entry(const Joint& joint) const {
    const Place& place = joint.place;
    Node made = mapping(place);
    put(made, "type", scalar(type_of(joint.kind), place));
    put(made, "bodies", names(carrier(joint.first).body, carrier(joint.second).body, place));
    put(made, "at", vector(joint.at, place));
    add_axes(made, joint);
    if (joint.kind == JointKind::screw) put(made, "pitch", number(joint.pitch, place));
    if (joint.start != 0)
      put(made, joint.kind == JointKind::prismatic ? "travel" : "angle", number(joint.start, place));
    if (joint.stop) put(made, "limits", limits(joint));
    if (joint.armature != 0) put(made, "armature", number(joint.armature, place));
    if (joint.friction != 0) put(made, "friction", dry_friction(joint));
    if (joint.position) put(made, "position", number(*joint.position, place));
    if (!joint.torque.empty()) put(made, "torque", scalar(joint.torque, place));
    return made;
  }

  static void add_axes(Node& made, const Joint& joint) {
    if (joint.has_coordinate()) put(made, "axis", vector(joint.axis, joint.place));
    if (joint.kind == JointKind::planar) put(made, "normal", vector(joint.axis, joint.place));
    if (joint.kind != JointKind::universal) return;
    Node axes = list(joint.place);
    axes.items = {vector(joint.axis, joint.place), vector(joint.other_axis, joint.place)};
    put(made, "axes", std::move(axes));
  }

  Node entry(const Gear& gear) const {
    Node made = mapping(gear.place);
    put(made, "type", scalar("gear", gear.place));
    put(made, "joints", names(robot_.joints[gear.first].label, robot_.joints[gear.second].label, gear.place));
    put(made, "ratio", number(gear.ratio, gear.place));
    if (gear.offset != 0) put(made, "offset", number(gear.offset, gear.place));
    return made;
  }

  Node forces() const {
    Node made = mapping({});
    for (const Joint& joint : robot_.joints) {
      const bool acts = joint.has_coordinate() && (joint.stiffness != 0 || joint.damping != 0);
      if (acts) put(made, joint.label + "_spring", spring(joint));
    }
    for (const Link& link : robot_.links)
      if (link.mass && link.lifted != 0) put(made, link.body + "_lift", lift(link));
    return made;
  }

  Node lift(const Link& link) const {
    Node made = mapping(link.place);
    put(made, "type", scalar("force", link.place));
    put(made, "body", scalar(link.body, link.place));
    put(made, "value", vector(-link.lifted * link.mass->mass * robot_.gravity, link.place));
    return made;
  }

  Node drawing() const {
    Node shapes = list({});
    for (std::size_t k = 0; k < robot_.links.size(); ++k)
      for (const Shape& shape : robot_.links[k].shapes)
        shapes.items.push_back(drawn(shape, carrier(static_cast<int>(k))));
    Node made = mapping({});
    if (!shapes.items.empty()) add(made, "only", std::move(shapes));
    return made;
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
