#pragma once

#include <Eigen/Geometry>
#include <optional>

namespace taut::robot {

/// Mass, its centre, and the inertia about that centre, in the axes of some frame.
struct MassProperties {
  double mass = 0;
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  /// Principal axes, as columns, where whoever said the moments said along which: of equal moments there are many.
  std::optional<Eigen::Matrix3d> axes = {};

  /// The same, seen from the frame in which its own frame stands at `pose`.
  MassProperties seen_from(const Eigen::Isometry3d& pose) const;
  /// Both together, in the same frame: Steiner's theorem for each about the common centre.
  MassProperties operator+(const MassProperties& other) const;
};

/// The inertia about a point at `offset` from the centre of mass, less that about the centre.
Eigen::Matrix3d steiner(double mass, const Eigen::Vector3d& offset);

// Homogeneous solids about their centre, axes along z where they have one.
MassProperties solid_sphere(double mass, double radius);
MassProperties solid_box(double mass, const Eigen::Vector3d& edges);
MassProperties solid_cylinder(double mass, double radius, double length);
/// A cylinder of `length` with half a ball at each end.
MassProperties solid_capsule(double mass, double radius, double length);

/// With these half axes.
MassProperties solid_ellipsoid(double mass, const Eigen::Vector3d& half_axes);

/// Can no body have these moments? By more than their digits, one is below 0 or above the sum of the two others.
bool is_unphysical(const MassProperties& mass);
/// All three moments the mean of what they are: what MuJoCo's balanceinertia makes of them.
Eigen::Matrix3d balanced(const Eigen::Matrix3d& inertia);

double sphere_volume(double radius);
double cylinder_volume(double radius, double length);

}  // namespace taut::robot
