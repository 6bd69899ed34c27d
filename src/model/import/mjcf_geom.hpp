#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/import/mjcf_compiler.hpp"
#include "model/import/robot.hpp"

namespace taut::robot {

/// A <mesh> of the assets.
struct MjcfMesh {
  std::string file;
  Eigen::Vector3d scale;
};
using MjcfMeshes = std::map<std::string, MjcfMesh>;

/// A <geom>: what it weighs, in the frame of its body, and how it is drawn.
struct MjcfGeom {
  std::optional<MassProperties> mass;  ///< none: nobody can tell, as of a mesh
  std::vector<Shape> shapes;           ///< in the frame of its body
};

MjcfGeom read_geom(const Attributes& attributes, const MjcfCompiler& compiler, const MjcfMeshes& meshes);

}  // namespace taut::robot
