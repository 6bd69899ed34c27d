#pragma once

#include "model/import/mass_properties.hpp"
#include "model/mesh.hpp"

namespace taut::robot {

/// How the volume inside a mesh is counted.
///   exact    tetrahedra from a point to each triangle, with their signs: right for a closed surface, convex or not
///   without_signs  the same without signs, from the middle of the surface: MuJoCo's default, right where the surface
///   is
///            seen whole from there
///   shell    the surface itself
enum class MeshMass { exact, without_signs, shell };

/// At density 1, which for a shell is a unit of mass for a unit of area. `placed` is what is done to the vertices
/// first.
MassProperties mesh_properties(const Mesh& mesh, const Eigen::Affine3d& placed, MeshMass way);

}  // namespace taut::robot
