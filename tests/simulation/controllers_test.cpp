#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../benchmarks/controller/law.hpp"
#include "places.hpp"
#include "simulation/resume.hpp"
#include "taut/error.hpp"
#include "taut/stepping.hpp"

/// Sampled controllers, against the exact solutions that sampled systems have from one instant to the next.
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
  for (const ListEntry& method : list_methods()) names.push_back(method.name);
  return names;
}

Model read(const std::string& text) { return read_model(text, "control.yaml"); }

/// A mass of 2 on a line of slope 3/4 through the origin: along x it is as heavy as 2·25/16, and x'' = 16/50 u.
const std::string bead =
    "inputs: {u: 0}\n"
    "coordinates: {x: 1, y: 3/4}\n"
    "kinetic_energy: x'^2 + y'^2\n"
    "forces: {x: u}\n"
    "constraints: {line: 3*x = 4*y}\n";
constexpr double bead_rate = 16.0 / 50;

class ControllersUnder : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, ControllersUnder, testing::ValuesIn(all_methods()), [](const auto& method) {
  std::string name = method.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

/// Between two instants x is a parabola, which RK4 follows but for rounding; IDA has its tolerance of 1e-8 a step.
TEST_P(ControllersUnder, AHeldForceGivesOneParabolaAfterTheOther) {
  const Model model = read(bead + "controllers: {pd: {sample_time: 0.05, set: {u: -8*x - 4*x'}}}\n");
  const taut::Run run = simulate(model, with(2, 0.01, GetParam()));
  ASSERT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  double x = 1, v = 0;
  const double h = 0.05;
  for (int k = 0; k < 40; ++k) {
    const double a = bead_rate * (-8 * x - 4 * v);
    x += v * h + a * h * h / 2;
    v += a * h;
  }
  const double allowed = GetParam() == "stabilized-index-2" ? 1e-6 : 1e-12;
  EXPECT_NEAR(run.trajectory.column("x").back(), x, allowed);
  EXPECT_NEAR(run.trajectory.column("x'").back(), v, allowed);
  EXPECT_NEAR(run.trajectory.column("u").back(), -8 * x - 4 * v, 20 * allowed);
  ASSERT_EQ(run.summary.controllers.size(), 1U);
  EXPECT_EQ(run.summary.controllers[0].samples, 41);
}

/// Adaptive integrators end their steps at the instants, whatever they remember. A parabola is in the span of all but
/// Euler's formula.
TEST(Controllers, EveryIntegratorEndsItsStepsAtTheInstants) {
  const Model model = read(bead + "controllers: {pd: {sample_time: 0.05, offset: 0.02, set: {u: -8*x - 4*x'}}}\n");
  double x = 1, v = 0;
  for (int k = 0; k < 40; ++k) {
    const double h = k < 39 ? 0.05 : 0.03, a = bead_rate * (-8 * x - 4 * v);
    x += v * h + a * h * h / 2;
    v += a * h;
  }
  for (const ListEntry& integrator : list_integrators()) {
    if (integrator.name == "ida" || integrator.name == "euler") continue;
    const bool fixed = integrator.name.starts_with("ab2") || integrator.name == "ab3" || integrator.name == "rk4";
    Options options = with(2, fixed ? std::optional(1e-2) : std::nullopt);
    options.integrator = Choice(integrator.name);
    if (integrator.name == "cvode-adams") options.method = Choice("baumgarte");  // it corrects no results
    const taut::Run run = simulate(model, options);
    ASSERT_EQ(run.summary.outcome, Outcome::done) << integrator.name << run.summary.reason;
    const double allowed = integrator.name.starts_with("cvode") ? 1e-5 : 1e-7;
    EXPECT_NEAR(run.trajectory.column("x").back(), x, allowed) << integrator.name;
    EXPECT_EQ(run.summary.controllers[0].samples, 40) << integrator.name;
  }
}

/// A spring and a damper under a held force: e^{Ah} of a 2×2 matrix, written out. A PI controller with a limit and an
/// integral that stops there.
TEST(Controllers, APiControllerWithALimitIsTheExactDiscreteSystem) {
  const Model model = read(
      "coordinates: {x: 0}\n"
      "kinetic_energy: x'^2/2\n"
      "potential_energy: 13*x^2/2\n"
      "forces: {x: push - 4*x'}\n"
      "controllers:\n"
      "  law:\n"
      "    sample_time: 0.1\n"
      "    measure: {error: 1 - x, wish: 12*error + integral}\n"
      "    set: {push: {value: wish, min: -10, max: 10}}\n"
      "    states: {integral: {value: 0.5, next: integral + 20*sample_time*error - 0.3*(wish - max(-10, min(10, "
      "wish)))}}\n");
  Options options = with(3);
  options.rtol = 1e-12;
  const taut::Run run = simulate(model, options);
  // roots −2 ± 3i: e^{Ah} = e^{-2h} [cos 3h + (2/3) sin 3h, sin 3h/3; −(13/3) sin 3h, cos 3h − (2/3) sin 3h]
  const double h = 0.1, decay = std::exp(-2 * h), c = std::cos(3 * h), s = std::sin(3 * h);
  double x = 0, v = 0, integral = 0.5, push = 0;
  bool limited = false;
  for (int k = 0; k <= 30; ++k) {
    const double error = 1 - x, wish = 12 * error + integral;
    push = std::clamp(wish, -10.0, 10.0);
    limited = limited || push != wish;
    integral += 20 * h * error - 0.3 * (wish - push);
    if (k == 30) break;
    const double rest = push / 13, dx = x - rest, dv = v;
    x = rest + decay * ((c + 2.0 / 3 * s) * dx + s / 3 * dv);
    v = decay * (-13.0 / 3 * s * dx + (c - 2.0 / 3 * s) * dv);
  }
  EXPECT_TRUE(limited);
  // Thirty intervals of a stable loop, each with an error of about the tolerance.
  EXPECT_NEAR(run.trajectory.column("x").back(), x, 1e-10);
  EXPECT_NEAR(run.trajectory.column("x'").back(), v, 1e-10);
  EXPECT_NEAR(run.trajectory.column("push").back(), push, 1e-8);
  EXPECT_NEAR(run.trajectory.column("law.integral").back(), integral, 1e-8);
}

/// u found at t_k acts from t_k + 1.5 h: within each interval one parabola and then another. Measured in steps of 0.01.
TEST_P(ControllersUnder, ADelayOfOneAndAHalfSamplesAndAQuantum) {
  const Model model = read(bead +
                           "controllers:\n"
                           "  pd:\n"
                           "    sample_time: 0.1\n"
                           "    measure: {x: {value: x, quantum: 0.01}}\n"
                           "    set: {u: {value: -3*x - 2*x', delay: 1.5}}\n");
  const taut::Run run = simulate(model, with(2, 0.01, GetParam()));
  ASSERT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  double x = 1, v = 0, u = 0;
  std::vector<double> found;
  const auto go = [&](double h) {
    const double a = bead_rate * u;
    x += v * h + a * h * h / 2;
    v += a * h;
  };
  for (int k = 0; k < 20; ++k) {
    found.push_back(-3 * 0.01 * std::round(x / 0.01) - 2 * v);
    go(0.05);
    if (k >= 1) u = found[static_cast<std::size_t>(k - 1)];
    go(0.05);
  }
  const double allowed = GetParam() == "stabilized-index-2" ? 1e-5 : 1e-11;
  EXPECT_NEAR(run.trajectory.column("x").back(), x, allowed);
  EXPECT_NEAR(run.trajectory.column("x'").back(), v, allowed);
  EXPECT_NEAR(run.trajectory.column("u").back(), found[18], allowed);
}

/// k·h, not h + h + …: after ten thousand samples the last is where it belongs to the last bit, and none is missed.
TEST(Controllers, InstantsDoNotDrift) {
  const Model model = read(
      "coordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: u}\n"
      "controllers: {c: {sample_time: 0.1, measure: {k: t}, set: {u: sin(t)}}}\n");
  const taut::Run run = simulate(model, with(1000));
  EXPECT_EQ(run.summary.controllers[0].samples, 10001);
  const std::vector<double> t = run.trajectory.column("t"), k = run.trajectory.column("c.k");
  long seen = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (i > 0 && k[i] == k[i - 1]) continue;
    EXPECT_EQ(k[i], static_cast<double>(seen) * 0.1);
    EXPECT_EQ(t[i], k[i]);
    ++seen;
  }
  EXPECT_EQ(seen, 10001);
}

