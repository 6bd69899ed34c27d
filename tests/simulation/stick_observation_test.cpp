/// What is seen of a motion while friction holds it: rows between steps, events, the start and the end. Forces at rest
/// change from moment to moment although nothing moves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "taut/taut.hpp"

namespace taut {
namespace {

/// A block on a rough rail that is pushed to and fro by less than friction holds: 10 of at most 14.7.
const char* pushed_block = R"(
gravity: [0, -9.81, 0]
bodies:
  block: {mass: 3, inertia: [0, 0, 0.1], planar: true}
joints:
  rail: {type: prismatic, bodies: [ground, block], at: [0, 0, 0], axis: [1, 0, 0], friction: {coefficient: 0.5}}
forces:
  push: {type: force, body: block, value: [10*cos(2*t), 0, 0]}
outputs: {friction: rail.friction, acceleration: block.ax}
events: {five: rail.fx + 5}
)";

std::vector<double> times(const Run& run, const std::string& kind, const std::string& name) {
  std::vector<double> found;
  for (const Event& event : run.summary.events)
    if (event.kind == kind && event.name == name) found.push_back(event.t);
  return found;
}

TEST(WhileFrictionHolds, RowsBetweenStepsHaveTheFrictionThatHoldsThere) {
  const auto run = simulate(read_model(pushed_block, "push.yaml"), {.until = 3, .every = 0.07});
  const std::vector<double> t = run.trajectory.column("t"), friction = run.trajectory.column("friction"),
                            acceleration = run.trajectory.column("acceleration");
  ASSERT_GT(t.size(), 40U);
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(friction[k], -10 * std::cos(2 * t[k]), 1e-9) << t[k];
    EXPECT_NEAR(acceleration[k], 0, 1e-9) << t[k];
  }
  EXPECT_NEAR(value_of(run.summary.final_outputs, "friction"), -10 * std::cos(6), 1e-9);
}

/// A seal of a fixed size has no reaction that would tell: 10 of at most 12, and what the bearing bears of it.
TEST(WhileFrictionHolds, FrictionOfAFixedSizeIsWhatHolds) {
  std::string text = pushed_block;
  text.replace(text.find("coefficient: 0.5"), 16, "force: 12");
  text.replace(text.find("acceleration: block.ax"), 22, "acceleration: block.ax, bearing: rail.fx");
  for (const Coordinates coordinates : {Coordinates::joints, Coordinates::bodies}) {
    const auto run = simulate(read_model(text, "seal.yaml"), {.until = 3, .coordinates = coordinates, .every = 0.07});
    const std::vector<double> t = run.trajectory.column("t"), friction = run.trajectory.column("friction"),
                              bearing = run.trajectory.column("bearing");
    for (std::size_t k = 0; k < t.size(); ++k) {
      EXPECT_NEAR(friction[k], -10 * std::cos(2 * t[k]), 1e-9) << t[k] << to_string(coordinates);
      EXPECT_NEAR(bearing[k], -10 * std::cos(2 * t[k]), 1e-9) << t[k] << to_string(coordinates);
    }
    EXPECT_NEAR(value_of(run.summary.final_outputs, "rail.friction"), -10 * std::cos(6), 1e-9)
        << to_string(coordinates);
  }
}

TEST(WhileFrictionHolds, TheStartHasTheFrictionThatHoldsThere) {
  const auto run = simulate(read_model(pushed_block, "push.yaml"), {.until = 0});
  EXPECT_NEAR(value_of(run.summary.final_outputs, "friction"), -10, 1e-9);
  EXPECT_NEAR(value_of(run.summary.final_outputs, "acceleration"), 0, 1e-9);
}

TEST(WhileFrictionHolds, EventsOfReactionsAreFound) {
  const auto run = simulate(read_model(pushed_block, "push.yaml"), {.until = 3});
  const std::vector<double> found = times(run, "crossing", "five");
  // 10 cos(2t) = 5 at 2t = π/3 and 5π/3.
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0], M_PI / 6, 1e-8);
  EXPECT_NEAR(found[1], 5 * M_PI / 6, 1e-8);
}

/// Slides to a stop at t = 1/3, and is torn loose at t = 1.5 by a force that grows.
const char* stopped_block = R"(
coordinates: {x: [0, 1], y: 0}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 10*y
forces: {x: 2*max(0, t - 0.75)*2}
constraints:
  floor: {equation: y = 0, friction: {coefficient: 0.3, along: x}}
events: {rest: x'}
)";

TEST(WhileFrictionHolds, ASpeedThatComesToZeroDoesSoOnce) {
  for (const char* integrator : {"auto", "dopri5", "abm", "cvode-bdf"}) {
    const auto run = simulate(read_model(stopped_block, "stop.yaml"), {.until = 3, .integrator = integrator});
    const std::vector<double> found = times(run, "crossing", "rest");
    ASSERT_EQ(found.size(), 1U) << integrator;
    EXPECT_NEAR(found[0], 1.0 / 3, 1e-7) << integrator;
  }
}

/// A mass on a belt, held back by a spring: sticks and slips for ever. The belt takes hold where x' − v becomes zero.
std::string on_a_belt(double v, const std::string& friction) {
  return "parameters: {v: " + std::to_string(v) +
         "}\ncoordinates: {x: 0, y: 0}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: 10*y + 5*x^2\n"
         "constraints: {belt: {equation: y = 0, friction: {" +
         friction + ", along: x - v*t}}}\nevents: {hold: x' - v}\n";
}

TEST(WhileFrictionHolds, ABeltTakesHoldWhereTheSlipEndsAndNowhereElse) {
  for (const char* friction : {"coefficient: 0.2, static: 0.5", "coefficient: 0.2, static: 0.5, stribeck: 0.1"})
    for (const double v : {0.1, 0.37, 0.612}) {
      const auto run = simulate(read_model(on_a_belt(v, friction), "belt.yaml"), {.until = 12});
      ASSERT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
      std::vector<double> holds;
      for (const Event& event : run.summary.events)
        if (event.kind == "sliding" && event.message.find("holds") != std::string::npos) holds.push_back(event.t);
      const std::vector<double> found = times(run, "crossing", "hold");
      ASSERT_GE(holds.size(), 2U);
      ASSERT_EQ(found.size(), holds.size()) << friction << ", v = " << v;
      for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], holds[k], 1e-8);
      EXPECT_TRUE(std::ranges::is_sorted(run.summary.events, {}, &Event::t)) << "events are told in order";
    }
}

}  // namespace
}  // namespace taut
