#include <cmath>

#include "model/sketch/hull.hpp"
#include "model/sketch/placed_joint.hpp"

namespace taut {

using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

void draw_hatching(Sketch& sketch, const Vector3d& foot, const Vector3d& across, const Vector3d& up) {
  const double thin = sketch.thin();
  const Body& ground = sketch.body(0);
  for (int k = -2; k <= 2; ++k) {
    const Vector3d from = foot + (1.5 * k + 0.4) * thin * across, to = from - 1.5 * thin * (across + up);
    sketch.cylinder({ground}, 0.16 * thin, (to - from).norm(), (from + to) / 2, to - from);
  }
}

}  // namespace

/// A pyramid with its tip at the joint, on a plate.
void sketch_stand(Sketch& sketch, const Vector3d& place) {
  const double thin = sketch.thin();
  if (!sketch.in_detail()) return;
  const Body& ground = sketch.body(0);
  const double height = 4.5 * thin;
  const Vector3d up = sketch.up();
  const Vector3d foot = place - height * up;
  sketch.mesh({ground}, std::make_shared<const Mesh>(pyramid(place, foot, 2.6 * thin)));
  const Vector3d across =
      std::abs(up.z()) < 0.9 ? up.cross(Vector3d::UnitZ()).normalized() : Vector3d(Vector3d::UnitX());
  Eigen::Matrix3d axes;
  axes << across, up, across.cross(up);
  const Vector3d sides =
      sketch.is_planar() ? Vector3d(7.5 * thin, 0.5 * thin, thin) : Vector3d(6.5 * thin, 0.5 * thin, 6.5 * thin);
  sketch.box({ground}, sides, foot - 0.25 * thin * up, Quaterniond(axes));
  if (sketch.is_planar()) draw_hatching(sketch, foot, across, up);
}

}  // namespace taut
