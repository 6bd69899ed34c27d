#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "expression/program.hpp"
#include "model/principal_axes.hpp"
#include "model/shortest_turn.hpp"
#include "taut/model.hpp"

/// A drawing of a mechanism whose author drew nothing. It is made from what is known: where the joints are, along
/// which axes they turn, and how mass is spread about the centres of mass.
namespace taut {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

Vector3 constant(const Vector3d& a) { return {a.x(), a.y(), a.z()}; }

/// How a cylinder lies, whose axis is z, so that its axis is `along`.
Quaterniond turned_to(const Vector3d& along) { return shortest_turn_of_z(along); }

/// A box about the centre of mass of a body, in its axes; no sides where they are not known.
struct Box {
  Vector3d sides = Vector3d::Zero();
  Quaterniond turn = Quaterniond::Identity();

  bool is_seen() const { return sides.norm() > 0; }
  /// Is a point inside, or no farther outside than a margin?
  bool has(const Vector3d& point, double margin) const {
    return is_seen() && ((turn.conjugate() * point).cwiseAbs() - sides / 2).maxCoeff() <= margin;
  }
};

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
    joints_of_.resize(model_.bodies.size());
    for (const Joint& joint : model_.joints) {
      for (const int k : {joint.first, joint.second}) {
        if (k <= 0) continue;
        std::vector<Vector3d>& ends = joints_of_[static_cast<std::size_t>(k)];
        ends.push_back(point_in(model_.bodies[k], joint.point));
        size_ = std::max(size_, ends.back().norm());
      }
    }
    for (const Body& body : model_.bodies) size_ = std::max(size_, box_of(body).sides.maxCoeff() / 2);
    if (size_ == 0) size_ = 1;
  }

  /// A box of the same mass and moments, xx = m (b² + c²)/12 and so on, along the principal axes.
  Box box_of(const Body& body) const {
    const double mass = value(body.mass);
    if (body.is_ground || body.planar || !(mass > 0)) return {};
    double entries[6];
    for (std::size_t k = 0; k < 6; ++k) entries[k] = value(body.inertia[k]);
    const auto& [xx, yy, zz, xy, xz, yz] = entries;
    Vector3d moments(xx, yy, zz);
    Box box;
    if (xy != 0 || xz != 0 || yz != 0) {
      const Eigen::Matrix3d inertia{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
      auto [values, axes] = principal_axes(inertia);
      moments = values;
      if (axes.determinant() < 0) axes.col(2) *= -1;
      box.turn = Quaterniond(axes);
    }
    const double half = moments.sum() / 2;
    box.sides = (12 / mass * (Vector3d::Constant(half) - moments)).cwiseMax(0).cwiseSqrt();
    return box;
  }

  void add(const char* kind, const Body& body, const std::string& label, std::vector<Expression> size,
           const Vector3d& at = Vector3d::Zero(), const Quaterniond& turn = Quaterniond::Identity()) {
    Drawing& drawing = drawings_.emplace_back();
    drawing.kind = kind;
    drawing.body = body.name;
    drawing.label = label;
    drawing.solid =
        std::make_shared<Solid>(Solid{std::move(size), constant(at), {turn.w(), turn.x(), turn.y(), turn.z()}, ""});
  }

  void draw_body(int index) {
    const Body& body = model_.bodies[index];
    const std::vector<Vector3d>& ends = joints_of_[static_cast<std::size_t>(index)];
    const Box box = limited(box_of(body), ends);
    const std::size_t before = drawings_.size();
    if (box.is_seen())
      add("box", body, body.name, {box.sides[0], box.sides[1], box.sides[2]}, Vector3d::Zero(), box.turn);
    for (const Vector3d& end : ends)
      if (!box.has(end, thin())) draw_strut(body, end);
    if (drawings_.size() == before) add("sphere", body, body.name, {2 * thin()});
  }

  /// Of a heavy rotor on a short axle the box would hide all that is around it: it is drawn smaller then, at most a
  /// quarter longer than a bar would be whose end is the farthest joint.
  Box limited(Box box, const std::vector<Vector3d>& ends) const {
    if (!box.is_seen()) return box;
    double reach = 0;
    for (const Vector3d& end : ends) reach = std::max(reach, end.norm());
    const double scale = reach > 0 ? std::min(1.0, 2.5 * reach / box.sides.maxCoeff()) : 1.0;
    box.sides = (scale * box.sides).cwiseMax(thin());
    return box;
  }

  /// From the centre of mass to a joint.
  void draw_strut(const Body& body, const Vector3d& end) {
    if (end.norm() > thin()) add("cylinder", body, body.name, {thin() / 2, end.norm()}, end / 2, turned_to(end));
  }

  void draw_joint(const Joint& joint) {
    const Body& body = model_.bodies[joint.second];
    const Vector3d at = point_in(body, joint.point);
    if (joint.type == "spherical") add("sphere", body, joint.name, {thin()}, at);
    if (!joint.angle_rate || !joint.axis) return;
    const Vector3d axis = direction_in(body, value(*joint.axis));
    add("cylinder", body, joint.name, {thin(), 4 * thin()}, at, turned_to(axis));
  }

  /// How thick what has no thickness of its own is drawn.
  double thin() const { return 0.04 * size_; }

  const Model& model_;
  std::vector<double> values_;                    ///< by symbol, at the start
  std::vector<std::vector<Vector3d>> joints_of_;  ///< by body, from its centre of mass in its axes
  double size_ = 0;                               ///< of the largest part, from its centre of mass
  std::vector<Drawing> drawings_;
};

}  // namespace

std::vector<Drawing> default_drawing(const Model& model) { return DefaultDrawing(model).draw(); }

}  // namespace taut
