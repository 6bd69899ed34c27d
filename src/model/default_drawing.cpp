#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "expression/program.hpp"
#include "taut/model.hpp"

/// A drawing of a mechanism whose author drew nothing. It is made from what is known: where the joints are, along
/// which axes they turn, and how mass is spread about the centres of mass.
namespace taut {
namespace {

using Eigen::Vector3d;

Vector3 constant(const Vector3d& a) { return {a.x(), a.y(), a.z()}; }

class DefaultDrawing {
 public:
  explicit DefaultDrawing(const Model& model) : model_(model), values_(model.graph->symbols(), 0.0) {
    const InitialValues initial = initial_values(model);
    for (std::size_t i = 0; i < initial.parameters.size(); ++i)
      values_[model.parameters[i].symbol] = initial.parameters[i];
    for (std::size_t i = 0; i < initial.coordinates.size(); ++i)
      values_[model.coordinates[i].symbol] = initial.coordinates[i];
  }

  std::vector<Drawing> draw() {
    find_size();
    for (std::size_t k = 1; k < model_.bodies.size(); ++k) draw_body(static_cast<int>(k));
    for (const Joint& joint : model_.joints) draw_joint(joint);
    return std::move(drawings_);
  }

 private:
  double value(const Expression& formula) const { return evaluate(formula, values_); }
  Vector3d value(const Vector3& a) const { return {value(a.x), value(a.y), value(a.z)}; }

  /// A direction, and a point from the centre of mass, in the axes of a body.
  Vector3d direction_in(const Body& body, const Vector3d& a) const {
    Vector3d seen;
    for (int k = 0; k < 3; ++k) seen[k] = value(body.axes.columns[static_cast<std::size_t>(k)]).dot(a);
    return seen;
  }
  Vector3d point_in(const Body& body, const Vector3& at) const {
    return direction_in(body, value(at) - value(body.position));
  }

  void find_size() {
    for (const Joint& joint : model_.joints) {
      for (const int k : {joint.first, joint.second})
        if (k > 0) size_ = std::max(size_, point_in(model_.bodies[k], joint.point).norm());
    }
    for (const Body& body : model_.bodies) size_ = std::max(size_, box_of(body).maxCoeff() / 2);
    if (size_ == 0) size_ = 1;
  }

  /// A box of the same mass and moments, xx = m (b² + c²)/12 and so on; no sides where they are not known.
  Vector3d box_of(const Body& body) const {
    const double mass = value(body.mass);
    if (body.is_ground || body.planar || !(mass > 0)) return Vector3d::Zero();
    const Vector3d moments(value(body.inertia[0]), value(body.inertia[1]), value(body.inertia[2]));
    const double half = moments.sum() / 2;
    return (12 / mass * (Vector3d::Constant(half) - moments)).cwiseMax(0).cwiseSqrt();
  }

  void add(const char* kind, const Body& body, const std::string& label, std::vector<Expression> size,
           const Vector3d& at, const Vector3d& axis) {
    Drawing& drawing = drawings_.emplace_back();
    drawing.kind = kind;
    drawing.body = body.name;
    drawing.label = label;
    drawing.size = std::move(size);
    drawing.at = constant(at);
    const auto turn = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis);
    drawing.orientation = {turn.w(), turn.x(), turn.y(), turn.z()};
  }

  void draw_body(int index) {
    const Body& body = model_.bodies[index];
    const Vector3d sides = box_of(body);
    const std::size_t before = drawings_.size();
    if (sides.norm() > 0) {
      const Vector3d seen = sides.cwiseMax(thin());
      add("box", body, body.name, {seen[0], seen[1], seen[2]}, Vector3d::Zero(), Vector3d::UnitZ());
    }
    for (const Joint& joint : model_.joints)
      if (joint.first == index || joint.second == index) draw_strut(body, point_in(body, joint.point));
    if (drawings_.size() == before) add("sphere", body, body.name, {2 * thin()}, Vector3d::Zero(), Vector3d::UnitZ());
  }

  /// From the centre of mass to a joint.
  void draw_strut(const Body& body, const Vector3d& end) {
    if (end.norm() > thin()) add("cylinder", body, body.name, {thin() / 2, end.norm()}, end / 2, end);
  }

  void draw_joint(const Joint& joint) {
    const Body& body = model_.bodies[joint.second];
    const Vector3d at = point_in(body, joint.point);
    if (joint.type == "spherical") add("sphere", body, joint.name, {thin()}, at, Vector3d::UnitZ());
    if (!joint.angle_rate || !joint.axis) return;
    const Vector3d axis = direction_in(body, value(*joint.axis));
    add("cylinder", body, joint.name, {thin(), 4 * thin()}, at, axis);
  }

  /// How thick what has no thickness of its own is drawn.
  double thin() const { return 0.04 * size_; }

  const Model& model_;
  std::vector<double> values_;  ///< by symbol, at the start
  double size_ = 0;             ///< of the largest part, from its centre of mass
  std::vector<Drawing> drawings_;
};

}  // namespace

std::vector<Drawing> default_drawing(const Model& model) { return DefaultDrawing(model).draw(); }

}  // namespace taut
