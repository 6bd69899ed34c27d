#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "taut/error.hpp"
#include "taut/stepping.hpp"

/// Values that are set between the steps of a simulation, against closed forms.
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

/// A mass that a constraint keeps on a line through the origin of slope 3/4, pushed along x.
Model pushed_bead() {
  return read_model(
      "inputs: {u: {default: 1, unit: N, min: -5, max: 5}}\n"
      "coordinates: {x: 0, y: 0}\n"
      "kinetic_energy: x'^2 + y'^2\n"
      "forces: {x: u}\n"
      "constraints: {line: 3*x = 4*y}\n",
      "bead.yaml");
}

class InputsUnder : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, InputsUnder, testing::ValuesIn(all_methods()), [](const auto& method) {
  std::string name = method.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

/// Along the line the force is 4/5 u on a mass of 2: its x grows by 16/50 u/2 dt² + …. RK4 is exact for parabolas, and
/// IDA has its default tolerance of 1e-8 a step.
TEST_P(InputsUnder, AForceThatIsHeldGivesOneParabolaAfterTheOther) {
  Simulation sim(pushed_bead(), with(3, 0.01, GetParam()));
  double x = 0, v = 0, t = 0;
  for (const double u : {1.0, -4.0, 5.0, 0.25, 0.25, -1.5}) {
    sim.set_input("u", u);
    const double a = 16.0 / 25 * u / 2, h = 0.37;
    sim.advance(t += h);
    x += v * h + a * h * h / 2;
    v += a * h;
    const double allowed = GetParam() == "stabilized-index-2" ? 1e-6 : 1e-12;
    EXPECT_NEAR(sim.q()[0], x, allowed) << t;
    EXPECT_NEAR(sim.v()[0], v, allowed) << t;
    EXPECT_NEAR(3 * sim.q()[0] - 4 * sim.q()[1], 0, allowed);
  }
}

/// Adaptive integrators, too: what they remember of the time before a jump is worthless behind it.
TEST(Inputs, EveryIntegratorBeginsAnewWhereOneIsSet) {
  for (const ListEntry& integrator : list_integrators()) {
    if (integrator.name == "auto" || integrator.name == "ida") continue;
    const bool fixed = integrator.name == "euler" || integrator.name.starts_with("ab2") || integrator.name == "ab3";
    Options options = with(3, fixed || integrator.name == "rk4" ? std::optional(1e-3) : std::nullopt);
    options.integrator = Choice(integrator.name);
    if (integrator.name == "cvode-adams") options.method = Choice("baumgarte");  // it corrects no results
    Simulation sim(pushed_bead(), options);
    double v = 0, t = 0;
    for (const double u : {1.0, -4.0, 5.0, 0.25}) {
      sim.set_input("u", u);
      ASSERT_TRUE(sim.advance(t += 0.37)) << integrator.name;
      v += 16.0 / 25 * u / 2 * 0.37;
      EXPECT_NEAR(sim.v()[0], v, 1e-9) << integrator.name << " at " << t;
    }
    EXPECT_EQ(sim.summary().verdict, Verdict::done) << integrator.name << sim.summary().verdict_reason;
  }
}

/// A stiffness that is set does work on the spring: k/2 x² jumps, and the balance does not.
TEST(Inputs, TheEnergyBalanceCountsWhatAChangeDoes) {
  const Model model = read_model(
      "inputs: {k: 4}\ncoordinates: {x: 1}\nkinetic_energy: x'^2/2\npotential_energy: k/2*x^2\n", "spring.yaml");
  Simulation sim(model, with(10));
  double x = 1, v = 0, t = 0;
  for (const double k : {4.0, 9.0, 1.0, 16.0}) {
    sim.set_input("k", k);
    sim.advance(t += 0.8);
    const double w = std::sqrt(k), c = std::cos(0.8 * w), s = std::sin(0.8 * w), at = x;
    x = at * c + v / w * s;
    v = v * c - at * w * s;
    EXPECT_NEAR(sim.q()[0], x, 1e-7);
    EXPECT_NEAR(sim.v()[0], v, 1e-7);
  }
  const Summary summary = sim.summary();
  EXPECT_EQ(summary.verdict, Verdict::done) << summary.verdict_reason;
  EXPECT_LT(*summary.max_energy_error, 1e-6);
}

/// A cart of prescribed speed u with a pendulum of length l: an impulse on the cart leaves the pendulum's own momentum
/// m l X' cos θ + m l² θ' what it was.
TEST(Inputs, APrescribedSpeedJumpsByAnImpulse) {
  const Model model = read_model(
      "inputs: {u: 0}\n"
      "parameters: {l: 0.7}\n"
      "coordinates: {X: 0, th: 0.4}\n"
      "kinetic_energy: X'^2/2 + (X'^2 + 2*l*X'*th'*cos(th) + l^2*th'^2)/2\n"
      "potential_energy: -9.81*l*cos(th)\n"
      "constraints: {drive: X' = u}\n",
      "cart.yaml");
  for (const char* method : {"auto", "braun-goldfarb", "perturbation", "baumgarte", "coordinate-partitioning"}) {
    Simulation sim(model, with(2, std::nullopt, method));
    sim.advance(0.3);
    const double angle = sim.q()[1], rate = sim.v()[1];
    sim.set_input("u", 1.5);
    EXPECT_NEAR(sim.v()[0], 1.5, 1e-12) << method;
    EXPECT_NEAR(sim.v()[1], rate - 1.5 * std::cos(angle) / 0.7, 1e-12) << method;
    EXPECT_EQ(sim.q()[1], angle) << method;
    sim.advance(1);
    const Summary summary = sim.summary();
    EXPECT_EQ(summary.verdict, Verdict::done) << method << ": " << summary.verdict_reason;
    EXPECT_LT(*summary.max_energy_error, 1e-5) << method;
  }
}

TEST(Inputs, APositionThatWouldJumpIsRefusedAndNothingChanges) {
  const Model model = read_model(
      "inputs: {u: 1}\ncoordinates: {x: 1, y: 0}\nkinetic_energy: x'^2 + y'^2\nforces: {y: 1}\nconstraints: {c: x = "
      "u}\n",
      "wall.yaml");
  Simulation sim(model, with(2));
  sim.advance(0.5);
  sim.set_input("u", 1.2);
  try {
    sim.advance(1);
    FAIL() << "a jump of the position went unnoticed";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'c' jump by 0.2"));
  }
  sim.set_input("u", 1);
  sim.advance(1);
  EXPECT_NEAR(sim.q()[1], 0.25, 1e-12);
}

TEST(Inputs, AreRefusedBeyondTheirLimitsAndUnderOtherNames) {
  Simulation sim(pushed_bead(), with(1));
  EXPECT_THROW(sim.set_input("u", 5.5), InputError);
  EXPECT_THROW(sim.set_input("u", std::nan("")), InputError);
  EXPECT_THROW(sim.set_input("v", 1), InputError);
  EXPECT_THROW(sim.set_inputs(Vector::Zero(2)), InputError);
  EXPECT_EQ(sim.input("u"), 1);
  Options options = with(1);
  options.set.emplace_back("u", 7.0);
  EXPECT_THROW(Simulation(pushed_bead(), options), InputError);
}

/// Setting what is set already does not disturb: the integrator keeps its memory.
TEST(Inputs, TheSameValueChangesNoBit) {
  Options options = with(2);
  options.integrator = Choice("abm");
  Simulation set(pushed_bead(), options), left(pushed_bead(), options);
  while (left.step()) {
    set.set_input("u", 1);
    ASSERT_TRUE(set.step());
    ASSERT_EQ(set.q(), left.q());
  }
}

TEST(Inputs, GoWithACheckpointAndAReset) {
  Simulation sim(pushed_bead(), with(2, 0.01));
  sim.set_input("u", 3);
  sim.advance(0.5);
  const Checkpoint place = sim.checkpoint();
  sim.set_input("u", -2);
  sim.advance(1);
  sim.restore(place);
  EXPECT_EQ(sim.input("u"), 3);
  sim.advance(1);
  EXPECT_NEAR(sim.v()[0], 0.96, 1e-12);
  sim.reset();
  EXPECT_EQ(sim.input("u"), 1);
  sim.advance(1);
  EXPECT_NEAR(sim.v()[0], 0.32, 1e-12);
}

/// Masses and constraints that hold an input, by matrices and by formulas written out.
TEST(Inputs, EverySolverSeesThem) {
  const Model model = read_model(
      "inputs: {m: 1, k: 1}\n"
      "coordinates: {x: 1, y: [0, 0.3], z: [0, 0.3]}\n"
      "kinetic_energy: m/2*(x'^2 + y'^2 + z'^2)\n"
      "potential_energy: 9.81*y\n"
      "constraints: {ball: x^2 + y^2 + z^2 = 1, knife: k*(z' - x*y') = 0}\n",
      "solvers.yaml");
  std::vector<Vector> ends;
  for (const char* linear : {"formulas", "cod", "cholesky", "svd"}) {
    Options options = with(2, 1e-3);
    options.linear = Choice(linear);
    Simulation sim(model, options);
    sim.advance(0.2);
    sim.set_input("m", 3);
    sim.set_input("k", 2);
    sim.advance(0.6);
    sim.set_input("m", 0.5);
    sim.advance(1);
    EXPECT_LT(*sim.summary().max_energy_error, 1e-9) << linear;
    ends.push_back(sim.q());
  }
  for (const Vector& end : ends) EXPECT_NEAR((end - ends[0]).norm(), 0, 1e-11);
}

/// What sticks by friction is torn loose by a force that exceeds it, and held again below.
TEST(Inputs, FrictionHoldsUntilAnInputExceedsIt) {
  const Model model = read_model(
      "inputs: {u: 0}\ncoordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: u - 2*sign(x')}\n", "block.yaml");
  Simulation sim(model, with(4));
  sim.set_input("u", 1.5);
  sim.advance(1);
  EXPECT_EQ(sim.v()[0], 0);
  sim.set_input("u", 3);
  sim.advance(2);
  EXPECT_NEAR(sim.v()[0], 1, 1e-7);
  sim.set_input("u", 0);
  sim.advance(3);
  EXPECT_NEAR(sim.v()[0], 0, 1e-9);  // it came to rest at 2.5
  EXPECT_NEAR(sim.q()[0], 0.5 + 0.25, 1e-7);
}

/// A kink in time that an input moves is found where it is.
TEST(Inputs, MoveKinksInTime) {
  const Model model =
      read_model("inputs: {when: 1}\ncoordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: 100*max(0, t - when)}\n",
                 "kink.yaml");
  Simulation sim(model, with(4));
  sim.set_input("when", 2);
  sim.advance(3);
  EXPECT_NEAR(sim.v()[0], 50, 1e-6);
}

TEST(Inputs, EventsFollowThem) {
  const Model model = read_model(
      "inputs: {level: 10}\ncoordinates: {x: [0, 1]}\nkinetic_energy: x'^2/2\nevents: {there: {when: x - level, stop: "
      "true}}\n",
      "events.yaml");
  Simulation sim(model, with(20));
  sim.advance(1);
  sim.set_input("level", 3);
  while (sim.step()) {
  }
  EXPECT_NEAR(sim.t(), 3, 1e-9);
}

TEST(Inputs, AreRecordedAndListed) {
  const Model model = pushed_bead();
  const auto run = simulate(model, with(1, 0.1));
  EXPECT_EQ(run.trajectory.column("u"), std::vector<double>(run.trajectory.rows.size(), 1.0));
  const Check checked = check(model);
  ASSERT_EQ(checked.inputs.size(), 1U);
  EXPECT_EQ(checked.inputs[0].unit, "N");
  EXPECT_EQ(checked.inputs[0].value, 1.0);
}

TEST(Inputs, BuiltInCppAreThoseOfText) {
  Model model;
  const Expression u = model.input("u", 1, {.unit = "N", .lowest = -5, .highest = 5});
  const Expression x = model.coordinate("x"), y = model.coordinate("y");
  model.kinetic_energy = dot(x) * dot(x) + dot(y) * dot(y);
  model.force(x, u);
  model.constraint("line", 3 * x - 4 * y);
  Simulation built(model, with(1, 0.01)), read(pushed_bead(), with(1, 0.01));
  for (Simulation* sim : {&built, &read}) {
    sim->set_input("u", 2);
    sim->advance(1);
  }
  EXPECT_EQ(built.q(), read.q());
}

TEST(Inputs, InJointCoordinatesAreTheSame) {
  const Model model = read_model(
      "gravity: [0, -9.81, 0]\n"
      "inputs: {tau: 0}\n"
      "bodies:\n"
      "  a: {mass: 1, inertia: [0, 0, 0.1], position: [0.5, 0, 0], planar: true}\n"
      "  b: {mass: 1, inertia: [0, 0, 0.1], position: [1.5, 0, 0], planar: true}\n"
      "joints:\n"
      "  p: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], torque: tau}\n"
      "  e: {type: revolute, bodies: [a, b], at: [1, 0, 0], axis: [0, 0, 1]}\n",
      "arm.yaml");
  std::vector<double> angles;
  for (const Coordinates coordinates : {Coordinates::joints, Coordinates::bodies}) {
    Options options = with(1);
    options.coordinates = coordinates;
    Simulation sim(model, options);
    for (int k = 0; k < 10; ++k) {
      sim.set_input("tau", 10 - 2 * k);
      sim.advance(0.1 * (k + 1));
    }
    angles.push_back(value_of(sim.summary().final_coordinates, "b.angle"));
  }
  EXPECT_NEAR(angles[0], angles[1], 1e-6);
}

}  // namespace
}  // namespace taut
