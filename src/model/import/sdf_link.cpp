#include "model/import/sdf_link.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/import/sdf_frames.hpp"

namespace taut::robot {
namespace {

/// False for what is not known, or has no size.
bool add_sdf_form(const Element& form, Shape& shape) {
  const double radius = number_in(form.find("radius"), 0), length = number_in(form.find("length"), 0);
  const auto three = [&](const char* name, const Eigen::Vector3d& otherwise) {
    const Element* element = form.find(name);
    if (element == nullptr) return otherwise;
    const auto v = numbers_of(element->text, element->place(), fmt::format("<{}>", name), 3, 3);
    return Eigen::Vector3d(v[0], v[1], v[2]);
  };
  if (form.name == "mesh") {
    shape.kind = Shape::Kind::mesh;
    shape.file = text_in(form.find("uri"));
    shape.size = three("scale", Eigen::Vector3d::Ones());
    return !shape.file.empty();
  }
  if (form.name == "box") {
    shape.size = three("size", Eigen::Vector3d::Zero());
    return shape.size.minCoeff() > 0;
  }
  shape.kind = form.name == "sphere" || form.name == "ellipsoid" ? Shape::Kind::sphere : Shape::Kind::cylinder;
  shape.size = {form.name == "ellipsoid" ? std::cbrt(three("radii", Eigen::Vector3d::Zero()).prod()) : radius, length,
                0};
  const bool is_known =
      form.name == "sphere" || form.name == "ellipsoid" || form.name == "cylinder" || form.name == "capsule";
  return is_known && shape.size.x() > 0 && (shape.kind == Shape::Kind::sphere || length > 0);
}

}  // namespace

std::optional<MassProperties> sdf_mass(const Element& inertial, const std::string& link) {
  if (inertial.attribute("auto") == "true" || inertial.attribute("auto") == "1")
    throw InputError(inertial.place(), fmt::format("the inertia of link '{}' would come from what collides", link),
                     "write <mass> and <inertia>, and take auto out");
  const double mass = number_in(inertial.find("mass"), 1);
  if (mass < 0)
    throw InputError(inertial.place(), fmt::format("the mass of link '{}' is {}", link, mass), "give a mass above 0");
  const Element* inertia = inertial.find("inertia");
  const auto part = [&](const char* name, double otherwise) {
    return inertia == nullptr ? otherwise : number_in(inertia->find(name), otherwise);
  };
  Eigen::Matrix3d I;
  I << part("ixx", 1), part("ixy", 0), part("ixz", 0),  //
      part("ixy", 0), part("iyy", 1), part("iyz", 0),   //
      part("ixz", 0), part("iyz", 0), part("izz", 1);
  if (mass == 0 && I.isZero(0)) return std::nullopt;
  return MassProperties{mass, Eigen::Vector3d::Zero(), I}.seen_from(sdf_pose(inertial.find("pose")));
}

std::optional<Shape> sdf_shape(const Element& visual, const Eigen::Isometry3d& base) {
  const Element* geometry = visual.find("geometry");
  if (geometry == nullptr || geometry->children.empty()) return std::nullopt;
  Shape shape{.pose = base * sdf_pose(visual.find("pose")), .label = visual.attribute("name"), .place = visual.place()};
  const Element* material = visual.find("material");
  const Element* color = material == nullptr ? nullptr : material->find("diffuse");
  if (material != nullptr && color == nullptr) color = material->find("ambient");
  if (color != nullptr) {
    const auto rgb = numbers_of(color->text, color->place(), "<diffuse>", 3, 4);
    shape.color = color_text(rgb[0], rgb[1], rgb[2]);
  }
  return add_sdf_form(geometry->children.front(), shape) ? std::optional(shape) : std::nullopt;
}

}  // namespace taut::robot