/// 3·0.1 and 0.3 differ in the last bit and are one instant. There the first controller of the model comes first, and
/// the second sees what it has found.
TEST(Controllers, SeveralRatesMeetInOneInstantAndInTheOrderOfTheModel) {
  const Model model = read(
      "coordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: fast_u + slow_u}\n"
      "controllers:\n"
      "  slow: {sample_time: 0.3, states: {count: {value: 0, next: count + 1}}, set: {slow_u: 1 + count}}\n"
      "  fast: {sample_time: 0.1, states: {count: {value: 0, next: count + 1}}, set: {fast_u: 10*slow_u}}\n");
  const taut::Run run = simulate(model, with(0.9));
  ASSERT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  EXPECT_EQ(run.summary.controllers[0].samples, 4);
  EXPECT_EQ(run.summary.controllers[1].samples, 10);
  EXPECT_LE(run.summary.steps, 40);  // no slivers between 3·0.1 and 0.3 that would take steps of their own
  const std::vector<double> slow = run.trajectory.column("slow_u"), fast = run.trajectory.column("fast_u");
  for (std::size_t i = 0; i < slow.size(); ++i) EXPECT_EQ(fast[i], 10 * slow[i]) << i;
  EXPECT_EQ(slow.back(), 4);
}

/// In the caller's hands the same controller gives the same bits: text and C++ do the same operations.
TEST_P(ControllersUnder, TextAndCppGiveTheSameBits) {
  if (GetParam() == "stabilized-index-2") return;
  Simulation by_hand(read(bead), with(1, 0.005, GetParam()));
  Simulation by_text(read(bead + "controllers: {pd: {sample_time: 0.01, set: {u: -8*x - 4*x'}}}\n"),
                     with(1, 0.005, GetParam()));
  for (int k = 0; k < 100; ++k) {
    by_hand.set_input("u", -8 * by_hand.q()[0] - 4 * by_hand.v()[0]);
    ASSERT_TRUE(by_hand.advance((k + 1) * 0.01));
    ASSERT_TRUE(by_text.advance((k + 1) * 0.01));
    ASSERT_EQ(by_hand.q(), by_text.q()) << k;
    ASSERT_EQ(by_hand.v(), by_text.v()) << k;
  }
}

