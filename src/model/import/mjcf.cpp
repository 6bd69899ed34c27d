#include "model/import/mjcf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "base/nearest.hpp"
#include "model/import/mesh_path.hpp"
#include "model/import/mjcf_defaults.hpp"
#include "model/import/mjcf_geom.hpp"
#include "model/import/names.hpp"

namespace taut::robot {
namespace {

class MjcfImporter {
 public:
  MjcfImporter(const XMLElement& root, const std::string& file)
      : root_(root), file_(file), defaults_(file), names_(file) {
    robot_.file = file;
    robot_.link_word = "body";
    robot_.mass_word = "an <inertial> or geoms that weigh something";
  }

  Imported operator()() {
    const Attributes attributes(root_, file_);
    attributes.allow({"model"});
    robot_.name = attributes.text("model", std::filesystem::path(file_).stem().string());
    check_sections();
    each("compiler", [this](const XMLElement& e) { compiler_.read(Attributes(e, file_)); });
    each("option", [this](const XMLElement& e) { read_option(e); });
    each("default", [this](const XMLElement& e) { defaults_.read(e); });
    each("asset", [this](const XMLElement& e) { read_assets(e); });
    each("worldbody", [this](const XMLElement& e) { read_body_content(e, 0, ""); });
    names_.take_all(robot_);
    each("equality", [this](const XMLElement& e) { read_equalities(e); });
    each("actuator", [this](const XMLElement& e) { read_actuators(e); });
    return {tree_of(robot_), robot_.notes};
  }

 private:
  // ---- sections ---------------------------------------------------------------------------------

  void each(const char* section, const std::function<void(const XMLElement&)>& action) const {
    for (const XMLElement* element : children(root_, section)) action(*element);
  }

  void check_sections() {
    static const std::set<std::string_view> known{"compiler", "option",   "default",   "asset",  "worldbody",
                                                  "equality", "actuator", "statistic", "visual", "size"};
    for (const XMLElement* section : children(root_)) {
      if (!known.contains(section->Name())) refuse_element(*section);
    }
  }

  [[noreturn]] void refuse_element(const XMLElement& element, const std::string& remedy = "take it out") const {
    throw InputError({file_, element.GetLineNum(), 0}, fmt::format("<{}> cannot be imported", element.Name()), remedy);
  }

  void note(const std::string& text) {
    if (std::ranges::find(robot_.notes, text) == robot_.notes.end()) robot_.notes.push_back(text);
  }

  void read_option(const XMLElement& element) {
    const Attributes option(element, file_);
    option.allow({"gravity", "timestep", "integrator", "solver", "iterations", "tolerance", "cone", "jacobian",
                  "impratio", "ls_iterations", "ls_tolerance", "noslip_iterations", "noslip_tolerance",
                  "ccd_iterations", "ccd_tolerance", "mpr_iterations", "mpr_tolerance", "density", "viscosity"});
    for (const char* medium : {"density", "viscosity"}) option.expect(medium, 0, "there is no air or water here");
    for (const XMLElement* child : children(element)) refuse_element(*child);
    if (option.has("gravity")) robot_.gravity_line = option.line();
    robot_.gravity = option.vector("gravity", robot_.gravity);
    for (const char* solver : {"timestep", "integrator", "solver", "iterations", "tolerance"}) {
      if (option.has(solver)) note("<option>: only gravity is taken over; say under simulate: how to solve");
    }
  }

  void read_assets(const XMLElement& element) {
    for (const XMLElement* asset : children(element)) {
      const std::string_view what = asset->Name();
      if (what == "texture" || what == "material") continue;
      if (what != "mesh") refuse_element(*asset);
      const Attributes mesh = defaults_.completed(*asset, "");
      mesh.allow({"name", "class", "file", "scale", "content_type", "smoothnormal", "maxhullvert"});
      const std::filesystem::path path = mesh.needed("file");
      meshes_[mesh.text("name", path.stem().string())] = {
          (std::filesystem::path(compiler_.mesh_folder) / path).generic_string(),
          mesh.vector("scale", Eigen::Vector3d::Ones())};
    }
  }

  // ---- bodies -----------------------------------------------------------------------------------

