#include "model/import/mass_properties.hpp"

#include <cmath>
#include <numbers>

#include "model/principal_axes.hpp"

namespace taut::robot {
namespace {

MassProperties solid(double mass, double xx, double yy, double zz) {
  return {mass, Eigen::Vector3d::Zero(), Eigen::Vector3d(xx, yy, zz).asDiagonal(), Eigen::Matrix3d::Identity()};
}

}  // namespace

MassProperties MassProperties::seen_from(const Eigen::Isometry3d& pose) const {
  const Eigen::Matrix3d R = pose.linear();
  MassProperties made{mass, pose * center, R * inertia * R.transpose()};
  if (axes) made.axes = R * *axes;
  return made;
}

MassProperties MassProperties::operator+(const MassProperties& other) const {
  const double total = mass + other.mass;
  if (other.mass == 0) return *this;
  if (mass == 0) return other;
  const Eigen::Vector3d common = (mass * center + other.mass * other.center) / total;
  return {total, common,
          inertia + steiner(mass, center - common) + other.inertia + steiner(other.mass, other.center - common)};
}

Eigen::Matrix3d steiner(double mass, const Eigen::Vector3d& offset) {
  return mass * (offset.squaredNorm() * Eigen::Matrix3d::Identity() - offset * offset.transpose());
}

MassProperties solid_sphere(double mass, double radius) {
  const double moment = 0.4 * mass * radius * radius;
  return solid(mass, moment, moment, moment);
}

MassProperties solid_box(double mass, const Eigen::Vector3d& edges) {
  const Eigen::Vector3d squares = mass / 12 * edges.cwiseAbs2();
  return solid(mass, squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y());
}

MassProperties solid_cylinder(double mass, double radius, double length) {
  const double across = mass * (radius * radius / 4 + length * length / 12);
  return solid(mass, across, across, mass * radius * radius / 2);
}

/// The centre of half a ball is 3/8 of the radius from its face. About the capsule's centre, with h half the
/// length, two halves of mass m together have m (2/5 r² + h² + 3/4 h r) across and 2/5 m r² along.
MassProperties solid_capsule(double mass, double radius, double length) {
  const double middle = cylinder_volume(radius, length), ends = sphere_volume(radius);
  const double m = mass * ends / (middle + ends), h = length / 2;
  const MassProperties cylinder = solid_cylinder(mass - m, radius, length);
  const double across = cylinder.inertia(0, 0) + m * (0.4 * radius * radius + h * h + 0.75 * h * radius);
  return solid(mass, across, across, cylinder.inertia(2, 2) + 0.4 * m * radius * radius);
}

MassProperties solid_ellipsoid(double mass, const Eigen::Vector3d& half_axes) {
  const Eigen::Vector3d squares = mass / 5 * half_axes.cwiseAbs2();
  return solid(mass, squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y());
}

bool is_unphysical(const MassProperties& mass) {
  const Eigen::Vector3d moments = principal_moments(mass.inertia);  // ascending
  // Moments come with some three digits; below 1e-15 m² times the mass they are what rounding left of zero.
  const double slack = 1e-3 * std::abs(moments[2]) + 1e-15 * mass.mass;
  return moments[0] < -slack || moments[2] > moments[0] + moments[1] + slack;
}

Eigen::Matrix3d balanced(const Eigen::Matrix3d& inertia) {
  return std::abs(inertia.trace()) / 3 * Eigen::Matrix3d::Identity();
}

double sphere_volume(double radius) { return 4.0 / 3 * std::numbers::pi * radius * radius * radius; }
double cylinder_volume(double radius, double length) { return std::numbers::pi * radius * radius * length; }

}  // namespace taut::robot
