#pragma once

#include "model/sketch/sketch.hpp"

namespace taut {

/// A joint with its places and directions as numbers, each in the axes of the body that has it, and the sketch that it
/// is drawn into.
struct PlacedJoint {
  PlacedJoint(Sketch& sketch, const Joint& joint);

  /// The body that moves where the other is the ground.
  const Body& moving() const { return second.is_ground ? first : second; }
  bool on_ground() const { return first.is_ground || second.is_ground; }
  Eigen::Vector3d at(const Body& body) const { return sketch.point_in(body, world_point); }
  Eigen::Vector3d axis(const Body& body) const { return sketch.direction_in(body, world_axis); }

  Sketch& sketch;
  const Joint& joint;
  const Body &first, &second;
  double thin;
  Eigen::Vector3d world_point, world_axis = Eigen::Vector3d::UnitZ();  ///< in the world
};

/// An arrow about or along the axis of a joint that has a motor.
void sketch_motor(const PlacedJoint& joint);
/// The sign of what stands on the ground, with its tip at a place of the world.
void sketch_stand(Sketch& sketch, const Eigen::Vector3d& place);

}  // namespace taut
