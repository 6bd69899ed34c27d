#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "taut/simulation.hpp"

/// First-order states: beside coordinates, instead of them, and in constraints.
namespace taut {
namespace {

Run run_of(const std::string& text, double until, double rtol = 1e-8, const std::string& method = "auto") {
  Options options;
  options.until = until;
  options.rtol = rtol;
  options.method = method;
  return simulate(read_model(text, "states.yaml"), options);
}

double value(const std::vector<NamedValue>& list, const std::string& name) {
  return std::ranges::find(list, name, &NamedValue::name)->value;
}

const std::string pendulum_as_states = R"(
parameters: {g: 9.81}
states:
  x: {value: 1, rate: u}
  y: [0, w]
  u: {value: 0, rate: -pull*x}
  w: {value: 0, rate: -g - pull*y}
definitions: {pull: (u^2 + w^2 - g*y)/(x^2 + y^2)}
constraints:
  rod: x^2 + y^2 = 1
  speed: x*u + y*w = 0
)";

const std::string pendulum =
    "coordinates: {x: 1, y: 0}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: 9.81*y\n"
    "constraints: {rod: x^2 + y^2 = 1}\n";

TEST(States, MakeAPendulumThatMovesAsTheMechanicalOne) {
  const auto states = run_of(pendulum_as_states, 10, 1e-12), mechanical = run_of(pendulum, 10, 1e-12);
  EXPECT_EQ(states.summary.verdict, Verdict::done) << states.summary.verdict_reason;
  for (const std::string name : {"x", "y"})
    EXPECT_NEAR(value(states.summary.final_states, name), value(mechanical.summary.final_coordinates, name), 1e-10);
  EXPECT_NEAR(value(states.summary.final_states, "u"), value(mechanical.summary.final_rates, "x"), 1e-9);
  EXPECT_LE(*states.summary.max_velocity_violation, 1e-14 * 10);  // of x u + y w, whose terms are up to 4.4
}

class StatesUnder : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, StatesUnder,
                         testing::Values("braun-goldfarb", "perturbation", "post-stabilization",
                                         "recursive-least-squares", "baumgarte", "gradient-feedback",
                                         "udwadia-kalaba"));

TEST_P(StatesUnder, TheMotionIsThatOfAllMethods) {
  const auto run = run_of(pendulum_as_states, 2, 1e-10, GetParam()), mechanical = run_of(pendulum, 2, 1e-10);
  EXPECT_NE(run.summary.verdict, Verdict::lost) << run.summary.verdict_reason;
  EXPECT_NEAR(value(run.summary.final_states, "x"), value(mechanical.summary.final_coordinates, "x"), 1e-7);
}

/// Robertson's reaction: reference values of Hairer & Wanner's problem at t = 40.
TEST(States, KeepTheMassOfRobertsonsReaction) {
  const auto run = run_of(
      "states:\n"
      "  a: {value: 1, rate: -0.04*a + 1e4*b*c}\n"
      "  b: {value: 0, rate: 0.04*a - 1e4*b*c - 3e7*b^2}\n"
      "  c: {value: 0, rate: 3e7*b^2}\n"
      "constraints: {mass: a + b + c = 1}\n",
      40, 1e-9);
  EXPECT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  EXPECT_NEAR(value(run.summary.final_states, "a"), 0.7158270687, 1e-7);
  EXPECT_NEAR(value(run.summary.final_states, "b"), 9.185534764e-6, 1e-11);
  EXPECT_LE(*run.summary.max_velocity_violation, 1e-14);
}

/// A motor's current and a capacitor's voltage, against the same circuit with its charge as a coordinate.
TEST(States, OfACircuitDriveAnArm) {
  const std::string common = "parameters: {R: 1, L: 0.1, C: 0.01, k: 0.5, J: 0.2}\n";
  const auto states = run_of(common +
                                 "coordinates: {arm: [0.3, 0]}\nkinetic_energy: J*arm'^2/2\n"
                                 "potential_energy: -2*cos(arm)\nforces: {arm: k*i}\n"
                                 "states:\n  i: {value: 0, rate: \"(5*sin(3*t) - R*i - k*arm' - vc)/L\"}\n"
                                 "  vc: {value: 0.5, rate: i/C}\n",
                             5, 1e-11);
  const auto charge = run_of(common +
                                 "coordinates: {arm: [0.3, 0], q: [0.5*C, 0]}\n"
                                 "kinetic_energy: J*arm'^2/2 + L*q'^2/2\n"
                                 "potential_energy: -2*cos(arm) + q^2/(2*C)\n"
                                 "forces: {arm: k*q', q: \"5*sin(3*t) - R*q' - k*arm'\"}\n",
                             5, 1e-11);
  EXPECT_EQ(states.summary.degrees_of_freedom, 1);
  EXPECT_NEAR(value(states.summary.final_coordinates, "arm"), value(charge.summary.final_coordinates, "arm"), 1e-10);
  EXPECT_NEAR(value(states.summary.final_states, "i"), value(charge.summary.final_rates, "q"), 1e-9);
  EXPECT_LT(*states.summary.max_energy_error, 1e-8);  // of the arm: the motor's work is counted
}

