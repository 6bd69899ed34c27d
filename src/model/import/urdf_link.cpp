#include "model/import/urdf_link.hpp"

#include <fmt/format.h>

namespace taut::robot {
namespace {

double needed_number(const Element& element, const char* attribute) {
  const Attributes attributes(element);
  attributes.needed(attribute);
  return attributes.number(attribute, 0);
}

/// False for what has no size.
bool add_urdf_form(const Element& form, Shape& shape) {
  const Attributes attributes(form);
  if (form.name == "mesh") {
    shape.kind = Shape::Kind::mesh;
    shape.file = attributes.needed("filename");
    shape.size = attributes.vector("scale", Eigen::Vector3d::Ones());
    return true;
  }
  const double radius = attributes.number("radius", 0), length = attributes.number("length", 0);
  if (form.name == "box") {
    shape.size = attributes.vector("size", Eigen::Vector3d::Zero());
    return shape.size.minCoeff() > 0;
  }
  shape.kind = form.name == "sphere" ? Shape::Kind::sphere : Shape::Kind::cylinder;
  shape.size = {radius, length, 0};
  return radius > 0 && (form.name == "sphere" || length > 0);
}

}  // namespace

Eigen::Isometry3d urdf_pose(const Element* origin) {
  Eigen::Isometry3d made = Eigen::Isometry3d::Identity();
  if (origin == nullptr) return made;
  const Attributes attributes(*origin);
  const Eigen::Vector3d rpy = attributes.vector("rpy", Eigen::Vector3d::Zero());
  made.translation() = attributes.vector("xyz", Eigen::Vector3d::Zero());
  made.linear() =
      (Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  return made;
}

std::string urdf_color(const Element& color) {
  const auto rgba = Attributes(color).numbers("rgba", 3, 4);
  return rgba.empty() ? "" : color_text(rgba[0], rgba[1], rgba[2]);
}

std::optional<MassProperties> urdf_mass(const Element& inertial, const std::string& link) {
  for (const char* part : {"mass", "inertia"})
    if (inertial.find(part) == nullptr)
      throw InputError(inertial.place(), fmt::format("the <inertial> of link '{}' has no <{}>", link, part), "add one");
  const Element& inertia = *inertial.find("inertia");
  const auto part = [&](const char* name) { return needed_number(inertia, name); };
  Eigen::Matrix3d I;
  I << part("ixx"), part("ixy"), part("ixz"),  //
      part("ixy"), part("iyy"), part("iyz"),   //
      part("ixz"), part("iyz"), part("izz");
  const double mass = needed_number(*inertial.find("mass"), "value");
  if (mass < 0)
    throw InputError(inertial.place(), fmt::format("the mass of link '{}' is {}", link, mass), "give a mass above 0");
  if (mass == 0 && I.isZero(0)) return std::nullopt;
  return MassProperties{mass, Eigen::Vector3d::Zero(), I}.seen_from(urdf_pose(inertial.find("origin")));
}

std::optional<Shape> urdf_shape(const Element& visual, const Eigen::Isometry3d& link,
                                const std::map<std::string, std::string>& colors) {
  const Element* geometry = visual.find("geometry");
  if (geometry == nullptr || geometry->children.empty()) return std::nullopt;
  Shape shape{
      .pose = link * urdf_pose(visual.find("origin")), .label = visual.attribute("name"), .place = visual.place()};
  if (const Element* material = visual.find("material")) {
    const Element* color = material->find("color");
    const auto known = colors.find(material->attribute("name"));
    shape.color = color != nullptr ? urdf_color(*color) : known != colors.end() ? known->second : "";
  }
  return add_urdf_form(geometry->children.front(), shape) ? std::optional(shape) : std::nullopt;
}

}  // namespace taut::robot
