#include "model/import/mjcf_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <list>

#include "model/file_text.hpp"

namespace taut::robot {
namespace {

namespace fs = std::filesystem;

/// The path of a file that another one names; "" if there is none.
std::string found_beside(const std::string& name, const std::string& asking, const std::string& first) {
  for (const std::string& file : {asking, first}) {
    const fs::path path = fs::path(file).parent_path() / name;
    std::error_code none;
    if (fs::is_regular_file(path, none)) return path.string();
  }
  return "";
}

Element file_of(const Attributes& asking, const std::string& first) {
  const std::string name = asking.needed("file");
  const std::string path = found_beside(name, asking.place().file, first);
  if (path.empty())
    asking.refuse("file", fmt::format("there is no file '{}'", name),
                  "give its path, starting from this file's folder");
  return parse_xml(file_text(path), path);
}

/// Includes of one file after another; `chain` holds those that are being read.
void include(Element& element, const std::string& first, std::list<std::string> chain) {
  std::vector<Element> all;
  for (Element& child : element.children) {
    if (child.name != "include") {
      include(child, first, chain);
      all.push_back(std::move(child));
      continue;
    }
    const Attributes asking(child);
    Element content = file_of(asking, first);
    const std::string path = fs::weakly_canonical(content.file.text()).string();
    if (std::ranges::find(chain, path) != chain.end())
      asking.refuse("file", "the files include one another in a circle", "take out one of the <include>");
    std::list<std::string> longer = chain;
    longer.push_back(path);
    include(content, first, longer);
    std::ranges::move(content.children, std::back_inserter(all));
  }
  element.children = std::move(all);
}

/// Attributes that name something, and those that refer to it.
bool is_name(const std::string& attribute) {
  static const std::vector<std::string> list{"name",    "class",  "childclass", "joint",      "joint1",    "joint2",
                                             "body",    "body1",  "body2",      "site",       "site1",     "site2",
                                             "refsite", "tendon", "tendon1",    "tendon2",    "mesh",      "material",
                                             "geom",    "geom1",  "geom2",      "slidersite", "cranksite", "sidesite"};
  return std::ranges::find(list, attribute) != list.end();
}

void rename(Element& element, const std::string& before, const std::string& behind, bool keep_classes) {
  for (XmlAttribute& a : element.attributes) {
    const bool is_class = a.name == "class" || a.name == "childclass" || a.name == "mesh" || a.name == "material";
    if (is_name(a.name) && !a.value.empty() && !(keep_classes && is_class)) a.value = before + a.value + behind;
  }
  for (Element& child : element.children) rename(child, before, behind, keep_classes);
}

/// Sections whose content goes with an attached body, to the section of the same name.
bool goes_along(const std::string& section) {
  return section == "asset" || section == "equality" || section == "tendon" || section == "actuator";
}

Element* section_of(Element& root, const std::string& name) {
  const auto found = std::ranges::find(root.children, name, &Element::name);
  if (found != root.children.end()) return &*found;
  root.children.push_back({.name = name, .file = root.file, .line = root.line});
  return &root.children.back();
}

void set_scope(Element& element, int scope) {
  element.scope = scope;
  for (Element& child : element.children) set_scope(child, scope);
}

/// Angles and meshes of an attached model mean what its own <compiler> says, which goes to the root with its scope.
void settle_compiler(Element& root, Element& model, int scope) {
  set_scope(model, scope);
  const Element own = *section_of(model, "compiler");
  const std::string folder = own.attribute("meshdir").empty() ? own.attribute("assetdir") : own.attribute("meshdir");
  for (Element& mesh : section_of(model, "asset")->children)
    for (XmlAttribute& a : mesh.attributes)
      if (a.name == "file")
        a.value = fs::absolute(fs::path(model.file.text()).parent_path() / folder / a.value).string();
  root.children.push_back(own);
  root.children.back().scope = scope;
}

Element taken_body(Element& model, const Attributes& asking) {
  const std::string wanted = asking.text("prefix") + asking.needed("body");
  for (Element& body : section_of(model, "worldbody")->children)
    if (body.name == "body" && body.attribute("name") == wanted) return std::move(body);
  asking.refuse("body", fmt::format("there is no body '{}' in that model", asking.text("body")),
                "name a body of its <worldbody>");
}

/// The classes of an attached model stand in one of their own, which its body inherits.
void add_defaults(Element& root, Element section, const std::string& prefix, Element& body) {
  if (section.attribute("class").empty()) section.attributes.push_back({"class", prefix + "main", section.line});
  if (body.attribute("childclass").empty())
    body.attributes.push_back({"childclass", section.attribute("class"), body.line});
  section_of(root, "default")->children.push_back(std::move(section));
}

/// The body of a model; everything else of it, prefixed, goes to the root's sections.
Element attached(Element& root, const Attributes& asking, Element model, int scope) {
  settle_compiler(root, model, scope);
  rename(model, asking.text("prefix"), "", false);
  Element body = taken_body(model, asking);
  for (Element& section : model.children) {
    if (section.name == "default") add_defaults(root, section, asking.text("prefix"), body);
    if (goes_along(section.name))
      std::ranges::move(section.children, std::back_inserter(section_of(root, section.name)->children));
  }
  return body;
}

struct Attaching {
  Element& root;
  std::string file;
  std::vector<std::pair<std::string, Element>> models;
  int scope = 0;

  void within(Element& element) {
    for (Element& child : element.children) {
      if (child.name != "attach") {
        within(child);
        continue;
      }
      const Attributes asking(child);
      const std::string name = asking.needed("model");
      const auto found = std::ranges::find(models, name, [](const auto& entry) { return entry.first; });
      if (found == models.end())
        asking.refuse("model", fmt::format("there is no model '{}'", name), "define it under <asset>");
      child = attached(root, asking, found->second, ++scope);
    }
  }
};

bool holds(const Element& element, const std::string& name) {
  return element.name == name ||
         std::ranges::any_of(element.children, [&](const Element& child) { return holds(child, name); });
}

}  // namespace

void resolve_includes(Element& root, const std::string& file) {
  include(root, file, {fs::weakly_canonical(file).string()});
}

Element replica(const Element& replicate, const std::string& number) {
  Element content = replicate;
  rename(content, "", number, true);
  return content;
}

void resolve_attachments(Element& root, const std::string& file) {
  if (!holds(root, "attach")) return;
  std::vector<std::pair<std::string, Element>> models;
  for (const Element* assets : children(root, "asset")) {
    for (const Element* model : children(*assets, "model")) {
      const Attributes asking(*model);
      Element content = file_of(asking, file);
      if (holds(content, "attach"))
        asking.refuse("file", "this model has attachments of its own", "write it out as one model");
      resolve_includes(content, content.file);
      models.emplace_back(asking.text("name", content.attribute("model")), std::move(content));
    }
  }
  // What is attached adds sections to the root while its bodies are walked through.
  Element worlds{.name = "worlds"};
  std::erase_if(root.children, [&](Element& section) {
    if (section.name != "worldbody") return false;
    worlds.children.push_back(section);
    return true;
  });
  Attaching{root, file, std::move(models)}.within(worlds);
  std::ranges::move(worlds.children, std::back_inserter(root.children));
}

}  // namespace taut::robot
