#include "model/import/mjcf_geom.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "model/import/mesh_path.hpp"
#include "model/principal_axes.hpp"
#include "model/shortest_turn.hpp"

namespace taut::robot {
namespace {

/// Geoms of these groups and above are what collides, and MuJoCo does not show them either.
constexpr int first_hidden_group = 3;

/// A geom with its size worked out: edges of a box; radius and length of what is round; half axes of an ellipsoid.
struct Form {
  std::string type;
  Eigen::Isometry3d pose;
  Eigen::Vector3d size = Eigen::Vector3d::Zero();

  bool has_size() const { return type != "plane" && type != "mesh" && type != "hfield" && type != "sdf"; }
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
  const double width = attributes.numbers("size", 1, 3)[0], length = along.norm();
  if (form.type == "box") form.size = {2 * width, 2 * width, length};
  if (form.type == "ellipsoid") form.size = {width, width, length / 2};
  if (form.type == "capsule" || form.type == "cylinder") form.size = {width, length, 0};
}

Form form_of(const Attributes& attributes, const MjcfCompiler& compiler) {
  Form form{attributes.choice("type",
                              {"sphere", "capsule", "cylinder", "box", "ellipsoid", "plane", "mesh", "hfield", "sdf"}),
            compiler.pose(attributes)};
  if (!form.has_size()) return form;
  const std::vector<double> size = attributes.numbers("size", 1, 3);
  const std::vector<double> ends = attributes.numbers("fromto", 6, 6);
  const bool is_round = form.type == "capsule" || form.type == "cylinder";
  check_size(attributes, size, !ends.empty() || form.type == "sphere" ? 1 : is_round ? 2 : 3);
  if (!ends.empty()) {
    stretch(attributes, ends, form);
  } else if (form.type == "sphere") {
    form.size = {size[0], 0, 0};
  } else if (is_round) {
    form.size = {size[0], 2 * size[1], 0};
  } else {
    form.size = (form.type == "box" ? 2 : 1) * Eigen::Vector3d(size[0], size[1], size[2]);
  }
  return form;
}

// ---- meshes --------------------------------------------------------------------------------------------

const MjcfMesh& mesh_of(const Attributes& attributes, const MjcfAssets& assets) {
  const std::string name = attributes.needed("mesh");
  const auto mesh = assets.meshes.find(name);
  if (mesh != assets.meshes.end()) return mesh->second;
  std::vector<std::string> names;
  for (const auto& [other, content] : assets.meshes) names.push_back(other);
  attributes.refuse("mesh", fmt::format("there is no mesh '{}'", name),
                    nearest_or(name, names, "define it under <asset>"));
}

/// At density 1, in the frame of the geom.
MassProperties mesh_unit(const Attributes& attributes, const MjcfMesh& mesh, const std::string& robot_file) {
  if (mesh.is_convex_hull)
    attributes.refuse("mesh", "its inertia would be that of its convex hull", "give the body an <inertial>");
  const MeshMass way = attributes.flag("shellinertia", false) ? MeshMass::shell : mesh.way;
  const auto properties = [&](const Mesh& content) { return mesh_properties(content, mesh.placed(), way); };
  if (mesh.inside) return properties(*mesh.inside);
  try {
    return properties(load_mesh(located(mesh.file, robot_file)));
  } catch (const InputError& error) {
    attributes.refuse("mesh", fmt::format("the body's mass would come from it: {}", error.message()),
                      "bring the mesh, or give the body an <inertial>");
  }
}

bool is_fitted(const Attributes& attributes) {
  return attributes.has("mesh") && attributes.has("type") && attributes.text("type") != "mesh" &&
         attributes.text("type") != "sdf";
}

/// Sizes of a form with half edges like these, the longest along z.
Eigen::Vector3d fitted_size(const std::string& type, const Eigen::Vector3d& half) {
  const double width = (half.x() + half.y()) / 2;
  if (type == "sphere") return {half.mean(), 0, 0};
  if (type == "box") return 2 * half;
  if (type == "ellipsoid") return half;
  return {width, 2 * (type == "capsule" ? std::max(0.0, half.z() - width / 2) : half.z()), 0};
}

/// A form that is fitted to a mesh is made from the box with the inertia of the mesh, where the mesh stands.
Form fitted_form(const Attributes& attributes, const MjcfCompiler& compiler, const MjcfAssets& assets,
                 const std::string& robot_file) {
  if (compiler.fits_bounding_boxes)
    attributes.refuse("mesh", "forms are fitted to the bounding boxes of meshes, which cannot be imported",
                      "give its size, or take out fitaabb");
  Form form{attributes.text("type"), compiler.pose(attributes)};
  const MassProperties mesh = mesh_unit(attributes, mesh_of(attributes, assets), robot_file);
  const PrincipalAxes principal = principal_axes(mesh.inertia);
  // The largest moment is about the shortest edge.
  Eigen::Matrix3d turn = principal.axes.rowwise().reverse();
  if (turn.determinant() < 0) turn.col(0) *= -1;
  const Eigen::Vector3d moments = principal.moments.reverse();
  Eigen::Vector3d half;
  for (int k = 0; k < 3; ++k) half[k] = std::sqrt(6 * std::max(0.0, moments.sum() - 2 * moments[k]) / mesh.mass) / 2;
  form.pose.translate(mesh.center).rotate(turn);
  form.size = attributes.number("fitscale", 1) * fitted_size(form.type, half);
  return form;
}

// ---- what it weighs ---------------------------------------------------------------------------------

double volume(const Form& form) {
  const double radius = form.size.x(), length = form.size.y();
  if (form.type == "sphere") return sphere_volume(radius);
  if (form.type == "box") return form.size.prod();
  if (form.type == "ellipsoid") return sphere_volume(1) * form.size.prod();
  return cylinder_volume(radius, length) + (form.type == "capsule" ? sphere_volume(radius) : 0);
}

MassProperties solid(const Form& form, double mass) {
  const double radius = form.size.x(), length = form.size.y();
  if (form.type == "sphere") return solid_sphere(mass, radius);
  if (form.type == "box") return solid_box(mass, form.size);
  if (form.type == "ellipsoid") return solid_ellipsoid(mass, form.size);
  return form.type == "capsule" ? solid_capsule(mass, radius, length) : solid_cylinder(mass, radius, length);
}

MassProperties mesh_mass(const Attributes& attributes, const MjcfMesh& mesh, double density, double mass,
                         const std::string& robot_file) {
  MassProperties made = mesh_unit(attributes, mesh, robot_file);
  if (!(made.mass > 0)) attributes.refuse("mesh", "this mesh encloses no volume", "give the body an <inertial>");
  const double factor = mass > 0 ? mass / made.mass : density;
  made.mass *= factor;
  made.inertia *= factor;
  return made;
}

MassProperties mass_of(const Attributes& attributes, const Form& form, const MjcfAssets& assets,
                       const std::string& robot_file) {
  const double density = attributes.number("density", 1000), mass = attributes.number("mass", -1);
  if (density < 0) attributes.refuse("density", "a density cannot be below 0", "give one above 0");
  if (attributes.has("mass") && mass < 0) attributes.refuse("mass", "a mass cannot be below 0", "give one above 0");
  const bool is_weightless = form.type == "plane" || form.type == "hfield" || mass == 0 || (mass < 0 && density == 0);
  if (is_weightless) return {};
  if (!form.has_size())
    return mesh_mass(attributes, mesh_of(attributes, assets), density, mass, robot_file).seen_from(form.pose);
  if (attributes.flag("shellinertia", false))
    attributes.refuse("shellinertia", "shells of other forms than meshes cannot be imported",
                      "give the body an <inertial>");
  return solid(form, mass > 0 ? mass : density * volume(form)).seen_from(form.pose);
}

// ---- how it is drawn --------------------------------------------------------------------------------

/// False where it is not seen.
bool find_color(const Attributes& attributes, const MjcfAssets& assets, std::string& color) {
  if (attributes.number("group", 0) >= first_hidden_group) return false;
  if (const auto rgba = attributes.numbers("rgba", 4, 4); !rgba.empty()) {
    color = color_text(rgba[0], rgba[1], rgba[2]);
    return rgba[3] > 0;
  }
  const auto material = assets.colors.find(attributes.text("material"));
  if (material != assets.colors.end()) color = material->second;
  return material == assets.colors.end() || !color.empty();
}

std::vector<Shape> capsule(const Shape& middle) {
  std::vector<Shape> list{middle};
  for (const double side : {-0.5, 0.5}) {
    Shape end{.kind = Shape::Kind::sphere,
              .pose = middle.pose,
              .size = {middle.size.x(), 0, 0},
              .color = middle.color,
              .place = middle.place};
    end.pose.translate(Eigen::Vector3d(0, 0, side * middle.size.y()));
    list.push_back(end);
  }
  return list;
}

std::vector<Shape> shapes_of(const Form& form, const Attributes& attributes, const MjcfAssets& assets) {
  Shape shape{.pose = form.pose, .size = form.size, .label = attributes.text("name"), .place = attributes.place()};
  if (form.type == "mesh") mesh_of(attributes, assets);  // whether it is seen or not
  if (!find_color(attributes, assets, shape.color) || form.type == "plane" || form.type == "hfield") return {};
  if (!form.has_size()) {
    const MjcfMesh& mesh = mesh_of(attributes, assets);
    if (mesh.inside) return {};
    shape.kind = Shape::Kind::mesh;
    shape.file = mesh.file;
    shape.size = mesh.scale;
    shape.pose = form.pose;
    shape.pose.linear() = form.pose.linear() * mesh.frame.linear().transpose();
    shape.pose.translation() = form.pose * mesh.placed().translation();
    return {shape};
  }
  shape.kind = form.type == "box"                                  ? Shape::Kind::box
               : form.type == "sphere" || form.type == "ellipsoid" ? Shape::Kind::sphere
                                                                   : Shape::Kind::cylinder;
  if (form.type == "ellipsoid") shape.size.x() = std::cbrt(form.size.prod());
  return form.type == "capsule" ? capsule(shape) : std::vector{shape};
}

}  // namespace

MjcfGeom read_geom(const Attributes& attributes, const MjcfCompiler& compiler, const MjcfAssets& assets, bool weighs,
                   const std::string& robot_file) {
  const double group = attributes.number("group", 0);
  const bool counts = weighs && group >= compiler.first_group && group <= compiler.last_group;
  // A mesh that only a form would be fitted to is drawn itself, and need not be there.
  const Form form = !is_fitted(attributes) ? form_of(attributes, compiler)
                    : counts               ? fitted_form(attributes, compiler, assets, robot_file)
                                           : Form{"mesh", compiler.pose(attributes)};
  return {counts ? mass_of(attributes, form, assets, robot_file) : MassProperties{},
          shapes_of(form, attributes, assets)};
}

}  // namespace taut::robot
