#pragma once

#include <Eigen/Core>

namespace taut {

/// The principal moments of a tensor of inertia, ascending, and the axes to which they belong, as columns. In one file
/// because Eigen's eigenvalues take seconds to compile wherever they are included.
struct PrincipalAxes {
  Eigen::Vector3d moments;
  Eigen::Matrix3d axes;
};
PrincipalAxes principal_axes(const Eigen::Matrix3d& inertia);
/// Without the axes.
Eigen::Vector3d principal_moments(const Eigen::Matrix3d& inertia);

}  // namespace taut
