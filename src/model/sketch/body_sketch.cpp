#include <algorithm>
#include <cmath>

#include "model/mesh.hpp"
#include "model/principal_axes.hpp"
#include "model/sketch/hull.hpp"
#include "model/sketch/sketch.hpp"

namespace taut {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// The box of the same mass and moments, xx = m (b² + c²)/12 and so on, along the principal axes. A planar body has but
/// one moment: for it the box is a bar along x, and only its length means something.
struct InertiaBox {
  Vector3d sides = Vector3d::Zero();
  Vector3d moments = Vector3d::Zero();  ///< for each kilogram
  Quaterniond turn = Quaterniond::Identity();

  double longest() const { return sides.maxCoeff(); }
};

InertiaBox inertia_box(const Sketch& sketch, const Body& body) {
  InertiaBox box;
  const double mass = sketch.value(body.mass);
  if (!(mass > 0)) return box;
  double entries[6];
  for (std::size_t k = 0; k < 6; ++k) entries[k] = sketch.value(body.inertia[k]) / mass;
  const auto& [xx, yy, zz, xy, xz, yz] = entries;
  if (body.planar) {
    box.sides.x() = std::sqrt(std::max(0.0, 12 * zz));
    box.moments = {0, zz, zz};
    return box;
  }
  const Eigen::Matrix3d inertia{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
  box.moments = {xx, yy, zz};
  if (xy != 0 || xz != 0 || yz != 0) {
    auto [values, axes] = principal_axes(inertia);
    box.moments = values;
    if (axes.determinant() < 0) axes.col(2) *= -1;
    box.turn = Quaterniond(axes);
  }
  box.sides = (12 * (Vector3d::Constant(box.moments.sum() / 2) - box.moments)).cwiseMax(0).cwiseSqrt();
  return box;
}

class BodySketch {
 public:
  BodySketch(Sketch& sketch, int index)
      : sketch_(sketch), body_(sketch.body(index)), thin_(sketch.thin()), box_(inertia_box(sketch, body_)) {
    for (const Hold& hold : sketch.holds_of(index)) {
      holds_.push_back(&hold);
      add_point(hold.at);
    }
  }

  void draw() {
    if (body_.shape != nullptr) return draw_shape();
    const bool round = draw_wheels();
    if (points_.empty() && !round) return draw_by_inertia(body_size_limit());
    if (fits_its_box()) return draw_box();
    if (!round) reach_named_points();
    if (points_.size() == 1) return draw_on_one_hold(round);
    if (!points_.empty()) draw_between(points_);
  }

 private:
  void add_point(const Vector3d& at) {
    const auto near = [&](const Vector3d& other) { return (other - at).norm() < 0.5 * thin_; };
    if (at.allFinite() && std::ranges::none_of(points_, near)) points_.push_back(at);
  }

  /// A tool or a foot belongs to the body, though no joint is there. What is held at its centre alone is a rotor or a
  /// slider, and stays one.
  void reach_named_points() {
    if (points_.size() == 1 && points_.front().norm() <= thin_) return;
    for (const BodyPoint& point : body_.points)
      if (const Vector3d at = sketch_.value(point.at); at.norm() > thin_) add_point(at);
  }

  /// Inertia alone says little of size: what is drawn by it is at most half as large as the mechanism.
  double body_size_limit() const {
    return sketch_.extent() > 0 ? 0.5 * sketch_.extent() : std::numeric_limits<double>::infinity();
  }

  /// What the body was described by; what is round is marked, so that one sees it turn.
  void draw_shape() {
    const Drawing& shape = *body_.shape;
    if (shape.kind == "sphere") return draw_ball(sketch_.value(shape.solid->size[0]), Vector3d::Zero());
    sketch_.shape(body_);
    if (shape.kind != "cylinder") return;
    const double radius = sketch_.value(shape.solid->size[0]), length = sketch_.value(shape.solid->size[1]);
    if (length < radius) mark_disk(radius, length, Vector3d::Zero(), Vector3d::UnitZ());
  }

  // ---- wheels, balls and gears ------------------------------------------------------------------

  bool draw_wheels() {
    bool any = false;
    for (const Hold* hold : holds_) {
      if (hold->joint == nullptr || !hold->is_second) continue;
      any = draw_wheel(*hold) || any;
    }
    return any;
  }

  bool draw_wheel(const Hold& hold) {
    const Joint& joint = *hold.joint;
    if (joint.type == "rolling-ball") {
      draw_ball(sketch_.value(*joint.given->radius), hold.at);
      return true;
    }
    if (joint.type == "rolling-disk") {
      const Vector3d axis = sketch_.direction_in(body_, sketch_.value(body_.turned(*joint.given->axis)));
      draw_disk(sketch_.value(*joint.given->radius), hold.at, axis.normalized());
      return true;
    }
    const double radius = joint.axis ? gear_radius(sketch_, joint) : 0;
    if (radius <= 0) return false;
    const Vector3d axis = sketch_.direction_in(body_, sketch_.value(*joint.axis)).normalized();
    const double teeth = std::max(8.0, std::round(radius / (1.1 * thin_)));
    sketch_.round("gear", {body_}, {radius, 1.2 * thin_, std::min(teeth, 200.0)}, hold.at, axis);
    mark_disk(radius, 1.2 * thin_, hold.at, axis);
    return true;
  }

  /// Two bands about a ball show how it turns.
  void draw_ball(double radius, const Vector3d& at) {
    sketch_.sphere({body_}, radius, at);
    for (const Vector3d& axis : {Vector3d(Vector3d::UnitX()), Vector3d(Vector3d::UnitZ())})
      sketch_.cylinder({body_, "mark"}, 1.006 * radius, 0.1 * radius, at, axis);
  }

  void draw_disk(double radius, const Vector3d& at, const Vector3d& axis) {
    const double thickness = std::min(0.2 * radius, std::max(1.2 * thin_, 0.06 * radius));
    sketch_.cylinder({body_}, radius, thickness, at, axis);
    mark_disk(radius, thickness, at, axis);
  }

  /// A stripe across a disk, and its hub.
  void mark_disk(double radius, double thickness, const Vector3d& at, const Vector3d& axis) {
    const Vector3d across = axis.unitOrthogonal();
    Eigen::Matrix3d axes;
    axes << across, axis.cross(across), axis;
    sketch_.box({body_, "mark"}, {1.7 * radius, 0.1 * radius, 1.1 * thickness}, at, Quaterniond(axes));
  }

  // ---- by inertia -------------------------------------------------------------------------------

  /// A ball, a disk or a rod, or a box, as the moments are.
  void draw_by_inertia(double most) {
    const double longest = std::max(box_.longest(), body_.planar ? std::sqrt(8 * box_.moments.z()) : 0);
    if (!(longest > 0)) return draw_particle();
    const double scale = std::min(1.0, most / longest);
    if (body_.planar) return draw_disk(scale * std::sqrt(2 * box_.moments.z()), Vector3d::Zero(), Vector3d::UnitZ());
    const double largest = box_.moments.maxCoeff();
    const auto alike = [&](int i, int j) { return std::abs(box_.moments[i] - box_.moments[j]) < 0.02 * largest; };
    if (alike(0, 1) && alike(1, 2)) return draw_ball(scale * std::sqrt(2.5 * largest), Vector3d::Zero());
    for (int k = 0; k < 3; ++k)
      if (alike((k + 1) % 3, (k + 2) % 3)) return draw_round_about(k, scale);
    const double least = std::max(0.3 * thin_, 0.02 * scale * longest);
    sketch_.box({body_}, (scale * box_.sides).cwiseMax(least), Vector3d::Zero(), box_.turn);
  }

  /// A cylinder of moments m r²/2 about its axis, m (r²/4 + l²/12) across.
  void draw_round_about(int axis, double scale) {
    const double radius = std::sqrt(2 * box_.moments[axis]);
    const double length = std::sqrt(std::max(0.0, 12 * (box_.moments[(axis + 1) % 3] - box_.moments[axis] / 2)));
    const double least = std::max(0.3 * thin_, 0.03 * scale * std::max(radius, length));
    const Vector3d along = box_.turn * Vector3d::Unit(axis);
    const double r = std::max(scale * radius, least), l = std::max(scale * length, least);
    sketch_.cylinder({body_}, r, l, Vector3d::Zero(), along);
    if (l < r) mark_disk(r, l, Vector3d::Zero(), along);
  }

  void draw_particle() {
    const double radius = thin_ > 0 ? 2 * thin_ : 1;
    sketch_.sphere({body_}, sketch_.extent() > 0 ? radius : 0.5, Vector3d::Zero());
  }

  /// Does it look like the box of its inertia? So does a door that hangs at its edge, or a bar that hangs at its end:
  /// along each long side the holds reach about to its end, and no farther.
  bool fits_its_box() const {
    if (body_.planar || !(box_.longest() > 0)) return false;
    Vector3d reach = Vector3d::Zero();
    for (const Vector3d& point : points_) reach = reach.cwiseMax((box_.turn.conjugate() * point).cwiseAbs());
    for (int k = 0; k < 3; ++k) {
      const double half = box_.sides[k] / 2;
      if (reach[k] > half + 0.1 * box_.longest()) return false;
      if (2 * half > 0.25 * box_.longest() && reach[k] < 0.6 * half) return false;
    }
    return true;
  }

  void draw_box() {
    Eigen::Index longest = 0;
    const double length = box_.sides.maxCoeff(&longest);
    Vector3d others = box_.sides;
    others[longest] = 0;
    if (others.maxCoeff() < 0.12 * length) {
      const Vector3d half = box_.turn * (length / 2 * Vector3d::Unit(longest));
      return sketch_.bar({body_}, std::max(thin_, others.maxCoeff() / 2), -half, half);
    }
    sketch_.box({body_}, box_.sides.cwiseMax(0.6 * thin_), Vector3d::Zero(), box_.turn);
  }

  // ---- between holds ----------------------------------------------------------------------------

  void draw_on_one_hold(bool round) {
    const Vector3d& end = points_.front();
    if (end.norm() > thin_) return draw_pendulum(end);
    if (!round) draw_at_its_centre();
  }

  /// A bar that goes on beyond its centre of mass where its moment is that of a bar that does; else with a weight
  /// there.
  void draw_pendulum(const Vector3d& end) {
    const double half = box_.longest() / 2, length = end.norm();
    if (std::abs(half - length) < 0.1 * length) return sketch_.bar({body_}, thin_, end, -end);
    const double weight = std::clamp(half, 2.2 * thin_, std::max(2.2 * thin_, 0.4 * length));
    sketch_.bar({body_}, thin_, end, Vector3d::Zero());
    if (slides()) return;  // as the piston of a leg does
    if (body_.planar && half > 2.2 * thin_) return draw_disk(weight, Vector3d::Zero(), Vector3d::UnitZ());
    sketch_.sphere({body_}, weight, Vector3d::Zero());
  }

  bool slides() const {
    return std::ranges::any_of(holds_, [](const Hold* hold) {
      return hold->joint != nullptr && hold->joint->travel_rate && hold->joint->type != "point-on-line";
    });
  }

  /// A rotor, if it turns about one axis; what slides is shown by its joint.
  void draw_at_its_centre() {
    const Joint* joint = holds_.front()->joint;
    if (slides()) return;
    const double most = std::max(6 * thin_, body_size_limit());
    if (joint == nullptr || joint->type != "revolute") return draw_by_inertia(most);
    const Vector3d axis = sketch_.direction_in(body_, sketch_.value(*joint->axis)).normalized();
    const Vector3d about = box_.turn.conjugate() * axis;
    const double moment = body_.planar ? box_.moments.z() : about.cwiseAbs2().dot(box_.moments);
    draw_disk(std::clamp(std::sqrt(2 * std::max(0.0, moment)), 3 * thin_, most / 2), Vector3d::Zero(), axis);
  }

  /// Bars, a plate or a block between the points, and to the centre of mass where that is far from them.
  void draw_between(std::vector<Vector3d> points) {
    const double span = longest_span(points);
    if (distance_from(points, Vector3d::Zero()) > 0.25 * span) points.emplace_back(Vector3d::Zero());
    const auto ends = ends_of_line(points, 0.5 * thin_);
    if (ends) return sketch_.bar({body_}, thin_, ends->first, ends->second);
    if (const auto rim = rim_of_plane(points, 0.5 * thin_)) return draw_plate(*rim);
    if (points.size() <= 16) return sketch_.mesh({body_}, std::make_shared<const Mesh>(hull_of(points)));
    for (const Vector3d& point : points) sketch_.bar({body_}, thin_, Vector3d::Zero(), point);
  }

  void draw_plate(const std::vector<Vector3d>& rim) {
    sketch_.mesh({body_}, std::make_shared<const Mesh>(plate_of(rim, 1.2 * thin_)));
    for (std::size_t k = 0; k < rim.size(); ++k) sketch_.bar({body_}, 0.8 * thin_, rim[k], rim[(k + 1) % rim.size()]);
  }

  Sketch& sketch_;
  const Body& body_;
  double thin_;
  InertiaBox box_;
  std::vector<const Hold*> holds_;
  std::vector<Vector3d> points_;  ///< of the holds, each once
};

}  // namespace

void sketch_body(Sketch& sketch, int body) { BodySketch(sketch, body).draw(); }

}  // namespace taut
