#include "model/import/mjcf.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "model/import/mesh_path.hpp"
#include "model/import/mjcf_document.hpp"
#include "model/import/mjcf_reading.hpp"
#include "model/import/node.hpp"

namespace taut::robot {
namespace {

/// What a flag that is "disable" leaves out.
void read_flags(const Element& element, MjcfReading& in) {
  const auto is_off = [&](const char* flag) { return element.attribute(flag) == "disable"; };
  const auto off = [&](const char* flag, std::initializer_list<const char*> subjects) {
    if (!is_off(flag)) return;
    in.findings.note(fmt::format("the file switches {} off", flag));
    for (const char* subject : subjects) in.findings.switch_off(subject);
  };
  if (is_off("gravity")) in.robot.gravity.setZero();
  if (is_off("clampctrl")) in.clamps_controls = false;
  off("actuation", {"actuators"});
  off("passive", {"springs", "damping", "gravcomp", "fluid"});
  off("spring", {"springs"});
  off("damper", {"damping"});
  off("equality", {"equality"});
  off("frictionloss", {"friction"});
  off("constraint", {"equality", "friction"});
}

void read_option(const Element& element, MjcfReading& in) {
  const Attributes option(element);
  if (option.has("gravity")) in.robot.gravity_place = option.place();
  in.robot.gravity = option.vector("gravity", in.robot.gravity);
  in.fluid.viscosity = option.number("viscosity", in.fluid.viscosity);
  in.fluid.density = option.number("density", in.fluid.density);
  in.fluid.wind = option.vector("wind", in.fluid.wind);
  for (const double group : option.numbers("actuatorgroupdisable", 0, 31))
    in.disabled_groups.insert(static_cast<int>(group));
  for (const char* solver : {"timestep", "integrator", "solver", "iterations", "tolerance"})
    if (option.has(solver)) in.findings.note("<option>: how to solve is not taken over; say it under simulate:");
  for (const Element& child : element.children)
    if (admit(mjcf_rows(), "option", child, in.findings)) read_flags(child, in);
}

/// Settings first: whatever stands where, all of the file is meant as they say.
void read_settings(const Element& root, MjcfReading& in) {
  for (const Element& section : root.children) {
    if (section.name == "default") {
      in.findings.attempt([&] { in.defaults.read(section, in.findings); });
      continue;
    }
    if (!admit(mjcf_rows(), "mujoco", section, in.findings)) continue;
    in.findings.attempt([&] {
      if (section.name == "compiler") in.compilers[section.scope].read(Attributes(section));
      if (section.name == "option") read_option(section, in);
    });
  }
}

Mesh inside(const Attributes& mesh) {
  const auto vertices = mesh.numbers("vertex", 12, 1'000'000), faces = mesh.numbers("face", 3, 1'000'000);
  if (vertices.size() % 3 != 0 || faces.size() % 3 != 0)
    mesh.refuse("vertices and faces come by threes", "give three numbers for each");
  Mesh made;
  for (std::size_t k = 0; k + 2 < vertices.size(); k += 3)
    made.vertices.push_back(
        {static_cast<float>(vertices[k]), static_cast<float>(vertices[k + 1]), static_cast<float>(vertices[k + 2])});
  for (std::size_t k = 0; k + 2 < faces.size(); k += 3) {
    std::array<int, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      corners[c] = static_cast<int>(faces[k + c]);
      if (!(faces[k + c] >= 0 && faces[k + c] < static_cast<double>(made.vertices.size())))
        mesh.refuse("face", "a face has a corner that is no vertex", "count vertices from 0");
    }
    made.triangles.push_back(corners);
  }
  return made;
}

MjcfMesh mesh_of(const Attributes& mesh, const MjcfReading& in) {
  MjcfMesh made;
  made.scale = mesh.vector("scale", made.scale);
  const std::string inertia = mesh.choice("inertia", {"legacy", "exact", "shell", "convex"});
  made.way = inertia == "shell"                                     ? MeshMass::shell
             : inertia == "exact" || in.compiler(mesh).exact_meshes ? MeshMass::exact
                                                                    : MeshMass::without_signs;
  made.is_convex_hull = inertia == "convex" || (mesh.has("vertex") && !mesh.has("face"));
  made.frame.translation() = mesh.vector("refpos", Eigen::Vector3d::Zero());
  if (const auto q = mesh.numbers("refquat", 4, 4); !q.empty())
    made.frame.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  if (mesh.has("vertex")) {
    made.inside = inside(mesh);
    return made;
  }
  const std::filesystem::path path = mesh.needed("file");
  made.file =
      (std::filesystem::path(in.compiler(mesh).mesh_folder) / (in.compiler(mesh).strips_paths ? path.filename() : path))
          .generic_string();
  return made;
}

void read_asset(const Element& element, MjcfReading& in) {
  if (element.name == "model") return;
  const Attributes attributes = in.defaults.completed(element, "");
  if (element.name == "mesh") {
    const std::string stem = std::filesystem::path(attributes.text("file")).stem().string();
    in.assets.meshes[attributes.text("name", stem)] = mesh_of(attributes, in);
    return;
  }
  const auto rgba = attributes.numbers("rgba", 4, 4);
  std::string color = rgba.empty() ? "#ffffff" : color_text(rgba[0], rgba[1], rgba[2]);
  if (!rgba.empty() && rgba[3] == 0) color.clear();
  in.assets.colors[attributes.needed("name")] = color;
}

}  // namespace

void read_mjcf_assets(const Element& root, MjcfReading& in) {
  in.each(root, "asset", [&](const Element& element) { read_asset(element, in); });
}

Robot import_mjcf(Element root, const std::string& file, Findings& findings) {
  resolve_includes(root, file);
  resolve_attachments(root, file);
  MjcfReading in{.file = file, .findings = findings};
  in.robot.file = file;
  in.robot.link_word = "body";
  in.robot.range_word = "<joint range>";
  in.robot.mass_word = "an <inertial> or geoms that weigh something";
  in.robot.name = root.attribute("model");
  if (in.robot.name.empty()) in.robot.name = std::filesystem::path(file).stem().string();
  read_settings(root, in);
  read_mjcf_assets(root, in);
  read_mjcf_bodies(root, in);
  read_mjcf_tendons(root, in);
  read_mjcf_equalities(root, in);
  read_mjcf_actuators(root, in);
  read_mjcf_keyframes(root, in);
  add_tendon_forces(in);
  add_fluid_forces(in);
  for (const std::string& text : in.names.renamed()) findings.note(text);
  return in.robot;
}

}  // namespace taut::robot
