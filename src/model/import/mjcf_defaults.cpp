#include "model/import/mjcf_defaults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/nearest.hpp"

namespace taut::robot {
namespace {

constexpr std::array known{std::string_view{"joint"}, std::string_view{"geom"}, std::string_view{"motor"},
                           std::string_view{"mesh"}, std::string_view{"equality"}};
/// They have no effect on the motion.
constexpr std::array passed_over{std::string_view{"material"}, std::string_view{"site"}, std::string_view{"camera"},
                                 std::string_view{"light"}};

}  // namespace

void MjcfDefaults::read(const XMLElement& element, const std::string& parent) {
  const Attributes attributes(element, file_);
  attributes.allow({"class"});
  const std::string name = parent.empty() ? attributes.text("class", "main") : attributes.needed("class");
  if (!parent.empty() && classes_.contains(name)) {
    attributes.refuse(fmt::format("there are two classes '{}' of defaults", name), "rename one of them");
  }
  // The outermost class is "main", whatever it is called.
  if (parent.empty() && name != "main") classes_[name].parent = "main";
  const std::string own = parent.empty() ? "main" : name;
  if (!parent.empty()) classes_[own].parent = parent;
  for (const XMLElement* child : children(element)) {
    const std::string_view what = child->Name();
    if (what == "default") {
      read(*child, own);
    } else if (std::ranges::find(known, what) != known.end()) {
      const auto [made, is_new] = classes_[own].elements.emplace(what, Attributes(*child, file_));
      if (!is_new) made->second.complete(Attributes(*child, file_));
    } else if (std::ranges::find(passed_over, what) == passed_over.end()) {
      Attributes(*child, file_).refuse(fmt::format("defaults of <{}> cannot be imported", what), "take them out");
    }
  }
}

Attributes MjcfDefaults::completed(const XMLElement& element, const std::string& inherited) const {
  Attributes attributes(element, file_);
  const std::string name = attributes.text("class", inherited.empty() ? "main" : inherited);
  if (!classes_.contains(name)) {
    std::vector<std::string> names;
    for (const auto& [other, content] : classes_) names.push_back(other);
    const std::string near = nearest(name, names);
    attributes.refuse(fmt::format("there is no class '{}' of defaults", name),
                      near.empty() ? "define it under <default>" : fmt::format("did you mean '{}'?", near));
  }
  for (std::string at = name; !at.empty(); at = classes_.at(at).parent) {
    const auto& elements = classes_.at(at).elements;
    if (const auto found = elements.find(element.Name()); found != elements.end()) attributes.complete(found->second);
    if (at == "main") break;
  }
  return attributes;
}

}  // namespace taut::robot
