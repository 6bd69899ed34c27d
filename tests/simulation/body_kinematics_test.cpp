#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>

#include "taut/error.hpp"
#include "taut/stepping.hpp"

/// Places of bodies and of their points where a simulation stands.
namespace taut {
namespace {

/// A bar of 2 m on a hinge about an axis that leans by 30°, swinging.
Model leaning_bar() {
  return read_model(
      "gravity: [0, 0, -9.81]\n"
      "bodies: {bar: {mass: 3, inertia: [0.1, 1, 1], position: [1, 0, 0]}}\n"
      "joints: {hinge: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: [0, 1/2, sqrt(3)/2], rate: 2}}\n",
      "bar.yaml");
}

/// Rodrigues: a point p turned by φ about a unit axis n.
Eigen::Vector3d turned(const Eigen::Vector3d& p, const Eigen::Vector3d& n, double phi) {
  return p * std::cos(phi) + n.cross(p) * std::sin(phi) + n * n.dot(p) * (1 - std::cos(phi));
}

Eigen::Vector3d vector(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

TEST(BodyKinematics, APointOfASwingingBarIsWhereTheHingeTurnsIt) {
  Options options;
  options.until = 1;
  options.coordinates = Coordinates::joints;
  Simulation sim(leaning_bar(), options);
  ASSERT_TRUE(sim.advance(0.7));
  const double phi = sim.q()[0], rate = sim.v()[0];
  const Eigen::Vector3d axis(0, 0.5, std::sqrt(3) / 2), at(1.3, -0.2, 0.4);  // from the hinge
  const BodyPose pose = sim.pose("bar");
  EXPECT_LT((vector(pose.position) - turned({1, 0, 0}, axis, phi)).norm(), 1e-13);
  EXPECT_LT((vector(pose.angular_velocity) - rate * axis).norm(), 1e-13);
  for (int k = 0; k < 3; ++k)
    EXPECT_LT((pose.rotation.col(k) - turned(Eigen::Vector3d::Unit(k), axis, phi)).norm(), 1e-13);
  const PointMotion point = sim.point("bar", {0.3, -0.2, 0.4});
  const Eigen::Vector3d place = turned(at, axis, phi);
  EXPECT_LT((vector(point.position) - place).norm(), 1e-13);
  EXPECT_LT((vector(point.velocity) - rate * axis.cross(place)).norm(), 1e-13);
  ASSERT_EQ(point.jacobian.cols(), 1);
  EXPECT_LT((point.jacobian.col(0) - axis.cross(place)).norm(), 1e-13);
}

/// With coordinates of bodies the Jacobian has six columns, and gives the same velocity.
TEST(BodyKinematics, TheJacobianTimesTheSpeedsIsTheVelocity) {
  Options options;
  options.until = 1;
  Simulation sim(leaning_bar(), options);
  ASSERT_TRUE(sim.advance(0.7));
  const PointMotion point = sim.point("bar", {0.3, -0.2, 0.4});
  EXPECT_LT((point.jacobian * sim.v() - vector(point.velocity)).norm(), 1e-12);
  EXPECT_GT(vector(point.velocity).norm(), 0.1);
}

TEST(BodyKinematics, EnergiesAddUpAndABodyThatIsNotThereIsSaid) {
  Options options;
  options.until = 1;
  options.coordinates = Coordinates::joints;
  Simulation sim(leaning_bar(), options);
  const double first = sim.equations().energy;
  ASSERT_TRUE(sim.advance(0.7));
  const StateEquations& e = sim.equations();
  // About the hinge: 1 + 3·1² about axes square to the bar, 0.1 along it; the hinge is square to it.
  EXPECT_NEAR(e.kinetic, 0.5 * 4 * sim.v()[0] * sim.v()[0], 1e-12);
  EXPECT_NEAR(e.potential, 3 * 9.81 * sim.pose("bar").position[2], 1e-12);
  EXPECT_NEAR(e.kinetic + e.potential, first, 1e-6);
  EXPECT_THROW(sim.pose("rod"), InputError);
}

}  // namespace
}  // namespace taut