  /// What stands in <worldbody> or <body>: its geoms and joints make this body, its bodies come after.
  void read_body_content(const XMLElement& element, int link, const std::string& inherited) {
    std::vector<MjcfGeom> geoms;
    std::vector<Attributes> joints;
    std::optional<MassProperties> inertial;
    for (const XMLElement* child : children(element)) {
      const std::string_view what = child->Name();
      const bool in_body = link > 0;
      if (what == "geom") {
        geoms.push_back(read_geom(defaults_.completed(*child, inherited), compiler_, meshes_));
      } else if (in_body && what == "joint") {
        joints.push_back(defaults_.completed(*child, inherited));
      } else if (in_body && what == "freejoint") {
        joints.emplace_back(*child, file_);
      } else if (in_body && what == "inertial") {
        inertial = read_inertial(*child);
      } else if (what != "body" && what != "site" && what != "camera" && what != "light") {
        refuse_element(*child);
      }
    }
    for (const MjcfGeom& geom : geoms) add_shapes(geom, robot_.links[link]);
    if (link > 0) {
      robot_.links[link].mass = mass_of(inertial, geoms, robot_.links[link]);
      add_joint(joints, link);
    }
    for (const XMLElement* child : children(element, "body")) read_body(*child, link, inherited);
  }

  void add_shapes(const MjcfGeom& geom, Link& link) {
    note("geoms are drawn and do not collide: there are no contacts");
    for (Shape shape : geom.shapes) {
      if (shape.kind == Shape::Kind::mesh && !find_mesh(shape, file_, robot_.notes)) continue;
      shape.pose = link.pose * shape.pose;
      link.shapes.push_back(std::move(shape));
    }
  }

  void read_body(const XMLElement& element, int parent, const std::string& inherited) {
    const Attributes body(element, file_);
    body.allow(
        {"name", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "childclass", "user", "gravcomp", "mocap"});
    body.expect("gravcomp", 0, "gravity acts on every body");
    if (body.flag("mocap", false)) body.refuse("mocap", "a body that is led by hand", "take it out");
    const int link = static_cast<int>(robot_.links.size());
    Link made{.name = body.text("name", fmt::format("body{}", link)), .line = body.line()};
    const auto [first, is_new] = link_of_.emplace(made.name, link);
    if (!is_new) body.refuse(fmt::format("there are two bodies '{}'", made.name), "rename one of them");
    made.pose = robot_.links[parent].pose * compiler_.pose(body);
    robot_.links.push_back(std::move(made));
    parent_of_[link] = parent;
    read_body_content(element, link, body.text("childclass", inherited));
  }

  MassProperties read_inertial(const XMLElement& element) const {
    const Attributes inertial(element, file_);
    inertial.allow({"pos", "mass", "diaginertia", "fullinertia", "quat", "axisangle", "euler", "xyaxes", "zaxis"});
    inertial.needed("mass");
    const double mass = inertial.number("mass", 0);
    if (mass < 0) inertial.refuse("mass", "a mass cannot be below 0", "give one above 0");
    const auto full = inertial.numbers("fullinertia", 6, 6);
    if (full.empty() && !inertial.has("diaginertia")) {
      inertial.refuse("<inertial> says no inertia", "give diaginertia or fullinertia");
    }
    if (!full.empty() && inertial.has("diaginertia")) {
      inertial.refuse("<inertial> says its inertia twice", "keep diaginertia or fullinertia");
    }
    Eigen::Matrix3d I = inertial.vector("diaginertia", Eigen::Vector3d::Zero()).asDiagonal();
    if (!full.empty()) I << full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2];
    return MassProperties{mass, Eigen::Vector3d::Zero(), I}.seen_from(compiler_.pose(inertial));
  }

  std::optional<MassProperties> mass_of(const std::optional<MassProperties>& inertial,
                                        const std::vector<MjcfGeom>& geoms, const Link& link) const {
    using FromGeoms = MjcfCompiler::FromGeoms;
    const bool from_geoms = compiler_.inertia_from_geoms == FromGeoms::always ||
                            (compiler_.inertia_from_geoms == FromGeoms::when_missing && !inertial);
    if (!from_geoms) return inertial && inertial->mass > 0 ? inertial : std::nullopt;
    MassProperties total;
    for (const MjcfGeom& geom : geoms) {
      if (!geom.mass) {
        throw InputError({file_, link.line, 0},
                         fmt::format("the inertia of body '{}' would have to come from a mesh", link.name),
                         "give it an <inertial>");
      }
      total = total + *geom.mass;
    }
    return total.mass > 0 ? std::optional(total) : std::nullopt;
  }

  // ---- joints -----------------------------------------------------------------------------------

  void add_joint(const std::vector<Attributes>& joints, int link) {
    const Link& body = robot_.links[link];
    if (joints.size() > 1) {
      joints[1].refuse(
          fmt::format("body '{}' has more than one joint", body.name),
          "put a body of small mass between the joints, or use one joint of type ball or free where it serves");
    }
    Joint made{.name = body.name + "_fixed", .line = body.line, .first = parent_of_.at(link), .second = link};
    made.at = body.pose.translation();
    if (!joints.empty()) read_joint(joints.front(), body, made);
    robot_.links[link].parent_joint = static_cast<int>(robot_.joints.size());
    robot_.joints.push_back(std::move(made));
  }