/// Seven links of 0.2 m with hinges about z and y in turn, a torque on each.
std::string seven_hinges() {
  std::string inputs = "gravity: [0, 0, -9.81]\ninputs: {", bodies = "bodies:\n", joints = "joints:\n";
  for (int k = 1; k <= 7; ++k) {
    const double x = 0.2 * k;
    inputs += fmt::format("u{}: 0{}", k, k < 7 ? ", " : "}\n");
    bodies +=
        fmt::format("  b{}: {{mass: {}, inertia: [0.002, 0.01, 0.01], position: [{}, 0, 0]}}\n", k, 3.0 / k, x - 0.1);
    joints += fmt::format("  j{}: {{type: revolute, bodies: [{}, b{}], at: [{}, 0, 0], axis: {}, torque: u{}}}\n", k,
                          k == 1 ? "ground" : fmt::format("b{}", k - 1), k, x - 0.2,
                          k % 2 == 1 ? "[0, 0, 1]" : "[0, 1, 0]", k);
  }
  return inputs + bodies + joints;
}

/// PD and a feedforward that is a polynomial of time, at 1 kHz: as text, as a law in C++, and by hand.
TEST(Controllers, AnArmOfSevenHingesMovesTheSameByTextAndByCpp) {
  std::string text = seven_hinges() + "controllers:\n  pd:\n    sample_time: 1e-3\n    set:\n";
  for (int k = 1; k <= 7; ++k)
    text += fmt::format("      u{0}: 60*(0.5*t*(2 - t) - j{0}.angle) + 6*(1 - t - j{0}.rate) + 2*t\n", k);
  Options options = with(0.2, 1e-3);
  options.coordinates = Coordinates::joints;
  Simulation by_text(read(text), options), by_law(read(seven_hinges()), options);
  const auto law = [](Simulation& sim) {
    const double t = sim.t();
    for (Eigen::Index k = 0; k < 7; ++k)
      sim.set_input(fmt::format("u{}", k + 1),
                    60 * (0.5 * t * (2 - t) - sim.q()[k]) + 6 * (1 - t - sim.v()[k]) + 2 * t);
  };
  by_law.control(1e-3, law);
  for (Eigen::Index k = 0; k < 7; ++k)
    ASSERT_EQ(by_law.shape().coordinates[static_cast<std::size_t>(k)], fmt::format("j{}.angle", k + 1));
  long steps = 0;
  by_law.observe([&](const Simulation&) { ++steps; });
  ASSERT_TRUE(by_text.advance(0.2));
  ASSERT_TRUE(by_law.advance(0.2));
  EXPECT_EQ(by_text.q(), by_law.q());
  EXPECT_EQ(by_text.v(), by_law.v());
  EXPECT_EQ(steps, 200);
  EXPECT_NEAR(by_text.q()[6], 0.5 * 0.2 * 1.8, 0.02);  // the last hinge, which carries nothing, follows
}

