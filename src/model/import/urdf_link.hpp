#pragma once

#include <map>
#include <optional>
#include <string>

#include "model/import/robot.hpp"
#include "model/import/xml.hpp"

/// What stands in a <link>: where, how heavy, what it looks like.
namespace taut::robot {

/// Of an <origin>; none: no shift and no turn.
Eigen::Isometry3d urdf_pose(const Element* origin);
/// "#rrggbb" of a <color>, "" if it says none.
std::string urdf_color(const Element& color);
/// Of an <inertial>; none where all of it is 0. Throws InputError for what is missing or below 0.
std::optional<MassProperties> urdf_mass(const Element& inertial, const std::string& link);
/// Of a <visual> of a link that is drawn there; none where it has no form or no size. `colors` are those of materials
/// that the robot names.
std::optional<Shape> urdf_shape(const Element& visual, const Eigen::Isometry3d& link,
                                const std::map<std::string, std::string>& colors);

}  // namespace taut::robot
