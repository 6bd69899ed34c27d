#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "model/sketch/hull.hpp"
#include "model/sketch/sketch.hpp"

namespace taut {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// A joint with its places and directions as numbers, each in the axes of the body that has it.
class JointSketch {
 public:
  JointSketch(Sketch& sketch, const Joint& joint)
      : sketch_(sketch),
        joint_(joint),
        first_(sketch.body(joint.first)),
        second_(sketch.body(joint.second)),
        thin_(sketch.thin()),
        point_(sketch.value(joint.point)) {
    if (joint.axis) axis_ = sketch.value(*joint.axis).normalized();
  }

  void draw() {
    for (const auto& [type, act] : signs)
      if (joint_.type == type) (this->*act)();
    if (!joint_.has_motor || !joint_.axis) return;
    if (joint_.angle_rate)
      draw_motor();
    else
      draw_pusher();
  }

 private:
  using Act = void (JointSketch::*)();
  static const std::array<std::pair<std::string_view, Act>, 16> signs;

  /// On the body that moves where the other is the ground.
  const Body& moving() const { return second_.is_ground ? first_ : second_; }
  bool on_ground() const { return first_.is_ground || second_.is_ground; }
  Vector3d at(const Body& body) const { return sketch_.point_in(body, point_); }
  Vector3d axis(const Body& body) const { return sketch_.direction_in(body, axis_); }

  // ---- what turns -------------------------------------------------------------------------------

  /// A pin, whose end shows as a ring in the plane.
  void draw_hinge() {
    const Body& body = moving();
    sketch_.cylinder({body, "pin"}, 1.35 * thin_, 3.6 * thin_, at(body), axis(body));
    if (sketch_.in_detail()) sketch_.cylinder({body, "hole"}, 0.7 * thin_, 3.8 * thin_, at(body), axis(body));
    if (on_ground()) draw_stand();
  }

  void draw_ball() {
    const Body& body = moving();
    sketch_.sphere({body, "pin"}, 1.7 * thin_, at(body));
    if (on_ground()) draw_stand();
  }

  void draw_cross() {
    const auto& axes = joint_.drawn->axes;
    const Body* bodies[] = {&first_, &second_};
    for (std::size_t k = 0; k < 2; ++k) {
      const Vector3d along = sketch_.direction_in(*bodies[k], sketch_.value(bodies[k]->turned(axes[k])));
      sketch_.cylinder({*bodies[k], "pin"}, 0.8 * thin_, 7 * thin_, at(*bodies[k]), along);
    }
    if (on_ground()) draw_stand();
  }

  void draw_weld() {
    if (!sketch_.in_detail()) return;
    const Body& body = moving();
    sketch_.box({body, "pin"}, Vector3d::Constant(2.4 * thin_), at(body), Quaterniond::Identity());
    if (on_ground()) draw_stand();
  }

  // ---- what slides ------------------------------------------------------------------------------

  /// The middle of what the joint slides along, on the first body.
  Vector3d start() const {
    const double travel = joint_.travel ? sketch_.value(*joint_.travel) : 0;
    return sketch_.point_in(first_, point_ - travel * axis_);
  }

  void draw_rail(double radius) {
    const char* role = first_.is_ground ? "ground" : "pin";
    Solid& rail = sketch_.round("cylinder", {first_, role}, {radius, 10 * thin_}, start(), axis(first_));
    rail.reach = joint_.travel;
  }

  /// A block on a rail.
  void draw_slider() {
    draw_rail(0.7 * thin_);
    const Vector3d along = axis(second_);
    const Vector3d up = sketch_.direction_in(second_, sketch_.up());
    Vector3d side = along.cross(up);
    if (side.norm() < 0.1) side = along.unitOrthogonal();
    side.normalize();
    Eigen::Matrix3d axes;
    axes << along, side.cross(along), side;
    sketch_.box({second_}, {7.5 * thin_, 5 * thin_, 3 * thin_}, at(second_), Quaterniond(axes));
  }

  void draw_sleeve() {
    draw_rail(0.8 * thin_);
    sketch_.cylinder({second_}, 1.8 * thin_, 5 * thin_, at(second_), axis(second_));
  }

  void draw_screw() {
    draw_sleeve();
    Solid& thread = sketch_.round("coil", {first_, "pin"}, {1.05 * thin_, 10 * thin_}, start(), axis(first_));
    thread.reach = joint_.travel;
  }

  void draw_bead() {
    draw_rail(0.5 * thin_);
    sketch_.sphere({second_, "pin"}, 1.7 * thin_, at(second_));
  }

  // ---- on surfaces ------------------------------------------------------------------------------

  void draw_surface(const Vector3d& point, const Vector3d& normal) {
    if (first_.is_ground) {
      sketch_.round("floor", {first_}, {0.5 * thin_}, point, normal);
      return;
    }
    const Vector3d at = sketch_.point_in(first_, point), along = sketch_.direction_in(first_, normal);
    sketch_.cylinder({first_}, 6 * thin_, 0.4 * thin_, at - 0.2 * thin_ * along, along);
  }

