#pragma once

#include <optional>
#include <string>

#include "model/import/robot.hpp"
#include "model/import/xml.hpp"

/// What stands in a <link> of SDF: how heavy it is, what it looks like.
namespace taut::robot {

/// Of an <inertial>; none where all of it is 0. Throws InputError for a mass below 0, or one that meshes would say.
std::optional<MassProperties> sdf_mass(const Element& inertial, const std::string& link);
/// Of a <visual> that is drawn in this frame; none where it has no form that is known, or no size.
std::optional<Shape> sdf_shape(const Element& visual, const Eigen::Isometry3d& base);

}  // namespace taut::robot
