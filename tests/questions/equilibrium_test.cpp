// Positions of rest against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "taut/error.hpp"
#include "taut/questions.hpp"

namespace taut {
namespace {

Equilibria rest_of(const std::string& text, EquilibriumOptions options = {}) {
  return find_equilibria(read_model(text, "test.yaml"), options);
}

double at(const Equilibrium& one, const std::string& name) { return value_of(one.coordinates, name); }

const Equilibrium& first_stable(const Equilibria& all) {
  for (const Equilibrium& one : all.found)
    if (one.stable) return one;
  throw std::runtime_error("no stable position was found");
}

TEST(Equilibrium, PendulumHangsOrStandsAndItsRodCarriesItsWeight) {
  const Equilibria all = rest_of(R"(
model: pendulum
parameters: {m: 2, l: 1.5, g: 9.81}
coordinates: {x: l, y: 0}
kinetic_energy: m/2*(x'^2 + y'^2)
potential_energy: m*g*y
constraints: {rod: x^2 + y^2 = l^2}
)",
                                 {{}, true});
  ASSERT_EQ(all.found.size(), 2U);
  for (const Equilibrium& one : all.found) {
    EXPECT_NEAR(at(one, "x"), 0, 1e-12);
    EXPECT_NEAR(std::abs(at(one, "y")), 1.5, 1e-12);
    EXPECT_EQ(one.stable, at(one, "y") < 0);
    // The gradient of the rod is (2x, 2y): -m g + 2 y λ = 0.
    EXPECT_NEAR(value_of(one.multipliers, "rod"), 2 * 9.81 / (2 * at(one, "y")), 1e-10);
  }
}

/// Masses m on rigid massless links of length 1 between (0, 0) and (span, 0): the horizontal pull P is the same in all
/// links, and the vertical one grows by m g at each mass, so that link i points along (P, (i − (n − 1)/2) m g).
double span_of_links(int links, double pull, double weight) {
  double span = 0;
  for (int i = 0; i < links; ++i) span += pull / std::hypot(pull, (i - (links - 1) / 2.0) * weight);
  return span;
}

TEST(Equilibrium, HangingChainIsTheCatenaryOfItsLinks) {
  constexpr int links = 8;
  constexpr double span = 5, weight = 9.81;
  double low = 1e-3, high = 1e3;
  for (int k = 0; k < 200; ++k) {
    const double middle = std::sqrt(low * high);
    (span_of_links(links, middle, weight) < span ? low : high) = middle;
  }
  const Equilibria all = rest_of(R"(
model: chain
coordinates: {x1: 0.6, y1: -0.8, x2: 1.2, y2: -1.6, x3: 1.8, y3: -2.4, x4: 2.5, y4: -3, x5: 3.2, y5: -2.4,
              x6: 3.8, y6: -1.6, x7: 4.4, y7: -0.8}
kinetic_energy: (x1'^2 + y1'^2 + x2'^2 + y2'^2 + x3'^2 + y3'^2 + x4'^2 + y4'^2 + x5'^2 + y5'^2 + x6'^2 + y6'^2 + x7'^2 + y7'^2)/2
potential_energy: 9.81*(y1 + y2 + y3 + y4 + y5 + y6 + y7)
constraints:
  l1: x1^2 + y1^2 = 1
  l2: (x2 - x1)^2 + (y2 - y1)^2 = 1
  l3: (x3 - x2)^2 + (y3 - y2)^2 = 1
  l4: (x4 - x3)^2 + (y4 - y3)^2 = 1
  l5: (x5 - x4)^2 + (y5 - y4)^2 = 1
  l6: (x6 - x5)^2 + (y6 - y5)^2 = 1
  l7: (x7 - x6)^2 + (y7 - y6)^2 = 1
  l8: (5 - x7)^2 + y7^2 = 1
)");
  const Equilibrium& rest = first_stable(all);
  double x = 0, y = 0;
  for (int i = 0; i + 1 < links; ++i) {
    const double rise = (i - (links - 1) / 2.0) * weight, length = std::hypot(low, rise);
    x += low / length;
    y += rise / length;
    EXPECT_NEAR(at(rest, "x" + std::to_string(i + 1)), x, 1e-10);
    EXPECT_NEAR(at(rest, "y" + std::to_string(i + 1)), y, 1e-10);
  }
}

TEST(Equilibrium, ShallowTrussHasThreeOfWhichTheMiddleOneIsNotStable) {
  // Two springs of free length L from (±a, 0) to (0, y): 2 k (√(a² + y²) − L) y / √(a² + y²) + P = 0, a cubic-like
  // curve whose roots are found here by bisection between its turning points.
  constexpr double a = 1, L = 1.1, k = 100, P = 0.3;
  const auto force = [&](double y) { return 2 * k * (std::hypot(a, y) - L) * y / std::hypot(a, y) + P; };
  const auto root = [&](double low, double high) {
    for (int i = 0; i < 100; ++i) {
      const double middle = (low + high) / 2;
      (force(middle) * force(low) > 0 ? low : high) = middle;
    }
    return low;
  };
  const Equilibria all = rest_of(R"(
model: truss
parameters: {a: 1, L: 1.1, k: 100, P: 0.3}
coordinates: {y: 0.4}
kinetic_energy: y'^2/2
potential_energy: k*(sqrt(a^2 + y^2) - L)^2 + P*y
)",
                                 {{}, true});
  ASSERT_EQ(all.found.size(), 3U);
  EXPECT_NEAR(at(all.found[0], "y"), root(0.3, 0.6), 1e-12);
  EXPECT_NEAR(at(all.found[1], "y"), root(-0.1, 0.1), 1e-12);
  EXPECT_NEAR(at(all.found[2], "y"), root(-0.6, -0.3), 1e-12);
  EXPECT_TRUE(all.found[0].stable);
  EXPECT_FALSE(all.found[1].stable);
  EXPECT_TRUE(all.found[2].stable);
}

