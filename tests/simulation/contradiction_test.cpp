#include "simulation/contradiction.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace taut {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string drives(const std::string& constraints) {
  return "coordinates: {x: [0, 1], y: [0, 1]}\nkinetic_energy: x'^2/2 + y'^2/2\nconstraints: {" + constraints + "}\n";
}

Summary run(const std::string& text, Options options) {
  options.record = false;
  return simulate(read_model(text, "drives.yaml"), options).summary;
}

std::vector<std::string> every_method() {
  std::vector<std::string> names;
  for (const auto& entry : list_methods()) names.push_back(entry.name);
  return names;
}

TEST(ContradictoryConstraints, EndTheRunWhereTheyBeginUnderEveryMethod) {
  for (const std::string& method : every_method()) {
    const auto summary = run(drives("a: x = t, b: x = t + 0.5*t^3"), {.until = 3, .method = method});
    EXPECT_EQ(summary.verdict, Verdict::contradictory) << method << ": " << summary.verdict_reason;
    EXPECT_THAT(summary.verdict_reason, AllOf(HasSubstr("'a' and 'b'"))) << method;
    // They differ by half of t² there, which is seen from a billionth on.
    EXPECT_LT(summary.t_end, 1e-3) << method;
  }
}

TEST(ContradictoryConstraints, EndTheRunWithEveryKernelAndWithFixedSteps) {
  for (const auto& kernel : list_kernels()) {
    for (const bool fixed : {false, true}) {
      Options options{.until = 3, .linear = kernel.name};
      if (fixed) options.step = 0.1;
      const auto summary = run(drives("a: x = t, b: x = t + 0.5*t^3"), options);
      EXPECT_EQ(summary.verdict, Verdict::contradictory) << kernel.name << ": " << summary.verdict_reason;
      EXPECT_LT(summary.t_end, 0.1) << kernel.name;
    }
  }
}

TEST(ContradictoryConstraints, OfVelocitiesEndTheRunAtOnce) {
  for (const char* method : {"auto", "udwadia-kalaba", "baumgarte", "perturbation"}) {
    const auto summary = run(drives("\"a\": \"x' = 1\", \"b\": \"x' = 1 + 0.1*t\""), {.until = 3, .method = method});
    EXPECT_EQ(summary.verdict, Verdict::contradictory) << method;
    EXPECT_LT(summary.t_end, 1e-6) << method;
  }
}

TEST(ContradictoryConstraints, ThatBeginLaterEndTheRunThen) {
  for (const char* method : {"auto", "udwadia-kalaba", "perturbation", "coordinate-partitioning"}) {
    const auto summary = run(drives("a: x = t, \"b\": \"x = t + max(0, t - 1)^3\""), {.until = 3, .method = method});
    EXPECT_EQ(summary.verdict, Verdict::contradictory) << method;
    // (t − 1)³ is a billionth at 1.001.
    EXPECT_GE(summary.t_end, 1) << method;
    EXPECT_LT(summary.t_end, 1.01) << method;
    EXPECT_NEAR(summary.final_coordinates[0].value, summary.t_end, 1e-8) << method << ": the last good state";
  }
}

TEST(ContradictoryConstraints, AreNamedWithoutThoseThatAgree) {
  const auto summary =
      run(drives("good: x + y = 2*t, \"a\": \"x = t\", \"b\": \"y = t + t^2\""), {.until = 3, .method = "auto"});
  EXPECT_EQ(summary.verdict, Verdict::contradictory);
  EXPECT_THAT(summary.reason, AllOf(HasSubstr("'good'"), HasSubstr("'a'"), HasSubstr("'b'")));
  const auto other =
      run("coordinates: {x: [0, 1], y: [0, 1], z: [0, 1]}\nkinetic_energy: x'^2 + y'^2 + z'^2\n"
          "constraints: {apart: z = t, again: 2*z = 2*t, a: x = t, b: 3*x = 3*t + t^3}\n",
          {.until = 3});
  EXPECT_EQ(other.verdict, Verdict::contradictory);
  EXPECT_THAT(other.reason, AllOf(HasSubstr("'a' and 'b'"), Not(HasSubstr("'apart'")), Not(HasSubstr("'again'"))));
}

