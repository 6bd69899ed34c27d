#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "taut/simulation.hpp"

/// Forces that depend on multipliers: dry friction on constraints and in joints, against closed forms and small
/// solutions of their own.
namespace taut {
namespace {

using Set = std::vector<Assignment>;

Run run_of(const std::string& text, const Set& set, double until, const std::string& method = "auto",
           const std::string& integrator = "auto") {
  Options options;
  options.until = until;
  options.method = method;
  options.integrator = integrator;
  options.set = set;
  return simulate(read_model(text, "friction.yaml", set), options);
}

double value(const std::vector<NamedValue>& list, const std::string& name) {
  return std::ranges::find(list, name, &NamedValue::name)->value;
}

std::vector<double> sticking_times(const Summary& summary) {
  std::vector<double> times;
  for (const auto& event : summary.events)
    if (event.kind == "sliding") times.push_back(event.t);
  return times;
}

constexpr double g = 9.81;

// ---- a block on a slope ---------------------------------------------------------------------------

const std::string slope = R"(
parameters: {a: 0.5, mu: 0.3, rest: mu, v0: 2, pull: 0}
coordinates:
  x: [0, v0*cos(a)]
  y: [0, v0*sin(a)]
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
forces: {x: pull*t*cos(a), y: pull*t*sin(a)}
constraints:
  slope: {equation: y*cos(a) = x*sin(a), friction: {coefficient: mu, static: rest}}
outputs: {s: x*cos(a) + y*sin(a)}
)";

class OnASlope : public testing::TestWithParam<std::pair<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Methods, OnASlope,
                         testing::Values(std::pair{"auto", "auto"}, std::pair{"perturbation", "dopri5"},
                                         std::pair{"baumgarte", "dopri5"}, std::pair{"parametrization", "dop853"},
                                         std::pair{"recursive-least-squares", "dopri5"}));

/// Up with the deceleration g (sin a + μ cos a), and down with g (sin a − μ cos a).
TEST_P(OnASlope, ABlockSlidesUpAndDown) {
  const auto run = run_of(slope, {}, 1, GetParam().first, GetParam().second);
  const double up = g * (std::sin(0.5) + 0.3 * std::cos(0.5)), down = g * (std::sin(0.5) - 0.3 * std::cos(0.5));
  const double turns = 2 / up, s = 2 / up - down * std::pow(1 - turns, 2) / 2;
  EXPECT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  EXPECT_NEAR(value(run.summary.final_outputs, "s"), s, 1e-7);
}

/// It would slip where friction holds: it changes no branches.
TEST(Friction, IsNotForStabilizedIndexTwo) {
  try {
    run_of(slope, {{"rest", "0.8"}}, 1, "stabilized-index-2");
    ADD_FAILURE() << "not refused";
  } catch (const InputError& error) {
    EXPECT_NE(error.message().find("'slope'"), std::string::npos) << error.message();
    EXPECT_NE(error.remedy().find("auto"), std::string::npos) << error.remedy();
  }
}

TEST(Friction, EventsNameWhatRubs) {
  const auto run = run_of(slope, {{"mu", "0.8"}}, 1);
  const auto event = std::ranges::find(run.summary.events, "sliding", &Event::kind);
  ASSERT_NE(event, run.summary.events.end());
  EXPECT_EQ(event->name, "slope");
}

TEST(Friction, KeepsABlockWhereItCameToRest) {
  const auto run = run_of(slope, {{"mu", "0.8"}}, 1000);
  const double up = g * (std::sin(0.5) + 0.8 * std::cos(0.5));
  EXPECT_NEAR(value(run.summary.final_outputs, "s"), 2 / up, 1e-12);
  EXPECT_EQ(value(run.summary.final_rates, "x"), 0);
  ASSERT_EQ(sticking_times(run.summary).size(), 1U);
  EXPECT_NEAR(sticking_times(run.summary)[0], 2 / up, 1e-12);
  EXPECT_EQ(value(run_of(slope, {{"mu", "0.8"}}, 10).summary.final_outputs, "s"),
            value(run.summary.final_outputs, "s"));  // it does not move at all
}

TEST(Friction, HoldsABlockThatNeverMovedExactlyWhereItIs) {
  const auto run = run_of(slope, {{"v0", "0"}, {"rest", "0.6"}}, 1000);  // tan 0.5 = 0.546
  EXPECT_EQ(value(run.summary.final_coordinates, "x"), 0);
  EXPECT_EQ(value(run.summary.final_coordinates, "y"), 0);
}