TEST(Equilibrium, RedundantFourBarLeansAgainstItsSpring) {
  // All posts have the angle s: V = 3.5 m g l sin s + k/2 (l cos s − 2)².
  const auto slope = [](double s) { return 3.5 * 9.81 * std::cos(s) - 60 * (std::cos(s) - 2) * std::sin(s); };
  double low = -1.5, high = 0.5;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (slope(middle) * slope(low) > 0 ? low : high) = middle;
  }
  Model model = load_model("four-bar-redundant");
  const auto find = [&](const std::string& name) {
    for (const Coordinate& c : model.coordinates)
      if (c.name == name) return Expression(*model.graph, model.graph->symbol(c.symbol));
    throw std::runtime_error(name);
  };
  model.potential_energy = *model.potential_energy + 30 * pow(find("x1") - 2, 2);
  const Equilibria all = find_equilibria(model, {{{{"v0", 0.0}}}, true});
  const Equilibrium& rest = first_stable(all);
  EXPECT_NEAR(at(rest, "x1"), std::cos(low), 1e-10);
  EXPECT_NEAR(at(rest, "y1"), std::sin(low), 1e-10);
  EXPECT_NEAR(at(rest, "y3"), std::sin(low), 1e-10);
  EXPECT_FALSE(rest.multipliers_unique);
}

TEST(Equilibrium, BodyOnABallJointHangsWithItsCentreBelow) {
  const Equilibria all = rest_of(R"(
model: bell
gravity: [0, 0, -9.81]
bodies: {bell: {mass: 2, inertia: [0.1, 0.12, 0.15], position: [0.3, 0.4, 0.2]}}
joints: {hook: {type: spherical, bodies: [ground, bell], at: [0, 0, 0]}}
)");
  const Equilibrium& rest = first_stable(all);
  EXPECT_NEAR(at(rest, "bell.z"), -std::sqrt(0.29), 1e-10);
  EXPECT_EQ(rest.neutral, 1);  // it may be turned about the vertical
}

TEST(Equilibrium, WhatFallsFreelyRestsNowhereAndThatIsSaid) {
  const Equilibria all =
      rest_of("model: stone\ncoordinates: {y: 1}\nkinetic_energy: y'^2/2\npotential_energy: 9.81*y\n");
  EXPECT_TRUE(all.found.empty());
  EXPECT_NE(all.reason.find("'y' is pushed by -9.81"), std::string::npos) << all.reason;
}

TEST(Equilibrium, StateOfFirstOrderComesToRestToo) {
  // The motor's current z follows the voltage, and turns the rod against its weight: g cos(s) = z = 3.
  const Equilibria all = rest_of(R"(
model: motor
coordinates: {s: -0.5}
states: {z: {value: 0, rate: 3 - z}}
kinetic_energy: s'^2/2
potential_energy: 9.81*sin(s)
forces: {s: z - 0.1*s'}
)");
  const Equilibrium& rest = first_stable(all);
  EXPECT_NEAR(value_of(rest.states, "z"), 3, 1e-12);
  EXPECT_NEAR(std::cos(at(rest, "s")), 3 / 9.81, 1e-12);
  EXPECT_LT(at(rest, "s"), 0);
}

TEST(Equilibrium, QuarticValleyIsStableAndQuarticHillIsNot) {
  const auto stable = [](const std::string& sign) {
    return rest_of("model: quartic\ncoordinates: {x: 0, y: 0.1}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: " +
                   sign + "x^4 + y^2\n")
        .found.at(0)
        .stable;
  };
  EXPECT_TRUE(stable(""));
  EXPECT_FALSE(stable("-"));
}

}  // namespace
}  // namespace taut
