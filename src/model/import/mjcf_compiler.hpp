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
  bool strips_paths = false;                 ///< of meshes
  double least_mass = 0, least_inertia = 0;  ///< of every body that has any
  double total_mass = -1;                    ///< that masses and inertias are scaled to; -1: they are not
  bool balances_inertia = false;             ///< mends moments that no body can have
  bool limits_follow_ranges = true;          ///< a range that is given counts where nothing is said of it
  bool exact_meshes = false;                 ///< volumes of meshes count with their signs
  bool fits_bounding_boxes = false;          ///< of meshes, where a form is fitted to one
  int first_group = 0, last_group = 5;       ///< of geoms that have mass

  void read(const Attributes& attributes);
  /// Does a range count, where `limited` says "true", "false", "auto" or nothing?
  bool is_limited(const std::string& limited) const {
    return limited == "true" || (limited != "false" && limits_follow_ranges);
  }
  /// pos with quat, axisangle, euler, xyaxes or zaxis.
  Eigen::Isometry3d pose(const Attributes& attributes) const;
  Eigen::Matrix3d orientation(const Attributes& attributes) const;
};

}  // namespace taut::robot
