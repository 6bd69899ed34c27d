#include "model/import/mjcf_geom.hpp"

#include <fmt/format.h>

#include "base/nearest.hpp"
#include "model/shortest_turn.hpp"

namespace taut::robot {
namespace {

/// A geom with its size worked out: edges of a box; radius and length of what is round.
struct Form {
  std::string type;
  Eigen::Isometry3d pose;
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
};

void check_size(const Attributes& attributes, const std::vector<double>& size, std::size_t count) {
  if (size.size() < count) {
    attributes.refuse("size", fmt::format("{} is not enough for this geom", size.size()),
                      fmt::format("give {} numbers", count));
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (size[k] <= 0) attributes.refuse("size", "sizes have to be above 0", "give the half lengths and radii");
  }
}

/// The ends of a geom say its length, its middle and its z axis.
void stretch(const Attributes& attributes, const std::vector<double>& ends, Form& form) {
  if (form.type == "sphere") attributes.refuse("fromto", "a sphere has no ends", "give pos");
  const Eigen::Vector3d from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]);
  const Eigen::Vector3d along = to - from;
  if (along.norm() == 0) attributes.refuse("fromto", "the two ends are the same point", "give two points");
  form.pose.translation() = (from + to) / 2;
  form.pose.linear() = shortest_turn_of_z(along).toRotationMatrix();
  const double width = attributes.numbers("size", 1, 3)[0];
  form.size = form.type == "box" ? Eigen::Vector3d(2 * width, 2 * width, along.norm())
                                 : Eigen::Vector3d(width, along.norm(), 0);
}

Form form_of(const Attributes& attributes, const MjcfCompiler& compiler) {
  Form form{attributes.choice("type", {"sphere", "capsule", "cylinder", "box", "plane", "mesh"}),
            compiler.pose(attributes)};
  if (form.type == "plane" || form.type == "mesh") return form;
  const std::vector<double> size = attributes.numbers("size", 1, 3);
  const std::vector<double> ends = attributes.numbers("fromto", 6, 6);
  const std::size_t count = !ends.empty() || form.type == "sphere" ? 1 : form.type == "box" ? 3 : 2;
  check_size(attributes, size, count);
  if (!ends.empty()) {
    stretch(attributes, ends, form);
  } else if (form.type == "sphere") {
    form.size = {size[0], 0, 0};
  } else if (form.type == "box") {
    form.size = 2 * Eigen::Vector3d(size[0], size[1], size[2]);
  } else {
    form.size = {size[0], 2 * size[1], 0};
  }
  return form;
}

double volume(const Form& form) {
  const double radius = form.size.x(), length = form.size.y();
  if (form.type == "sphere") return sphere_volume(radius);
  if (form.type == "box") return form.size.prod();
  return cylinder_volume(radius, length) + (form.type == "capsule" ? sphere_volume(radius) : 0);
}

MassProperties solid(const Form& form, double mass) {
  const double radius = form.size.x(), length = form.size.y();
  if (form.type == "sphere") return solid_sphere(mass, radius);
  if (form.type == "box") return solid_box(mass, form.size);
  return form.type == "capsule" ? solid_capsule(mass, radius, length) : solid_cylinder(mass, radius, length);
}

std::optional<MassProperties> mass_of(const Attributes& attributes, const Form& form) {
  const double density = attributes.number("density", 1000), mass = attributes.number("mass", -1);
  if (density < 0) attributes.refuse("density", "a density cannot be below 0", "give one above 0");
  if (attributes.has("mass") && mass < 0) attributes.refuse("mass", "a mass cannot be below 0", "give one above 0");
  const bool is_weightless = form.type == "plane" || mass == 0 || (mass < 0 && density == 0);
  if (is_weightless) return MassProperties{};
  if (form.type == "mesh") return std::nullopt;
  return solid(form, mass > 0 ? mass : density * volume(form)).seen_from(form.pose);
}

std::vector<Shape> shapes_of(const Form& form, const Attributes& attributes, const MjcfMeshes& meshes) {
  Shape shape{.pose = form.pose, .size = form.size, .label = attributes.text("name"), .line = attributes.line()};
  if (const auto rgba = attributes.numbers("rgba", 4, 4); !rgba.empty()) {
    shape.color = color_text(rgba[0], rgba[1], rgba[2]);
  }
  if (form.type == "plane") return {};
  if (form.type == "mesh") {
    const std::string name = attributes.needed("mesh");
    const auto mesh = meshes.find(name);
    if (mesh == meshes.end()) {
      std::vector<std::string> names;
      for (const auto& [other, content] : meshes) names.push_back(other);
      const std::string near = nearest(name, names);
      attributes.refuse("mesh", fmt::format("there is no mesh '{}'", name),
                        near.empty() ? "define it under <asset>" : fmt::format("did you mean '{}'?", near));
    }
    shape.kind = Shape::Kind::mesh;
    shape.file = mesh->second.file;
    shape.size = mesh->second.scale;
    return {shape};
  }
  shape.kind = form.type == "box"      ? Shape::Kind::box
               : form.type == "sphere" ? Shape::Kind::sphere
                                       : Shape::Kind::cylinder;
  if (form.type != "capsule") return {shape};
  std::vector<Shape> list{shape};
  for (const double side : {-0.5, 0.5}) {
    Shape end{.kind = Shape::Kind::sphere,
              .pose = form.pose,
              .size = {form.size.x(), 0, 0},
              .color = shape.color,
              .line = shape.line};
    end.pose.translate(Eigen::Vector3d(0, 0, side * form.size.y()));
    list.push_back(end);
  }
  return list;
}

}  // namespace

MjcfGeom read_geom(const Attributes& attributes, const MjcfCompiler& compiler, const MjcfMeshes& meshes) {
  // Beside form and mass: what it looks like, and how it would collide.
  attributes.allow({"name",   "class",  "type",    "pos",    "quat",        "axisangle",   "euler",    "xyaxes",
                    "zaxis",  "size",   "fromto",  "mass",   "density",     "mesh",        "rgba",     "material",
                    "group",  "user",   "contype", "condim", "friction",    "conaffinity", "priority", "solmix",
                    "solref", "solimp", "margin",  "gap",    "shellinertia"});
  if (attributes.flag("shellinertia", false)) {
    attributes.refuse("shellinertia", "the inertia of shells cannot be imported", "give the body an <inertial>");
  }
  const Form form = form_of(attributes, compiler);
  return {mass_of(attributes, form), shapes_of(form, attributes, meshes)};
}

}  // namespace taut::robot