  void draw_foot_on(const Vector3& normal) {
    draw_surface(point_, sketch_.value(first_.turned(normal)).normalized());
    sketch_.sphere({second_, "pin"}, 1.4 * thin_, at(second_));
  }
  void draw_point_on_plane() { draw_foot_on(*joint_.given->normal); }
  void draw_planar() { draw_foot_on(joint_.drawn->axes.front()); }

  void draw_rolling() {
    const JointDescription& given = *joint_.given;
    if (given.plane)
      draw_surface(sketch_.value(first_.carried(given.plane->point)),
                   sketch_.value(first_.turned(given.plane->normal)).normalized());
    if (!given.cylinder) return;
    const double radius = sketch_.value(given.cylinder->radius);
    const Vector3d point = sketch_.point_in(first_, sketch_.value(first_.carried(given.cylinder->point)));
    const Vector3d along = sketch_.direction_in(first_, sketch_.value(first_.turned(given.cylinder->axis)));
    sketch_.round("tube", {first_}, {radius, 2 * radius}, point, along.normalized());
  }

  void draw_blade() {
    const JointDescription& given = *joint_.given;
    const Vector3d along = sketch_.direction_in(second_, sketch_.value(second_.turned(*given.axis))).normalized();
    Vector3d up = sketch_.is_planar() ? Vector3d(Vector3d::UnitZ()) : Vector3d(sketch_.up());
    if (given.plane) up = sketch_.value(first_.turned(given.plane->normal)).normalized();
    up = sketch_.direction_in(second_, up);
    Eigen::Matrix3d axes;
    axes << along, up.cross(along).normalized(), along.cross(up.cross(along)).normalized();
    const double length = 8 * thin_, height = 3 * thin_;
    sketch_.box({second_, "pin"}, {length, 0.8 * thin_, height}, at(second_) + height / 2 * axes.col(2),
                Quaterniond(axes));
    if (!sketch_.is_planar()) draw_rolling();
  }

  // ---- rods and gears ---------------------------------------------------------------------------

  void draw_rod() {
    const auto [from, to] = sketch_.joint_ends(joint_);
    sketch_.span("rod", joint_.name, "", {0.7 * thin_}, from, to);
    for (const auto& [body, end] : {std::pair(&first_, from), std::pair(&second_, to)}) {
      const Vector3d place = sketch_.value(end);
      sketch_.sphere({*body, "pin"}, 1.4 * thin_, sketch_.point_in(*body, place));
      if (body->is_ground) draw_stand_at(place);
    }
  }

  /// A rack beside its pinion, as long as it travels.
  void draw_rack() {
    const Joint& slides = sketch_.model().joints[static_cast<std::size_t>(joint_.coupled[1])];
    if (!slides.axis || !slides.travel) return;
    const Joint& turns = sketch_.model().joints[static_cast<std::size_t>(joint_.coupled[0])];
    const Body& rack = sketch_.body(slides.second);
    const Vector3d along = sketch_.value(*slides.axis).normalized(), centre = sketch_.value(turns.point);
    Vector3d side = sketch_.value(slides.point) - centre;
    side -= side.dot(along) * along;
    if (turns.axis) side -= side.dot(sketch_.value(*turns.axis)) * sketch_.value(*turns.axis);
    const double radius = std::abs(sketch_.value(*joint_.given->radius));
    if (side.norm() < 0.1 * radius) side = along.unitOrthogonal();
    const Vector3d middle = sketch_.point_in(rack, centre + (radius + 0.8 * thin_) * side.normalized());
    Solid& bar =
        sketch_.round("cylinder", {rack}, {0.8 * thin_, 3 * radius}, middle, sketch_.direction_in(rack, along));
    bar.reach = -*slides.travel;
  }

  // ---- motors and the ground --------------------------------------------------------------------

  /// An arrow about the axis.
  void draw_motor() {
    const Vector3d place = at(first_) + 1.9 * thin_ * axis(first_);
    sketch_.round("turn", {first_, "motor"}, {3.4 * thin_, 0.8 * thin_}, place, axis(first_));
  }

  /// An arrow beside what slides.
  void draw_pusher() {
    Vector3d side = axis(second_).cross(sketch_.direction_in(second_, sketch_.up()));
    if (sketch_.is_planar() || side.norm() < 0.1) side = axis(second_).cross(Vector3d::UnitZ());
    if (side.norm() < 0.1) side = axis(second_).unitOrthogonal();
    const Vector3d middle = at(second_) + 4 * thin_ * side.normalized();
    sketch_.cylinder({second_, "motor"}, 0.4 * thin_, 5 * thin_, middle, axis(second_));
    for (const double way : {-1.0, 1.0})
      sketch_.round("cone", {second_, "motor"}, {1.1 * thin_, 2.2 * thin_}, middle + 3.4 * thin_ * way * axis(second_),
                    way * axis(second_));
  }

