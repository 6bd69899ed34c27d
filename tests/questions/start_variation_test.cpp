// How results change with values that the constraints move before the run starts.
#include <gtest/gtest.h>

#include <cmath>

#include "taut/questions.hpp"

namespace taut {
namespace {

Sensitivity at_start(const std::string& text, std::vector<std::string> of, std::vector<std::string> to) {
  SensitivityOptions options;
  options.run.until = 0;
  options.run.assemble = true;
  options.of = std::move(of);
  options.to = std::move(to);
  options.by = SensitivityBy::both;
  return find_sensitivity(read_model(text, "test.yaml"), options);
}

TEST(StartVariation, WhatIsFixedStaysAndTheRestFollowsIt) {
  // y = √(l² − x²) and y' = −x w / y, with x and x' = w fixed and y far off.
  const double x = 0.6, l = 2, w = 3, y = std::sqrt(l * l - x * x);
  const Sensitivity found = at_start(
      "model: rod\nparameters: {l: 2, w: 3}\ncoordinates: {x: {value: 0.6, rate: w, fixed: true}, y: 0.5}\n"
      "kinetic_energy: (x'^2 + y'^2)/2\nconstraints: {rod: x^2 + y^2 = l^2}\n",
      {"x", "y", "y'"}, {"l", "w", "x(0)", "y(0)"});
  EXPECT_TRUE(found.reason.empty()) << found.reason;
  const double by_l = l / y, by_x = -x / y;
  Matrix expected(3, 4);
  expected << 0, 0, 1, 0, by_l, 0, by_x, 0, x * w / (y * y) * by_l, -x / y, -w / y + x * w / (y * y) * by_x, 0;
  EXPECT_LE((found.derivatives - expected).lpNorm<Eigen::Infinity>(), 1e-12) << found.derivatives;
  EXPECT_LE(found.disagreement.value_or(1), 1e-9);
}

TEST(StartVariation, FarOffTheConstraintsIsExactToo) {
  // Equal masses: the point goes to l q/|q|, and the speed loses its part along the rod.
  const double x = 0.9, y = 0.4, l = 2, w = 3, r = std::hypot(x, y);
  const Sensitivity found = at_start(
      "model: rod\nparameters: {l: 2, w: 3}\ncoordinates: {x: [0.9, w], y: 0.4}\n"
      "kinetic_energy: (x'^2 + y'^2)/2\nconstraints: {rod: x^2 + y^2 = l^2}\n",
      {"x", "y", "x'"}, {"l", "w", "x(0)"});
  // x' = w (1 − x²/r²) = w y²/r²
  Matrix expected(3, 3);
  expected << x / r, 0, l * (y * y) / (r * r * r), y / r, 0, -l * x * y / (r * r * r), 0, y * y / (r * r),
      -2 * w * y * y * x / (r * r * r * r);
  EXPECT_TRUE(found.reason.empty()) << found.reason;
  EXPECT_LE((found.derivatives - expected).lpNorm<Eigen::Infinity>(), 1e-12) << found.derivatives;
}

TEST(StartVariation, MassesThatDecideWhoGivesWayAreCounted) {
  // Two carts on a rod of length l: x1 = c − l m2/(m1 + m2) about the mean c weighted by mass, 0.25 m1 of m1 + m2.
  const double m1 = 3, m2 = 1, l = 2, sum = m1 + m2;
  const Sensitivity found = at_start(
      "model: carts\nparameters: {m1: 3, m2: 1, l: 2}\ncoordinates: {x1: 0.25, x2: 0}\n"
      "kinetic_energy: m1/2*x1'^2 + m2/2*x2'^2\nconstraints: {rod: x1 - x2 = l}\n",
      {"x1"}, {"m1", "m2", "l"});
  // x1 = (m1/4 + m2 l) / (m1 + m2)
  EXPECT_NEAR(found.derivatives(0, 0), (0.25 * sum - (0.25 * m1 + m2 * l)) / (sum * sum), 1e-12);
  EXPECT_NEAR(found.derivatives(0, 1), (l * sum - (0.25 * m1 + m2 * l)) / (sum * sum), 1e-12);
  EXPECT_NEAR(found.derivatives(0, 2), m2 / sum, 1e-12);
}

TEST(StartVariation, AnglesOfJointsCountFromWhereTheyAreDrawn) {
  // Without gravity the rod turns with w, wherever it was drawn: h.angle = w t, and a + h.angle grows with a as a does.
  SensitivityOptions options;
  options.run.until = 0.7;
  options.of = {"h.angle", "beta"};
  options.to = {"a", "w"};
  options.by = SensitivityBy::both;
  const Sensitivity found = find_sensitivity(read_model(R"(
model: rod
parameters: {a: 0.3, w: 1.5}
bodies:
  r:
    mass: 1
    inertia: [0.01, 0.1, 0.1]
    position: [cos(a)/2, sin(a)/2, 0]
    orientation: {axis: [0, 0, 1], angle: a}
    velocity: [-w*sin(a)/2, w*cos(a)/2, 0]
    angular_velocity: [0, 0, w]
joints: {h: {type: revolute, bodies: [ground, r], at: [0, 0, 0], axis: [0, 0, 1]}}
outputs: {beta: a + h.angle}
)",
                                                        "test.yaml"),
                                             options);
  Matrix expected(2, 2);
  expected << 0, 0.7, 1, 0.7;
  EXPECT_LE((found.derivatives - expected).lpNorm<Eigen::Infinity>(), 1e-10) << found.derivatives;
  EXPECT_LE(found.disagreement.value_or(1), 1e-9);
}

}  // namespace
}  // namespace taut
