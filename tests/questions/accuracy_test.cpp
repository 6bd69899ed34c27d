// Runs that are asked for an error of their result, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "taut/error.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

Summary run(const Model& model, double accuracy, double until) {
  Options options;
  options.accuracy = accuracy;
  options.until = until;
  options.record = false;
  return simulate(model, options).summary;
}

TEST(Accuracy, OscillatorAndSpiralAreAsExactAsWasAsked) {
  // Damped: x = e^(−t/20) cos(w t) + …; a pendulum of small swings about a circle would do as well.
  const Model model = read_model(
      "model: s\ncoordinates: {x: 1, y: [0, 2]}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: 2*(x^2 + y^2)\n",
      "test.yaml");
  for (const double asked : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const Summary summary = run(model, asked, 20);
    ASSERT_TRUE(summary.accuracy);
    EXPECT_TRUE(summary.accuracy->reached) << asked;
    EXPECT_LE(summary.accuracy->runs, 4);
    EXPECT_NEAR(value_of(summary.final_coordinates, "x"), std::cos(40.0), asked);
    EXPECT_NEAR(value_of(summary.final_coordinates, "y"), std::sin(40.0), asked);
    EXPECT_NEAR(value_of(summary.final_rates, "x"), -2 * std::sin(40.0), asked);
  }
}

TEST(Accuracy, EstimateIsNoSmallerThanTheErrorOfAPendulumOnItsRod) {
  // A pendulum let go level comes back after a whole period, 4 K(sin 45°) √(l/g).
  const double period = 4 * std::comp_ellint_1(std::sqrt(0.5)) / std::sqrt(9.81);
  for (const double asked : {1e-5, 1e-9}) {
    const Summary summary = run(load_model("pendulum"), asked, 3 * period);
    EXPECT_TRUE(summary.accuracy->reached);
    EXPECT_NEAR(value_of(summary.final_coordinates, "x"), 1, asked);
    EXPECT_NEAR(value_of(summary.final_coordinates, "y"), 0, asked);
  }
}

TEST(Accuracy, ChaosIsSaidWithTheTimeUntilWhichItHolds) {
  const Model model = read_model(R"(
model: double
coordinates: {a: 2.5, b: 2}
kinetic_energy: a'^2 + b'^2/2 + a'*b'*cos(a - b)
potential_energy: -9.81*(2*cos(a) + cos(b))
)",
                                 "test.yaml");
  const Summary summary = run(model, 1e-8, 120);
  ASSERT_TRUE(summary.accuracy);
  EXPECT_FALSE(summary.accuracy->reached);
  EXPECT_EQ(summary.verdict, Verdict::failed);
  EXPECT_GT(summary.accuracy->holds_until, 3);
  EXPECT_LT(summary.accuracy->holds_until, 120);
  // Until then it does: another formula agrees.
  Options other;
  other.until = summary.accuracy->holds_until;
  other.integrator = Choice("abm");
  other.rtol = 1e-13;
  const Summary check = simulate(model, other).summary;
  const Summary again = run(model, 1e-8, other.until);
  EXPECT_NEAR(value_of(check.final_coordinates, "a"), value_of(again.final_coordinates, "a"), 2e-8);
}

TEST(Accuracy, FixedStepsAreRefused) {
  Options options;
  options.accuracy = 1e-6;
  options.step = 1e-3;
  EXPECT_THROW(simulate(load_model("pendulum"), options), InputError);
}

}  // namespace
}  // namespace taut