/// A filter's output drives an arm: T z' = sin t − z is not asked whether it can bear that.
TEST(States, InAConstraintBesideCoordinatesDriveThem) {
  const auto run = run_of(
      "parameters: {T: 0.2}\ncoordinates: {arm: [0, 0]}\nkinetic_energy: arm'^2/2\n"
      "states: {z: {value: 0, rate: (sin(t) - z)/T}}\n"
      "constraints: {servo: arm = z}\noutputs: {torque: lambda(servo)}\n",
      3, 1e-10);
  const double T = 0.2, t = 3, norm = 1 + T * T, fade = std::exp(-t / T);
  const double z = (std::sin(t) - T * std::cos(t) + T * fade) / norm;
  const double bend = (-std::sin(t) + T * std::cos(t) + fade / T) / norm;
  EXPECT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  EXPECT_NEAR(value(run.summary.final_coordinates, "arm"), z, 1e-9);
  EXPECT_NEAR(value(run.summary.final_states, "z"), z, 1e-9);
  EXPECT_NEAR(value(run.summary.final_outputs, "torque"), bend, 1e-7);
}

// ---- nothing acts back on a state that drives -------------------------------------------------------

/// Methods that carry states at all.
std::vector<std::string> methods_for_states() {
  std::vector<std::string> names;
  for (const ListEntry& entry : list_methods())
    if (entry.name != "parametrization" && entry.name != "coordinate-partitioning") names.push_back(entry.name);
  return names;
}

class DrivenUnder : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, DrivenUnder, testing::ValuesIn(methods_for_states()));

/// z'' = −z whatever it drives: z = sin t, and the force that a = z takes is a''.
TEST_P(DrivenUnder, AnOscillatorOfTwoStatesSwingsOn) {
  for (const std::string mass : {"kinetic_energy: a'^2/2\n", "mass_matrix: [[1]]\n"}) {
    const auto run = run_of("coordinates: {a: [0, 1]}\nstates: {z: [0, p], p: [1, -z]}\nconstraints: {servo: a = z}\n" +
                                mass + "outputs: {effort: lambda(servo)}\n",
                            1, 1e-10, GetParam());
    EXPECT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
    EXPECT_NEAR(value(run.summary.final_states, "z"), std::sin(1), 1e-8);
    EXPECT_NEAR(value(run.summary.final_states, "p"), std::cos(1), 1e-8);
    EXPECT_NEAR(value(run.summary.final_coordinates, "a"), std::sin(1), 1e-8);
    EXPECT_NEAR(value(run.summary.final_outputs, "effort"), -std::sin(1), 1e-6);
  }
}

/// b'' = 1 by itself; a filter follows its speed, and a follows the filter's integral.
TEST_P(DrivenUnder, WhatAFilterFollowsFeelsNothing) {
  const auto run = run_of(
      "parameters: {T: 0.5}\ncoordinates: {a: [0, 0], b: [0, 0]}\nkinetic_energy: (a'^2 + b'^2)/2\nforces: {b: 1}\n"
      "states: {z: [0, w], w: {value: 0, rate: (b' - w)/T}}\nconstraints: {servo: a = z}\n",
      1, 1e-10, GetParam());
  EXPECT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  const double T = 0.5, fade = std::exp(-1 / T);
  EXPECT_NEAR(value(run.summary.final_coordinates, "b"), 0.5, 1e-8);
  EXPECT_NEAR(value(run.summary.final_coordinates, "a"), 0.5 - T + T * T * (1 - fade), 1e-8);
}

/// A state drives a rate: its own rate may hold others.
TEST_P(DrivenUnder, ARateFollowsAStateThatMeasuresAnother) {
  const auto run = run_of(
      "coordinates: {a: [0, 0], b: [0, 0]}\nkinetic_energy: (a'^2 + b'^2)/2\nforces: {b: 1}\n"
      "states: {z: {value: 0, rate: b'}}\nconstraints: {servo: a' = z}\n",
      1, 1e-10, GetParam());
  EXPECT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  EXPECT_NEAR(value(run.summary.final_coordinates, "b"), 0.5, 1e-8);
  EXPECT_NEAR(value(run.summary.final_coordinates, "a"), 1.0 / 6, 1e-8);
}

/// x' = u + z: what moves x acts on u alone.
TEST_P(DrivenUnder, ASpeedGivesWayToAStateBesideIt) {
  const auto run = run_of(
      "coordinates: {x: 0}\nspeeds: {u: -1}\nrates: {x: u + z}\nkinetic_energy: x'^2/2\n"
      "states: {z: {value: 1, rate: z}}\nconstraints: {lift: x = t^2}\n",
      1, 1e-10, GetParam());
  EXPECT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  EXPECT_NEAR(value(run.summary.final_states, "z"), std::exp(1), 1e-8);
  EXPECT_NEAR(value(run.summary.final_rates, "u"), 2 - std::exp(1), 1e-7);
}