TEST(ContradictoryConstraints, OfTwoMotorsOnOneFreedomEndTheRun) {
  const std::string text = R"(
gravity: [0, -9.81, 0]
bodies:
  a: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], planar: PLANAR}
  b: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1.5, 0, 0], planar: PLANAR}
joints:
  j1: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], position: 0.2*t^2}
  j2: {type: revolute, bodies: [a, b], at: [1, 0, 0], axis: [0, 0, 1]}
  j3: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], position: 0.2*t^2 + 0.05*t^3}
)";
  for (const char* planar : {"true", "false"}) {
    std::string model = text;
    for (std::size_t at; (at = model.find("PLANAR")) != model.npos;) model.replace(at, 6, planar);
    const auto summary = run(model, {.until = 3});
    EXPECT_EQ(summary.verdict, Verdict::contradictory) << summary.verdict_reason;
    EXPECT_THAT(summary.reason, AllOf(HasSubstr("'j1.motor' and 'j3.motor'"), Not(HasSubstr("j2"))));
    EXPECT_LT(summary.t_end, 1e-2);
  }
}

TEST(ContradictoryConstraints, ARedundantBarThatDoesNotFitIsFoundWhenAssembling) {
  const std::string text = R"(
coordinates: {x1: 0, y1: 1, x2: 1, y2: 1}
kinetic_energy: (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2
constraints:
  left: x1^2 + y1^2 = 1
  right: (x2 - 1)^2 + y2^2 = 1
  top: (x2 - x1)^2 + (y2 - y1)^2 = 1
  middle: ((x1 + x2)/2 - 0.5)^2 + ((y1 + y2)/2)^2 = LENGTH
)";
  const auto with = [&](const char* length) {
    std::string model = text;
    return run(model.replace(model.find("LENGTH"), 6, length), {.until = 1, .assemble = true});
  };
  EXPECT_EQ(with("1").verdict, Verdict::done);
  EXPECT_THROW(with("1.01^2"), InputError);
}

TEST(IndependentConstraints, ThatDependOnEachOtherAtASingularPositionAreNotTakenForContradictory) {
  // Without a correction the motion creeps up to where the bars are flat, and the rank falls for many steps.
  for (const char* method : {"udwadia-kalaba", "baumgarte", "gradient-feedback"}) {
    const Model model = load_model("mechanisms/a02-n-four-bar");
    const auto summary = simulate(model, {.until = 1, .rtol = 1e-9, .method = method, .record = false}).summary;
    EXPECT_NE(summary.verdict, Verdict::contradictory) << method << ": " << summary.reason;
  }
}

TEST(RedundantConstraints, AreNeverTakenForContradictory) {
  for (const char* model : {"bricard", "four-bar-redundant", "mechanisms/door-three-hinges",
                            "mechanisms/parallelogram-three-cranks", "mechanisms/cardan-shaft"}) {
    for (const char* method : {"auto", "udwadia-kalaba", "braun-goldfarb", "baumgarte", "recursive-least-squares",
                               "gradient-feedback", "post-stabilization"}) {
      for (const char* step : {"", "1e-2", "3e-2"}) {
        Options options = options_of(load_model(model));
        unset_step(options);
        options.until = 2;
        options.method = method;
        options.integrator = "auto";
        options.energy = "none";
        if (*step) options.step = std::stod(step);
        options.record = false;
        const auto summary = simulate(load_model(model), options).summary;
        EXPECT_NE(summary.verdict, Verdict::contradictory)
            << model << ", " << method << ", step " << step << ": " << summary.reason;
      }
    }
  }
}

}  // namespace
}  // namespace taut