/// A pull that grows with time moves the block when it exceeds what holds at rest, and less than that resists then:
/// s'' = k t − g (sin a + μ cos a) from there on.
TEST(Friction, LetsGoWhereWhatHoldsAtRestIsExceeded) {
  const double k = 4, rest = 0.7, mu = 0.3, until = 4;
  const auto run = run_of(slope, {{"v0", "0"}, {"rest", "0.7"}, {"pull", "4"}}, until);
  const double leaves = g * (std::sin(0.5) + rest * std::cos(0.5)) / k;
  const double drag = g * (std::sin(0.5) + mu * std::cos(0.5)), tau = until - leaves;
  const double s = (k * leaves - drag) * tau * tau / 2 + k * std::pow(tau, 3) / 6;
  EXPECT_EQ(run.summary.outcome, Outcome::done);
  EXPECT_NEAR(value(run.summary.final_outputs, "s"), s, 1e-8 * s);
}

TEST(Friction, IsRefusedWhereItHoldsLessAtRestThanInMotion) {
  EXPECT_THROW(run_of(slope, {{"rest", "0.1"}}, 1), InputError);
  EXPECT_THROW(run_of(slope, {{"mu", "-0.1"}}, 1), InputError);
}

/// A bead on a parabola does not know along what it could slip but along it; in space it has to be said.
TEST(Friction, OfAConstraintInSpaceAsksAlongWhat) {
  const std::string text =
      "coordinates: {x: 0, y: 0, z: 0}\nkinetic_energy: (x'^2 + y'^2 + z'^2)/2\nconstraints:\n"
      "  floor: {equation: z = x + y, friction: {coefficient: 0.3}}\n";
  EXPECT_THROW(run_of(text, {}, 1), InputError);
}

// ---- joints ---------------------------------------------------------------------------------------

const std::string disk = R"(
gravity: [0, -9.81, 0]
bodies:
  disk: {mass: 2, inertia: [0, 0, 0.4], position: [0, 0, 0], angular_velocity: [0, 0, 3], planar: true}
joints:
  pin: {type: revolute, bodies: [ground, disk], at: [0, 0, 0], axis: [0, 0, 1],
        friction: {coefficient: 0.3, radius: 0.05}}
)";

TEST(Friction, OfAPinStopsADisk) {
  const auto run = run_of(disk, {}, 10);
  const double deceleration = 0.3 * 0.05 * 2 * g / 0.4;
  EXPECT_NEAR(value(run.summary.final_coordinates, "disk.angle"), 9 / (2 * deceleration), 1e-11);
  const auto turning = run_of(disk, {}, 1);
  EXPECT_NEAR(value(turning.summary.final_outputs, "pin.friction"), -0.3 * 0.05 * 2 * g, 1e-12);
  ASSERT_EQ(turning.summary.final_joints.size(), 1U);
  EXPECT_NEAR(turning.summary.final_joints[0].torque[2], -0.3 * 0.05 * 2 * g, 1e-12);
}

/// J θ'' = −m g l sin θ − μ r |F| sign θ', where F = m (a − g) has θ'' in it: solved here for θ'' by iteration.
double pendulum_with_rough_pin(double until, double mu) {
  const double m = 2, l = 0.7, J = 0.1 + m * l * l, r = 0.1;
  const auto bend = [&](double angle, double rate) {
    double a = 0;
    for (int k = 0; k < 60; ++k) {
      const double along = m * (l * rate * rate + g * std::cos(angle)), across = m * (l * a + g * std::sin(angle));
      a = (-m * g * l * std::sin(angle) - mu * r * std::hypot(along, across) * (rate > 0 ? 1 : -1)) / J;
    }
    return a;
  };
  double angle = 1.2, rate = -1e-300;
  const int steps = 20000;
  const double h = until / steps;
  for (int k = 0; k < steps; ++k) {
    const double k1 = bend(angle, rate), w2 = rate + h / 2 * k1, k2 = bend(angle + h / 2 * rate, w2);
    const double w3 = rate + h / 2 * k2, k3 = bend(angle + h / 2 * w2, w3), w4 = rate + h * k3;
    const double k4 = bend(angle + h * w3, w4);
    angle += h / 6 * (rate + 2 * w2 + 2 * w3 + w4);
    rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return angle;
}

class InAPin : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Dimensions, InAPin, testing::Values("true", "false"));

TEST_P(InAPin, ThePressDependsOnTheMotionItBrakes) {
  const std::string text = std::string(R"(
gravity: [0, -9.81, 0]
bodies:
  rod: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.7*sin(1.2), -0.7*cos(1.2), 0], planar: )") +
                           GetParam() + R"(}
joints:
  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1],
        friction: {coefficient: 0.8, radius: 0.1}}
