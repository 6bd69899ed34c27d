#pragma once

#include "model/tree/joint_motion.hpp"

namespace taut {

/// What the names of bodies and joints mean in joint coordinates.
class BodyNames {
 public:
  BodyNames(RewrittenModel& writing, JointMotion& motion) : w_(writing), motion_(motion) {}
  void bind();

 private:
  struct BodyMotion {
    Vector3 position, velocity, omega, acceleration, alpha, bias, bias_alpha;
    Rotation axes;
    Quaternion orientation;
  };
  BodyMotion motion_of(std::size_t b);
  void bind_same(const Coordinate& given);
  void bind_same(const Speed& given);
  void bind_body(std::size_t b);
  /// That of a planar body is as many turns as its links have made.
  Expression planar_angle(std::size_t b);
  void bind_joint(std::size_t branch);

  RewrittenModel& w_;
  JointMotion& motion_;
};

}  // namespace taut
