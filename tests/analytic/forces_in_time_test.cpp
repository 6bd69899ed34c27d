#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "analytic/reference.hpp"

namespace taut::test {
namespace {

Model mass(const std::string& force) {
  return read_model("coordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: \"" + force + "\"}\n", "mass");
}

struct Final {
  double x, rate;
};

Final motion(const std::string& force, Options options = {}) {
  options.record = false;
  const auto run = simulate(mass(force), options);
  EXPECT_EQ(run.summary.outcome, Outcome::done) << force << ": " << run.summary.reason;
  return {run.summary.final_coordinates[0].value, run.summary.final_rates[0].value};
}

std::string text(double value) { return std::to_string(static_cast<long long>(value * 1e12)) + "e-12"; }

/// A pulse of impulse √π at a time c, from rest: v = √π, x = √π (T − c) for a pulse that has ended.
TEST(ForcesInTime, PulsesOfAnyWidthAtAnyTimeAreFelt) {
  std::mt19937_64 random(14);
  std::uniform_real_distribution<double> exponent(-5, -1), when(1, 9);
  const double impulse = std::sqrt(std::numbers::pi);
  for (int k = 0; k < 60; ++k) {
    const double w = std::pow(10, exponent(random)), c = when(random);
    const std::string force = "exp(-((t-" + text(c) + ")/" + text(w) + ")^2)/" + text(w);
    for (const char* integrator : {"dopri5", "dop853", "abm", "cvode-bdf"}) {
      const Final end = motion(force, {.until = 10, .rtol = 1e-7, .integrator = integrator});
      EXPECT_NEAR(end.rate, impulse, 3e-5) << force << " " << integrator;
      EXPECT_NEAR(end.x, impulse * (10 - c), 3e-4) << force << " " << integrator;
    }
  }
}

/// v of a square wave of n half periods is a triangle: exact, since nothing is integrated across an edge.
TEST(ForcesInTime, ASquareWaveCostsAccuracyToNobody) {
  for (const char* integrator : {"dopri5", "dop853", "abm", "cvode-bdf"}) {
    const double w = 3, T = 10, half = std::numbers::pi / w;
    const double n = std::floor(T / half), rest = T - n * half;
    const bool odd = std::fmod(n, 2) == 1;
    const double v = odd ? half - rest : rest;
    const double x = n * half * half / 2 + (odd ? half * rest - rest * rest / 2 : rest * rest / 2);
    const Final end = motion("sign(sin(3*t))", {.until = T, .integrator = integrator});
    const double tolerance = std::string(integrator) == "cvode-bdf" ? 1e-5 : 1e-8;
    EXPECT_NEAR(end.rate, v, tolerance) << integrator;
    EXPECT_NEAR(end.x, x, 10 * tolerance) << integrator;
  }
}

TEST(ForcesInTime, RampsAndGatesAreExact) {
  EXPECT_NEAR(motion("max(0, min(1, (t-3)/0.01))").rate, 6.995, 1e-11);
  EXPECT_NEAR(motion("max(0, t-2.2)^2").rate, std::pow(7.8, 3) / 3, 1e-8);
  EXPECT_NEAR(motion("(1+sign(t-4))*(1-sign(t-4.0001))/4/0.0001").rate, 1, 1e-9);
  EXPECT_NEAR(motion("abs(cos(t))").rate, 6 - std::sin(10), 1e-8);
}

TEST(ForcesInTime, SteepStepsAreFelt) {
  for (const double k : {20.0, 100.0, 1e4, 1e6}) {
    const Final end = motion("0.6*(1 + tanh(" + text(k) + "*(t-5)))");
    EXPECT_NEAR(end.rate, 6, 1e-6) << k;
  }
}

/// The rates of all constraints' rows follow a drive that begins after a long rest, with every integrator that
/// corrects.
TEST(ForcesInTime, ADriveThatBeginsLateIsFollowedByEveryIntegrator) {
  const Model model = read_model(R"(
coordinates: {a: 0, b: 0.5}
kinetic_energy: 0.2*a'^2 + 0.5*(a'^2 + (a'+b')^2/4 + a'*(a'+b')*cos(b)) + 0.05*(a'+b')^2
constraints: {drive: a = 0.6*(1 + tanh(20*(t-5)))}
)",
                                 "drive");
  for (const char* integrator : {"auto", "dopri5", "abm", "cvode-bdf"}) {
    const auto run = simulate(model, {.until = 10, .integrator = integrator, .record = false});
    EXPECT_NEAR(coordinate(run, "a"), 1.2, 1e-12) << integrator;
    EXPECT_NEAR(coordinate(run, "b"), -53.45595, 2e-5) << integrator;
  }
}

/// What depends on the state cannot be known beforehand: the longest step serves. y passes the window at t = 5.
TEST(ForcesInTime, TheLongestStepServesWhatDependsOnTheState) {
  const Model model = read_model(R"(
coordinates: {x: 0, y: [0, 1]}
kinetic_energy: (x'^2 + y'^2)/2
forces: {x: "exp(-((y-5)/0.01)^2)/0.01"}
)",
                                 "window");
  const auto run = simulate(model, {.until = 10, .max_step = 0.01, .record = false});
  EXPECT_NEAR(run.summary.final_rates[0].value, std::sqrt(std::numbers::pi), 1e-6);
  EXPECT_GE(run.summary.steps, 1000);
}

TEST(ForcesInTime, TheLongestStepMustNotBeShorterThanAFixedOne) {
  EXPECT_THROW(motion("1", {.until = 1, .step = 0.1, .max_step = 0.01}), InputError);
  EXPECT_NO_THROW(motion("1", {.until = 1, .step = 0.01, .max_step = 0.1}));
}

}  // namespace
}  // namespace taut::test
