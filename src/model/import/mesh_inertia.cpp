#include "model/import/mesh_inertia.hpp"

#include <array>
#include <cmath>

namespace taut::robot {
namespace {

using Triangle = std::array<Eigen::Vector3d, 3>;

std::vector<Triangle> triangles_of(const Mesh& mesh, const Eigen::Affine3d& placed) {
  std::vector<Triangle> list;
  for (const auto& corners : mesh.triangles) {
    Triangle made;
    for (int k = 0; k < 3; ++k) {
      const auto& at = mesh.vertices[static_cast<std::size_t>(corners[k])];
      made[k] = placed * Eigen::Vector3d(at[0], at[1], at[2]);
    }
    if (placed.linear().determinant() < 0) std::swap(made[1], made[2]);  // a mirror turns surfaces inside out
    list.push_back(made);
  }
  return list;
}

double area(const Triangle& t) { return (t[1] - t[0]).cross(t[2] - t[0]).norm() / 2; }
Eigen::Vector3d middle(const Triangle& t) { return (t[0] + t[1] + t[2]) / 3; }

/// Of the tetrahedron from a point to a triangle.
double volume(const Triangle& t, const Eigen::Vector3d& from, MeshMass way) {
  const double signed_one = (t[0] - from).dot((t[1] - from).cross(t[2] - from)) / 6;
  return way == MeshMass::exact ? signed_one : std::abs(signed_one);
}

/// ∫ x xᵀ over a simplex of size `size`, one of whose corners may be the origin: with n corners beside it,
/// size/((n+1)(n+2)) (Σ pᵢpᵢᵀ + (Σ pᵢ)(Σ pᵢ)ᵀ) where the origin is a corner, and with n for n + 1 where it is none.
Eigen::Matrix3d second_moment(const Triangle& t, const Eigen::Vector3d& about, double size, double divisor) {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  Eigen::Vector3d total = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& corner : t) {
    const Eigen::Vector3d p = corner - about;
    sum += p * p.transpose();
    total += p;
  }
  return size / divisor * (sum + total * total.transpose());
}

Eigen::Matrix3d inertia_of(const Eigen::Matrix3d& second) {
  return second.trace() * Eigen::Matrix3d::Identity() - second;
}

MassProperties shell_properties(const std::vector<Triangle>& triangles) {
  MassProperties made;
  for (const Triangle& t : triangles) {
    made.mass += area(t);
    made.center += area(t) * middle(t);
  }
  if (made.mass > 0) made.center /= made.mass;
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (const Triangle& t : triangles) second += second_moment(t, made.center, area(t), 12);
  made.inertia = inertia_of(second);
  return made;
}

}  // namespace

MassProperties mesh_properties(const Mesh& mesh, const Eigen::Affine3d& placed, MeshMass way) {
  const std::vector<Triangle> triangles = triangles_of(mesh, placed);
  MassProperties shell = shell_properties(triangles);
  if (way == MeshMass::shell) return shell;
  MassProperties made;
  for (const Triangle& t : triangles) {
    const double v = volume(t, shell.center, way);
    made.mass += v;
    made.center += v * (0.75 * middle(t) + 0.25 * shell.center);
  }
  if (made.mass == 0) return made;
  made.center /= made.mass;
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (const Triangle& t : triangles) second += second_moment(t, made.center, volume(t, made.center, way), 20);
  made.inertia = inertia_of(second);
  if (made.mass > 0) return made;
  return {-made.mass, made.center, -made.inertia};  // its surface is inside out
}

}  // namespace taut::robot
