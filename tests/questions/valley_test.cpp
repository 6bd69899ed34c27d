// Positions of rest where second derivatives do not decide, and those that lie side by side.
#include <gtest/gtest.h>

#include <cmath>

#include "taut/questions.hpp"

namespace taut {
namespace {

Equilibria all_of(const std::string& text) {
  EquilibriumOptions options;
  options.all = true;
  options.starts = 30;
  return find_equilibria(read_model(text, "test.yaml"), options);
}

Equilibria in_plane(const std::string& potential, const std::string& start) {
  return all_of("model: plane\ncoordinates: {" + start +
                "}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: " + potential + "\n");
}

TEST(Valley, IsFollowedAlongItsFloorWhichBends) {
  // On the floor y = x² the potential is a x⁴, whatever it is on the line y = 0: (1 + a) x⁴.
  for (const double a : {-0.5, 0.5}) {
    const Equilibria all = in_plane("(y - x^2)^2 + " + std::to_string(a) + "*x^4", "x: 0.2, y: 0.1");
    ASSERT_EQ(all.found.size(), 1U) << a;
    EXPECT_EQ(all.found[0].stable, a > 0);
    EXPECT_EQ(all.found[0].neutral, 0);
  }
}

TEST(Valley, FallsBetweenTheAxesThough) {
  // x⁴ + y⁴ + c x² y² is (2 + c) x⁴ on the diagonal.
  for (const double c : {-10.0, -2.5, -1.5, 3.0}) {
    const Equilibria all = in_plane("x^4 + y^4 + " + std::to_string(c) + "*x^2*y^2", "x: 0, y: 0");
    EXPECT_EQ(all.found.at(0).stable, c > -2) << c;
  }
}

TEST(Valley, LevelInOneOfTwoFlatDirectionsIsCountedOnce) {
  const Equilibria all = in_plane("(x + 2*y)^4", "x: 0.1, y: -0.05");
  ASSERT_EQ(all.found.size(), 1U);
  EXPECT_TRUE(all.found[0].stable);
  EXPECT_EQ(all.found[0].neutral, 1);
}

TEST(Valley, PositionsSideBySideAreOneTheNearestToTheStart) {
  // A gutter round the origin: the hilltop in the middle, and the circle, of which (0.6, 0.8) is nearest to the start.
  const Equilibria all = in_plane("(x^2 + y^2 - 1)^2", "x: 0.3, y: 0.4");
  ASSERT_EQ(all.found.size(), 2U);
  for (const Equilibrium& one : all.found) {
    EXPECT_EQ(one.neutral, one.stable ? 1 : 0);
    if (one.stable) EXPECT_NEAR(value_of(one.coordinates, "x"), 0.6, 1e-6);
    if (one.stable) EXPECT_NEAR(value_of(one.coordinates, "y"), 0.8, 1e-6);
  }
}

TEST(Valley, ChainOfBodiesInSpaceHangsOrStandsInFourWaysAndTurnsAsItLikes) {
  // Two bodies on ball joints: each hangs or stands. Either may be turned about the vertical through its joint.
  const Equilibria all = all_of(R"(
model: chain
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 2, inertia: [0.1, 0.12, 0.15], position: [0.3, 0.4, 0.2]}
  b: {mass: 1, inertia: [0.1, 0.12, 0.15], position: [0.8, 0.5, 0.3]}
joints:
  hook: {type: spherical, bodies: [ground, a], at: [0, 0, 0]}
  link: {type: spherical, bodies: [a, b], at: [0.6, 0.7, 0.3]}
)");
  ASSERT_EQ(all.found.size(), 4U);
  int stable = 0;
  for (const Equilibrium& one : all.found) {
    EXPECT_EQ(one.neutral, 2);
    stable += one.stable;
  }
  EXPECT_EQ(stable, 1);
}

TEST(Stability, ForcesAcrossTheSpeedHoldAMassOnAHilltop) {
  // ẍ = x + B ẏ, ÿ = y − B ẋ: λ² = ((2 − B²) ± B √(B² − 4)) / 2, imaginary λ for B > 2.
  for (const double B : {1.5, 2.5}) {
    const Equilibria all = all_of("model: hill\nparameters: {B: " + std::to_string(B) +
                                  "}\ncoordinates: {x: 0, y: 0}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: "
                                  "-(x^2 + y^2)/2\nforces: {x: B*y', y: -B*x'}\n");
    EXPECT_EQ(all.found.at(0).stable, B > 2) << B;
  }
}

}  // namespace
}  // namespace taut
