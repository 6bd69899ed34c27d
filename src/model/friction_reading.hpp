#pragma once

#include "model/joints/constant_friction.hpp"
#include "model/value.hpp"
#include "taut/mechanism.hpp"

/// The friction of joints and constraints: {coefficient, static, stribeck, viscous} and what each has beside.
namespace taut {

FrictionDescription read_joint_friction(const Value& value);
/// {torque: …} or {force: …}, with viscous; none if it is friction that reactions press.
std::optional<ConstantFriction> read_constant_friction(const Value& value);
ConstraintFriction read_constraint_friction(const Value& value);

}  // namespace taut