  void draw_stand() { draw_stand_at(point_); }

  /// A pyramid with its tip at the joint, on a plate.
  void draw_stand_at(const Vector3d& place) {
    if (!sketch_.in_detail()) return;
    const Body& ground = sketch_.body(0);
    const double height = 4.5 * thin_;
    const Vector3d up = sketch_.up();
    const Vector3d foot = place - height * up;
    sketch_.mesh({ground}, std::make_shared<const Mesh>(pyramid(place, foot, 2.6 * thin_)));
    const Vector3d across =
        std::abs(up.z()) < 0.9 ? up.cross(Vector3d::UnitZ()).normalized() : Vector3d(Vector3d::UnitX());
    Eigen::Matrix3d axes;
    axes << across, up, across.cross(up);
    const Vector3d sides = sketch_.is_planar() ? Vector3d(7.5 * thin_, 0.5 * thin_, thin_)
                                               : Vector3d(6.5 * thin_, 0.5 * thin_, 6.5 * thin_);
    sketch_.box({ground}, sides, foot - 0.25 * thin_ * up, Quaterniond(axes));
    if (sketch_.is_planar()) draw_hatching(foot, across, up);
  }

  void draw_hatching(const Vector3d& foot, const Vector3d& across, const Vector3d& up) {
    const Body& ground = sketch_.body(0);
    for (int k = -2; k <= 2; ++k) {
      const Vector3d from = foot + (1.5 * k + 0.4) * thin_ * across, to = from - 1.5 * thin_ * (across + up);
      sketch_.cylinder({ground}, 0.16 * thin_, (to - from).norm(), (from + to) / 2, to - from);
    }
  }

  Sketch& sketch_;
  const Joint& joint_;
  const Body &first_, &second_;
  double thin_;
  Vector3d point_, axis_ = Vector3d::UnitZ();  ///< in the world
};

const std::array<std::pair<std::string_view, JointSketch::Act>, 16> JointSketch::signs{{
    {"revolute", &JointSketch::draw_hinge},
    {"prismatic", &JointSketch::draw_slider},
    {"cylindrical", &JointSketch::draw_sleeve},
    {"spherical", &JointSketch::draw_ball},
    {"constant-velocity", &JointSketch::draw_ball},
    {"universal", &JointSketch::draw_cross},
    {"planar", &JointSketch::draw_planar},
    {"fixed", &JointSketch::draw_weld},
    {"distance", &JointSketch::draw_rod},
    {"point-on-line", &JointSketch::draw_bead},
    {"point-on-plane", &JointSketch::draw_point_on_plane},
    {"screw", &JointSketch::draw_screw},
    {"rack-pinion", &JointSketch::draw_rack},
    {"rolling-disk", &JointSketch::draw_rolling},
    {"rolling-ball", &JointSketch::draw_rolling},
    {"knife-edge", &JointSketch::draw_blade},
}};

/// Of two wheels with parallel axes at a distance d that turn as 1 to i: r₁ = |i| r₂, and r₁ + r₂ = d where they turn
/// against each other, |r₁ − r₂| = d where one is inside the other.
double wheel_radius(double distance, double ratio, bool is_first) {
  const double sum = ratio < 0 ? 1 + std::abs(ratio) : std::abs(1 - std::abs(ratio));
  if (!(sum > 1e-6)) return 0;
  return distance / sum * (is_first ? std::abs(ratio) : 1);
}

}  // namespace

double gear_radius(const Sketch& sketch, const Joint& joint) {
  const auto& joints = sketch.model().joints;
  for (const Joint& gear : joints) {
    if (gear.coupled.size() != 2 || gear.given == nullptr) continue;
    const Joint &first = joints[static_cast<std::size_t>(gear.coupled[0])],
                &second = joints[static_cast<std::size_t>(gear.coupled[1])];
    if (&first != &joint && &second != &joint) continue;
    if (gear.type == "rack-pinion" && &first == &joint) return std::abs(sketch.value(*gear.given->radius));
    if (gear.type != "gear" || !first.angle_rate || !second.angle_rate || first.first != second.first) continue;
    const Vector3d a = sketch.value(*first.axis), b = sketch.value(*second.axis);
    if (a.cross(b).norm() > 1e-3) continue;
    const Vector3d apart = sketch.value(second.point) - sketch.value(first.point);
    const double distance = (apart - apart.dot(a) * a).norm();
    return wheel_radius(distance, sketch.value(*gear.given->ratio) * (a.dot(b) > 0 ? 1 : -1), &first == &joint);
  }
  return 0;
}

void sketch_joint(Sketch& sketch, const Joint& joint) { JointSketch(sketch, joint).draw(); }

}  // namespace taut
