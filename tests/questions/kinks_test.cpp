// Friction, and kinks of every kind, in questions: each has a closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "taut/questions.hpp"

namespace taut {
namespace {

Sensitivity derivatives(const std::string& text, const std::vector<std::string>& of, const std::vector<std::string>& to,
                        double until) {
  SensitivityOptions options;
  options.of = of;
  options.to = to;
  options.by = SensitivityBy::both;
  options.run.until = until;
  return find_sensitivity(read_model(text, "test.yaml"), options);
}

InverseOptions follow(const std::string& name, const std::string& formula, const std::string& actuator) {
  InverseOptions options;
  options.run.until = 1;
  options.run.every = 0.5;
  options.follow = {{name, formula}};
  options.actuators = {actuator};
  return options;
}

const std::string arm = R"(
model: arm
parameters: {u: 0}
gravity: [0, -9.81]
bodies: {arm: {bar: {from: [0, 0], to: [1, 0], mass: 2}, planar: true}}
joints:
  pivot: {type: revolute, bodies: [ground, arm], at: arm.from, axis: [0, 0, 1], torque: u,
          friction: {coefficient: 0.3, radius: 0.1}}
outputs: {angle: arm.angle}
)";

// What is solved for to rounding, and integrated with a tolerance of 1e-11 over a second or two.
constexpr double solved = 1e-12, integrated = 1e-9;

TEST(Inverse, PushingObliquelyPressesLessOnWhatRubs) {
  // m a = u cos(c) − μ (m g − u sin(c)).
  const Inverse result = inverse_dynamics(read_model(R"(
model: block
parameters: {u: 0}
coordinates: {x: [0, 0.5], y: 0}
kinetic_energy: x'^2 + y'^2
potential_energy: 2*9.81*y
forces: {x: u*cos(0.3), y: u*sin(0.3)}
constraints: {floor: {equation: y = 0, friction: {coefficient: 0.3}}}
)",
                                                     "test.yaml"),
                                          follow("x", "0.5*t + 0.1*t^2", "u"));
  EXPECT_TRUE(result.reason.empty()) << result.reason;
  const double u = (2 * 0.2 + 0.3 * 2 * 9.81) / (std::cos(0.3) + 0.3 * std::sin(0.3));
  for (Eigen::Index k = 0; k < result.forces.rows(); ++k) EXPECT_NEAR(result.forces(k, 0), u, u * integrated);
}

TEST(Inverse, AHingeThatRubsIsTurnedAgainstTheFrictionOfItsOwnReaction) {
  const Inverse result = inverse_dynamics(read_model(arm, "test.yaml"), follow("angle", "0.5*t + 0.1*t^2", "u"));
  EXPECT_TRUE(result.reason.empty()) << result.reason;
  ASSERT_EQ(result.times.size(), 3U);
  for (Eigen::Index k = 0; k < 3; ++k) {
    const double t = result.times[static_cast<std::size_t>(k)], s = 0.5 * t + 0.1 * t * t, rate = 0.5 + 0.2 * t;
    const double fx = -rate * rate * std::cos(s) - 0.2 * std::sin(s);
    const double fy = -rate * rate * std::sin(s) + 0.2 * std::cos(s) + 2 * 9.81;
    const double u = 2.0 / 3 * 0.2 + 9.81 * std::cos(s) + 0.3 * 0.1 * std::hypot(fx, fy);
    EXPECT_NEAR(result.forces(k, 0), u, u * integrated);
  }
}

TEST(Equilibrium, AHingeThatRubsHangsAsOneThatDoesNot) {
  const Equilibria rest = find_equilibria(read_model(arm, "test.yaml"), {});
  ASSERT_EQ(rest.found.size(), 2U) << rest.reason;
  EXPECT_TRUE(rest.found[0].stable);
  EXPECT_FALSE(rest.found[1].stable);
  for (const Equilibrium& one : rest.found)
    EXPECT_NEAR(std::hypot(one.multipliers[0].value, one.multipliers[1].value), 2 * 9.81, 1e-10);
}

