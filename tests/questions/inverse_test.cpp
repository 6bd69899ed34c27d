// Forces of actuators, played forward, give the motion back.
#include <gtest/gtest.h>

#include <cmath>

#include "taut/error.hpp"
#include "taut/questions.hpp"

namespace taut {
namespace {

const char* const arm = R"(
model: arm
parameters: {u: 0, w: 0, g: 9.81}
coordinates: {x: 1, y: 0}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: g*y
forces: {x: -(u + 2*w)*y, y: (u + 2*w)*x}
constraints: {rod: x^2 + y^2 = 1}
outputs: {angle: atan2(y, x)}
)";

InverseOptions swing(std::vector<std::string> actuators) {
  InverseOptions options;
  options.run.until = 2;
  options.follow = {{"angle", "0.5*sin(3*t)"}};
  options.actuators = std::move(actuators);
  return options;
}

TEST(Inverse, PendulumNeedsTheTorqueOfItsClosedForm) {
  // s̈ = −g cos s + torque, with s = ½ sin 3t.
  const Inverse result = inverse_dynamics(read_model(arm, "test.yaml"), swing({"u"}));
  EXPECT_TRUE(result.reason.empty()) << result.reason;
  ASSERT_EQ(result.times.size(), 101U);
  for (std::size_t k = 0; k < result.times.size(); ++k) {
    const double t = result.times[k], s = 0.5 * std::sin(3 * t);
    EXPECT_NEAR(result.forces(static_cast<Eigen::Index>(k), 0), -4.5 * std::sin(3 * t) + 9.81 * std::cos(s), 1e-8);
  }
}

TEST(Inverse, RedundantActuatorsShareWithTheLeastEffort) {
  // u + 2 w = torque with the least u² + w²: u = torque/5, w = 2 torque/5.
  const Inverse result = inverse_dynamics(read_model(arm, "test.yaml"), swing({"u", "w"}));
  for (Eigen::Index k = 0; k < result.forces.rows(); ++k)
    EXPECT_NEAR(result.forces(k, 1), 2 * result.forces(k, 0), 1e-8);
}

TEST(Inverse, PlayedForwardTheForcesGiveTheMotionBack) {
  Model model = read_model(R"(
model: two
parameters: {u: 0, w: 0}
coordinates: {a: 0, b: [0.5, 0.4]}
kinetic_energy: a'^2 + b'^2/2 + a'*b'*cos(a - b)
potential_energy: 9.81*(2*sin(a) + sin(b))
forces: {a: u - w, b: w}
)",
                           "test.yaml");
  InverseOptions options;
  options.run.until = 2;
  options.run.every = 0.01;
  options.follow = {{"a", "0.2*t^2"}, {"b", "0.5 + 0.4*t"}};
  options.actuators = {"u", "w"};
  const Inverse result = inverse_dynamics(model, options);
  EXPECT_TRUE(result.reason.empty()) << result.reason;
  for (Eigen::Index k = 0; k < result.forces.rows(); ++k) {
    // Played forward at this moment: the accelerations are those asked for, 0.4 and 0.
    const double a = result.positions(k, 0), b = result.positions(k, 1), t = result.times[static_cast<std::size_t>(k)];
    const double va = 0.4 * t, vb = 0.4, c = std::cos(a - b), s = std::sin(a - b);
    const double on_a = result.forces(k, 0) - result.forces(k, 1) - 2 * 9.81 * std::cos(a) - vb * vb * s;
    const double on_b = result.forces(k, 1) - 9.81 * std::cos(b) + va * va * s;
    EXPECT_NEAR(2 * 0.4 + 0 * c, on_a, 1e-8);
    EXPECT_NEAR(0.4 * c, on_b, 1e-8);
  }
}

TEST(Inverse, PlayedForwardForTenSecondsAPendulumOnARedundantRodStaysOnItsMotion) {
  // Forces every 2.5 ms; forward s̈ = −g cos s − c ṡ + torque about hanging by the classical formula with h = 5 ms,
  // which needs them at its middle and ends: its error is about h⁴ 3⁵/120 = 1e-9 of the swing in a second, and damping
  // forgets.
  const double c = 1.5, g = 9.81;
  InverseOptions options;
  options.run.until = 10;
  options.run.every = 0.0025;
  options.follow = {{"angle", "-1.2 + 0.5*sin(3*t)"}};
  options.actuators = {"u"};
  const Inverse result = inverse_dynamics(read_model(R"(
model: arm
parameters: {u: 0, g: 9.81, c: 1.5}
coordinates: {x: cos(1.2), y: -sin(1.2)}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: g*y
forces: {x: -u*y - c*x', y: u*x - c*y'}
constraints: {rod: x^2 + y^2 = 1, again: 3*(x^2 + y^2) = 3}
outputs: {angle: atan2(y, x)}
)",
                                                     "test.yaml"),
                                          options);
  EXPECT_TRUE(result.reason.empty()) << result.reason;
  ASSERT_EQ(result.times.size(), 4001U);
  double s = -1.2, rate = 1.5, worst = 0;
  constexpr double h = 0.005;
  const auto pushed = [&](double at, double speed, Eigen::Index k) {
    return -g * std::cos(at) - c * speed + result.forces(k, 0);
  };
  for (Eigen::Index k = 0; k + 2 < 4001; k += 2) {
    const double a1 = pushed(s, rate, k), v2 = rate + h / 2 * a1;
    const double a2 = pushed(s + h / 2 * rate, v2, k + 1), v3 = rate + h / 2 * a2;
    const double a3 = pushed(s + h / 2 * v2, v3, k + 1), v4 = rate + h * a3;
    const double a4 = pushed(s + h * v3, v4, k + 2);
    s += h / 6 * (rate + 2 * v2 + 2 * v3 + v4);
    rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    const double t = result.times[static_cast<std::size_t>(k + 2)];
    worst = std::max(worst, std::abs(s - (-1.2 + 0.5 * std::sin(3 * t))));
  }
  EXPECT_LE(worst, 1e-8);
}

TEST(Inverse, MotionsThatNothingDrivesAreSaid) {
  InverseOptions options = swing({"g"});
  options.follow = {{"angle", "0.5*sin(3*t)"}};
  const Model model = read_model(arm, "test.yaml");
  EXPECT_TRUE(inverse_dynamics(model, options).reason.empty());  // gravity is an actuator like any other
  InverseOptions open = swing({"u"});
  const Model free = read_model(
      "model: s\nparameters: {u: 0}\ncoordinates: {x: 0, y: 0}\nkinetic_energy: (x'^2 + y'^2)/2\nforces: {x: u}\n",
      "test.yaml");
  open.follow = {{"x", "t^2"}};
  EXPECT_THROW(inverse_dynamics(free, open), InputError);
  open.follow = {{"x", "t^2"}, {"y", "t^2"}};
  EXPECT_FALSE(inverse_dynamics(free, open).reason.empty());
}

}  // namespace
}  // namespace taut
