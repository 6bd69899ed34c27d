#include "model/import/mass_properties.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numbers>
#include <random>

namespace taut::robot {
namespace {

using Eigen::Isometry3d, Eigen::Matrix3d, Eigen::Vector3d;

/// Mass properties of a body of revolution about z as a stack of thin disks, by the midpoint rule.
MassProperties stacked(double mass, double half_height, const std::function<double(double)>& radius) {
  constexpr int disks = 20000;
  const double dz = 2 * half_height / disks;
  double volume = 0, along = 0, across = 0;
  for (int k = 0; k < disks; ++k) {
    const double z = -half_height + (k + 0.5) * dz, r2 = std::pow(radius(z), 2);
    const double v = std::numbers::pi * r2 * dz;
    volume += v;
    along += v * r2 / 2;
    across += v * (r2 / 4 + z * z);
  }
  const double density = mass / volume;
  return {mass, Vector3d::Zero(), density * Vector3d(across, across, along).asDiagonal()};
}

// The midpoint rule is off by about (dz/height)² = 2.5e-9 of the result, more where the ends are round: the slope of
// r² is finite there, so its order stays two.
constexpr double stacking_error = 1e-7;

TEST(MassProperties, SolidsAreWhatTheSumOfTheirDisksIs) {
  const double r = 0.3, l = 0.8;
  EXPECT_TRUE(solid_sphere(2, r).inertia.isApprox(
      stacked(2, r, [&](double z) { return std::sqrt(r * r - z * z); }).inertia, stacking_error));
  EXPECT_TRUE(
      solid_cylinder(2, r, l).inertia.isApprox(stacked(2, l / 2, [&](double) { return r; }).inertia, stacking_error));
  const auto capsule = [&](double z) {
    const double beyond = std::max(std::abs(z) - l / 2, 0.0);
    return std::sqrt(r * r - beyond * beyond);
  };
  EXPECT_TRUE(solid_capsule(2, r, l).inertia.isApprox(stacked(2, l / 2 + r, capsule).inertia, stacking_error));
}

TEST(MassProperties, ABoxIsTwoHalvesOfItself) {
  const Vector3d edges(0.2, 0.5, 0.9);
  const MassProperties half = solid_box(1.5, edges.cwiseProduct(Vector3d(1, 1, 0.5)));
  const auto moved = [&](double z) { return half.seen_from(Isometry3d(Eigen::Translation3d(0, 0, z))); };
  const MassProperties both = moved(-0.225) + moved(0.225);
  EXPECT_NEAR(both.center.norm(), 0, 1e-16);
  EXPECT_TRUE(both.inertia.isApprox(solid_box(3, edges).inertia, 1e-14));
}

TEST(MassProperties, TheSumIsThatOfPointMasses) {
  // Two bodies of a few points each, in frames of their own: the properties of all the points at once, from the
  // definition, are those of the sum.
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto any = [&] { return Vector3d(uniform(random), uniform(random), uniform(random)); };
  const auto properties = [](const std::vector<Vector3d>& points) {
    MassProperties made;
    for (const Vector3d& p : points) made.center += p / static_cast<double>(points.size());
    made.mass = static_cast<double>(points.size());
    for (const Vector3d& p : points) {
      const Vector3d d = p - made.center;
      made.inertia += d.dot(d) * Matrix3d::Identity() - d * d.transpose();
    }
    return made;
  };
  std::vector<Vector3d> all;
  MassProperties sum;
  for (int body = 0; body < 2; ++body) {
    Isometry3d pose = Isometry3d::Identity();
    pose.linear() = Eigen::Quaterniond::UnitRandom().toRotationMatrix();
    pose.translation() = any();
    std::vector<Vector3d> own;
    for (int k = 0; k < 5; ++k) own.push_back(any());
    for (const Vector3d& p : own) all.push_back(pose * p);
    sum = sum + properties(own).seen_from(pose);
  }
  EXPECT_DOUBLE_EQ(sum.mass, 10);
  EXPECT_TRUE(sum.center.isApprox(properties(all).center, 1e-13));
  EXPECT_TRUE(sum.inertia.isApprox(properties(all).inertia, 1e-13));
}

}  // namespace
}  // namespace taut::robot
