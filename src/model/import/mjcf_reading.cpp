#include "model/import/mjcf_reading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/import/node.hpp"

namespace taut::robot {
namespace {

template <class Value>
const Value& found(const std::map<std::string, Value>& list, const Attributes& attributes, const std::string& attribute,
                   const std::string& what) {
  const std::string name = attributes.needed(attribute);
  const auto entry = list.find(name);
  if (entry != list.end()) return entry->second;
  std::vector<std::string> names;
  for (const auto& [other, value] : list) names.push_back(other);
  attributes.refuse(attribute, fmt::format("there is no {} '{}'", what, name),
                    nearest_or(name, names, fmt::format("name a {} of this file", what)));
}

}  // namespace

void MjcfReading::each(const Element& root, std::string_view section, const std::function<void(const Element&)>& read) {
  for (const Element* element : children(root, section))
    for (const Element& child : element->children)
      if (admit(mjcf_rows(), section, child, findings)) findings.attempt([&] { read(child); });
}

std::string MjcfReading::define(const std::string& name, const std::string& formula, const Place& place) {
  std::string made = names.take(name, "definition", place);
  add("definitions", made, scalar(formula, place));
  return made;
}

bool MjcfReading::has_loops() const {
  return !robot.gears.empty() || std::ranges::any_of(robot.joints, &Joint::closes) ||
         std::ranges::any_of(robot.entries, [](const Entry& entry) { return entry.section == "constraints"; });
}

int MjcfReading::body(const Attributes& attributes, const std::string& attribute) const {
  return found(links, attributes, attribute, "body");
}

int MjcfReading::any_joint(const Attributes& attributes, const std::string& attribute) const {
  return found(joints, attributes, attribute, "joint");
}

int MjcfReading::coordinate_joint(const Attributes& attributes, const std::string& attribute) const {
  const int joint = any_joint(attributes, attribute);
  if (robot.joints[static_cast<std::size_t>(joint)].has_coordinate()) return joint;
  attributes.refuse(attribute, fmt::format("joint '{}' has no single coordinate", attributes.text(attribute)),
                    "name a hinge or a slide");
}

const MjcfSite& MjcfReading::site(const Attributes& attributes, const std::string& attribute) const {
  return found(sites, attributes, attribute, "site");
}

MjcfTendon& MjcfReading::tendon(const Attributes& attributes, const std::string& attribute) {
  found(tendons, attributes, attribute, "tendon");
  return tendons.at(attributes.text(attribute));
}

std::string MjcfReading::coordinate(int joint) const {
  const Joint& j = robot.joints[static_cast<std::size_t>(joint)];
  return j.zero == 0 ? j.coordinate() : fmt::format("({} + {})", j.coordinate(), text_of(j.zero));
}

}  // namespace taut::robot
