#include "model/import/sdf_include.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "model/file_text.hpp"
#include "model/import/mesh_path.hpp"
#include "model/import/sdf_frames.hpp"

namespace taut::robot {
namespace {

namespace fs = std::filesystem;

constexpr int deepest_include = 20;

void set_attribute(Element& element, const std::string& name, const std::string& value) {
  std::erase_if(element.attributes, [&](const XmlAttribute& a) { return a.name == name; });
  element.attributes.push_back({name, value, element.line});
}

/// The included model's own is not meant.
void set_child(Element& element, const Element* child) {
  if (child == nullptr) return;
  std::erase_if(element.children, [&](const Element& e) { return e.name == child->name; });
  element.children.push_back(*child);
}

Element model_of(const Element& asking) {
  const std::string uri = text_in(asking.find("uri"));
  fs::path path = located(uri, asking.file);
  std::error_code none;
  if (fs::is_directory(path, none)) path /= "model.sdf";
  if (uri.empty() || !fs::is_regular_file(path, none))
    throw InputError(asking.place(), fmt::format("there is no model '{}' to include", uri),
                     "set GZ_SIM_RESOURCE_PATH, or give its path, starting from this file's folder");
  const Element other = parse_xml(file_text(path.string()), path.string());
  const Element* model = other.find("model");
  if (model == nullptr)
    throw InputError(asking.place(), fmt::format("'{}' holds no <model>", path.string()), "include another");
  return *model;
}

Element included(const Element& asking) {
  if (asking.attribute("merge") == "true" || asking.attribute("merge") == "1")
    throw InputError(asking.place(), "a model that merges with the one around it cannot be read",
                     "write its links and joints into the model, or take merge out");
  Element made = model_of(asking);
  set_child(made, asking.find("pose"));
  set_child(made, asking.find("static"));
  if (const std::string name = text_in(asking.find("name")); !name.empty()) set_attribute(made, "name", name);
  if (const Element* frame = asking.find("placement_frame")) set_attribute(made, "placement_frame", text_in(frame));
  return made;
}

void include(Element& element, int depth, Findings& findings) {
  for (Element& child : element.children) {
    if (child.name != "include") {
      include(child, depth, findings);
      continue;
    }
    findings.attempt([&] {
      if (depth > deepest_include)
        throw InputError(child.place(), "the files include one another in a circle", "take out one of the <include>");
      child = included(child);
      include(child, depth + 1, findings);
    });
  }
}

}  // namespace

void include_sdf_models(Element& element, Findings& findings) { include(element, 0, findings); }

}  // namespace taut::robot
