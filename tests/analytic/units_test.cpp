#include <gtest/gtest.h>

#include <cmath>

#include "analytic/reference.hpp"

namespace taut::test {
namespace {

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// x = A cos 2t, whatever the unit of A.
TEST(Units, AnOscillatorIsAsGoodInAnyUnit) {
  for (const char* integrator : {"dopri5", "dop853", "abm", "cvode-bdf"})
    for (const double A : {1e9, 1.0, 1e-3, 1e-9, 1e-12, 1e-15}) {
      const auto model = read_model(
          "coordinates: {x: " + number(A) + "}\nkinetic_energy: x'^2/2\npotential_energy: 2*x^2\n", "oscillator");
      const auto run = simulate(model, {.until = 10, .integrator = integrator, .record = false});
      EXPECT_NEAR(coordinate(run, "x") / A, std::cos(20), 2e-6) << integrator << " " << A;
    }
}

TEST(Units, ASmallOscillatorNextToALargeOneIsAsGoodAsAlone) {
  const auto model = read_model(
      "coordinates: {x: 1, y: [0, 3e-12]}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: x^2/2 + 4.5*y^2\n",
      "two");
  const auto run = simulate(model, {.until = 10, .record = false});
  EXPECT_NEAR(coordinate(run, "x"), std::cos(10), 1e-6);
  EXPECT_NEAR(coordinate(run, "y") / 1e-12, std::sin(30), 1e-6);
}

/// A pendulum of length l in a field of g l swings alike for every l.
TEST(Units, APendulumOfAnyLengthSwingsAlike) {
  for (const double l : {1e-12, 1e-9, 1.0, 1e9}) {
    const auto model = read_model("parameters: {l: " + number(l) + R"(}
coordinates: {x: l, y: 0}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*l*y
constraints: {rod: x^2 + y^2 = l^2}
)",
                                  "pendulum");
    const auto run = simulate(model, {.until = 10, .record = false});
    EXPECT_NEAR(coordinate(run, "x") / l, 0.2750874625761158, 1e-7) << l;
    EXPECT_NEAR(coordinate(run, "y") / l, -0.9614192050991254, 1e-7) << l;
  }
}

/// At rest in equilibrium there is nothing but noise to resolve, and the run ends all the same.
TEST(Units, EquilibriumIsNotResolvedToItsNoise) {
  const auto model = read_model(R"(
coordinates: {x: 0, y: -1}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y + 50*(sqrt(x^2 + y^2) - 0.9019)^2
forces: {x: -0.1*x', y: -0.1*y'}
)",
                                "hanging");
  for (const char* integrator : {"dopri5", "dop853", "abm", "cvode-bdf"}) {
    const auto run = simulate(model, {.until = 10, .integrator = integrator, .record = false});
    EXPECT_EQ(run.summary.outcome, Outcome::done) << integrator << ": " << run.summary.reason;
    EXPECT_LT(run.summary.evaluations, 20'000) << integrator;
  }
}

}  // namespace
}  // namespace taut::test
