#pragma once

#include <Eigen/Geometry>
#include <string>

#include "model/import/xml.hpp"

namespace taut::robot {

/// What <compiler> says of how the rest of an MJCF file is meant.
struct MjcfCompiler {
  double degree = 0.017453292519943295;  ///< of an angle in the file, in radians
  std::string euler_sequence = "xyz";
  enum class FromGeoms { when_missing, always, never } inertia_from_geoms = FromGeoms::when_missing;
  std::string mesh_folder;

  void read(const Attributes& attributes);
  /// pos with quat, axisangle, euler, xyaxes or zaxis.
  Eigen::Isometry3d pose(const Attributes& attributes) const;
  Eigen::Matrix3d orientation(const Attributes& attributes) const;
};

}  // namespace taut::robot
