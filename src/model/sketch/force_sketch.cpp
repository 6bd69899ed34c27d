#include "model/sketch/sketch.hpp"

namespace taut {
namespace {

using Eigen::Vector3d;

/// A coil, a barrel with its piston, or one inside the other.
void sketch_spring(Sketch& sketch, const Force& force) {
  const double thin = sketch.thin();
  if (force.has_damper) {
    const double length = (sketch.value(force.points[1]) - sketch.value(force.points[0])).norm();
    sketch.span("damper", force.name, "damper", {1.1 * thin, 0.5 * length}, force.points[0], force.points[1]);
  }
  // What it hangs on.
  for (const auto& [body, end] : {std::pair(force.first, 0), std::pair(force.second, 1)}) {
    const Body& held = sketch.body(body);
    const Vector3d place = sketch.point_in(held, sketch.value(force.points[static_cast<std::size_t>(end)]));
    sketch.sphere({held, held.is_ground ? "ground" : "pin"}, (held.is_ground ? 1.8 : 1.1) * thin, place);
  }
  if (force.has_spring) sketch.span("spring", force.name, "spring", {2.2 * thin}, force.points[0], force.points[1]);
}

/// A spiral about the axis of its joint.
void sketch_torsion_spring(Sketch& sketch, const Force& force) {
  const Joint& joint = sketch.model().joints[static_cast<std::size_t>(force.joint)];
  if (!joint.axis) return;
  const Body& body = sketch.body(joint.first);
  const Vector3d at = sketch.point_in(body, sketch.value(joint.point));
  const Vector3d axis = sketch.direction_in(body, sketch.value(*joint.axis));
  if (joint.angle_rate)
    sketch.round("spiral", {body, "spring"}, {3.2 * sketch.thin(), 0.6 * sketch.thin()}, at, axis);
  else
    sketch.round("coil", {body, "spring"}, {2.2 * sketch.thin(), 10 * sketch.thin()}, at - 7 * sketch.thin() * axis,
                 axis);
}

}  // namespace

void sketch_force(Sketch& sketch, const Force& force) {
  if (force.type == "spring" && force.points.size() == 2) sketch_spring(sketch, force);
  if (force.type == "torsion-spring" && force.joint >= 0) sketch_torsion_spring(sketch, force);
  if (force.type == "bushing" && !force.points.empty()) {
    const Body& body = sketch.body(force.second);
    sketch.sphere({body, "spring"}, 2 * sketch.thin(), sketch.point_in(body, sketch.value(force.points[0])));
  }
}

}  // namespace taut
