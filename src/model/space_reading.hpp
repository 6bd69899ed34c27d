#pragma once

#include "model/value.hpp"
#include "taut/mechanism.hpp"

/// Orientations and surfaces in a model file.
namespace taut {

/// A quaternion [w, x, y, z], or {axis, angle}.
Quaternion read_orientation(const Value& value);
/// The angle of {axis: [0, 0, 1], angle: …}, which may be more than a turn; none of any other orientation.
std::optional<Expression> read_planar_angle(const Value& value);
/// {point, normal, velocity}; the velocity may be any formula of the motion.
Plane read_plane(const Value& value);
/// {point, axis, radius}.
Cylinder read_cylinder(const Value& value);

}  // namespace taut