TEST(Sensitivity, ReactionsThatRubHaveSlopes) {
  // 2/3 s̈ = u − μ r N with N almost at rest: over a short time only the torque counts, δs = 3/2 δu t²/2, and less by
  // what the reaction changes, a share of μ r = 0.03 of it.
  LinearizeOptions options;
  options.inputs = {"u"};
  options.set = {{"arm.omega_z(0)", 0.5}, {"arm.vy(0)", 0.25}};
  const StateSpace at = linearize(read_model(arm, "test.yaml"), options);
  SensitivityOptions asked;
  asked.of = {"arm.angle'"};
  asked.to = {"u"};
  asked.run.until = 1e-4;
  asked.run.set = options.set;
  const Sensitivity along = find_sensitivity(read_model(arm, "test.yaml"), asked);
  EXPECT_TRUE(along.reason.empty()) << along.reason;
  EXPECT_NEAR(along.derivatives(0, 0), at.B(1, 0) * 1e-4, 1e-3 * at.B(1, 0) * 1e-4);
}

TEST(Sensitivity, KinksOfTimeMoveWithTheirTimes) {
  // Pushed by −2 until t₀ and by 2 from then on: a later t₀ takes 4 of speed for each second.
  const Sensitivity result = derivatives(R"(
model: push
parameters: {t0: 0.5, f: 2}
coordinates: {x: [0, 1]}
kinetic_energy: x'^2/2
forces: {x: f*sign(t - t0)}
)",
                                         {"x", "x'"}, {"t0", "f"}, 2);
  EXPECT_TRUE(result.reason.empty()) << result.reason;
  EXPECT_NEAR(result.derivatives(0, 0), -4 * 1.5, integrated);
  EXPECT_NEAR(result.derivatives(1, 0), -4, integrated);
  EXPECT_NEAR(result.derivatives(0, 1), 1.5 * 1.5 / 2 - 0.5 * 0.5 / 2 - 0.5 * 1.5, integrated);
  EXPECT_LE(*result.disagreement, solved);
}

TEST(Sensitivity, ForcesThatIfChoosesJumpToo) {
  // Free until b, then slowed by g: x = b + v τ − g τ²/2 with τ = T − b/v.
  const Sensitivity result = derivatives(R"(
model: brake
parameters: {b: 0.7, g: 0.4}
coordinates: {x: [0, 1]}
kinetic_energy: x'^2/2
forces: {x: "if(x < b, 0, -g) "}
)",
                                         {"x"}, {"b", "g"}, 2);
  EXPECT_TRUE(result.reason.empty()) << result.reason;
  const double tau = 2 - 0.7;
  EXPECT_NEAR(result.values[0], 0.7 + tau - 0.4 * tau * tau / 2, integrated);
  EXPECT_NEAR(result.derivatives(0, 0), 0.4 * tau, integrated);
  EXPECT_NEAR(result.derivatives(0, 1), -tau * tau / 2, integrated);
}

TEST(Sensitivity, IntegralsOfWhatJumpsEndTheirStepsThere) {
  // x = v t: the integral of sign(x − b) is T − 2 b/v.
  const Sensitivity result = derivatives(R"(
model: pass
parameters: {b: 0.7, v: 1.3}
coordinates: {x: [0, v]}
kinetic_energy: x'^2/2
outputs: {side: sign(x - b), gap: abs(x - b)}
)",
                                         {"integral(side)", "integral(gap)"}, {"b", "v"}, 2);
  EXPECT_TRUE(result.reason.empty()) << result.reason;
  const double b = 0.7, v = 1.3, T = 2, rest = T - b / v;
  EXPECT_NEAR(result.values[0], T - 2 * b / v, integrated);
  EXPECT_NEAR(result.derivatives(0, 0), -2 / v, integrated);
  EXPECT_NEAR(result.derivatives(0, 1), 2 * b / (v * v), integrated);
  EXPECT_NEAR(result.values[1], b * b / v / 2 + v * rest * rest / 2, integrated);
  EXPECT_NEAR(result.derivatives(1, 0), b / v - rest, integrated);
  EXPECT_LE(*result.disagreement, solved);
}

