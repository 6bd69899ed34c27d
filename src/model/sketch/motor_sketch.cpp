#include "model/sketch/placed_joint.hpp"

namespace taut {
namespace {

using Eigen::Vector3d;

/// An arrow about the axis.
void draw_turn(const PlacedJoint& placed) {
  const Vector3d place = placed.at(placed.first) + 1.9 * placed.thin * placed.axis(placed.first);
  placed.sketch.round("turn", {placed.first, "motor"}, {3.4 * placed.thin, 0.8 * placed.thin}, place,
                      placed.axis(placed.first));
}

/// An arrow beside what slides.
void draw_push(const PlacedJoint& placed) {
  Vector3d side = placed.axis(placed.second).cross(placed.sketch.direction_in(placed.second, placed.sketch.up()));
  if (placed.sketch.is_planar() || side.norm() < 0.1) side = placed.axis(placed.second).cross(Vector3d::UnitZ());
  if (side.norm() < 0.1) side = placed.axis(placed.second).unitOrthogonal();
  const Vector3d middle = placed.at(placed.second) + 4 * placed.thin * side.normalized();
  placed.sketch.cylinder({placed.second, "motor"}, 0.4 * placed.thin, 5 * placed.thin, middle,
                         placed.axis(placed.second));
  for (const double way : {-1.0, 1.0})
    placed.sketch.round("cone", {placed.second, "motor"}, {1.1 * placed.thin, 2.2 * placed.thin},
                        middle + 3.4 * placed.thin * way * placed.axis(placed.second),
                        way * placed.axis(placed.second));
}

}  // namespace

PlacedJoint::PlacedJoint(Sketch& sketch, const Joint& joint)
    : sketch(sketch),
      joint(joint),
      first(sketch.body(joint.first)),
      second(sketch.body(joint.second)),
      thin(sketch.thin()),
      world_point(sketch.value(joint.point)) {
  if (joint.axis) world_axis = sketch.value(*joint.axis).normalized();
}

void sketch_motor(const PlacedJoint& placed) {
  if (!placed.joint.has_motor || !placed.joint.axis) return;
  placed.joint.angle_rate ? draw_turn(placed) : draw_push(placed);
}

}  // namespace taut
