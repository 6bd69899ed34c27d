#pragma once

#include "taut/model.hpp"

namespace taut {

/// F = −T sign(u) − d u along a joint, whatever its bearing bears: the friction of seals and gears.
struct ConstantFriction {
  FrictionLaw law;        ///< whose coefficient is T
  bool is_force = false;  ///< a force, where the joint slides, and no torque
};

void add_constant_friction(Model& model, int joint, const ConstantFriction& friction);

}  // namespace taut
