// Derivatives of final values against closed forms and differences of runs.
#include <gtest/gtest.h>

#include <cmath>

#include "taut/error.hpp"
#include "taut/questions.hpp"

namespace taut {
namespace {

Sensitivity sensitivity(const Model& model, double until, std::vector<std::string> of, std::vector<std::string> to) {
  SensitivityOptions options;
  options.run.until = until;
  options.of = std::move(of);
  options.to = std::move(to);
  return find_sensitivity(model, options);
}

double final_value(const Model& model, double until, const std::string& of, const Assignment& set) {
  Options options;
  options.until = until;
  options.rtol = 1e-12;
  options.integrator = Choice("dop853");
  options.record = false;
  options.set = {set};
  const Summary summary = simulate(model, options).summary;
  for (const auto* list : {&summary.final_outputs, &summary.final_coordinates})
    for (const NamedValue& value : *list)
      if (value.name == of) return value.value;
  throw std::runtime_error("there is no " + of);
}

/// (8 (f(h) − f(−h)) − (f(2h) − f(−2h))) / 12h.
double difference(const Model& model, double until, const std::string& of, const std::string& to, double at, double h) {
  const auto f = [&](double x) { return final_value(model, until, of, {to, at + x}); };
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

TEST(Sensitivity, OscillatorAgainstItsClosedForm) {
  // x = x0 cos(w t) + v0/w sin(w t), w² = k/m.
  const Model model = read_model(
      "model: s\nparameters: {k: 7, m: 2}\ncoordinates: {x: [0.3, 0.4]}\nkinetic_energy: m/2*x'^2\n"
      "potential_energy: k/2*x^2\n",
      "test.yaml");
  const double t = 3, w = std::sqrt(3.5), c = std::cos(w * t), s = std::sin(w * t);
  const double by_w = -0.3 * t * s + 0.4 * (t * c / w - s / (w * w));
  const Sensitivity all = sensitivity(model, t, {"x"}, {"k", "m", "x(0)", "x'(0)"});
  EXPECT_TRUE(all.reason.empty());
  EXPECT_NEAR(all.derivatives(0, 0), by_w / (2 * w * 2), 1e-9);
  EXPECT_NEAR(all.derivatives(0, 1), -by_w * w / (2 * 2), 1e-9);
  EXPECT_NEAR(all.derivatives(0, 2), c, 1e-9);
  EXPECT_NEAR(all.derivatives(0, 3), s / w, 1e-9);
}

TEST(Sensitivity, ParametersOfConstraintsMoveTheStartToo) {
  const Model model = load_model("pendulum");
  const Sensitivity all = sensitivity(model, 2, {"x", "y"}, {"l", "g"});
  // Differences of runs of an error of 1e-11 over steps of 1e-3 are good to 1e-8.
  EXPECT_NEAR(all.derivatives(0, 0), difference(model, 2, "x", "l", 1, 1e-3), 1e-7);
  EXPECT_NEAR(all.derivatives(1, 0), difference(model, 2, "y", "l", 1, 1e-3), 1e-7);
  EXPECT_NEAR(all.derivatives(0, 1), difference(model, 2, "x", "g", 9.81, 1e-2), 1e-7);
}

TEST(Sensitivity, RedundantAndSpatialMechanismsAgainstDifferences) {
  struct Case {
    const char *model, *of, *to;
    double at, h, until;
  };
  for (const Case& one :
       {Case{"bricard", "P2_x", "g", 9.8, 1e-2, 1.0}, Case{"bricard", "P2_y", "r", 0.1, 1e-3, 1.0},
        Case{"four-bar-redundant", "angle", "v0", 1, 1e-3, 0.5},
        Case{"rolling-disk", "contact_y", "spin", 6, 1e-2, 1.0}, Case{"knife-edge", "x", "g", 9.81, 1e-2, 1.0},
        Case{"gyroscope", "spin", "m", 1, 1e-3, 0.3}}) {
    const Model model = load_model(one.model);
    const auto known = [&](const std::string& name, const auto& list) {
      for (const auto& entry : list)
        if (entry.name == name) return true;
      return false;
    };
    if (!known(one.to, model.parameters)) continue;
    const std::string of = known(one.of, model.outputs) ? one.of : model.coordinates.front().name;
    const double at = initial_values(model).parameters[static_cast<std::size_t>(
        std::ranges::find(model.parameters, std::string(one.to), &Parameter::name) - model.parameters.begin())];
    const Sensitivity all = sensitivity(model, one.until, {of}, {one.to});
    EXPECT_TRUE(all.reason.empty()) << all.reason;
    const double expected = difference(model, one.until, of, one.to, at, one.h);
    EXPECT_NEAR(all.derivatives(0, 0), expected, 1e-6 * std::max(1.0, std::abs(expected))) << one.model << " " << of;
  }
}

TEST(Sensitivity, ThroughTheSingularPassagesOfASliderCrank) {
  const Model model = load_model("slider-crank");
  const std::string of = "th1", to = "m_s";
  const double at = 1;
  Options options;
  options.until = 3;
  options.record = false;
  ASSERT_GT(simulate(model, options).summary.passages, 0);
  const Sensitivity all = sensitivity(model, 3, {of}, {to});
  EXPECT_TRUE(all.reason.empty()) << all.reason;
  const double expected = difference(model, 3, of, to, at, 1e-3);
  EXPECT_NEAR(all.derivatives(0, 0), expected, 1e-5 * std::max(1.0, std::abs(expected))) << of << " by " << to;
}

TEST(Sensitivity, ForcesThatJumpMakeSlopesJump) {
  // A mass thrown against dry friction and gravity along a slope: up at −(g + m), down at −(g − m).
  const Model model = read_model(
      "model: s\nparameters: {m: 2, v0: 3}\ncoordinates: {x: [0, v0]}\nkinetic_energy: x'^2/2\n"
      "forces: {x: -5 - m*sign(x')}\n",
      "test.yaml");
  // x(t) = v0²/(2·7) − 3/2 (t − v0/7)² after the turn at v0/7.
  const double t = 1, v0 = 3, turn = v0 / 7;
  const Sensitivity all = sensitivity(model, t, {"x"}, {"v0", "m"});
  EXPECT_TRUE(all.reason.empty()) << all.reason;
  EXPECT_NEAR(all.derivatives(0, 0), v0 / 7 + 3 * (t - turn) / 7, 1e-8);
  EXPECT_NEAR(all.derivatives(0, 1), -v0 * v0 / 98 + (t - turn) * (t - turn) / 2 - 3 * (t - turn) * v0 / 49, 1e-8);
}

TEST(Sensitivity, AnEventThatEndsTheRunComesEarlierOrLater) {
  // Falls from h with v0 and stops on the ground at t = √(2h/g): the distance along x is v0 t.
  const Model model = read_model(
      "model: s\nparameters: {h: 2, g: 10, v0: 3}\ncoordinates: {x: [0, v0], y: h}\nkinetic_energy: (x'^2 + y'^2)/2\n"
      "potential_energy: g*y\nevents: {ground: {when: y, stop: true}}\n",
      "test.yaml");
  const Sensitivity all = sensitivity(model, 5, {"x"}, {"h", "g", "v0"});
  const double t = std::sqrt(0.4);
  EXPECT_NEAR(all.derivatives(0, 0), 3 * t / 4, 1e-8);
  EXPECT_NEAR(all.derivatives(0, 1), -3 * t / 20, 1e-8);
  EXPECT_NEAR(all.derivatives(0, 2), t, 1e-8);
}

TEST(Sensitivity, WhatElseIsAskedForChangesNoDerivative) {
  // k2 = 3 k, x = x0 cos(w t) with w² = k2: by k it is what it is by k2, three times, whether k2 is asked for or not.
  const Model model = read_model(
      "model: s\nparameters: {k: 2, k2: 3*k}\ncoordinates: {x: 0.5}\nkinetic_energy: x'^2/2\npotential_energy: "
      "k2/2*x^2\n",
      "test.yaml");
  const double alone = sensitivity(model, 1, {"x"}, {"k"}).derivatives(0, 0);
  const Sensitivity both = sensitivity(model, 1, {"x"}, {"k2", "k"});
  EXPECT_NEAR(alone, 3 * -0.5 * std::sin(std::sqrt(6.0)) / (2 * std::sqrt(6.0)), 1e-9);
  EXPECT_NEAR(both.derivatives(0, 1), alone, 1e-12);
  EXPECT_NEAR(both.derivatives(0, 0), alone / 3, 1e-12);
}

TEST(Sensitivity, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_THROW(sensitivity(load_model("pendulum"), 1, {"xx"}, {"l"}), InputError);
  EXPECT_THROW(sensitivity(load_model("pendulum"), 1, {"x"}, {"ll"}), InputError);
}

}  // namespace
}  // namespace taut
