#include "model/import/mjcf_defaults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/import/elements.hpp"

namespace taut::robot {

bool is_actuator(const std::string& element) {
  static const std::set<std::string> list{"general",     "motor",  "position", "velocity",
                                          "intvelocity", "damper", "cylinder"};
  return list.contains(element);
}

void MjcfDefaults::read(const Element& element, const std::string& parent, Findings& findings) {
  if (!admit(mjcf_rows(), parent.empty() ? "mujoco" : "default", element, findings)) return;
  const Attributes attributes(element);
  const std::string name = parent.empty() ? attributes.text("class", "main") : attributes.needed("class");
  if (!parent.empty() && classes_.contains(name))
    attributes.refuse(fmt::format("there are two classes '{}' of defaults", name), "rename one of them");
  // The outermost class is "main", whatever it is called.
  if (parent.empty() && name != "main") classes_[name].parent = "main";
  const std::string own = parent.empty() ? "main" : name;
  if (!parent.empty()) classes_[own].parent = parent;
  read_content(element, own, findings);
}

void MjcfDefaults::read_content(const Element& element, const std::string& own, Findings& findings) {
  for (const Element& child : element.children) {
    if (child.name == "default") {
      findings.attempt([&] { read(child, own, findings); });
      continue;
    }
    if (child.name == "muscle" || !admit(mjcf_rows(), "default", child, findings)) continue;
    findings.attempt([&] {
      const Attributes given(child);
      if (is_actuator(child.name)) classes_[own].actuators.push_back(given);
      const auto [made, is_new] = classes_[own].elements.emplace(child.name, given);
      if (!is_new) made->second.complete(given);
    });
  }
}

std::vector<const MjcfDefaults::Class*> MjcfDefaults::classes_of(const Attributes& attributes,
                                                                 const std::string& inherited) const {
  const std::string name = attributes.text("class", inherited.empty() ? "main" : inherited);
  if (!classes_.contains(name)) {
    std::vector<std::string> names;
    for (const auto& [other, content] : classes_) names.push_back(other);
    attributes.refuse(fmt::format("there is no class '{}' of defaults", name),
                      nearest_or(name, names, "define it under <default>"));
  }
  std::vector<const Class*> list;
  for (std::string at = name; !at.empty(); at = classes_.at(at).parent) {
    list.push_back(&classes_.at(at));
    if (at == "main") break;
  }
  return list;
}

Attributes MjcfDefaults::completed(const Element& element, const std::string& inherited, const std::string& as) const {
  Attributes attributes(element);
  for (const Class* around : classes_of(attributes, inherited)) {
    const auto found = around->elements.find(as.empty() ? element.name : as);
    if (found != around->elements.end()) attributes.complete(found->second);
  }
  return attributes;
}

std::vector<Attributes> MjcfDefaults::actuators(const Element& element) const {
  std::vector<Attributes> list;
  std::vector<const Class*> around = classes_of(Attributes(element), "");
  std::ranges::reverse(around);
  for (const Class* one : around) std::ranges::copy(one->actuators, std::back_inserter(list));
  return list;
}

}  // namespace taut::robot
