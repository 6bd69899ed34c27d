#include "model/sketch/sketch.hpp"

#include "model/mesh.hpp"
#include "model/shortest_turn.hpp"

namespace taut {

using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

Vector3 constant(const Vector3d& a) { return {a.x(), a.y(), a.z()}; }
Quaternion constant(const Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

}  // namespace

Solid& Sketch::add(const char* kind, const Belonging& whose) {
  Drawing& drawing = drawings_.emplace_back();
  drawing.kind = kind;
  drawing.body = whose.body.name;
  drawing.label = whose.body.name;
  drawing.role = whose.role;
  if (whose.body.is_ground && drawing.role == "") drawing.role = "ground";
  const auto solid = std::make_shared<Solid>();
  drawing.solid = solid;
  return *solid;
}

void Sketch::box(const Belonging& whose, const Vector3d& sides, const Vector3d& at, const Quaterniond& turn) {
  Solid& solid = add("box", whose);
  solid.size = {sides[0], sides[1], sides[2]};
  solid.at = constant(at);
  solid.orientation = constant(turn);
}

void Sketch::sphere(const Belonging& whose, double radius, const Vector3d& at) {
  Solid& solid = add("sphere", whose);
  solid.size = {radius};
  solid.at = constant(at);
}

Solid& Sketch::round(const char* kind, const Belonging& whose, std::vector<Expression> size, const Vector3d& at,
                     const Vector3d& along) {
  Solid& solid = add(kind, whose);
  solid.size = std::move(size);
  solid.at = constant(at);
  solid.orientation = constant(shortest_turn_of_z(along));
  return solid;
}

void Sketch::cylinder(const Belonging& whose, double radius, double length, const Vector3d& at, const Vector3d& along) {
  round("cylinder", whose, {radius, length}, at, along);
}

void Sketch::bar(const Belonging& whose, double radius, const Vector3d& from, const Vector3d& to) {
  const Vector3d along = to - from;
  if (along.norm() > 0) cylinder(whose, radius, along.norm(), (from + to) / 2, along);
  if (!in_detail()) return;
  sphere(whose, radius, from);
  sphere(whose, radius, to);
}

void Sketch::shape(const Body& body) {
  Solid& solid = add(body.shape->kind.text().c_str(), {body});
  solid = *body.shape->solid;
}

void Sketch::mesh(const Belonging& whose, std::shared_ptr<const Mesh> mesh) {
  Solid& solid = add("mesh", whose);
  solid.size = {1, 1, 1};
  solid.mesh = std::move(mesh);
}

void Sketch::span(const char* kind, const std::string& label, const char* role, const std::vector<Expression>& size,
                  const Vector3& from, const Vector3& to) {
  Drawing& drawing = drawings_.emplace_back();
  drawing.kind = kind;
  drawing.label = label;
  drawing.role = role;
  const auto solid = std::make_shared<Solid>();
  solid->size = size;
  drawing.solid = solid;
  drawing.points = DrawnPoints(*model().graph, {{from.x, from.y, from.z}, {to.x, to.y, to.z}});
}

}  // namespace taut
