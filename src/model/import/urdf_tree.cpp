#include "model/import/urdf_tree.hpp"

#include <fmt/format.h>

namespace taut::robot {

UrdfTree::UrdfTree(const Element& root, Findings& findings) {
  list(root, "link", links_, findings);
  list(root, "joint", joints_, findings);
  if (links_.empty()) findings.add(InputError(root.place(), "the robot has no links", "add a <link>"));
  for (const auto& [name, joint] : joints_) findings.attempt([&] { check_joint(name, *joint); });
  if (!findings.has_faults()) findings.attempt([&] { check_tree(); });
}

std::vector<std::string> UrdfTree::names_of(const Named& list) {
  std::vector<std::string> names;
  for (const auto& [name, element] : list) names.push_back(name);
  return names;
}

void UrdfTree::list(const Element& root, const char* what, Named& to, Findings& findings) {
  for (const Element* element : children(root, what))
    findings.attempt([&] {
      const Attributes attributes(*element);
      const auto [first, is_new] = to.emplace(attributes.needed("name"), element);
      if (!is_new)
        attributes.refuse(
            fmt::format("there are two {}s '{}'; the first is in line {}", what, first->first, first->second->line),
            "rename one of them");
    });
}

std::string UrdfTree::reference(const std::string& joint, const Element& element, const char* child_name,
                                const char* attribute, const Named& list) {
  const Element* child = element.find(child_name);
  if (child == nullptr)
    throw InputError(element.place(), fmt::format("joint '{}' has no <{}>", joint, child_name),
                     fmt::format("add <{} {}=\"…\"/>", child_name, attribute));
  std::string name = Attributes(*child).needed(attribute);
  if (list.contains(name)) return name;
  throw InputError(
      child->place(),
      fmt::format("joint '{}' names {} '{}' as its {}, and there is none", joint, attribute, name, child_name),
      nearest_or(name, names_of(list), fmt::format("add the {}, or name another", attribute)));
}

void UrdfTree::check_joint(const std::string& name, const Element& joint) {
  const Attributes attributes(joint);
  attributes.needed("type");
  attributes.choice("type", {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"});
  const std::string parent = reference(name, joint, "parent", "link", links_);
  const std::string child = reference(name, joint, "child", "link", links_);
  const auto [first, is_new] = carried_by_.emplace(child, name);
  if (!is_new)
    throw InputError(joint.place(),
                     fmt::format("link '{}' is the child of two joints, '{}' and '{}'", child, first->second, name),
                     "keep one here, and close the loop by a joint in a file that says include: and this file's name");
  parents_[child] = parent;
}

/// Links that were met on the way to the root are not asked again.
bool UrdfTree::reaches_root(const std::string& link) {
  std::vector<std::string> way;
  std::string at = link;
  for (; parents_.contains(at) && !reaching_.contains(at); at = parents_.at(at)) {
    if (way.size() > links_.size()) return false;
    way.push_back(at);
  }
  reaching_.insert(way.begin(), way.end());
  return true;
}

/// One root carries all.
void UrdfTree::check_tree() {
  std::string root;
  for (const auto& [name, link] : links_) {
    if (parents_.contains(name)) continue;
    if (!root.empty())
      throw InputError(link->place(),
                       fmt::format("neither link '{}' nor link '{}' is the child of a joint", root, name),
                       "a robot has one root; connect the other by a joint, such as one of type floating");
    root = name;
  }
  for (const auto& [name, link] : links_)
    if (!reaches_root(name))
      throw InputError(link->place(), fmt::format("link '{}' is carried by itself, in a circle", name),
                       "a URDF is a tree; close loops by joints in a file that says include: and this file's name");
  root_link_ = root;
}

}  // namespace taut::robot