/// The second derivative of such a state would hold an acceleration, which the constraint's force changes.
TEST(States, WhoseRateHoldsAnotherDriveNoPosition) {
  try {
    run_of(
        "coordinates: {a: 0, b: 0}\nkinetic_energy: (a'^2 + b'^2)/2\nforces: {b: 1}\n"
        "states: {z: {value: 0, rate: b'}}\nconstraints:\n  servo: a = z\n",
        1);
    ADD_FAILURE() << "not refused";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().line, 6);
    EXPECT_NE(error.message().find("'servo'"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("'z'"), std::string::npos) << error.message();
    EXPECT_NE(error.remedy().find("b'"), std::string::npos) << error.remedy();
  }
}

TEST(States, DriveTheMotorOfAJoint) {
  const auto run = run_of(
      "gravity: [0, -9.81, 0]\n"
      "bodies: {arm: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], planar: true}}\n"
      "joints: {pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1], position: z}}\n"
      "states: {z: [0, p], p: [1, -z]}\noutputs: {angle: pin.angle}\n",
      1, 1e-10);
  EXPECT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  EXPECT_NEAR(value(run.summary.final_outputs, "angle"), std::sin(1), 1e-8);
}

// ---- invariants --------------------------------------------------------------------------------------

TEST_P(DrivenUnder, AConstraintThatTheRatesDoNotKeepIsNamed) {
  const auto run = run_of("states: {a: [1, -a], b: [1, -b]}\nconstraints: {sum: a + b = 2}\n", 1, 1e-8, GetParam());
  EXPECT_EQ(run.summary.verdict, Verdict::lost);
  EXPECT_NE(run.summary.verdict_reason.find("'sum'"), std::string::npos) << run.summary.verdict_reason;
}

TEST_P(DrivenUnder, AConstraintThatTheRatesKeepIsAnInvariant) {
  const auto run =
      run_of("states: {a: [1, b], b: [0, -a]}\nconstraints: {circle: a^2 + b^2 = 1}\n", 10, 1e-8, GetParam());
  EXPECT_NE(run.summary.verdict, Verdict::lost) << run.summary.verdict_reason;
  EXPECT_NEAR(value(run.summary.final_states, "a"), std::cos(10), 1e-5);
}

TEST(States, MayCeaseToKeepAConstraint) {
  const std::string text = "states: {a: {value: 1, rate: -max(0, t - 0.5)}}\nconstraints: {still: a = 1}\n";
  EXPECT_EQ(run_of(text, 0.4).summary.verdict, Verdict::done);
  EXPECT_EQ(run_of(text, 1).summary.verdict, Verdict::lost);
}

/// w is what the constraint says, and a knows nothing of it.
const std::string tied = "states: {a: {value: 1, rate: -2*a}, w: 0.3}\nconstraints: {tie: w = a^2}\n";

TEST(States, WithoutARateAreWhatAConstraintSays) {
  for (const char* method :
       {"auto", "braun-goldfarb", "perturbation", "post-stabilization", "recursive-least-squares"}) {
    const auto run = run_of(tied, 1, 1e-10, method), alone = run_of("states: {a: {value: 1, rate: -2*a}}", 1, 1e-10);
    EXPECT_EQ(run.summary.verdict, Verdict::done) << method << ": " << run.summary.verdict_reason;
    EXPECT_NEAR(value(run.summary.final_states, "a"), std::exp(-2), 1e-9) << method;
    EXPECT_NEAR(value(run.summary.final_states, "w"), std::exp(-4), 1e-9) << method;
    EXPECT_NEAR(value(run.summary.final_state_rates, "w"), -4 * std::exp(-4), 1e-8) << method;
    EXPECT_NEAR(value(run.summary.final_multipliers, "tie"), 0, 1e-12) << method << ": nothing acts back";
    EXPECT_EQ(run.summary.degrees_of_freedom, 0) << method << ": states are none";
  }
}

TEST(States, WithoutARateNeedAConstraintOfStates) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      read_model(text, "states.yaml");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("states: {a: [1, -a], w: 0}").find("'w' has no rate, and no constraint says what it is"),
            std::string::npos);
  EXPECT_NE(refusal("states: {a: [1, -a], w: {value: 0}}").find("states.yaml:1"), std::string::npos);
  EXPECT_NE(refusal("coordinates: {x: 0}\nkinetic_energy: x'^2\nstates: {w: 0}\nconstraints: {tie: x = w}")
                .find("stands beside coordinates"),
            std::string::npos);
}

TEST(States, ThatLackSomethingAreRefused) {
  EXPECT_THROW(run_of("states: {z: 1}\n", 1), InputError);
  EXPECT_THROW(run_of("states: {z: {value: 1}}\n", 1), InputError);
  EXPECT_THROW(run_of("states: {z: {rate: 1}}\n", 1), InputError);
  EXPECT_THROW(run_of("states: {z: {value: 1, rate: -z}}\nforces: {z: 1}\n", 1), InputError);
}

}  // namespace
}  // namespace taut
