#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "model/sketch/placed_joint.hpp"

namespace taut {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// Draws a joint by the sign of its kind.
class JointSketch : private PlacedJoint {
 public:
  using PlacedJoint::PlacedJoint;

  void draw() {
    for (const auto& [type, act] : signs)
      if (joint.type == type) (this->*act)();
    sketch_motor(*this);
  }

 private:
  using Act = void (JointSketch::*)();
  static const std::array<std::pair<std::string_view, Act>, 16> signs;

  // ---- what turns -------------------------------------------------------------------------------

  /// A pin, whose end shows as a ring in the plane.
  void draw_hinge() {
    const Body& body = moving();
    sketch.cylinder({body, "pin"}, 1.35 * thin, 3.6 * thin, at(body), axis(body));
    if (sketch.in_detail()) sketch.cylinder({body, "hole"}, 0.7 * thin, 3.8 * thin, at(body), axis(body));
    if (on_ground()) sketch_stand(sketch, world_point);
  }

  void draw_ball() {
    const Body& body = moving();
    sketch.sphere({body, "pin"}, 1.7 * thin, at(body));
    if (on_ground()) sketch_stand(sketch, world_point);
  }

  void draw_cross() {
    const auto& axes = joint.drawn->axes;
    const Body* bodies[] = {&first, &second};
    for (std::size_t k = 0; k < 2; ++k) {
      const Vector3d along = sketch.direction_in(*bodies[k], sketch.value(bodies[k]->turned(axes[k])));
      sketch.cylinder({*bodies[k], "pin"}, 0.8 * thin, 7 * thin, at(*bodies[k]), along);
    }
    if (on_ground()) sketch_stand(sketch, world_point);
  }

  void draw_weld() {
    if (!sketch.in_detail()) return;
    const Body& body = moving();
    sketch.box({body, "pin"}, Vector3d::Constant(2.4 * thin), at(body), Quaterniond::Identity());
    if (on_ground()) sketch_stand(sketch, world_point);
  }

  // ---- what slides ------------------------------------------------------------------------------

  /// The middle of what the joint slides along, on the first body.
  Vector3d start() const {
    const double travel = joint.travel ? sketch.value(*joint.travel) : 0;
    return sketch.point_in(first, world_point - travel * world_axis);
  }

  void draw_rail(double radius) {
    const char* role = first.is_ground ? "ground" : "pin";
    Solid& rail = sketch.round("cylinder", {first, role}, {radius, 10 * thin}, start(), axis(first));
    rail.reach = joint.travel;
  }

  /// A block on a rail.
  void draw_slider() {
    draw_rail(0.7 * thin);
    const Vector3d along = axis(second);
    const Vector3d up = sketch.direction_in(second, sketch.up());
    Vector3d side = along.cross(up);
    if (side.norm() < 0.1) side = along.unitOrthogonal();
    side.normalize();
    Eigen::Matrix3d axes;
    axes << along, side.cross(along), side;
    sketch.box({second}, {7.5 * thin, 5 * thin, 3 * thin}, at(second), Quaterniond(axes));
  }

  void draw_sleeve() {
    draw_rail(0.8 * thin);
    sketch.cylinder({second}, 1.8 * thin, 5 * thin, at(second), axis(second));
  }

  void draw_screw() {
    draw_sleeve();
    Solid& thread = sketch.round("coil", {first, "pin"}, {1.05 * thin, 10 * thin}, start(), axis(first));
    thread.reach = joint.travel;
  }

  void draw_bead() {
    draw_rail(0.5 * thin);
    sketch.sphere({second, "pin"}, 1.7 * thin, at(second));
  }

  // ---- on surfaces ------------------------------------------------------------------------------

  void draw_surface(const Vector3d& point, const Vector3d& normal) {
    if (first.is_ground) {
      sketch.round("floor", {first}, {0.5 * thin}, point, normal);
      return;
    }
    const Vector3d at = sketch.point_in(first, point), along = sketch.direction_in(first, normal);
    sketch.cylinder({first}, 6 * thin, 0.4 * thin, at - 0.2 * thin * along, along);
  }

  void draw_foot_on(const Vector3& normal) {
    draw_surface(world_point, sketch.value(first.turned(normal)).normalized());
    sketch.sphere({second, "pin"}, 1.4 * thin, at(second));
  }
  void draw_point_on_plane() { draw_foot_on(*joint.given->normal); }
  void draw_planar() { draw_foot_on(joint.drawn->axes.front()); }

  void draw_rolling() {
    const JointDescription& given = *joint.given;
    if (given.plane)
      draw_surface(sketch.value(first.carried(given.plane->point)),
                   sketch.value(first.turned(given.plane->normal)).normalized());
    if (!given.cylinder) return;
    const double radius = sketch.value(given.cylinder->radius);
    const Vector3d point = sketch.point_in(first, sketch.value(first.carried(given.cylinder->point)));
    const Vector3d along = sketch.direction_in(first, sketch.value(first.turned(given.cylinder->axis)));
    sketch.round("tube", {first}, {radius, 2 * radius}, point, along.normalized());
  }

  void draw_blade() {
    const JointDescription& given = *joint.given;
    const Vector3d along = sketch.direction_in(second, sketch.value(second.turned(*given.axis))).normalized();
    Vector3d up = sketch.is_planar() ? Vector3d(Vector3d::UnitZ()) : Vector3d(sketch.up());
    if (given.plane) up = sketch.value(first.turned(given.plane->normal)).normalized();
    up = sketch.direction_in(second, up);
    Eigen::Matrix3d axes;
    axes << along, up.cross(along).normalized(), along.cross(up.cross(along)).normalized();
    const double length = 8 * thin, height = 3 * thin;
    sketch.box({second, "pin"}, {length, 0.8 * thin, height}, at(second) + height / 2 * axes.col(2), Quaterniond(axes));
    if (!sketch.is_planar()) draw_rolling();
  }

  // ---- rods and gears ---------------------------------------------------------------------------

  void draw_rod() {
    const auto [from, to] = sketch.joint_ends(joint);
    sketch.span("rod", joint.name, "", {0.7 * thin}, from, to);
    for (const auto& [body, end] : {std::pair(&first, from), std::pair(&second, to)}) {
      const Vector3d place = sketch.value(end);
      sketch.sphere({*body, "pin"}, 1.4 * thin, sketch.point_in(*body, place));
      if (body->is_ground) sketch_stand(sketch, place);
    }
  }

  /// A rack beside its pinion, as long as it travels.
  void draw_rack() {
    const Joint& slides = sketch.model().joints[static_cast<std::size_t>(joint.coupled[1])];
    if (!slides.axis || !slides.travel) return;
    const Joint& turns = sketch.model().joints[static_cast<std::size_t>(joint.coupled[0])];
    const Body& rack = sketch.body(slides.second);
    const Vector3d along = sketch.value(*slides.axis).normalized(), centre = sketch.value(turns.point);
    Vector3d side = sketch.value(slides.point) - centre;
    side -= side.dot(along) * along;
    if (turns.axis) side -= side.dot(sketch.value(*turns.axis)) * sketch.value(*turns.axis);
    const double radius = std::abs(sketch.value(*joint.given->radius));
    if (side.norm() < 0.1 * radius) side = along.unitOrthogonal();
    const Vector3d middle = sketch.point_in(rack, centre + (radius + 0.8 * thin) * side.normalized());
    Solid& bar = sketch.round("cylinder", {rack}, {0.8 * thin, 3 * radius}, middle, sketch.direction_in(rack, along));
    bar.reach = -*slides.travel;
  }
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
