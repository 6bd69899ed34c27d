#pragma once

#include <fmt/format.h>
#include <tinyxml2.h>

#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// An MJCF file as MuJoCo 2.2.2 reads it: whole but for what it does not know or what does not move anything. Included
/// files stand in their places; `position` is spelt `general`, for it could not damp then.
namespace taut::robot {

/// What MuJoCo 2.2.2 has no words for, to be set in its model once it is read.
struct NewerActuator {
  std::string control;                    ///< as the importer calls it
  std::optional<double> damping_ratio;    ///< kv = 2 ratio sqrt(kp M₀)
  std::optional<double> inherited_range;  ///< of the joint's range
};

/// Moments and products of inertia of a body, as the file has them: xx, yy, zz, xy, xz, yz.
struct FullInertia {
  std::string body;
  std::array<double, 6> values;
};

class MujocoDocument {
 public:
  explicit MujocoDocument(const std::string& path) : folder_(std::filesystem::path(path).parent_path()) {
    load(document_, path);
    include_into(*document_.RootElement());
    prune(*document_.RootElement());
  }

  std::string text() const {
    tinyxml2::XMLPrinter printer;
    document_.Print(&printer);
    return printer.CStr();
  }
  const std::vector<NewerActuator>& actuators() const { return actuators_; }
  const std::vector<FullInertia>& full_inertias() const { return full_inertias_; }

 private:
  using XMLElement = tinyxml2::XMLElement;
  using Words = std::set<std::string_view>;

  static void load(tinyxml2::XMLDocument& document, const std::filesystem::path& path) {
    if (document.LoadFile(path.c_str()) != tinyxml2::XML_SUCCESS || document.RootElement() == nullptr)
      throw std::runtime_error(fmt::format("{}: {}", path.string(), document.ErrorStr()));
  }

  template <class Action>
  static void each(XMLElement& element, const Action& action) {
    for (XMLElement* child = element.FirstChildElement(); child != nullptr;) {
      XMLElement* const next = child->NextSiblingElement();
      action(*child);
      child = next;
    }
  }

  /// The content of an included file stands where it is asked for.
  void include_into(XMLElement& element) {
    each(element, [&](XMLElement& child) {
      if (std::string_view(child.Name()) != "include") return include_into(child);
      tinyxml2::XMLDocument other;
      load(other, folder_ / child.Attribute("file"));
      XMLElement* after = &child;
      each(*other.RootElement(), [&](XMLElement& part) {
        after = element.InsertAfterChild(after, part.DeepClone(&document_))->ToElement();
        include_into(*after);
      });
      element.DeleteChild(&child);
    });
  }

  static void keep(XMLElement& element, const Words& names) {
    each(element, [&](XMLElement& child) {
      if (!names.contains(child.Name())) element.DeleteChild(&child);
    });
  }

  static void keep_attributes(XMLElement& element, const Words& names) {
    for (const auto* attribute = element.FirstAttribute(); attribute != nullptr;) {
      const std::string name = attribute->Name();
      attribute = attribute->Next();
      if (!names.contains(name)) element.DeleteAttribute(name.c_str());
    }
  }

