#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "taut/error.hpp"
#include "taut/stepping.hpp"

/// Events that act: values that jump, constraints that are switched, contacts that strike; against closed forms.
namespace taut {
namespace {

using testing::HasSubstr;

Options with(double until, std::optional<double> step = std::nullopt, const std::string& method = "auto") {
  Options options;
  options.until = until;
  options.method = Choice(method);
  if (method != "stabilized-index-2") options.step = step;
  return options;
}

std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const ListEntry& method : list_methods())
    if (method.name != "stabilized-index-2") names.push_back(method.name);  // refused, as another test shows
  return names;
}

Model read(const std::string& text) { return read_model(text, "events.yaml"); }

std::vector<Event> of_kind(const Summary& summary, const std::string& kind) {
  std::vector<Event> events;
  for (const Event& event : summary.events)
    if (event.kind == kind) events.push_back(event);
  return events;
}

double final_value(const taut::Run& run, const std::string& column) { return run.trajectory.column(column).back(); }

class EventActionsUnder : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, EventActionsUnder, testing::ValuesIn(all_methods()), [](const auto& method) {
  std::string name = method.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

/// Two discs, J = 2 and 3, turning at 5 and 0: when the first has turned by 4 the clutch makes them one. What is kept
/// is 2·5 = 5·ω, and the energy falls from 25 to 10. The time is 0.8.
TEST_P(EventActionsUnder, AClutchKeepsTheAngularMomentumAndLosesEnergy) {
  const Model model = read(
      "coordinates: {a: [0, 5], b: 0}\n"
      "kinetic_energy: a'^2 + 1.5*b'^2\n"
      "constraints: {clutch: {equation: a' = b', engaged: false}}\n"
      "events: {shut: {when: a - 4, engage: clutch}}\n");
  const taut::Run run = simulate(model, with(2, 0.05, GetParam()));
  ASSERT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  const std::vector<Event> actions = of_kind(run.summary, "action");
  ASSERT_EQ(actions.size(), 1U);
  // Multipliers of an augmented Lagrangian converge up to its own tolerance.
  const double allowed = GetParam() == "augmented-lagrangian" ? 1e-10 : 1e-12;
  EXPECT_NEAR(actions[0].t, 0.8, allowed);
  EXPECT_NEAR(*actions[0].impulse, 6, 10 * allowed);
  EXPECT_NEAR(*actions[0].energy_change, -15, 30 * allowed);
  EXPECT_NEAR(final_value(run, "a'"), 2, allowed);
  EXPECT_NEAR(2 * final_value(run, "a'") + 3 * final_value(run, "b'"), 10, 10 * allowed);
  EXPECT_NEAR(final_value(run, "b"), 2 * 1.2, 10 * allowed);
  EXPECT_EQ(final_value(run, "clutch.engaged"), 1);
  EXPECT_LT(*run.summary.max_energy_error, 1e-11);
}

/// A latch that catches a mass where it passes, and lets it go again later: 1 kg at 3 meets 2 kg at rest.
TEST_P(EventActionsUnder, ALatchCatchesAndLetsGo) {
  const Model model = read(
      "parameters: {speed: 3}\n"
      "coordinates: {x: [0, speed], y: 1.5}\n"
      "kinetic_energy: x'^2/2 + y'^2\n"
      "constraints: {latch: {equation: x = y, engaged: false}}\n"
      "events:\n"
      "  catch: {when: x - y, direction: rising, engage: latch}\n"
      "  open: {when: x - 2.5, release: latch, set: {x': x' + 1}}\n");
  const taut::Run run = simulate(model, with(3, 0.04, GetParam()));
  ASSERT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  const std::vector<Event> actions = of_kind(run.summary, "action");
  ASSERT_EQ(actions.size(), 2U);
  const double allowed = GetParam() == "augmented-lagrangian" ? 1e-9 : 1e-11;
  EXPECT_NEAR(actions[0].t, 0.5, allowed);  // together they go at 1, and the second is a second later
  EXPECT_NEAR(actions[1].t, 1.5, allowed);
  EXPECT_NEAR(final_value(run, "x'"), 2, allowed);
  EXPECT_NEAR(final_value(run, "y'"), 1, allowed);
  EXPECT_NEAR(final_value(run, "x"), 2.5 + 2 * 1.5, 10 * allowed);
}

/// A gripper that closes where the part happens to be, carries it, and opens: where the part is seen from the hand, and
/// how it is turned.
TEST(EventActions, AGripperHoldsWhatItMeetsWhereItIs) {
  const Model model = read(
      "bodies:\n"
      "  hand: {mass: 2, inertia: [1, 1, 1], position: [0, 0, 0], velocity: [1, 0, 0], planar: true}\n"
      "  part: {mass: 1, inertia: [0, 0, 0.5], position: [0, 0.3, 0], velocity: [0, 0, 0], angular_velocity: [0, 0, "
      "2],\n"
      "         planar: true}\n"
      "definitions: {dx: part.x - hand.x, dy: part.y - hand.y}\n"
      "constraints:\n"
      "  along: {equation: dx*cos(hand.angle) + dy*sin(hand.angle), engaged: false}\n"
      "  across: {equation: dy*cos(hand.angle) - dx*sin(hand.angle), engaged: false}\n"
      "  turn: {equation: part.angle - hand.angle, engaged: false}\n"
      "events:\n"
      "  close: {when: t - 0.25, hold: [along, across, turn]}\n"
      "  open: {when: t - 0.75, release: [along, across, turn]}\n");
  for (const char* coordinates : {"bodies", "auto"}) {
    Options options = with(1, 0.01);
    options.coordinates = std::string(coordinates) == "auto" ? Coordinates::automatic : Coordinates::bodies;
    const taut::Run run = simulate(model, options);
    ASSERT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
    const auto at = [&](const std::string& name) { return final_value(run, name); };
    // Linear and angular momentum about the origin are kept by both impulses.
    const double p = 2 * at("hand.x'") + at("part.x'"), py = 2 * at("hand.y'") + at("part.y'");
    EXPECT_NEAR(p, 2, 1e-12);
    EXPECT_NEAR(py, 0, 1e-12);
    const double L = at("hand.angle'") + 0.5 * at("part.angle'") +
                     2 * (at("hand.x") * at("hand.y'") - at("hand.y") * at("hand.x'")) + at("part.x") * at("part.y'") -
                     at("part.y") * at("part.x'");
    EXPECT_NEAR(L, 1, 1e-12);
    // While it holds, both turn alike, by what the impulse leaves: about the common centre of mass.
    const std::vector<double> t = run.trajectory.column("t"), hand = run.trajectory.column("hand.angle'"),
                              part = run.trajectory.column("part.angle'");
    const double dx = 0.25, dy = -0.3, reduced = 2.0 / 3;  // hand − part where it closes, and the velocities (1, 0)
    const double spin = 0.5 * 2 + reduced * (dx * 0 - dy * 1);
    const double omega = spin / (1 + 0.5 + reduced * (dx * dx + dy * dy));
    for (std::size_t k = 0; k < t.size(); ++k) {
      if (t[k] < 0.25) continue;
      EXPECT_NEAR(hand[k], omega, 1e-11) << t[k];
      EXPECT_NEAR(part[k], omega, 1e-11) << t[k];
    }
  }
}

/// A ball dropped from 1 m, e = 0.8: it strikes at t₀ = √(2/g), then after flights of 2 eᵏ v₀/g; all end at
/// t₀ (1 + e)/(1 − e). Parabolas are exact for RK4 and its interpolation.
TEST_P(EventActionsUnder, ABallBouncesAndComesToRest) {
  const Model model = read(
      "parameters: {g: 9.81, e: 0.8}\n"
      "coordinates: {x: [0, 1], y: 1, z: 0}\n"
      "kinetic_energy: (x'^2 + y'^2 + z'^2)/2\n"
      "potential_energy: g*y\n"
      "constraints: {wall: z = 0}\n"
      "outputs: {push: lambda(floor)}\n"
      "events: {floor: {when: y, restitution: e}}\n");
  const taut::Run run = simulate(model, with(6, 0.05, GetParam()));
  ASSERT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  const std::vector<Event> impacts = of_kind(run.summary, "impact");
  ASSERT_GT(impacts.size(), 40U);
  const double allowed = 1e-10;
  const double t0 = std::sqrt(2 / 9.81), v0 = std::sqrt(2 * 9.81);
  double t = t0, v = v0;
  for (std::size_t k = 0; k < 30; ++k) {
    EXPECT_NEAR(impacts[k].t, t, allowed) << k;
    EXPECT_NEAR(*impacts[k].impulse, 1.8 * v, 10 * allowed) << k;
    EXPECT_NEAR(*impacts[k].energy_change, (0.64 - 1) * v * v / 2, 20 * allowed) << k;
    v *= 0.8;
    t += 2 * v / 9.81;
  }
  EXPECT_THAT(impacts.back().message, HasSubstr("comes to rest"));
  EXPECT_NEAR(impacts.back().t, t0 * (1 + 0.8) / (1 - 0.8), 1e-5);
  EXPECT_NEAR(final_value(run, "y"), 0, 1e-12);
  EXPECT_NEAR(final_value(run, "y'"), 0, 1e-12);
  EXPECT_NEAR(final_value(run, "x"), 6, 1e-9 + allowed);
  EXPECT_NEAR(final_value(run, "push"), 9.81, 1e-9 + allowed);
  EXPECT_EQ(final_value(run, "floor.engaged"), 1);
  EXPECT_LT(*run.summary.max_energy_error, 1e-9);
}

/// What lies on the floor stays there until something pulls: at m (a + k t) = m g the contact opens, at t = 2, and then
/// y = k (t − 2)³/6.
TEST_P(EventActionsUnder, AContactHoldsUntilItsForceWouldPull) {
  const Model model = read(
      "coordinates: {y: 0}\n"
      "kinetic_energy: y'^2/2\n"
      "potential_energy: 9*(y + 1)\n"
      "forces: {y: 1.5*t + 6}\n"
      "events: {floor: {when: y, restitution: 0.5}}\n");
  const taut::Run run = simulate(model, with(3, 0.05, GetParam()));
  ASSERT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  EXPECT_TRUE(of_kind(run.summary, "impact").empty());
  const std::vector<Event> releases = of_kind(run.summary, "release");
  ASSERT_EQ(releases.size(), 1U);
  const double allowed = 1e-10;
  EXPECT_NEAR(releases[0].t, 2, allowed);
  EXPECT_NEAR(final_value(run, "y"), 1.5 / 6, 10 * allowed);
  EXPECT_NEAR(final_value(run, "y'"), 0.75, 10 * allowed);
}

/// A pendulum that strikes a wall in cartesian coordinates: the impulse of the wall passes through the rod. With the
/// wall at x = 0 the speed is reversed and multiplied; the rod's own constraint stays met.
TEST_P(EventActionsUnder, AStrikeTakesConstraintsAlong) {
  const Model model = read(
      "coordinates: {x: 0.6, y: -0.8}\n"
      "kinetic_energy: (x'^2 + y'^2)/2\n"
      "potential_energy: 9.81*y\n"
      "constraints: {rod: x^2 + y^2 = 1}\n"
      "events: {wall: {when: x + 0.28, restitution: 0.5}}\n");
  Options options = with(0.9, 0.001, GetParam());
  const taut::Run run = simulate(model, options);
  ASSERT_TRUE(is_trusted(run.summary.verdict)) << run.summary.verdict_reason;
  const std::vector<Event> impacts = of_kind(run.summary, "impact");
  ASSERT_EQ(impacts.size(), 1U);
  // v² = 2 g (0.96 − 0.8); what is lost is 1 − e² of it, whatever the angle between wall and rod.
  const double v2 = 2 * 9.81 * (0.96 - 0.8);
  EXPECT_NEAR(*impacts[0].energy_change, -0.75 * v2 / 2, 1e-6);
  // along x: the mass that a wall feels through the rod is 1/(1 − x²)
  const double closing = std::sqrt(v2) * 0.96;
  EXPECT_NEAR(impacts[0].impulse.value(), 1.5 * std::sqrt(v2) * 0.96, 1e-6) << closing;
}

/// Two balls in a row, equal masses, e = 1: they exchange speeds, whichever is struck first.
TEST(EventActions, EqualBallsExchangeTheirSpeeds) {
  const Model model = read(
      "coordinates: {a: [0, 2], b: 1, c: [3, -1]}\n"
      "kinetic_energy: (a'^2 + b'^2 + c'^2)/2\n"
      "events: {ab: {when: b - a, restitution: 1}, bc: {when: c - b, restitution: 1}}\n");
  const taut::Run run = simulate(model, with(5));
  ASSERT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  EXPECT_NEAR(final_value(run, "a'"), -1, 1e-12);
  EXPECT_NEAR(final_value(run, "b'"), 0, 1e-12);
  EXPECT_NEAR(final_value(run, "c'"), 2, 1e-12);
  EXPECT_LT(*run.summary.max_energy_error, 1e-12);
}

/// Two drives of one speed that disagree, and two that say the same.
TEST(EventActions, ContradictoryAndRedundantConstraintsAreSaid) {
  const std::string text =
      "coordinates: {x: [0, 1]}\nkinetic_energy: x'^2/2\n"
      "constraints: {one: {equation: x' = 2, engaged: false}, two: {equation: 2*x' = TWICE, engaged: false}}\n"
      "events: {both: {when: t - 0.5, engage: [one, two]}}\n";
  const auto with_twice = [&](const std::string& twice) {
    std::string all = text;
    return read(all.replace(all.find("TWICE"), 5, twice));
  };
  const taut::Run same = simulate(with_twice("4"), with(1, 0.1));
  EXPECT_EQ(same.summary.verdict, Verdict::done) << same.summary.verdict_reason;
  EXPECT_NEAR(final_value(same, "x"), 1.5, 1e-12);
  const taut::Run other = simulate(with_twice("5"), with(1, 0.1));
  EXPECT_EQ(other.summary.outcome, Outcome::failed);
  EXPECT_THAT(other.summary.reason, HasSubstr("contradict each other"));
}

TEST(EventActions, WhatIsEngagedFarFromWhereItHoldsIsSaid) {
  const taut::Run run = simulate(read("coordinates: {x: [0, 1], y: 2}\nkinetic_energy: x'^2/2 + y'^2/2\n"
                                      "constraints: {tie: {equation: x = y, engaged: false}}\n"
                                      "events: {shut: {when: t - 0.5, engage: tie}}\n"),
                                 with(1, 0.1));
  EXPECT_EQ(run.summary.outcome, Outcome::failed);
  EXPECT_THAT(run.summary.reason, HasSubstr("'tie' is to hold, and is off by 1.5"));
}

/// Parameters, inputs and first-order states.
TEST(EventActions, ValuesOfAllKindsAreSet) {
  const Model model = read(
      "parameters: {k: 0}\n"
      "inputs: {u: 1}\n"
      "coordinates: {x: 0}\n"
      "states: {z: {value: 1, rate: k*z}}\n"
      "kinetic_energy: x'^2/2\n"
      "forces: {x: u}\n"
      "events: {switch: {when: t - 1, set: {k: -1, u: u - 3, z: 2*z, x': 10}}}\n");
  const taut::Run run = simulate(model, with(2));
  ASSERT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  EXPECT_NEAR(final_value(run, "x'"), 10 - 2, 1e-9);
  EXPECT_NEAR(final_value(run, "x"), 0.5 + 10 - 1, 1e-9);
  EXPECT_NEAR(final_value(run, "z"), 2 * std::exp(-1.0), 1e-8);
  EXPECT_EQ(final_value(run, "u"), -2);
}

/// A checkpoint between two events has what the first has changed.
TEST_P(EventActionsUnder, ACheckpointHasWhatEventsHaveChanged) {
  const Model model = read(
      "parameters: {k: 1}\n"
      "coordinates: {x: [0, 5], b: 0}\n"
      "kinetic_energy: x'^2 + 1.5*b'^2\n"
      "forces: {x: -k*x}\n"
      "constraints: {clutch: {equation: x' = b', engaged: false}}\n"
      "events: {shut: {when: x - 2, engage: clutch, direction: rising, set: {k: 3}}}\n");
  Simulation sim(model, with(3, 0.01, GetParam()));
  ASSERT_TRUE(sim.advance(1.0));
  const Checkpoint checkpoint = sim.checkpoint();
  ASSERT_TRUE(sim.advance(2.5));
  const Vector q = sim.q(), v = sim.v();
  EXPECT_NEAR(v[0], v[1], 1e-6);
  sim.restore(checkpoint);
  ASSERT_TRUE(sim.advance(2.5));
  EXPECT_EQ(sim.q(), q);
  EXPECT_EQ(sim.v(), v);
  sim.reset();
  ASSERT_TRUE(sim.advance(0.1));
  EXPECT_NE(sim.v()[0], sim.v()[1]);
}

TEST(EventActions, AMethodThatSolvesForAllAtOnceIsRefused) {
  EXPECT_THROW(simulate(read("coordinates: {x: 1}\nkinetic_energy: x'^2/2\nconstraints: {c: x' = 1}\n"
                             "events: {e: {when: x - 2, release: c}}\n"),
                        with(1, std::nullopt, "stabilized-index-2")),
               InputError);
}

TEST(EventActions, WhatIsWrongIsSaidWithItsPlace) {
  const auto error_of = [](const std::string& events) -> std::string {
    try {
      read(
          "coordinates: {x: 1}\nkinetic_energy: x'^2/2\noutputs: {double: 2*x}\n"
          "constraints: {speed: {equation: x' = 1, engaged: false}}\nevents: {e: " +
          events + "}\n");
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_THAT(error_of("{when: x, engage: lach}"), HasSubstr("there is no constraint and no joint 'lach'"));
  EXPECT_THAT(error_of("{when: x, set: {double: 3}}"), HasSubstr("cannot set 'double'"));
  EXPECT_THAT(error_of("{when: x, set: {x'': 3}}"), HasSubstr("events.yaml:5:"));
  EXPECT_THAT(error_of("{when: x, hold: speed}"), HasSubstr("cannot hold where it is"));
  EXPECT_THAT(error_of("{when: x, direction: up}"), HasSubstr("rising, falling or both"));
  EXPECT_THAT(error_of("{when: x', restitution: 1}"), HasSubstr("a gap"));
  EXPECT_THAT(error_of("{when: x, restitution: 1, stop: true}"), HasSubstr("second event"));
  EXPECT_THROW(
      simulate(read("coordinates: {x: -1}\nkinetic_energy: x'^2/2\nevents: {e: {when: x, restitution: 1}}\n"), with(1)),
      InputError);
}

}  // namespace
}  // namespace taut
