#include <fmt/format.h>

#include "model/reader.hpp"
#include "model/sections.hpp"

/// The surfaces that bodies roll on, in a model file.
namespace taut {

/// {point, normal, velocity}; the velocity may be any formula of the motion.
Plane Reader::plane(const Node& node, const std::string& what, const Part& part) const {
  check_keys(node, what, {"point", "normal", "velocity"});
  Plane plane;
  plane.point = part_vector(node, what, "point", context::initial, part);
  plane.normal = part_vector(node, what, "normal", context::initial, part);
  if (node.find("velocity") != nullptr) plane.velocity = part_vector(node, what, "velocity", context::constraint, part);
  return plane;
}

/// {point, axis, radius}.
Cylinder Reader::cylinder(const Node& node, const std::string& what, const Part& part) const {
  check_keys(node, what, {"point", "axis", "radius"});
  const Node* radius = node.find("radius");
  if (radius == nullptr)
    refuse(node, fmt::format("{} lacks 'radius'", what), "write {point: [0, 0, 0], axis: [0, 0, 1], radius: 1}");
  return {part_vector(node, what, "point", context::initial, part),
          part_vector(node, what, "axis", context::initial, part),
          formula(*radius, fmt::format("the radius of {}", what), context::initial, part)};
}

Vector3 Reader::part_vector(const Node& node, const std::string& what, const char* key, const Context& context,
                            const Part& part) const {
  const Node* found = node.find(key);
  if (found == nullptr) refuse(node, fmt::format("{} lacks '{}'", what, key), fmt::format("add '{}: [0, 0, 1]'", key));
  return vector3(*found, fmt::format("the {} of {}", key, what), context, part);
}

/// The velocity of a surface may use definitions; a joint on such a one is read after these.
bool Reader::is_on_moving_plane(const Entry& joint) {
  const Node* plane = joint.value.find("plane");
  return plane != nullptr && plane->kind == Node::Kind::mapping && plane->find("velocity") != nullptr;
}

void Reader::read_joints_on_moving_planes() {
  each_entry("joints", [&](const Entry& entry) {
    if (is_on_moving_plane(entry)) read_joint(entry);
  });
}

}  // namespace taut