  void read_joint(const Attributes& attributes, const Link& body, Joint& made) {
    attributes.allow({"name",
                      "class",
                      "type",
                      "pos",
                      "axis",
                      "damping",
                      "stiffness",
                      "springref",
                      "ref",
                      "armature",
                      "frictionloss",
                      "range",
                      "limited",
                      "margin",
                      "group",
                      "user",
                      "align",
                      "solreflimit",
                      "solimplimit",
                      "solreffriction",
                      "solimpfriction",
                      "actuatorfrcrange",
                      "actuatorfrclimited"});
    attributes.expect("armature", 0, "inertia of rotors cannot be imported");
    attributes.expect("frictionloss", 0, "dry friction is not smooth and cannot be imported");
    const bool is_free = attributes.element() == "freejoint";
    const std::string type = is_free ? "free" : attributes.choice("type", {"hinge", "slide", "ball", "free"});
    made.kind = type == "hinge"   ? JointKind::revolute
                : type == "slide" ? JointKind::prismatic
                : type == "ball"  ? JointKind::spherical
                                  : JointKind::free;
    made.name = attributes.text("name", body.name + "_joint");
    made.line = attributes.line();
    made.at = body.pose * attributes.vector("pos", Eigen::Vector3d::Zero());
    if (made.has_coordinate()) {
      read_coordinate(attributes, body, made);
    } else {
      for (const char* name : {"damping", "stiffness"}) {
        attributes.expect(name, 0, fmt::format("a joint of type {} has no single coordinate", type));
      }
    }
    if (made.kind == JointKind::free && made.first != 0) {
      attributes.refuse(fmt::format("body '{}' is free and stands in another body", body.name),
                        "move it to <worldbody>");
    }
    if (attributes.has("range")) note("joint ranges are left out: they would act on the motion");
  }

  void read_coordinate(const Attributes& attributes, const Link& body, Joint& made) const {
    const Eigen::Vector3d axis = attributes.vector("axis", Eigen::Vector3d::UnitZ());
    if (axis.norm() == 0) attributes.refuse("axis", "this has no direction", "give one that is not 0");
    made.axis = body.pose.linear() * axis.normalized();
    made.stiffness = attributes.number("stiffness", 0);
    made.damping = attributes.number("damping", 0);
    // The file counts from `ref` at the start, the model from 0.
    const double unit = made.kind == JointKind::revolute ? compiler_.degree : 1;
    made.rest = unit * (attributes.number("springref", 0) - attributes.number("ref", 0));
  }

  // ---- equality ---------------------------------------------------------------------------------

  void read_equalities(const XMLElement& section) {
    for (const XMLElement* element : children(section)) {
      const std::string_view what = element->Name();
      if (what != "connect" && what != "weld" && what != "joint") refuse_element(*element);
      const Attributes equality(*element, file_);
      ++equalities_;
      if (!equality.flag("active", true)) {
        note("equality constraints that are not active are left out");
        continue;
      }
      note("equality constraints hold exactly; solref and solimp are left out");
      if (what == "connect") add_connect(equality);
      if (what == "weld") add_weld(equality);
      if (what == "joint") add_coupling(equality);
    }
  }

  std::string name_of(const Attributes& equality) const {
    return equality.text(
        "name", fmt::format("{}{}", equality.element() == "joint" ? "coupling" : equality.element(), equalities_));
  }

  void add_closing(const Attributes& equality, JointKind kind, const Eigen::Vector3d& anchor) {
    const int body1 = body_called(equality, "body1"),
              body2 = equality.has("body2") ? body_called(equality, "body2") : 0;
    Joint made{.name = name_of(equality), .line = equality.line(), .kind = kind, .first = body2, .second = body1};
    made.label = names_.take_joint(made.name, made.line);
    made.at = robot_.links[body1].pose * anchor;
    robot_.joints.push_back(std::move(made));
  }

  void add_connect(const Attributes& equality) {
    equality.allow({"name", "class", "active", "solref", "solimp", "body1", "body2", "anchor"});
    equality.needed("anchor");
    add_closing(equality, JointKind::spherical, equality.vector("anchor", Eigen::Vector3d::Zero()));
  }

  void add_weld(const Attributes& equality) {
    equality.allow(
        {"name", "class", "active", "solref", "solimp", "body1", "body2", "anchor", "relpose", "torquescale"});
    const auto relative = equality.numbers("relpose", 7, 7);
    const bool as_at_the_start =
        relative.empty() || std::all_of(relative.begin() + 3, relative.end(), [](double q) { return q == 0; });
    if (!as_at_the_start) {
      equality.refuse("relpose", "a weld in another place than the one at the start cannot be imported",
                      "place the bodies so, and take relpose out");
    }
    add_closing(equality, JointKind::fixed, Eigen::Vector3d::Zero());
  }

