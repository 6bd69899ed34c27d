#pragma once

#include <Eigen/Geometry>

namespace taut {

/// The turn by the smallest angle that brings z to where `to` points. In one file because Eigen brings a whole
/// singular-value decomposition along for the case that it points the other way.
Eigen::Quaterniond shortest_turn_of_z(const Eigen::Vector3d& to);

}  // namespace taut
