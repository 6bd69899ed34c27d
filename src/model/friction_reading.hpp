#pragma once

#include "model/value.hpp"
#include "taut/mechanism.hpp"

/// The friction of joints and constraints: {coefficient, static, stribeck, viscous} and what each has beside.
namespace taut {

FrictionDescription read_joint_friction(const Value& value);
ConstraintFriction read_constraint_friction(const Value& value);

}  // namespace taut