  static Words with_pose(Words names) {
    names.insert({"name", "class", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis"});
    return names;
  }

  void prune(XMLElement& root) {
    keep(root, {"compiler", "option", "default", "asset", "worldbody", "equality", "tendon", "actuator"});
    std::string meshes;
    each(root, [&](XMLElement& section) {
      const std::string_view what = section.Name();
      if (what == "compiler" && section.Attribute("meshdir") != nullptr) meshes = section.Attribute("meshdir");
      if (what == "compiler") prune_compiler(section);
      if (what == "option") prune_option(section);
      if (what == "default") prune_defaults(section);
      if (what == "equality")
        each(section, [](XMLElement& tie) {
          for (const char* soft : {"solref", "solimp", "class"}) tie.DeleteAttribute(soft);
        });
    });
    each(root, [&](XMLElement& section) {
      if (std::string_view(section.Name()) == "asset") prune_assets(section, folder_ / meshes);
    });
    each(root, [&](XMLElement& section) {
      if (std::string_view(section.Name()) == "tendon") note_wrapped(section);
    });
    each(root, [&](XMLElement& section) {
      if (std::string_view(section.Name()) == "worldbody") prune_body(section);
      if (std::string_view(section.Name()) == "actuator")
        each(section, [&](XMLElement& actuator) { prune_actuator(actuator, root); });
    });
    each(root, [](XMLElement& section) {
      if (std::string_view(section.Name()) == "default") strip_positions(section);
    });
  }

  static void prune_compiler(XMLElement& compiler) {
    keep_attributes(compiler, {"angle", "eulerseq", "inertiafromgeom", "balanceinertia", "settotalmass", "boundmass",
                               "boundinertia", "coordinate", "inertiagrouprange"});
    compiler.SetAttribute("autolimits", "true");
  }

  static void prune_option(XMLElement& option) {
    keep_attributes(option, {"gravity", "density", "viscosity", "wind"});
    option.DeleteChildren();
  }

  static void prune_part(XMLElement& part) {
    const std::string_view what = part.Name();
    if (what == "joint")
      for (const char* newer : {"actuatorfrcrange", "actuatorfrclimited", "actuatorgravcomp", "align"})
        part.DeleteAttribute(newer);
    if (what == "site") keep_attributes(part, with_pose({"fromto", "size"}));
    if (what == "geom")
      keep_attributes(part, with_pose({"type", "size", "fromto", "mass", "density", "mesh", "group", "shellinertia"}));
    if (what == "mesh") keep_attributes(part, {"name", "class", "file", "scale", "refpos", "refquat"});
  }

  static void prune_defaults(XMLElement& defaults) {
    keep(defaults, {"default", "joint", "geom", "site", "mesh", "tendon", "general", "motor", "position", "velocity",
                    "intvelocity", "damper", "cylinder"});
    each(defaults, [](XMLElement& part) {
      if (std::string_view(part.Name()) == "default") return prune_defaults(part);
      prune_part(part);
    });
  }

  /// Meshes that are there; others are only looked at.
  void prune_assets(XMLElement& assets, const std::filesystem::path& meshes) {
    keep(assets, {"mesh"});
    each(assets, [&](XMLElement& mesh) {
      const char* const file = mesh.Attribute("file");
      const std::filesystem::path path = file == nullptr ? "" : meshes / file;
      if (!std::filesystem::is_regular_file(path)) return assets.DeleteChild(&mesh);
      prune_part(mesh);
      mesh.SetAttribute("file", std::filesystem::absolute(path).c_str());
      const char* const name = mesh.Attribute("name");
      if (name == nullptr) mesh.SetAttribute("name", path.stem().c_str());
      meshes_.insert(mesh.Attribute("name"));
    });
  }

  /// Tendons lead around these.
  void note_wrapped(XMLElement& tendons) {
    each(tendons, [&](XMLElement& tendon) {
      each(tendon, [&](XMLElement& part) {
        if (part.Attribute("geom") != nullptr) wrapped_.insert(part.Attribute("geom"));
      });
    });
  }

  void note_inertia(const XMLElement& inertial, const char* body) {
    const char* const given = inertial.Attribute("fullinertia");
    if (given == nullptr || body == nullptr) return;
    FullInertia made{.body = body};
    std::istringstream numbers(given);
    for (double& value : made.values) numbers >> value;
    full_inertias_.push_back(made);
  }

  /// Geoms count where they are all that says what a body weighs.
  void prune_body(XMLElement& body) {
    const bool is_world = std::string_view(body.Name()) == "worldbody";
    const bool weighs = !is_world && body.FirstChildElement("inertial") == nullptr;
    keep(body, {"body", "inertial", "joint", "freejoint", "site", "geom"});
    if (!is_world) keep_attributes(body, with_pose({"childclass", "mocap"}));
    each(body, [&](XMLElement& part) {
      const std::string_view what = part.Name();
      if (what == "body") return prune_body(part);
      const char* const mesh = part.Attribute("mesh");
      const char* const name = part.Attribute("name");
      const bool is_wrapped = name != nullptr && wrapped_.contains(name);
      const bool counts = is_wrapped || (weighs && (mesh == nullptr || meshes_.contains(mesh)));
      if (what == "geom" && !counts) return body.DeleteChild(&part);
      if (what == "inertial") note_inertia(part, body.Attribute("name"));
      prune_part(part);
    });
  }

  /// What the classes of defaults on the way to one say of an attribute of `position`; the last word counts.
  static bool find_default(XMLElement& defaults, std::string_view wanted, const char* attribute, std::string& value) {
    const std::string before = value;
    if (XMLElement* position = defaults.FirstChildElement("position"))
      if (const char* given = position->Attribute(attribute)) value = given;
    const char* const own = defaults.Attribute("class");
    if (wanted == (own == nullptr ? "main" : own)) return true;
    for (XMLElement* child = defaults.FirstChildElement("default"); child != nullptr;
         child = child->NextSiblingElement("default"))
      if (find_default(*child, wanted, attribute, value)) return true;
    value = before;
    return false;
  }

  static std::optional<double> resolved(XMLElement& actuator, XMLElement& root, const char* attribute) {
    std::string value;
    const char* const wanted = actuator.Attribute("class");
    for (XMLElement* top = root.FirstChildElement("default"); top != nullptr; top = top->NextSiblingElement("default"))
      if (find_default(*top, wanted == nullptr ? "main" : wanted, attribute, value)) break;
    if (const char* own = actuator.Attribute(attribute)) value = own;
    return value.empty() ? std::nullopt : std::optional(std::stod(value));
  }

  void prune_actuator(XMLElement& actuator, XMLElement& root) {
    const std::string kind = actuator.Name();
    const char* const name = actuator.Attribute("name");
    NewerActuator made;
    made.control = (name == nullptr ? fmt::format("{}{}", kind, actuators_.size() + 1) : std::string(name)) + "_ctrl";
    if (kind == "position") {
      const double kp = resolved(actuator, root, "kp").value_or(1), kv = resolved(actuator, root, "kv").value_or(0);
      made.damping_ratio = resolved(actuator, root, "dampratio");
      made.inherited_range = resolved(actuator, root, "inheritrange");
      respell(actuator, kp, kv);
    }
    actuators_.push_back(made);
  }

  static void respell(XMLElement& actuator, double kp, double kv) {
    actuator.SetName("general");
    for (const char* word : {"kp", "kv", "dampratio", "inheritrange", "timeconst"}) actuator.DeleteAttribute(word);
    actuator.SetAttribute("biastype", "affine");
    actuator.SetAttribute("gainprm", fmt::format("{:.17g}", kp).c_str());
    actuator.SetAttribute("biasprm", fmt::format("0 {:.17g} {:.17g}", -kp, -kv).c_str());
  }

  /// What defaults of `position` say in newer words stands at each actuator by then.
  static void strip_positions(XMLElement& defaults) {
    each(defaults, [&](XMLElement& part) {
      if (std::string_view(part.Name()) == "default") return strip_positions(part);
      if (std::string_view(part.Name()) == "position")
        for (const char* newer : {"kv", "dampratio", "inheritrange", "timeconst"}) part.DeleteAttribute(newer);
    });
  }

  std::filesystem::path folder_;
  tinyxml2::XMLDocument document_;
  std::set<std::string, std::less<>> meshes_, wrapped_;
  std::vector<FullInertia> full_inertias_;
  std::vector<NewerActuator> actuators_;
};

}  // namespace taut::robot
