#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/import/mesh_inertia.hpp"
#include "model/import/mjcf_compiler.hpp"
#include "model/import/robot.hpp"

namespace taut::robot {

/// A <mesh> of the assets.
struct MjcfMesh {
  std::string file;  ///< "" where its vertices stand in the robot file
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();  ///< in which its vertices are given
  MeshMass way = MeshMass::without_signs;
  bool is_convex_hull = false;  ///< its inertia would be that of its hull
  std::optional<Mesh> inside;

  /// Vertices go into the frame first, and are stretched along its axes then.
  Eigen::Affine3d placed() const { return Eigen::Scaling(scale) * Eigen::Affine3d(frame.inverse()); }
};

struct MjcfAssets {
  std::map<std::string, MjcfMesh> meshes;
  std::map<std::string, std::string> colors;  ///< of materials; "" of one that is not seen
};

/// A <geom>: what it weighs, in the frame of its body, and how it is drawn.
struct MjcfGeom {
  MassProperties mass;
  std::vector<Shape> shapes;  ///< in the frame of its body
};

/// Its mass is worked out only where it counts: meshes that are only drawn need not be there.
MjcfGeom read_geom(const Attributes& attributes, const MjcfCompiler& compiler, const MjcfAssets& assets, bool weighs,
                   const std::string& robot_file);

}  // namespace taut::robot
