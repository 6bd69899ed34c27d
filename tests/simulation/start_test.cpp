#include "simulation/start.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "taut/simulation.hpp"

namespace taut {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A body on a hinge that is said to turn, and whose centre is not said to move.
std::string hinge(const std::string& more = "") {
  return R"(
gravity: [0, -9.8, 0]
bodies:
  p: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0.5, 0], angular_velocity: [10, 0, 0])" +
         more + R"(}
joints:
  a: {type: revolute, bodies: [ground, p], at: [0, 0, 0], axis: [1, 0, 0]}
outputs: {w: a.rate}
)";
}

constexpr const char* pendulum = R"(
coordinates: {x: 1, y: 0}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
constraints: {rod: x^2 + y^2 = 1}
)";

Run run(const std::string& text, Options options) { return simulate(read_model(text, "start.yaml"), options); }

std::string refusal(const std::string& text, const Options& options) {
  try {
    run(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

double first(const Run& run, const std::string& name) {
  const auto& columns = run.trajectory.columns;
  const auto at = std::find(columns.begin(), columns.end(), name) - columns.begin();
  return run.trajectory.rows.front()[static_cast<std::size_t>(at)];
}

constexpr const char* projecting[] = {"auto",
                                      "perturbation",
                                      "recursive-least-squares",
                                      "post-stabilization",
                                      "augmented-lagrangian",
                                      "stabilized-index-2"};

TEST(Start, ThatAsksForAnotherOneIsRefusedWithWhatMissesAndTheRemedy) {
  for (const char* method : projecting) {
    for (const double until : {0.0, 0.1}) {
      const std::string message = refusal(hinge(), {.until = until, .method = method});
      EXPECT_THAT(message, AllOf(HasSubstr("'p.omega_x' would have to change from 10 to 0.38"), HasSubstr("ω × r"),
                                 HasSubstr("--assemble"), HasSubstr("fixed: true")))
          << method << " until " << until;
    }
  }
}

TEST(Start, IsAssembledWhereThatIsAskedFor) {
  for (const char* method : projecting)
    for (const double until : {0.0, 0.1})
      // The mass metric: the angular momentum about the hinge is kept, 0.1 of 0.26.
      EXPECT_NEAR(first(run(hinge(), {.until = until, .method = method, .assemble = true}), "w"), 0.1 / 0.26, 1e-9)
          << method;
}

TEST(Start, KeepsWhatIsFixedWhileAssembling) {
  for (const char* fixed : {", fixed: true", ", fixed: [angular_velocity]"}) {
    for (const char* method : {"auto", "perturbation", "udwadia-kalaba"}) {
      for (const double until : {0.0, 0.1}) {
        const taut::Run found = run(hinge(fixed), {.until = until, .method = method, .assemble = true});
        EXPECT_EQ(first(found, "w"), 10) << method << fixed;
        EXPECT_NEAR(first(found, "p.z'"), 5, 1e-12) << "ω × r";
      }
    }
  }
}

TEST(Start, ThatWhatIsFixedRulesOutIsRefused) {
  EXPECT_THAT(refusal(hinge(", velocity: [0, 0, 1], fixed: true"), {.until = 0, .assemble = true}),
              HasSubstr("cannot be made to satisfy the constraints"));
}

TEST(Start, WithAFixedCoordinateMovesTheOthers) {
  const std::string text = R"(
coordinates: {x: {value: 0.6, rate: 1, fixed: true}, y: {value: -1}}
kinetic_energy: (x'^2 + x'*y' + y'^2)/2
constraints: {rod: x^2 + y^2 = 1}
)";
  const taut::Run found = run(text, {.until = 0, .assemble = true});
  EXPECT_EQ(first(found, "x"), 0.6);
  EXPECT_EQ(first(found, "x'"), 1);
  EXPECT_NEAR(first(found, "y"), -0.8, 1e-12);
  EXPECT_NEAR(first(found, "y'"), 0.75, 1e-12) << "x x' + y y' = 0";
}

TEST(Start, MissingByTypedDigitsIsMendedAndSaid) {
  for (const char* method : projecting) {
    const taut::Run found = run(pendulum, {.until = 0, .method = method, .set = {{"x(0)", "1.0004"}}});
    EXPECT_NEAR(first(found, "x"), 1, 1e-12) << method;
    ASSERT_FALSE(found.summary.events.empty()) << method;
    EXPECT_EQ(found.summary.events[0].kind, "assembly");
  }
}

TEST(Start, MissingByMoreThanTypedDigitsIsRefusedInAnyUnit) {
  for (const char* unit : {"1", "1e-6", "1e6"}) {
    const std::string text = std::string("parameters: {l: ") + unit +
                             "}\ncoordinates: {x: 1.01*l, y: 0}\nkinetic_energy: x'^2 + y'^2\n"
                             "constraints: {rod: x^2 + y^2 = l^2}\n";
    EXPECT_THAT(refusal(text, {.until = 1}), HasSubstr("'rod'")) << unit;
  }
}

TEST(Start, RatesThatAreNotGivenFollowFromTheConstraints) {
  const std::string text = R"yaml(
coordinates: {x: 0, y: 1}
kinetic_energy: x'^2 + y'^2
constraints: {drive: "x = sin(3*t)"}
)yaml";
  EXPECT_NEAR(first(run(text, {.until = 0}), "x'"), 3, 1e-12);
  EXPECT_THAT(refusal(text, {.until = 0, .set = {{"x'(0)", "1"}}}), HasSubstr("'x'' would have to change from 1 to 3"));
}

/// The block sits on its pin to rounding, where the lever's place is computed by another way round the loop. All joints
/// are at zero, so that this rounding would be all of their largest change.
TEST(Start, OfALoopThatAMotorDrivesMayBeOffByRounding) {
  const std::string text = R"(
gravity: [0, -9.81]
bodies:
  crank: {bar: {from: [0, 0.25], to: [0.1, 0.25], mass: 0.5}, planar: true}
  lever: {bar: {from: [0, 0], to: [0.2, 0.5], mass: 2}, planar: true}
  block: {mass: 0.2, inertia: [0, 0, 1e-4], position: crank.to, planar: true}
joints:
  motor: {type: revolute, bodies: [ground, crank], at: crank.from, axis: [0, 0, 1], velocity: 6}
  pin: {type: revolute, bodies: [crank, block], at: crank.to, axis: [0, 0, 1]}
  slot: {type: prismatic, bodies: [lever, block], at: crank.to, axis: [0.1, 0.25, 0]}
  base: {type: revolute, bodies: [ground, lever], at: lever.from, axis: [0, 0, 1]}
outputs: {w: crank.omega_z}
)";
  for (const Coordinates coordinates : {Coordinates::joints, Coordinates::bodies}) {
    const auto found = run(text, {.until = 0, .coordinates = coordinates});
    EXPECT_NEAR(value_of(found.summary.final_outputs, "w"), 6, 1e-12) << to_string(coordinates);
  }
}

TEST(Start, OfMethodsThatPullViolationsDownMayBeOff) {
  for (const char* method : {"braun-goldfarb", "baumgarte", "gradient-feedback", "udwadia-kalaba"}) {
    const taut::Run found = run(pendulum, {.until = 0, .method = method, .set = {{"x(0)", "1.2"}}});
    EXPECT_EQ(first(found, "x"), 1.2) << method;
    EXPECT_THAT(found.summary.notes, testing::Contains(HasSubstr("off its constraints"))) << method;
  }
}

TEST(Start, OffTheConstraintsAndPulledDownIsNoReasonToDistrustTheResult) {
  const taut::Run found =
      run(pendulum, {.until = 2, .step = 1e-2, .method = "braun-goldfarb", .set = {{"x(0)", "1.05"}}});
  EXPECT_TRUE(is_trusted(found.summary.verdict)) << found.summary.verdict_reason;
}

TEST(Fixed, WithoutAValueIsRefused) {
  EXPECT_THAT(refusal("coordinates: {x: {fixed: true}}\nkinetic_energy: x'^2\n", {.until = 0}),
              HasSubstr("fixed without a value"));
}

}  // namespace
}  // namespace taut
