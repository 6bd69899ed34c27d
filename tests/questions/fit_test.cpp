// Parameters found from noisy measurements, and how sure they are.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "taut/error.hpp"
#include "taut/questions.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

const char* const oscillator =
    "model: s\nparameters: {k: 3, c: 0.3}\ncoordinates: {x: 1}\nkinetic_energy: x'^2/2\npotential_energy: k/2*x^2\n"
    "forces: {x: -c*x'}\n";

double truth(double t, double k, double c) {
  const double w = std::sqrt(k - c * c / 4);
  return std::exp(-c * t / 2) * (std::cos(w * t) + c / (2 * w) * std::sin(w * t));
}

FitOptions measured(unsigned seed, double noise) {
  FitOptions options;
  options.columns = {"x"};
  options.over = {{"k", {}, {}}, {"c", 0.0, {}}};
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> error(0, noise);
  for (int i = 1; i <= 25; ++i) {
    options.times.push_back(0.2 * i);
    options.data.push_back({truth(0.2 * i, 4, 0.5) + error(generator)});
  }
  return options;
}

TEST(Fit, FindsWhatExactDataWereMadeWith) {
  const Fit result = fit(read_model(oscillator, "test.yaml"), measured(1, 0));
  EXPECT_TRUE(result.converged) << result.reason;
  EXPECT_NEAR(result.variables.at(0).value, 4, 1e-8);
  EXPECT_NEAR(result.variables.at(1).value, 0.5, 1e-8);
  EXPECT_LT(result.residual, 1e-9);
}

TEST(Fit, IntervalsHoldTheTruthAsOftenAsTheySay) {
  const Model model = read_model(oscillator, "test.yaml");
  int held = 0;
  constexpr int trials = 60;
  for (unsigned seed = 1; seed <= trials; ++seed) {
    const Fit result = fit(model, measured(seed, 0.02));
    EXPECT_TRUE(result.converged) << seed << ' ' << result.reason;
    held += result.variables.at(0).least <= 4 && 4 <= result.variables.at(0).most;
  }
  // 95 in 100 of 60 are 57; fewer than 51 has a probability below 1e-3, and all 60 one of 0.05.
  EXPECT_GE(held, 51);
}

TEST(Fit, PendulumOnItsRodIsFoundWithinItsIntervalsInNineteenOfTwentyTrials) {
  // Angles and swings of the pendulum on its rod, with length and gravity open: only their ratio matters to the angle,
  // and x alone tells the length.
  const Model model = load_model("pendulum");
  FitOptions exact;
  exact.columns = {"x", "y"};
  Options run;
  run.rtol = 1e-10;
  for (int i = 1; i <= 20; ++i) {
    run.until = 0.1 * i;
    const Summary end = simulate(model, run).summary;
    exact.times.push_back(0.1 * i);
    exact.data.push_back({value_of(end.final_coordinates, "x"), value_of(end.final_coordinates, "y")});
  }
  exact.over = {{"g", 5.0, 15.0}, {"l", 0.5, 2.0}};
  exact.run.set = {{"g", 8.5}, {"l", 1.1}};
  int held = 0;
  constexpr int trials = 100;
  for (unsigned seed = 1; seed <= trials; ++seed) {
    FitOptions noisy = exact;
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> error(0, 0.01);
    for (auto& row : noisy.data)
      for (double& one : row) one += error(generator);
    const Fit result = fit(model, noisy);
    EXPECT_TRUE(result.converged) << seed << ' ' << result.reason;
    const auto has = [&](std::size_t k, double truth) {
      return result.variables.at(k).least <= truth && truth <= result.variables.at(k).most;
    };
    held += has(0, 9.81) + has(1, 1);
  }
  // 190 of 200 are expected; g and l of one trial depend on each other, so that 2 √(2 · 100 · 0.05 · 0.95) · 2 = 12
  // less is rarer than one in a thousand.
  EXPECT_GE(held, 178);
  EXPECT_LE(held, 200);
}

TEST(Fit, VariablesThatNothingMeasuredDependsOnAreSaid) {
  FitOptions options = measured(1, 0);
  options.over = {{"d", {}, {}}};
  std::string text = oscillator;
  text.replace(text.find("c: 0.3"), 6, "c: 0.3, d: 1");
  const Fit result = fit(read_model(text, "test.yaml"), options);
  EXPECT_NE(result.reason.find("'d'"), std::string::npos);
}

TEST(Optimize, ThrowsFarthestAtTheAngleOfTheClosedForm) {
  // Landing on the ground it left, a stone flies farthest at 45 degrees: v²/g.
  const Model model = read_model(
      "model: throw\nparameters: {a: 0.3, v: 7, g: 9.81}\ncoordinates: {x: [0, v*cos(a)], y: [1e-9, v*sin(a)]}\n"
      "kinetic_energy: (x'^2 + y'^2)/2\npotential_energy: g*y\nevents: {ground: {when: y, stop: true}}\n",
      "test.yaml");
  OptimizeOptions options;
  options.of = "x";
  options.most = true;
  options.over = {{"a", 0.1, 1.4}};
  options.run.until = 5;
  const Optimum best = optimize(model, options);
  EXPECT_TRUE(best.converged) << best.reason;
  EXPECT_NEAR(best.value, 49 / 9.81, 1e-7);
  EXPECT_NEAR(value_of(best.variables, "a"), M_PI / 4, 1e-5);
}

TEST(Optimize, StopsAtABoundThatHoldsIt) {
  const Model model = read_model(
      "model: s\nparameters: {p: 1}\ncoordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: p}\n", "test.yaml");
  OptimizeOptions options;
  options.of = "x";
  options.over = {{"p", -2.0, 3.0}};
  options.run.until = 1;
  const Optimum best = optimize(model, options);
  EXPECT_TRUE(best.converged);
  EXPECT_EQ(value_of(best.variables, "p"), -2);
  EXPECT_NEAR(best.value, -1, 1e-9);
}

}  // namespace
}  // namespace taut
