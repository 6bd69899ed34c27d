#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "taut/simulation.hpp"

/// Where switching functions are zero with all their rates: no sign steers them, and what follows tells their side.
namespace taut {
namespace {

double value(const std::vector<NamedValue>& list, const std::string& name) {
  return std::ranges::find(list, name, &NamedValue::name)->value;
}

bool is_told(const Summary& summary, const std::string& words) {
  return std::ranges::any_of(summary.notes, [&](const std::string& note) { return note.find(words) != note.npos; });
}

/// A slider-crank with a crank of 0.2 that hangs straight down at rest, a rod of 0.3, and two rough pins. The slip of
/// the wrist has no rate there, whatever the crank does.
constexpr const char* hanging_crank = R"(
model: hanging-crank
gravity: [0, -9.81, 0]
bodies:
  crank: {mass: 1, inertia: [0, 0, 0.04/12], position: [0, -0.1, 0], planar: true}
  rod: {mass: 1, inertia: [0, 0, 0.09/12], position: [0.11180339887498947, -0.1, 0], planar: true}
  slider: {mass: 1, inertia: [0, 0, 1], position: [0.22360679774997894, 0, 0], planar: true}
joints:
  pivot: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}
  elbow: {type: revolute, bodies: [crank, rod], at: [0, -0.2, 0], axis: [0, 0, 1],
          friction: {coefficient: 0.3, radius: 0.05}}
  wrist: {type: revolute, bodies: [rod, slider], at: [0.22360679774997894, 0, 0], axis: [0, 0, 1],
          friction: {coefficient: 0.2, radius: 0.05}}
  rail: {type: prismatic, bodies: [ground, slider], at: [0.22360679774997894, 0, 0], axis: [1, 0, 0]}
forces:
  motor: {type: torque, body: crank, axis: [0, 0, 1], value: 5*sin(3*t)}
)";

/// Newton's and Euler's laws for the three bodies, nine equations with the frictions by fixed point, solved by
/// themselves with DOP853 of another library to 1e-10: the elbow holds as long as some friction of the wrist within its
/// bounds lets it, until t = 0.00546618362, and at t = 0.5 the crank has turned by 2.29394139 and turns at 9.30254706.
TEST(DeadCentre, ACrankLetsGoWhereNoFrictionsHoldIt) {
  const Summary summary = simulate(read_model(hanging_crank, "crank.yaml"), {.until = 0.5, .record = false}).summary;
  ASSERT_EQ(summary.outcome, Outcome::done) << summary.reason;
  ASSERT_FALSE(summary.events.empty());
  EXPECT_NEAR(summary.events.back().t, 0.0054661836250, 1e-8);
  EXPECT_NEAR(value(summary.final_coordinates, "crank.angle"), 0.7231450664656036 + M_PI / 2, 1e-6);
  EXPECT_NEAR(value(summary.final_rates, "crank.angle"), 9.30254706049796, 1e-5);
  EXPECT_TRUE(is_told(summary, "statically indeterminate"));
}

/// x'' = −2 sign(x) − sign(x') from x = 1 at rest. On the way to zero the pull is 2 − 1: it takes √2, and x' is √2
/// there. A swing that begins with a speed u is pulled by 3 on its way out, which takes u/3 and leads to u²/6, and by 1
/// on its way back, which takes u/√3 and ends with the speed u/√3. All swings together take a finite time.
TEST(DeadCentre, SwingsWithoutEndComeToRest) {
  const std::string twist = R"(
model: twist
coordinates: {x: [1, 0]}
kinetic_energy: x'^2/2
forces:
  x: -2*sign(x) - sign(x')
)";
  const double u = std::sqrt(2.0), ratio = 1 / std::sqrt(3.0);
  const double rest = u + (u / 3 + u * ratio) / (1 - ratio);
  const Summary summary = simulate(read_model(twist, "twist.yaml"), {.until = 10, .record = false}).summary;
  ASSERT_EQ(summary.outcome, Outcome::done) << summary.reason;
  ASSERT_FALSE(summary.events.empty());
  EXPECT_NEAR(summary.events.back().t, rest, 1e-7);
  EXPECT_NEAR(value(summary.final_coordinates, "x"), 0, 1e-15);
  EXPECT_EQ(value(summary.final_rates, "x"), 0);
}

/// A block of mass 1 on a rough floor, pushed: in motion friction is μ m g, at rest what holds.
TEST(DeadCentre, TheFrictionOfAConstraintHasAName) {
  const std::string block = R"(
model: block
coordinates: {x: 0, y: 0}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
forces: {x: t}
constraints: {floor: {equation: y = 0, friction: {coefficient: 0.2, along: x}}}
outputs: {share: floor.friction/lambda(floor)}
)";
  const auto at = [&](double t) {
    return simulate(read_model(block, "block.yaml"), {.until = t, .record = false}).summary;
  };
  EXPECT_NEAR(value(at(1).final_outputs, "floor.friction"), -1, 1e-12);
  EXPECT_NEAR(value(at(3).final_outputs, "floor.friction"), -0.2 * 9.81, 1e-12);
  EXPECT_NEAR(value(at(3).final_outputs, "share"), -0.2, 1e-12);
}

}  // namespace
}  // namespace taut