const std::string remembering = bead +
                                "controllers:\n"
                                "  pid:\n"
                                "    sample_time: 0.02\n"
                                "    delay: 2.25\n"
                                "    measure: {error: -x}\n"
                                "    states: {sum: {value: 0, next: sum + error}, last: {value: 0, next: error}}\n"
                                "    set: {u: 3*error + 0.01*sum + 20*(error - last)}\n";

/// What controllers remember, and what waits for its time, is in a checkpoint; from there all bits are the same.
TEST_P(ControllersUnder, ACheckpointHasAllThatControllersRemember) {
  Simulation sim(read(remembering), with(1, 0.005, GetParam()));
  ASSERT_TRUE(sim.advance(0.333));
  const Checkpoint checkpoint = sim.checkpoint();
  ASSERT_TRUE(sim.advance(0.9));
  const Vector q = sim.q(), v = sim.v();
  sim.restore(checkpoint);
  ASSERT_TRUE(sim.advance(0.9));
  EXPECT_EQ(sim.q(), q);
  EXPECT_EQ(sim.v(), v);
  Simulation other(read(remembering), with(1, 0.005, GetParam()));
  other.restore(checkpoint);
  ASSERT_TRUE(other.advance(0.9));
  EXPECT_EQ(other.q(), q);
  sim.reset();
  ASSERT_TRUE(sim.advance(0.333));
  const Checkpoint again = sim.checkpoint();
  EXPECT_EQ(again.q, checkpoint.q);
  EXPECT_EQ(again.memory, checkpoint.memory);
}

/// Rows have all that a controller needs to go on.
TEST(Controllers, ARunThatIsResumedGoesOnBitForBit) {
  const Model model = read(remembering);
  Options options = with(1, 0.005);
  const taut::Run whole = simulate(model, options);
  options.until = 0.5;
  const taut::Run half = simulate(model, options);
  options.until = 1;
  const taut::Run rest = resume(model, options, {half.trajectory.columns, half.trajectory.rows}, nullptr);
  EXPECT_EQ(rest.trajectory.rows.back(), whole.trajectory.rows.back());
  EXPECT_EQ(rest.trajectory.rows.size() + half.trajectory.rows.size() - 1, whole.trajectory.rows.size());
}

/// What a held force does is work: the balance is as good as the steps.
TEST(Controllers, TheEnergyBalanceCountsWhatHeldForcesDo) {
  const taut::Run run = simulate(read(remembering), with(2, 0.005));
  ASSERT_TRUE(run.summary.max_energy_error);
  EXPECT_LT(*run.summary.max_energy_error, 1e-12);
}

/// A speed that a controller prescribes jumps at each sample, by an impulse, as one that an input prescribes.
TEST(Controllers, APrescribedSpeedJumpsAtTheInstants) {
  const Model model = read(
      "coordinates: {x: 0, y: 0}\nkinetic_energy: x'^2/2 + y'^2/2\n"
      "constraints: {drive: x' = u, link: y = 2*x}\n"
      "controllers: {c: {sample_time: 0.5, states: {n: {value: 0, next: n + 1}}, set: {u: 1 + n}}}\n");
  const taut::Run run = simulate(model, with(2, 0.1));
  ASSERT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  EXPECT_NEAR(run.trajectory.column("y").back(), 2 * 0.5 * (1 + 2 + 3 + 4), 1e-12);
  EXPECT_NEAR(run.trajectory.column("y'").back(), 2 * 5, 1e-12);
}

TEST(Controllers, APositionThatWouldJumpEndsTheRun) {
  const taut::Run run =
      simulate(read("coordinates: {x: 0}\nkinetic_energy: x'^2/2\nconstraints: {drive: x = u}\n"
                    "controllers: {c: {sample_time: 0.5, states: {n: {value: 0, next: n + 1}}, set: {u: n}}}\n"),
               with(2, 0.1));
  EXPECT_EQ(run.summary.outcome, Outcome::failed);
  EXPECT_THAT(run.summary.reason, HasSubstr("would have constraint 'drive' jump by 1"));
}