TEST(Sensitivity, KinksAtOneMomentThatHaveNothingToDoWithEachOtherCountEachByItself) {
  // Two blocks, slowed by μ until they turn at T = v/(g + μ), and then by g − μ.
  const Sensitivity result = derivatives(R"(
model: two
parameters: {m: 0.2, n: 0.2}
coordinates: {x: [0, 1], y: [0, 1]}
kinetic_energy: (x'^2 + y'^2)/2
forces: {x: -1 - m*sign(x'), y: -1 - n*sign(y')}
)",
                                         {"x", "y"}, {"m", "n"}, 2);
  EXPECT_TRUE(result.reason.empty()) << result.reason;
  // x = 1/(2 (1 + m)) − (1 − m) s²/2 with s = 2 − 1/(1 + m).
  const double m = 0.2, s = 2 - 1 / (1 + m), slope = 1 / ((1 + m) * (1 + m));
  const double by_m = -slope / 2 + s * s / 2 - (1 - m) * s * slope;
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(result.derivatives(k, k), by_m, integrated);
    EXPECT_NEAR(result.derivatives(k, 1 - k), 0, solved);
  }
  EXPECT_LE(*result.disagreement, solved);
}

TEST(Sensitivity, WhatNoMotionFollowsIsSaid) {
  const Sensitivity parted = derivatives(R"(
model: parted
parameters: {l: 1, k: 1}
coordinates: {x: 0.6, y: -0.8}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
constraints: {rod: x^2 + y^2 = l^2, again: x^2 + y^2 = k^2}
)",
                                         {"x"}, {"k"}, 1);
  EXPECT_NE(parted.reason.find("contradict"), std::string::npos) << parted.reason;
  const Sensitivity driven = derivatives(R"(
model: driven
parameters: {t0: 0.5}
coordinates: {x: 0, y: 0.3}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: (y - x)^2
constraints: {drive: x = 2*max(0, t - t0)}
)",
                                         {"y"}, {"t0"}, 2);
  EXPECT_NE(driven.reason.find("speeds jump"), std::string::npos) << driven.reason;
}

TEST(Sensitivity, AMassThatMovesNoStartContradictsNothing) {
  // Rows that depend on each other are met to rounding, and slopes of the start are nothing else.
  SensitivityOptions options;
  options.of = {"platform.x"};
  options.to = {"ma"};
  options.run.until = 0.01;
  const Sensitivity result = find_sensitivity(load_model("delta-robot"), options);
  EXPECT_TRUE(result.reason.empty()) << result.reason;
}

TEST(Extremes, AtCornersAreSaidAndBesideThemExact) {
  // x = A cos(ω t − φ) passes b: the largest of −|x − b| is a corner; that of |x| is A, with dA/dk = −v²/(2 k² A).
  const std::string swing = R"(
model: swing
parameters: {k: 10, b: 0.1}
coordinates: {x: [0.3, 1]}
kinetic_energy: x'^2/2
potential_energy: k*x^2/2
outputs: {near: -abs(x - b), size: abs(x)}
)";
  const Sensitivity corner = derivatives(swing, {"max(near)"}, {"k", "b"}, 2);
  EXPECT_NE(corner.reason.find("corner"), std::string::npos) << corner.reason;
  EXPECT_NEAR(corner.values[0], 0, integrated);
  const Sensitivity smooth = derivatives(swing, {"max(size)", "integral(size)"}, {"k"}, 2);
  EXPECT_TRUE(smooth.reason.empty()) << smooth.reason;
  const double A = std::sqrt(0.09 + 0.1);
  EXPECT_NEAR(smooth.values[0], A, integrated);
  EXPECT_NEAR(smooth.derivatives(0, 0), -1 / (2 * 100 * A), integrated);
  // A speed that a force builds up until t₀ is largest there, and later with it.
  const Sensitivity pushed = derivatives(
      "model: p\nparameters: {t0: 0.5}\ncoordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: -sign(t - t0)}\n",
      {"max(x')"}, {"t0"}, 2);
  EXPECT_FALSE(pushed.reason.empty());
}

TEST(Modes, AtAKinkThatIsSaid) {
  const Modes modes = find_modes(read_model(R"(
model: stuck
coordinates: {x: 0, y: 0}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y + x^2
constraints: {floor: {equation: y = 0, friction: {coefficient: 0.3}}}
)",
                                            "test.yaml"),
                                 {});
  ASSERT_FALSE(modes.notes.empty());
  EXPECT_NE(modes.notes[0].find("kink"), std::string::npos) << modes.notes[0];
}

}  // namespace
}  // namespace taut
