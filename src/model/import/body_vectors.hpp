#pragma once

#include <Eigen/Core>
#include <array>
#include <string>

#include "model/import/robot.hpp"

/// Vectors of moving bodies as formulas of their components in the axes of the world.
namespace taut::robot {

using Components = std::array<std::string, 3>;

/// A vector that turns with the body of a link, and is this one as drawn.
Components turned_with(const Robot& robot, int link, const Eigen::Vector3d& as_drawn);
/// The angular velocity of a link's body; of the ground, zeros.
Components spin_of(const Robot& robot, int link);
/// The velocity of the point of a link's body that is here as drawn; of the ground, zeros.
Components velocity_of_point(const Robot& robot, int link, const Eigen::Vector3d& as_drawn);
/// a·b, without what is 0; "" where all is.
std::string product(const Components& a, const Components& b);
/// a − b, without what is 0.
Components difference(const Components& a, const Components& b);

}  // namespace taut::robot