outputs: {angle: 1.2 + pin.angle}
)";
  const auto run = run_of(text, {}, 0.6);
  EXPECT_NEAR(value(run.summary.final_outputs, "angle"), pendulum_with_rough_pin(0.6, 0.8), 1e-7);
}

/// A rod in a guide of length L that is pushed at the distance a from its axis: P a/L at each end of the guide, so that
/// it locks, however hard it is pushed, from μ = L/(2a) on.
class InAGuide : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Coefficients, InAGuide, testing::Values(0.1, 0.2499, 0.2501, 0.6));

TEST_P(InAGuide, ARodLocksBeyondTheClosedFormCoefficient) {
  const double mu = GetParam(), P = 1e4, a = 0.4, L = 0.2;
  const std::string text = R"(
parameters: {mu: 0.1}
bodies:
  rod: {mass: 1, inertia: [0, 0, 0.01], position: [0, 0, 0], planar: true}
joints:
  guide: {type: prismatic, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0],
          friction: {coefficient: mu, length: 0.2}}
forces:
  push: {type: force, body: rod, at: [0.4, 0, 0], value: [0, 1e4, 0]}
)";
  const auto run = run_of(text, {{"mu", std::to_string(mu)}}, 1);
  const double acceleration = std::max(0.0, P * (1 - 2 * mu * a / L));
  EXPECT_NEAR(value(run.summary.final_coordinates, "rod.y"), acceleration / 2, 1e-11 * P);
  if (acceleration == 0) {
    EXPECT_EQ(value(run.summary.final_coordinates, "rod.y"), 0);
  }
}

TEST(Friction, OfAJointWithTwoFreedomsIsRefused) {
  const std::string text =
      "bodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\njoints:\n"
      "  ball: {type: spherical, bodies: [ground, b], at: [0, 0, 0], friction: {coefficient: 0.3, radius: 0.1}}\n";
  EXPECT_THROW(run_of(text, {}, 1), InputError);
}

// ---- Painlevé's rod -------------------------------------------------------------------------------

/// A rod of length 2 and mass 1 slides to the right on its lower end, its centre at (x, sin θ).
const std::string painleve = R"(
parameters: {mu: 1, angle: 1, w: 0.2}
coordinates: {x: [0, 5], y: [sin(angle), w*cos(angle)], th: [angle, w]}
kinetic_energy: (x'^2 + y'^2)/2 + th'^2/6
potential_energy: 9.81*y
definitions: {tip: x + cos(th)}
constraints:
  floor: {equation: y = sin(th), friction: {coefficient: mu, along: tip, normal: abs(lambda(floor))}}
)";

/// With the tip's force (−μN, N): y'' = N − g, θ''/3 = −N cos θ + μ N sin θ, and y = sin θ differentiated twice.
double normal_force(double mu, double angle, double w) {
  const double s = std::sin(angle), c = std::cos(angle);
  return (g - s * w * w) / (1 + 3 * c * (c - mu * s));
}

TEST(Friction, OfPainlevesRodIsSolvedAwayFromTheParadox) {
  for (const double mu : {0.0, 0.3, 1.0, 1.3}) {
    const auto run = run_of(painleve, {{"mu", std::to_string(mu)}}, 0);
    EXPECT_NEAR(value(run.summary.final_multipliers, "floor"), normal_force(mu, 1, 0.2), 1e-9) << mu;
  }
}

/// 1 + 3 cos θ (cos θ − μ sin θ) < 0: no force, or two, would do.
TEST(Friction, OfPainlevesRodInTheParadoxIsSaid) {
  const auto run = run_of(painleve, {{"mu", "3"}}, 1);
  EXPECT_NE(run.summary.outcome, Outcome::done);
}

// ---- what presses, and along what -------------------------------------------------------------------

const std::string on_a_floor =
    "coordinates: {x: [0, 1], y: 0}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: 10*y\n";

double slid_on_a_floor(const std::string& floor, double until) {
  const auto run = run_of(on_a_floor + "constraints: {floor: " + floor + "}\n", {}, until);
  EXPECT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  return value(run.summary.final_coordinates, "x");
}

/// A reaction is of either sign, as the constraint is written; what presses is its size.
TEST(Friction, TakesTheSizeOfANormalForce) {
  for (const std::string equation : {"y = 0", "-y = 0"})
    EXPECT_NEAR(
        slid_on_a_floor("{equation: " + equation + ", friction: {coefficient: 0.3, along: x, normal: lambda(floor)/2}}",
                        0.5),
        0.5 - 1.5 * 0.125, 1e-9);
}