TEST(Controllers, AValueThatIsNoNumberEndsTheRunByName) {
  const taut::Run run =
      simulate(read(bead + "controllers: {c: {sample_time: 0.5, set: {u: log(0.75 - t)}}}\n"), with(2, 0.1));
  EXPECT_EQ(run.summary.outcome, Outcome::failed);
  EXPECT_THAT(run.summary.reason, HasSubstr("controller 'c' finds no finite value of 'u' at t = 1"));
}

TEST(Controllers, WhatIsWrongIsSaidWithItsPlace) {
  const auto error_of = [](const std::string& text) -> std::string {
    try {
      read(bead + text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_THAT(error_of("controllers: {c: {set: {u: 1}}}\n"), HasSubstr("lacks 'sample_time'"));
  EXPECT_THAT(error_of("controllers: {c: {sample_time: 0, set: {u: 1}}}\n"), HasSubstr("control.yaml:6:"));
  EXPECT_THAT(error_of("controllers: {c: {sample_time: 1, set: {u: {value: 1, delay: -1}}}}\n"),
              HasSubstr("delayed by -1 samples"));
  EXPECT_THAT(error_of("controllers: {c: {sample_time: 1, states: {n: 0}, set: {u: 1}}}\n"),
              HasSubstr("no next value"));
  EXPECT_THAT(error_of("controllers: {c: {sample_time: 1, set: {u: 1}}, d: {sample_time: 1, set: {u: 2}}}\n"),
              HasSubstr("input 'u' is set by controller 'c' already"));
  EXPECT_THAT(error_of("controllers: {c: {sample_time: x, set: {u: 1}}}\n"), HasSubstr("may not depend on one"));
  Simulation sim(read(bead + "controllers: {c: {sample_time: 1, set: {u: 1}}}\n"), with(2));
  EXPECT_THROW(sim.set_input("u", 1), InputError);
  EXPECT_TRUE(sim.input_names().empty());
}

TEST(Controllers, CheckTellsWhatTheyAre) {
  const Check told = check(read(remembering));
  ASSERT_EQ(told.controllers.size(), 1U);
  EXPECT_EQ(told.controllers[0].sample_time, 0.02);
  EXPECT_THAT(told.controllers[0].states, testing::ElementsAre("pid.sum", "pid.last"));
  EXPECT_THAT(told.controllers[0].sets, testing::ElementsAre("u"));
  ASSERT_EQ(told.controllers[0].delays.size(), 1U);
  EXPECT_EQ(told.controllers[0].delays[0].value, 2.25);
}

/// The benchmark of benchmarks/controller: a seven-hinge arm.
TEST(Controllers, ALawInCppGivesTheBitsOfTheText) {
  const std::string folder = places::source("benchmarks/controller/");
  const Model arm = load_model(folder + "arm.yaml"), controlled = load_model(folder + "arm-controlled.yaml");
  Simulation by_law(arm, options_of(arm)), by_text(controlled, options_of(controlled));
  by_law.control(arm::sample_time, arm::Law(arm));
  for (const double t : {0.1234, 1.0, 2.0}) {
    by_law.advance(t);
    by_text.advance(t);
    EXPECT_EQ(by_law.q(), by_text.q());
    EXPECT_EQ(by_law.v(), by_text.v());
  }
}

/// The law of an instant is still to be called where it threw, and where the simulation has come back to it.
TEST(Controllers, AnInstantIsCalledUntilItsLawHasComeBack) {
  Simulation sim(read(bead), with(1, 0.005));
  int calls = 0;
  sim.control(0.1, [&](Simulation& s) {
    if (++calls == 1) throw std::runtime_error("the encoder is off");
    s.set_input("u", 1 + s.t());
  });
  EXPECT_THROW(sim.step(), std::runtime_error);
  ASSERT_TRUE(sim.advance(0.1));
  EXPECT_EQ(calls, 2);
  EXPECT_GT(sim.v()[0], 0);
  const Checkpoint checkpoint = sim.checkpoint();
  ASSERT_TRUE(sim.advance(0.15));
  const Vector q = sim.q();
  sim.restore(checkpoint);
  ASSERT_TRUE(sim.advance(0.15));
  EXPECT_EQ(sim.q(), q);
  EXPECT_EQ(calls, 4);
}

TEST(Controllers, ALawThatTakesStepsIsRefused) {
  Simulation sim(read(bead), with(1, 0.005));
  sim.control(0.1, [](Simulation& s) { s.step(); });
  EXPECT_THROW(sim.advance(1), InputError);
}

}  // namespace
}  // namespace taut
