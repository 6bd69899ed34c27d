// Positions of rest over a parameter, and states made steady, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "taut/error.hpp"
#include "taut/questions.hpp"

namespace taut {
namespace {

RestPath path_of(const std::string& text, const std::string& over, double from, double to) {
  PathOptions options;
  options.over = over;
  options.from = from;
  options.to = to;
  return follow_equilibria(read_model(text, "test.yaml"), options);
}

std::vector<SpecialPoint> of_kind(const RestPath& path, const std::string& kind) {
  std::vector<SpecialPoint> list;
  for (const SpecialPoint& point : path.special)
    if (point.kind == kind) list.push_back(point);
  return list;
}

/// Two springs of free length L from (±a, 0) to (0, y), pulled down by P.
double pull(double y) { return -200 * (std::hypot(1, y) - 1.1) * y / std::hypot(1, y); }

TEST(RestPath, TrussSnapsThroughWhereItsForceIsLargest) {
  // dP/dy = 0: 1 − L a²/(a² + y²)^(3/2) = 0, y = ±√((L a²)^(2/3) − a²).
  const RestPath path = path_of(R"(
model: truss
parameters: {a: 1, L: 1.1, k: 100, P: 0}
coordinates: {y: 0.45}
kinetic_energy: y'^2/2
potential_energy: k*(sqrt(a^2 + y^2) - L)^2 + P*y
)",
                                "P", 0, 5);
  ASSERT_TRUE(path.reason.empty()) << path.reason;
  const double y = std::sqrt(std::pow(1.1, 2.0 / 3) - 1);
  const auto folds = of_kind(path, "fold");
  ASSERT_GE(folds.size(), 1U);
  EXPECT_NEAR(folds[0].parameter, pull(y), 1e-9);
  EXPECT_NEAR(value_of(folds[0].coordinates, "y"), y, 1e-5);  // flat there: the root of rounding
  for (const RestPathPoint& point : path.points) {
    const double at = value_of(point.coordinates, "y");
    EXPECT_NEAR(point.parameter, pull(at), 1e-9);
    if (std::abs(std::abs(at) - y) > 1e-3) EXPECT_EQ(point.stable, std::abs(at) > y) << at;
  }
}

TEST(RestPath, ColumnBucklesToBothSidesAtItsCriticalLoad) {
  // A rigid column of length 1 on a hinge with a spring k: k s = P sin s, branches from P = k on.
  const RestPath path = path_of(R"(
model: column
parameters: {k: 10, P: 0}
coordinates: {s: 0}
kinetic_energy: s'^2/2
potential_energy: k/2*s^2 + P*(cos(s) - 1)
)",
                                "P", 5, 15);
  const auto branches = of_kind(path, "branch");
  ASSERT_EQ(branches.size(), 1U);
  EXPECT_NEAR(branches[0].parameter, 10, 1e-6);
  EXPECT_EQ(path.branches, 3);
  double most = 0, least = 0;
  for (const RestPathPoint& point : path.points) {
    const double s = value_of(point.coordinates, "s");
    EXPECT_NEAR(10 * s, point.parameter * std::sin(s), 1e-8);
    if (point.branch == 1 && std::abs(point.parameter - 10) > 1e-3) EXPECT_EQ(point.stable, point.parameter < 10);
    if (point.branch > 1 && std::abs(s) > 1e-2) EXPECT_TRUE(point.stable) << s;
    most = std::max(most, s);
    least = std::min(least, s);
  }
  // At the end of the range, P = 15: 10 s = 15 sin s.
  EXPECT_NEAR(10 * most, 15 * std::sin(most), 1e-7);
  EXPECT_GT(most, 1.4);
  EXPECT_NEAR(least, -most, 1e-6);
}

TEST(RestPath, GoesOnConstraintsThatAreRedundantAndMoveWithTheParameter) {
  // A pendulum whose rod grows, its rod told twice, blown sideways: tan s = F/g whatever its length.
  const RestPath path = path_of(R"(
model: kite
parameters: {l: 1, F: 4, g: 9.81}
coordinates: {x: 0.3, y: -0.9}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: g*y - F*x
constraints: {rod: x^2 + y^2 = l^2, again: 3*x^2 + 3*y^2 = 3*l^2}
)",
                                "l", 1, 2);
  ASSERT_TRUE(path.reason.empty()) << path.reason;
  ASSERT_GT(path.points.size(), 3U);
  EXPECT_NEAR(path.points.back().parameter, 2, 1e-12);
  for (const RestPathPoint& point : path.points) {
    EXPECT_NEAR(value_of(point.coordinates, "x"), point.parameter * 4 / std::hypot(4, 9.81), 1e-10);
    EXPECT_TRUE(point.stable);
  }
}

TEST(Trim, TorqueHoldsAnArmWhereItStarts) {
  TrimOptions options;
  options.over = {{"u", {}, {}}};
  const Trim found = trim(read_model(R"(
model: arm
parameters: {u: 0, m: 2, l: 0.7, g: 9.81}
coordinates: {s: 0.4}
kinetic_energy: m*l^2*s'^2/2
potential_energy: m*g*l*sin(s)
forces: {s: u}
)",
                                     "test.yaml"),
                          options);
  EXPECT_TRUE(found.reason.empty()) << found.reason;
  EXPECT_NEAR(value_of(found.variables, "u"), 2 * 9.81 * 0.7 * std::cos(0.4), 1e-12);
  EXPECT_FALSE(found.stable.value_or(true));  // the weight's moment grows as it sinks
}

TEST(Trim, SpeedOfASteadyConeOfAPendulum) {
  // A conical pendulum in spherical angles: φ'² = g/(l cos θ).
  TrimOptions options;
  options.over = {{"p'(0)", 0.1, 20.0}};
  const Trim found = trim(read_model(R"(
model: cone
parameters: {l: 1.3, g: 9.81}
coordinates: {a: 0.6, p: [0, 1]}
kinetic_energy: l^2*(a'^2 + sin(a)^2*p'^2)/2
potential_energy: -g*l*cos(a)
)",
                                     "test.yaml"),
                          options);
  EXPECT_TRUE(found.reason.empty()) << found.reason;
  EXPECT_NEAR(value_of(found.variables, "p'(0)"), std::sqrt(9.81 / (1.3 * std::cos(0.6))), 1e-9);
}

TEST(Trim, WhatCannotBeMadeSteadyIsSaid) {
  TrimOptions options;
  options.over = {{"u", {}, {}}};
  const Trim found = trim(read_model(R"(
model: stone
parameters: {u: 0}
coordinates: {x: 0, y: 0}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
forces: {x: u}
)",
                                     "test.yaml"),
                          options);
  EXPECT_NE(found.reason.find("y''"), std::string::npos) << found.reason;
}

}  // namespace
}  // namespace taut
