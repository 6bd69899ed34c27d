// Derivatives taken backwards through a motion, and of integrals and extremes along it.
#include <gtest/gtest.h>

#include <cmath>

#include "taut/error.hpp"
#include "taut/questions.hpp"

namespace taut {
namespace {

Sensitivity both_ways(const Model& model, double until, std::vector<std::string> of, std::vector<std::string> to) {
  SensitivityOptions options;
  options.run.until = until;
  options.of = std::move(of);
  options.to = std::move(to);
  options.by = SensitivityBy::both;
  return find_sensitivity(model, options);
}

TEST(Adjoint, AgreesWithTheForwardWayToRounding) {
  struct Case {
    const char* model;
    std::vector<std::string> of, to;
    double until;
  };
  for (const Case& one :
       {Case{"pendulum", {"x", "y'", "lambda(rod)"}, {"l", "g", "m", "x'(0)"}, 2},
        Case{"slider-crank", {"th1"}, {"m_s", "g"}, 3},  // through singular passages
        Case{"bricard", {"P2_x", "P2_y"}, {"g"}, 1}, Case{"rolling-disk", {"contact_x", "contact_y"}, {"spin", "g"}, 1},
        Case{"gyroscope", {"rotor.z"}, {"W", "lean"}, 0.3}}) {
    const Model model = load_model(one.model);
    const Sensitivity all = both_ways(model, one.until, one.of, one.to);
    EXPECT_TRUE(all.reason.empty()) << one.model << ": " << all.reason;
    ASSERT_TRUE(all.disagreement);
    EXPECT_LT(*all.disagreement, 1e-9) << one.model;
    EXPECT_GT(all.derivatives.cwiseAbs().maxCoeff(), 1e-3) << one.model;
  }
}

TEST(Adjoint, GoesThroughForcesThatJumpAndEventsThatEndTheRun) {
  // Up a slope at −(5 + m), down at −(5 − m), until it is back where it began: v² = v0² (5 − m)/(5 + m).
  const Model model = read_model(
      "model: s\nparameters: {m: 2, v0: 3}\ncoordinates: {x: [1e-9, v0]}\nkinetic_energy: x'^2/2\n"
      "forces: {x: -5 - m*sign(x')}\nevents: {back: {when: x, stop: true}}\n",
      "test.yaml");
  const Sensitivity all = both_ways(model, 5, {"x'"}, {"v0", "m"});
  EXPECT_TRUE(all.reason.empty()) << all.reason;
  EXPECT_LT(all.disagreement.value_or(1), 1e-9);
  const double ratio = std::sqrt(3.0 / 7);
  EXPECT_NEAR(all.derivatives(0, 0), -ratio, 1e-7);
  EXPECT_NEAR(all.derivatives(0, 1), -3 * (-10.0 / 49) / (2 * ratio), 1e-7);
}

TEST(Adjoint, IntegralsAreThoseOfTheClosedForm) {
  // ∫ x = x0 sin(w t)/w + v0 (1 − cos(w t))/w², with x0 = 0.3, v0 = 0.4, w² = k.
  const Model model = read_model(
      "model: s\nparameters: {k: 4}\ncoordinates: {x: [0.3, 0.4]}\nkinetic_energy: x'^2/2\npotential_energy: k/2*x^2\n",
      "test.yaml");
  const double t = 3, w = 2, c = std::cos(w * t), s = std::sin(w * t);
  const Sensitivity all = both_ways(model, t, {"integral(x)", "x"}, {"k", "x(0)", "x'(0)"});
  EXPECT_LT(all.disagreement.value_or(1), 1e-11);
  EXPECT_NEAR(all.values[0], 0.3 * s / w + 0.4 * (1 - c) / (w * w), 1e-10);
  const double by_w = 0.3 * (t * c / w - s / (w * w)) + 0.4 * (t * s / (w * w) - 2 * (1 - c) / (w * w * w));
  EXPECT_NEAR(all.derivatives(0, 0), by_w / (2 * w), 1e-9);
  EXPECT_NEAR(all.derivatives(0, 1), s / w, 1e-9);
  EXPECT_NEAR(all.derivatives(0, 2), (1 - c) / (w * w), 1e-9);
}

TEST(Adjoint, IntegralUpToAnEventGrowsWithItsTime) {
  // A stone falls from h: ∫ x' = v0 √(2h/g).
  const Model model = read_model(
      "model: s\nparameters: {h: 2, g: 10, v0: 3}\ncoordinates: {x: [0, v0], y: h}\nkinetic_energy: (x'^2 + y'^2)/2\n"
      "potential_energy: g*y\nevents: {ground: {when: y, stop: true}}\n",
      "test.yaml");
  const Sensitivity all = both_ways(model, 5, {"integral(x')"}, {"h", "g", "v0"});
  const double t = std::sqrt(0.4);
  EXPECT_LT(all.disagreement.value_or(1), 1e-10);
  EXPECT_NEAR(all.derivatives(0, 0), 3 * t / 4, 1e-8);
  EXPECT_NEAR(all.derivatives(0, 1), -3 * t / 20, 1e-8);
  EXPECT_NEAR(all.derivatives(0, 2), t, 1e-8);
}

TEST(Extremes, OfASwingAreItsAmplitudeWhereverTheStepsEnd) {
  // x has the amplitude √(x0² + v0²/k), and x'' that times k; the least is the opposite.
  const Model model = read_model(
      "model: s\nparameters: {k: 4}\ncoordinates: {x: [0.3, 0.4]}\nkinetic_energy: x'^2/2\npotential_energy: k/2*x^2\n",
      "test.yaml");
  const double size = std::sqrt(0.09 + 0.04);
  const Sensitivity all = both_ways(model, 7, {"max(x)", "min(x)", "max(x'')"}, {"k", "x(0)", "x'(0)"});
  EXPECT_LT(all.disagreement.value_or(1), 1e-9);
  EXPECT_NEAR(all.values[0], size, 1e-10);
  EXPECT_NEAR(all.values[1], -size, 1e-10);
  EXPECT_NEAR(all.values[2], 4 * size, 1e-9);
  EXPECT_NEAR(all.derivatives(0, 0), -0.16 / 16 / (2 * size), 1e-9);
  EXPECT_NEAR(all.derivatives(0, 1), 0.3 / size, 1e-9);
  EXPECT_NEAR(all.derivatives(1, 2), -0.1 / size, 1e-9);
  EXPECT_NEAR(all.derivatives(2, 1), 1.2 / size, 1e-6);  // its time is found from differences
}

TEST(Extremes, AtTheEndOfTheRunMoveWithIt) {
  const Model model = read_model(
      "model: s\nparameters: {a: 2}\ncoordinates: {x: 0.5}\nkinetic_energy: x'^2/2\nforces: {x: a}\n", "test.yaml");
  const Sensitivity all = both_ways(model, 3, {"max(x)", "min(x)"}, {"a", "x(0)"});
  EXPECT_NEAR(all.values[0], 9.5, 1e-10);
  EXPECT_NEAR(all.derivatives(0, 0), 4.5, 1e-9);
  EXPECT_NEAR(all.values[1], 0.5, 1e-12);
  EXPECT_NEAR(all.derivatives(1, 0), 0, 1e-12);
  EXPECT_NEAR(all.derivatives(1, 1), 1, 1e-12);
}

TEST(Sensitivity, AnInitialValueThatIsNotFreeIsMovedInTheMetricOfTheMasses) {
  // Masses 1 and 3 on one line, tied: a wish of 1 for the first moves both by 1/4.
  const Model model =
      read_model("model: s\ncoordinates: {x: 0, y: 0}\nkinetic_energy: (x'^2 + 3*y'^2)/2\nconstraints: {tie: x - y}\n",
                 "test.yaml");
  SensitivityOptions options;
  options.run.until = 1;
  options.of = {"x", "y"};
  options.to = {"x(0)", "y'(0)"};
  const Sensitivity all = find_sensitivity(model, options);
  EXPECT_NEAR(all.derivatives(0, 0), 0.25, 1e-12);
  EXPECT_NEAR(all.derivatives(1, 0), 0.25, 1e-12);
  EXPECT_NEAR(all.derivatives(0, 1), 0.75, 1e-12);
}

}  // namespace
}  // namespace taut