  /// joint1 = a0 + a1 joint2 + …, both counted from where they start.
  void add_coupling(const Attributes& equality) {
    equality.allow({"name", "class", "active", "solref", "solimp", "joint1", "joint2", "polycoef"});
    std::vector<double> a = equality.numbers("polycoef", 1, 5);
    if (a.empty()) a = {0, 1};
    a.resize(5, 0);
    const int joint1 = joint_called(equality, "joint1");
    if (!equality.has("joint2")) {
      robot_.joints[joint1].position = a[0];
      return;
    }
    if (a[2] != 0 || a[3] != 0 || a[4] != 0) {
      equality.refuse("polycoef", "only a straight line can be imported", "set the last three coefficients to 0");
    }
    const int joint2 = joint_called(equality, "joint2");
    if (joint1 == joint2) equality.refuse("joint2", "a joint is coupled with itself", "name another joint");
    const std::string label = names_.take_joint(name_of(equality), equality.line());
    robot_.gears.push_back({label, equality.line(), joint2, joint1, a[1], a[0]});
  }

  int body_called(const Attributes& attributes, const std::string& attribute) const {
    const std::string name = attributes.needed(attribute);
    if (name == "world") return 0;
    const auto found = link_of_.find(name);
    if (found != link_of_.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [other, link] : link_of_) names.push_back(other);
    refuse_name(attributes, attribute, "body", name, names);
  }

  int joint_called(const Attributes& attributes, const std::string& attribute) const {
    const std::string name = attributes.needed(attribute);
    std::vector<std::string> names;
    for (std::size_t k = 0; k < robot_.joints.size(); ++k) {
      const Joint& joint = robot_.joints[k];
      if (joint.name == name && joint.has_coordinate()) return static_cast<int>(k);
      if (joint.name == name) {
        attributes.refuse(attribute, fmt::format("joint '{}' has no single coordinate", name),
                          "name a hinge or a slide");
      }
      names.push_back(joint.name);
    }
    refuse_name(attributes, attribute, "joint", name, names);
  }

  [[noreturn]] static void refuse_name(const Attributes& attributes, const std::string& attribute, const char* what,
                                       const std::string& name, const std::vector<std::string>& known) {
    const std::string near = nearest(name, known);
    attributes.refuse(
        attribute, fmt::format("there is no {} '{}'", what, name),
        near.empty() ? fmt::format("name a {} of this file", what) : fmt::format("did you mean '{}'?", near));
  }

  // ---- actuators --------------------------------------------------------------------------------

  void read_actuators(const XMLElement& section) {
    for (const XMLElement* element : children(section)) {
      if (std::string_view(element->Name()) != "motor")
        refuse_element(*element, "give a <motor>, or the joint a motor");
      add_motor(defaults_.completed(*element, ""));
    }
  }

  /// What drives it is a parameter, 0 until it is set.
  void add_motor(const Attributes& motor) {
    motor.allow(
        {"name", "class", "group", "user", "joint", "gear", "ctrllimited", "ctrlrange", "forcelimited", "forcerange"});
    const int joint = joint_called(motor, "joint");
    const auto gear = motor.numbers("gear", 1, 6);
    for (std::size_t k = 1; k < gear.size(); ++k) {
      if (gear[k] != 0)
        motor.refuse("gear", "only the first number counts for a hinge or a slide", "set the others to 0");
    }
    for (const char* range : {"ctrlrange", "forcerange"}) {
      if (motor.has(range)) note("ranges of actuators are left out");
    }
    const std::string name = motor.text("name", fmt::format("motor{}", robot_.parameters.size() + 1));
    const std::string control = names_.take(name + "_ctrl", "control", motor.line());
    robot_.parameters.push_back({control, motor.line()});
    std::string& torque = robot_.joints[joint].torque;
    if (!torque.empty()) torque += " + ";
    torque += gear.empty() || gear[0] == 1 ? control : fmt::format("({})*{}", gear[0], control);
  }

  const XMLElement& root_;
  std::string file_;
  MjcfCompiler compiler_;
  MjcfDefaults defaults_;
  ModelNames names_;
  MjcfMeshes meshes_;
  Robot robot_;
  std::map<std::string, int> link_of_;
  std::map<int, int> parent_of_;
  int equalities_ = 0;
};

}  // namespace

Imported import_mjcf(const tinyxml2::XMLDocument& document, const std::string&, const std::string& file) {
  return MjcfImporter(*document.RootElement(), file)();
}

}  // namespace taut::robot