/// A velocity constraint in declared speeds presses, too.
TEST(Friction, KnowsTheForceOfAConstraintOnSpeeds) {
  const auto run = run_of(
      "coordinates: {x: 0, y: 0}\nspeeds: {u: 1, w: 0}\nrates: {x: u, y: w}\nmass_matrix: [[1, 0], [0, 1]]\n"
      "forces: {w: -10}\nconstraints: {floor: {equation: w = 0, friction: {coefficient: 0.3, along: u}}}\n",
      {}, 0.2);
  EXPECT_NEAR(value(run.summary.final_coordinates, "x"), 0.2 - 1.5 * 0.04, 1e-9);
}

/// A floor that a state lifts: its own share of the gradient is no force.
TEST(Friction, OnWhatAStateDrivesIsThatOfTheForceOnCoordinates) {
  const auto run = run_of(on_a_floor +
                              "states: {z: {value: 0, rate: 1}}\n"
                              "constraints: {floor: {equation: y = z, friction: {coefficient: 0.3, along: x}}}\n",
                          {}, 0.2);
  EXPECT_NEAR(value(run.summary.final_coordinates, "x"), 0.2 - 1.5 * 0.04, 1e-9);
}

/// A belt whose speed is a state takes a block along, and is not slowed down by it.
TEST(Friction, DoesNotActOnAState) {
  const auto run = run_of(
      "coordinates: {x: [0, 0], y: 0}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: 10*y\n"
      "states: {belt: {value: 1, rate: 0}}\n"
      "constraints: {floor: {equation: y = 0, friction: {coefficient: 0.3, along: x' - belt}}}\n",
      {}, 1);
  EXPECT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
  EXPECT_EQ(value(run.summary.final_states, "belt"), 1);
  EXPECT_NEAR(value(run.summary.final_coordinates, "x"), 1.0 / 6 + 2.0 / 3, 1e-9);
}

TEST(Friction, OfTheSameSlipHoldsInOneWay) {
  for (const std::string first : {"0.3, static: 0.5", "0.3"}) {
    const std::string second = first == "0.3" ? "0.3, static: 0.5" : "0.3";
    EXPECT_THROW(run_of(on_a_floor + "constraints:\n  a: {equation: y = 0, friction: {coefficient: " + first +
                            ", along: x}}\n  b: {equation: y' = 0, friction: {coefficient: " + second +
                            ", along: x, normal: 1}}\n",
                        {}, 1),
                 InputError);
  }
}

/// λ times the length of a gradient is a force where coordinates are those of one point, and else may be anything.
TEST(Friction, RemarksWhereItDoesNotKnowWhatPresses) {
  const auto remarks = [](const std::string& text) { return friction_remarks(read_model(text, "rough.yaml")).size(); };
  const std::string two_blocks =
      "coordinates: {x1: 0, y1: 0, x2: 0, y2: 1}\nkinetic_energy: (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2\n";
  const std::string polar = "coordinates: {r: 2, th: 0}\nkinetic_energy: (r'^2 + r^2*th'^2)/2\n";
  EXPECT_EQ(
      remarks(two_blocks + "constraints: {top: {equation: y2 - y1 = 1, friction: {coefficient: 0.3, along: x2 - x1}}}"),
      1U);
  EXPECT_EQ(remarks(two_blocks + "constraints: {top: {equation: y2 - y1 = 1, friction: {coefficient: 0.3, along: x2 - "
                                 "x1, normal: lambda(top)}}}"),
            0U);
  EXPECT_EQ(remarks(polar + "constraints: {spiral: {equation: r = 2 + th, friction: {coefficient: 0.3}}}"), 1U);
  for (const char* floor : {"{equation: y = 0, friction: {coefficient: 0.3, along: x}}",
                            "{equation: y = x/2, friction: {coefficient: 0.3}}",
                            "{equation: x^2 + (y - 1)^2 = 1, friction: {coefficient: 0.3}}"})
    EXPECT_EQ(remarks(on_a_floor + "constraints: {floor: " + floor + "}"), 0U) << floor;
}

/// Nothing moves, and what the energy is off by is rounding of rounding.
TEST(Friction, AtRestWithGivenStepsHasNoEnergyToLose) {
  Options options{.until = 3, .step = 0.01};
  const Model model = read_model(
      "gravity: [0, -9.81, 0]\n"
      "bodies: {block: {mass: 3, inertia: [0, 0, 0.1], planar: true}}\n"
      "joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0, 0], axis: [1, 0, 0],"
      " friction: {coefficient: 0.5}}}\n"
      "forces: {push: {type: force, body: block, value: [10*sin(2*t), 0, 0]}}\n"
      "states: {cell: [0, (rail.friction - cell)/0.1]}\n",
      "cell.yaml");
  const auto run = simulate(model, options);
  EXPECT_EQ(run.summary.verdict, Verdict::done) << run.summary.verdict_reason;
}

}  // namespace
}  // namespace taut
