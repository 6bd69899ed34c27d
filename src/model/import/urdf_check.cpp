#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/nearest.hpp"
#include "model/import/urdf.hpp"

namespace taut::robot {
namespace {

/// Elements that may stand in each other, and their attributes. What is left out of the model all the same: see
/// docs/import.md.
struct Known {
  std::vector<std::string_view> attributes;
  std::vector<std::string_view> children;
};

const std::map<std::string, Known, std::less<>>& known_elements() {
  static const std::map<std::string, Known, std::less<>> list{
      {"robot", {{"name", "version"}, {"link", "joint", "material", "transmission", "gazebo"}}},
      {"link", {{"name", "type"}, {"inertial", "visual", "collision"}}},
      {"inertial", {{}, {"origin", "mass", "inertia"}}},
      {"origin", {{"xyz", "rpy"}, {}}},
      {"mass", {{"value"}, {}}},
      {"inertia", {{"ixx", "iyy", "izz", "ixy", "ixz", "iyz"}, {}}},
      {"visual", {{"name"}, {"origin", "geometry", "material"}}},
      {"geometry", {{}, {"box", "cylinder", "sphere", "mesh"}}},
      {"box", {{"size"}, {}}},
      {"cylinder", {{"radius", "length"}, {}}},
      {"sphere", {{"radius"}, {}}},
      {"mesh", {{"filename", "scale"}, {}}},
      {"joint",
       {{"name", "type"},
        {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration", "safety_controller"}}},
      {"parent", {{"link"}, {}}},
      {"child", {{"link"}, {}}},
      {"axis", {{"xyz"}, {}}},
      {"limit", {{"lower", "upper", "effort", "velocity"}, {}}},
      {"dynamics", {{"damping", "friction"}, {}}},
      {"mimic", {{"joint", "multiplier", "offset"}, {}}},
  };
  return list;
}

/// Elements whose content does not matter to the motion.
bool is_passed_over(std::string_view name) {
  return name == "collision" || name == "material" || name == "transmission" || name == "gazebo" ||
         name == "calibration" || name == "safety_controller";
}

void check_element(const XMLElement& element, const std::string& file) {
  const Known& known = known_elements().find(element.Name())->second;
  const Attributes attributes(element, file);
  attributes.allow(known.attributes);
  for (const XMLElement* child : children(element)) {
    const std::string_view name = child->Name();
    if (std::ranges::find(known.children, name) == known.children.end()) {
      const std::string near = nearest(std::string(name), {known.children.begin(), known.children.end()});
      throw InputError({file, child->GetLineNum(), 0},
                       fmt::format("<{}> in <{}> cannot be imported", name, element.Name()),
                       near.empty() ? "take it out" : fmt::format("did you mean <{}>?", near));
    }
    if (!is_passed_over(name)) check_element(*child, file);
  }
}

/// Elements by name, each name once.
using Named = std::map<std::string, const XMLElement*>;

Named named(const XMLElement& robot, const char* what, const std::string& file) {
  Named list;
  for (const XMLElement* element : children(robot, what)) {
    const Attributes attributes(*element, file);
    const auto [first, is_new] = list.emplace(attributes.needed("name"), element);
    if (is_new) continue;
    attributes.refuse(
        fmt::format("there are two {}s '{}'; the first is in line {}", what, first->first, first->second->GetLineNum()),
        "rename one of them");
  }
  return list;
}

std::vector<std::string> names_of(const Named& list) {
  std::vector<std::string> names;
  for (const auto& [name, element] : list) names.push_back(name);
  return names;
}

/// What a joint says of another element, which has to be there: the attribute of a child element.
const std::string checked_reference(const XMLElement& joint, const char* element, const char* attribute,
                                    const Named& list, const char* what, const std::string& file) {
  const std::string joint_name = joint.Attribute("name");
  const XMLElement* child = joint.FirstChildElement(element);
  if (child == nullptr) {
    throw InputError({file, joint.GetLineNum(), 0}, fmt::format("joint '{}' has no <{}>", joint_name, element),
                     fmt::format("add <{} {}=\"…\"/>", element, attribute));
  }
  const std::string name = Attributes(*child, file).needed(attribute);
  if (list.contains(name)) return name;
  const std::string near = nearest(name, names_of(list));
  throw InputError(
      {file, child->GetLineNum(), 0},
      fmt::format("joint '{}' names {} '{}' as its {}, and there is none", joint_name, what, name, element),
      near.empty() ? fmt::format("add the {}, or name another", what) : fmt::format("did you mean '{}'?", near));
}

void check_type(const XMLElement& joint, const std::string& file) {
  const Attributes attributes(joint, file);
  attributes.needed("type");
  const std::string type =
      attributes.choice("type", {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"});
  if ((type == "revolute" || type == "prismatic") && joint.FirstChildElement("limit") == nullptr) {
    attributes.refuse(fmt::format("joint '{}' is {} and has no <limit>", attributes.text("name"), type),
                      type == "revolute" ? "add one, or make it continuous" : "add one");
  }
}

void check_number(const XMLElement& element, const char* attribute, const std::string& file) {
  const Attributes attributes(element, file);
  attributes.needed(attribute);
  attributes.number(attribute, 0);
}

void check_inertial(const XMLElement& link, const std::string& file) {
  const XMLElement* inertial = link.FirstChildElement("inertial");
  if (inertial == nullptr) return;
  for (const char* part : {"mass", "inertia"}) {
    const XMLElement* element = inertial->FirstChildElement(part);
    if (element == nullptr) {
      throw InputError({file, inertial->GetLineNum(), 0},
                       fmt::format("the <inertial> of link '{}' has no <{}>", link.Attribute("name"), part), "add one");
    }
    for (const std::string_view attribute : known_elements().find(part)->second.attributes)
      check_number(*element, attribute.data(), file);
  }
}

/// Every link but the root is carried by one joint, and the root carries all.
void check_tree(const Named& links, const Named& joints, const std::string& file) {
  std::map<std::string, std::string> parents, carried_by;
  for (const auto& [name, joint] : joints) {
    const std::string parent = checked_reference(*joint, "parent", "link", links, "link", file);
    const std::string child = checked_reference(*joint, "child", "link", links, "link", file);
    const auto [first, is_new] = carried_by.emplace(child, name);
    if (!is_new) {
      throw InputError(
          {file, joint->GetLineNum(), 0},
          fmt::format("link '{}' is the child of two joints, '{}' and '{}'", child, first->second, name),
          "keep one here, and close the loop by a joint in a file that says include: and this file's name");
    }
    parents[child] = parent;
  }
  std::string root;
  for (const auto& [name, link] : links) {
    if (parents.contains(name)) continue;
    if (root.empty()) {
      root = name;
      continue;
    }
    throw InputError({file, link->GetLineNum(), 0},
                     fmt::format("neither link '{}' nor link '{}' is the child of a joint", root, name),
                     "a robot has one root; connect the other by a joint, such as one of type floating");
  }
  for (const auto& [name, link] : links) {
    std::string above = name;
    for (std::size_t steps = 0; parents.contains(above); above = parents[above]) {
      if (steps++ < links.size()) continue;
      throw InputError({file, link->GetLineNum(), 0}, fmt::format("link '{}' is carried by itself, in a circle", name),
                       "a URDF is a tree; close loops by joints in a file that says include: and this file's name");
    }
  }
}

void check_mimic(const Named& joints, const std::string& file) {
  for (const auto& [name, joint] : joints) {
    if (const XMLElement* mimic = joint->FirstChildElement("mimic")) {
      checked_reference(*joint, "mimic", "joint", joints, "joint", file);
      for (const char* attribute : {"multiplier", "offset"}) Attributes(*mimic, file).number(attribute, 0);
    }
  }
}

}  // namespace

void check_urdf(const XMLElement& robot, const std::string& file) {
  check_element(robot, file);
  const Named links = named(robot, "link", file);
  const Named joints = named(robot, "joint", file);
  if (links.empty()) throw InputError({file, robot.GetLineNum(), 0}, "the robot has no links", "add a <link>");
  for (const auto& [name, link] : links) check_inertial(*link, file);
  for (const auto& [name, joint] : joints) check_type(*joint, file);
  check_tree(links, joints, file);
  check_mimic(joints, file);
}

}  // namespace taut::robot
