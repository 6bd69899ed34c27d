#include <fmt/format.h>

#include <algorithm>

#include "model/forces/force.hpp"
#include "model/reader.hpp"
#include "model/sections.hpp"

/// Force elements in a model file. What they mean stands in forces/.
namespace taut {
namespace {

/// A potential that changed with the motion of something else would pull at it, too.
constexpr Context stiffness_context{"a stiffness or a free length", context::constants | bit(SymbolKind::time),
                                    "use 'value' for a force that depends on the motion otherwise"};

std::vector<std::string> keys_of_force(const PartType& type) {
  std::vector<std::string> keys{"type"};
  keys.insert(keys.end(), type.needs.begin(), type.needs.end());
  keys.insert(keys.end(), type.takes.begin(), type.takes.end());
  return keys;
}

}  // namespace

void Reader::read_force_element(const Entry& entry) {
  const std::string what = fmt::format("force '{}'", entry.name);
  if (model_.bodies.empty())
    refuse(entry.value, fmt::format("{} is a force element, which needs bodies", what),
           "give a formula: the generalised force on the coordinate of that name");
  const PartType type = part_type(entry, what, "force", force_types());
  const std::string kind = fmt::format("the {} '{}'", type.name, entry.name);
  check_keys(entry.value, kind, keys_of_force(type));
  if (entry.value.find("body") != nullptr && entry.value.find("bodies") != nullptr)
    refuse(entry.value, fmt::format("{} has 'body' and 'bodies'", kind),
           "give 'body', or 'bodies: [what it reacts on, what it acts on]'");
  ForceDescription force;
  force.name = entry.name;
  force.type = type.name;
  force.place = entry.place;
  read_force_parts(entry, kind, force);
  place_force(force, entry.part);
  const std::size_t coordinates = model_.coordinates.size();
  name_force(model_.forces[add_force(model_, force)]);
  for (std::size_t k = coordinates; k < model_.coordinates.size(); ++k) coordinates_[model_.coordinates[k].name] = k;
}

void Reader::read_force_parts(const Entry& entry, const std::string& kind, ForceDescription& force) {
  const Part& part = entry.part;
  for (std::size_t k = 0; k < entry.value.keys.size(); ++k) {
    const std::string& key = entry.value.keys[k].text.text;
    const Node& node = entry.value.items[k];
    const std::string name = fmt::format("'{}' of {}", key, kind);
    const auto text = [&] { return repetition_.filled(expect_scalar(node, name, file_), part.indices).text; };
    const auto number = [&] { return formula(node, name, stiffness_context, part); };
    if (key == "body") {
      force.second = name_in(node, name, part);
      find_body(model_, force.second, place(node));
    } else if (key == "bodies") {
      const std::vector<std::string> both = two_names(node, name, part);
      force.first = both[0];
      force.second = both[1];
      for (std::size_t side = 0; side < 2; ++side) find_body(model_, both[side], place(node.items[side]));
    } else if (key == "joint") {
      force.joint = name_in(node, name, part);
      find_joint(model_, force.joint, place(node));
    } else if (key == "at") {
      force.at = vector3(node, name, context::initial, part);
    } else if (key == "axis") {
      force.axis = vector3(node, name, context::initial, part);
    } else if (key == "points") {
      force.points = two_vectors(node, name, part);
    } else if (key == "axes") {
      const std::string axes = text();
      if (axes != "world" && axes != "body")
        refuse(node, fmt::format("{} is '{}'", name, axes), "write 'world' or 'body'");
      force.in_body_axes = axes == "body";
    } else if (key == "length") {
      force.length = number();
    } else if (key == "angle") {
      force.angle = number();
    } else if (key == "travel") {
      force.travel = number();
    } else if (key == "stiffness") {
      force.stiffness = one_or_three(node, name, stiffness_context, force, part);
    } else if (key == "damping") {
      force.damping = one_or_three(node, name, context::force, force, part);
    } else if (key == "torsional_stiffness") {
      force.torsional_stiffness = one_or_three(node, name, stiffness_context, force, part);
    } else if (key == "torsional_damping") {
      force.torsional_damping = one_or_three(node, name, context::force, force, part);
    } else if (key == "value") {
      read_force_value(node, name, force, part);
    }
  }
}

/// A number, or for a bushing one for each axis.
std::vector<Expression> Reader::one_or_three(const Node& node, const std::string& what, const Context& context,
                                             const ForceDescription& force, const Part& part) const {
  if (node.kind != Node::Kind::list || force.type != "bushing") return {formula(node, what, context, part)};
  const Vector3 each = vector3(node, what, context, part);
  return {each.x, each.y, each.z};
}

void Reader::read_force_value(const Node& node, const std::string& what, ForceDescription& force, const Part& part) {
  if (force.type != "force" && force.type != "torque") {
    force.law = [this, &node, &part, &force, what](const Expression& extent, const Expression& rate) {
      scope_.set_locals({{extent_name(force), extent}, {"rate", rate}});
      const Expression value = formula(node, what, context::force, part);
      scope_.set_locals({});
      return value;
    };
    return;
  }
  if (node.kind != Node::Kind::list) {
    force.value = {formula(node, what, context::force, part)};
    return;
  }
  if (force.type == "torque" && node.items.size() == 2)
    refuse(node, fmt::format("{} has 2 components", what), "give three: the last one turns a planar body");
  const Vector3 value = vector3(node, what, context::force, part);
  force.value = {value.x, value.y, value.z};
}

/// What a spring's formula calls that which it stretches.
std::string Reader::extent_name(const ForceDescription& spring) const {
  if (spring.joint.empty()) return "length";
  return model_.joints[find_joint(model_, spring.joint)].angle_rate ? "angle" : "travel";
}

/// Lets formulas use what a force element gives names to.
void Reader::name_force(const Force& force) {
  for (const auto& [part, value] : force.parts) scope_.add_definition(force.name + "." + part, value);
}

}  // namespace taut
