#include "model/sketch/start_geometry.hpp"

#include <algorithm>
#include <cmath>

#include "expression/program.hpp"

namespace taut {

using Eigen::Vector3d;

StartGeometry::StartGeometry(const Model& model) : model_(model), values_(model.graph->symbols(), 0.0) {
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

double StartGeometry::value(const Expression& formula) const { return evaluate(formula, values_); }
Vector3d StartGeometry::value(const Vector3& a) const { return {value(a.x), value(a.y), value(a.z)}; }

Vector3d StartGeometry::direction_in(const Body& body, const Vector3d& a) const {
  Vector3d seen;
  for (int k = 0; k < 3; ++k) seen[k] = value(body.axes.columns[static_cast<std::size_t>(k)]).dot(a);
  return seen;
}

Vector3d StartGeometry::point_in(const Body& body, const Vector3d& at) const {
  return direction_in(body, at - value(body.position));
}

void StartGeometry::hold(int body, const Vector3& at, const Joint* joint, bool is_second) {
  const Vector3d place = value(at);
  if (!place.allFinite()) return;
  holds_[static_cast<std::size_t>(body)].push_back({point_in(this->body(body), place), joint, is_second});
}

std::pair<Vector3, Vector3> StartGeometry::joint_ends(const Joint& joint) const {
  if (joint.given == nullptr) return {joint.point, joint.point};
  const JointDescription& given = *joint.given;
  if (given.points.size() == 2)
    return {body(joint.first).carried(given.points[0]), body(joint.second).carried(given.points[1])};
  if (!given.radius) return {joint.point, joint.point};
  // What rolls is held at its centre; where it touches changes.
  const Body& rolls = body(joint.second);
  return {joint.point, given.at ? rolls.carried(*given.at) : rolls.position};
}

void StartGeometry::find_holds() {
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
double StartGeometry::longest_gyration() const {
  double longest = 0;
  for (const Body& body : model_.bodies) {
    const double mass = value(body.mass);
    for (std::size_t k = 0; k < 3 && mass > 0; ++k)
      longest = std::max(longest, std::sqrt(std::max(0.0, value(body.inertia[k]) / mass)));
  }
  return longest > 0 ? longest : 1;
}

/// How thick bars are: a small part of the typical length of a body, and neither too thick nor too thin for the whole.
void StartGeometry::find_size() {
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

}  // namespace taut
