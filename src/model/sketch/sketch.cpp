#include "model/sketch/sketch.hpp"

#include <algorithm>
#include <cmath>

#include "expression/program.hpp"
#include "model/mesh.hpp"
#include "model/shortest_turn.hpp"

namespace taut {

using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

Vector3 constant(const Vector3d& a) { return {a.x(), a.y(), a.z()}; }
Quaternion constant(const Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

}  // namespace

Sketch::Sketch(const Model& model) : model_(model), values_(model.graph->symbols(), 0.0) {
  const InitialValues initial = initial_values(model);
  for (std::size_t i = 0; i < initial.parameters.size(); ++i)
    values_[model.parameters[i].symbol] = initial.parameters[i];
  for (std::size_t i = 0; i < initial.coordinates.size(); ++i)
    values_[model.coordinates[i].symbol] = initial.coordinates[i];
  for (const Body& body : model.bodies) planar_ = planar_ && body.planar;
  const Vector3d pull = value(model.gravity);
  up_ = pull.norm() > 0 ? Vector3d(-pull.normalized()) : planar_ ? Vector3d::UnitY() : Vector3d::UnitZ();
  if (planar_ && std::abs(up_.z()) > 0.7) up_ = Vector3d::UnitY();
  find_holds();
  find_size();
}

double Sketch::value(const Expression& formula) const { return evaluate(formula, values_); }
Vector3d Sketch::value(const Vector3& a) const { return {value(a.x), value(a.y), value(a.z)}; }

Vector3d Sketch::direction_in(const Body& body, const Vector3d& a) const {
  Vector3d seen;
  for (int k = 0; k < 3; ++k) seen[k] = value(body.axes.columns[static_cast<std::size_t>(k)]).dot(a);
  return seen;
}

Vector3d Sketch::point_in(const Body& body, const Vector3d& at) const {
  return direction_in(body, at - value(body.position));
}

void Sketch::hold(int body, const Vector3& at, const Joint* joint, bool is_second) {
  const Vector3d place = value(at);
  if (!place.allFinite()) return;
  holds_[static_cast<std::size_t>(body)].push_back({point_in(this->body(body), place), joint, is_second});
}

std::pair<Vector3, Vector3> Sketch::joint_ends(const Joint& joint) const {
  if (joint.given == nullptr) return {joint.point, joint.point};
  const JointDescription& given = *joint.given;
  if (given.points.size() == 2)
    return {body(joint.first).carried(given.points[0]), body(joint.second).carried(given.points[1])};
  if (!given.radius) return {joint.point, joint.point};
  // What rolls is held at its centre; where it touches changes.
  const Body& rolls = body(joint.second);
  return {joint.point, given.at ? rolls.carried(*given.at) : rolls.position};
}

void Sketch::find_holds() {
  holds_.resize(model_.bodies.size());
  for (const Joint& joint : model_.joints) {
    if (!joint.coupled.empty() || joint.type == "parallel" || joint.type == "perpendicular") continue;
    const auto [on_first, on_second] = joint_ends(joint);
    hold(joint.first, on_first, &joint, false);
    hold(joint.second, on_second, &joint, true);
  }
  for (const Force& force : model_.forces) {
    if (force.points.size() == 2) hold(force.first, force.points[0]);
    if (!force.points.empty() && force.type != "torque" && force.type != "torsion-spring")
      hold(force.second, force.points.back());
  }
}

/// The largest radius of gyration there is; 1 where bodies are points.
double Sketch::longest_gyration() const {
  double longest = 0;
  for (const Body& body : model_.bodies) {
    const double mass = value(body.mass);
    for (std::size_t k = 0; k < 3 && mass > 0; ++k)
      longest = std::max(longest, std::sqrt(std::max(0.0, value(body.inertia[k]) / mass)));
  }
  return longest > 0 ? longest : 1;
}

/// How thick bars are: a small part of the typical length of a body, and neither too thick nor too thin for the whole.
void Sketch::find_size() {
  Eigen::AlignedBox3d around;
  std::vector<double> spans;
  for (std::size_t k = 0; k < model_.bodies.size(); ++k) {
    const Body& body = model_.bodies[k];
    const Vector3d centre = value(body.position);
    if (k > 0 && centre.allFinite()) around.extend(centre);
    double longest = 0;
    for (const Hold& hold : holds_[k]) {
      for (const Hold& other : holds_[k]) longest = std::max(longest, (hold.at - other.at).norm());
      if (k > 0) longest = std::max(longest, hold.at.norm());
      Vector3d place = centre;
      for (int axis = 0; axis < 3; ++axis)
        place += hold.at[axis] * value(body.axes.columns[static_cast<std::size_t>(axis)]);
      around.extend(place);
    }
    if (k > 0 && longest > 0) spans.push_back(longest);
  }
  if (!around.isEmpty()) extent_ = around.sizes().maxCoeff();
  if (spans.empty()) {
    thin_ = 0.02 * (extent_ > 0 ? extent_ : 2 * longest_gyration());
    return;
  }
  std::ranges::nth_element(spans, spans.begin() + static_cast<std::ptrdiff_t>(spans.size() / 2));
  const double typical = spans[spans.size() / 2];
  thin_ = std::clamp(0.035 * typical, 0.0008 * extent_, 0.02 * std::max(extent_, typical));
}

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
  drawing.points = DrawnPoints(*model_.graph, {{from.x, from.y, from.z}, {to.x, to.y, to.z}});
}

}  // namespace taut
