#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "taut/error.hpp"
#include "taut/questions.hpp"
#include "taut/stepping.hpp"

/// Functions of the program as forces, against formulas and closed forms.
namespace taut {
namespace {

using testing::HasSubstr;

std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const ListEntry& method : list_methods()) names.push_back(method.name);
  return names;
}

/// A bead on a circle, pushed along x.
constexpr const char* bead =
    "model: bead\n"
    "inputs: {u: 0}\n"
    "coordinates: {x: [3/5, 4/5], y: [4/5, -3/5]}\n"
    "kinetic_energy: x'^2 + y'^2\n"
    "potential_energy: 2*y\n"
    "forces: {x: u}\n"
    "constraints: {circle: x^2 + y^2 = 1}\n"
    "outputs: {push: u, speed: x'^2 + y'^2}\n";

double law(double x, double v, double t) { return std::sin(3 * t) - x - 0.5 * v; }

Model by_formula() {
  std::string text = bead;
  text.replace(text.find("forces: {x: u}"), 14, "forces: {x: u + sin(3*t) - x - 0.5*x'}");
  return read_model(text, "bead.yaml");
}

/// The state's order is x, y.
Model by_state() {
  Model model = read_model(bead, "bead.yaml");
  model.drive({"u"}, [](const FunctionCall& call, std::span<double> results) {
    results[0] = law(call.q[0], call.v[0], call.t);
  });
  return model;
}

Model by_arguments() {
  std::string text = bead;
  text.replace(text.find("{u: 0}"), 6, "{u: \"function(x, x', t)\"}");
  Model model = read_model(text, "bead.yaml");
  model.drive({"u"}, [](const FunctionCall& call, std::span<double> results) {
    results[0] = law(call.arguments[0], call.arguments[1], call.arguments[2]);
  });
  return model;
}

class FunctionsUnder : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, FunctionsUnder, testing::ValuesIn(all_methods()), [](const auto& method) {
  std::string name = method.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

/// Solved by the same kernel. A step's rounding is below 1e-15, and there are 300; errors grow little on a circle. IDA
/// chooses its steps by differences, which rounding changes: there both are within its tolerance.
TEST_P(FunctionsUnder, MoveAsTheFormulaDoes) {
  Options options{.until = 3, .method = Choice(GetParam())};
  const bool is_dae = GetParam() == "stabilized-index-2";
  if (!is_dae) options.step = 0.01;
  // Where formulas would solve, they cannot here.
  if (GetParam() == "auto") options.linear = Choice("cod");
  const taut::Run truth = simulate(by_formula(), options);
  for (const Model& model : {by_state(), by_arguments()}) {
    const taut::Run run = simulate(model, options);
    for (const char* name : {"x", "y"})
      EXPECT_NEAR(value_of(run.summary.final_coordinates, name), value_of(truth.summary.final_coordinates, name),
                  is_dae ? 1e-5 : 1e-12);
    ASSERT_TRUE(run.summary.max_energy_error && truth.summary.max_energy_error);
    EXPECT_NEAR(*run.summary.max_energy_error, *truth.summary.max_energy_error, is_dae ? 1e-5 : 1e-12);
  }
}

/// x'' = -x from 1 at rest, over 2 s: x = cos 2. Rk4's error falls by 16 with half the step; a force that were held
/// over a step would be of first order.
TEST(Functions, AreEvaluatedInEveryStage) {
  Model model;
  const Expression x = model.coordinate("x", 1);
  model.kinetic_energy = dot(x) * dot(x) / 2;
  const Expression pull = model.input("pull");
  model.force(x, pull);
  model.drive({"pull"}, [](const FunctionCall& call, std::span<double> r) { r[0] = -call.arguments[0]; }, {x});
  const auto error = [&](double step) {
    const taut::Run run = simulate(model, {.until = 2, .step = step, .integrator = Choice("rk4")});
    return std::abs(run.summary.final_coordinates[0].value - std::cos(2));
  };
  EXPECT_NEAR(error(0.1) / error(0.05), 16, 1.6);
}

TEST(Functions, OneComputesSeveralInputs) {
  Model model = read_model(
      "inputs: {a: 'function(x, y)', b: 'function(x, y)'}\n"
      "coordinates: {x: 1, y: 2}\n"
      "kinetic_energy: (x'^2 + y'^2)/2\n"
      "forces: {x: a, y: b}\n",
      "two.yaml");
  int calls = 0;
  model.drive({"b", "a"}, [&calls](const FunctionCall& call, std::span<double> r) {
    ++calls;
    r[0] = -4 * call.arguments[1];
    r[1] = -call.arguments[0];
  });
  const taut::Run run = simulate(model, {.until = 1, .rtol = 1e-11});
  EXPECT_NEAR(value_of(run.summary.final_coordinates, "x"), std::cos(1), 1e-9);
  EXPECT_NEAR(value_of(run.summary.final_coordinates, "y"), 2 * std::cos(2), 1e-9);
  // Power and forces are found by one call.
  EXPECT_LT(calls, 1.5 * static_cast<double>(run.summary.evaluations) + 10);
}

TEST(Functions, AreForcesInJointCoordinatesToo) {
  const char* text =
      "inputs: {torque: \"function(arm.omega_z, hinge.angle)\"}\n"
      "gravity: [0, -9.81, 0]\n"
      "bodies: {arm: {mass: 2, inertia: [0.1, 0.1, 0.2], position: [0.5, 0, 0]}}\n"
      "joints: {hinge: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1], torque: torque}}\n"
      "outputs: {angle: hinge.angle}\n";
  Model model = read_model(text, "arm.yaml");
  model.drive({"torque"}, [](const FunctionCall& call, std::span<double> r) {
    r[0] = -0.7 * call.arguments[0] - 3 * call.arguments[1];
  });
  std::string formula = text;
  formula.replace(formula.find("\"function(arm.omega_z, hinge.angle)\""), 36, "0");
  formula.replace(formula.find("torque: torque"), 14, "torque: -0.7*arm.omega_z - 3*hinge.angle");
  const taut::Run truth = simulate(read_model(formula, "arm.yaml"), {.until = 2, .rtol = 1e-11});
  for (const Coordinates coordinates : {Coordinates::bodies, Coordinates::joints}) {
    const taut::Run run = simulate(model, {.until = 2, .rtol = 1e-11, .coordinates = coordinates});
    EXPECT_NEAR(value_of(run.summary.final_outputs, "angle"), value_of(truth.summary.final_outputs, "angle"), 1e-9);
  }
}

/// What is not evaluated with the equations sees the functions' values too: reactions, efforts and multipliers.
TEST(Functions, AreInReactionsAndEfforts) {
  const char* text =
      "inputs: {torque: \"function(arm.omega_z, hinge.angle)\", push: function(arm.x)}\n"
      "gravity: [0, -9.81, 0]\n"
      "bodies:\n"
      "  arm: {mass: 2, inertia: [0.1, 0.1, 0.2], position: [0.5, 0, 0]}\n"
      "  tip: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1.5, 0, 0]}\n"
      "joints:\n"
      "  hinge: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1], torque: torque}\n"
      "  wrist: {type: revolute, bodies: [arm, tip], at: [1, 0, 0], axis: [0, 0, 1]}\n"
      "forces: {wind: {type: force, body: tip, value: [push, 0, 2*push]}}\n"
      "outputs: {pull: wrist.fx}\n";
  Model model = read_model(text, "arm.yaml");
  model.drive({"torque"}, [](const FunctionCall& call, std::span<double> r) {
    r[0] = 5 - 0.7 * call.arguments[0] - 3 * call.arguments[1];
  });
  model.drive({"push"}, [](const FunctionCall& call, std::span<double> r) { r[0] = 4 + call.arguments[0]; });
  std::string formula = text;
  const auto put = [&](const std::string& from, const std::string& to) {
    formula.replace(formula.find(from), from.size(), to);
  };
  put("\"function(arm.omega_z, hinge.angle)\"", "0");
  put("function(arm.x)", "0");
  put("torque: torque", "torque: 5 - 0.7*arm.omega_z - 3*hinge.angle");
  put("[push, 0, 2*push]", "[4 + arm.x, 0, 8 + 2*arm.x]");
  const Model written = read_model(formula, "arm.yaml");
  for (const Coordinates coordinates : {Coordinates::bodies, Coordinates::joints}) {
    const Options options{.until = 0.5, .rtol = 1e-11, .coordinates = coordinates};
    const Summary truth = simulate(written, options).summary, found = simulate(model, options).summary;
    ASSERT_EQ(found.final_joints.size(), 2U);
    for (std::size_t j = 0; j < 2; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(found.final_joints[j].force[k], truth.final_joints[j].force[k], 1e-7);
        EXPECT_NEAR(found.final_joints[j].torque[k], truth.final_joints[j].torque[k], 1e-7);
      }
    }
    EXPECT_NEAR(*found.final_joints[0].effort, *truth.final_joints[0].effort, 1e-7);
    EXPECT_GT(std::abs(*truth.final_joints[0].effort), 1);
    EXPECT_NEAR(value_of(found.final_outputs, "pull"), value_of(truth.final_outputs, "pull"), 1e-7);
    ASSERT_EQ(found.final_multipliers.size(), truth.final_multipliers.size());
    for (std::size_t k = 0; k < found.final_multipliers.size(); ++k)
      EXPECT_NEAR(found.final_multipliers[k].value, truth.final_multipliers[k].value, 1e-7);
  }
}

/// u = x = 1 + t at the samples, and where x = 2 the speed becomes u: 2.
TEST(Functions, AreMeasuredByControllersAndSetByEvents) {
  Model model = read_model(
      "inputs: {u: function(x), w: 0}\n"
      "coordinates: {x: [1, 1], y: 0}\n"
      "kinetic_energy: (x'^2 + y'^2)/2\n"
      "controllers: {c: {sample_time: 0.25, measure: {f: u}, set: {w: f}}}\n"
      "events: {hit: {when: x - 2, set: {y': u}}}\n"
      "outputs: {measured: w}\n",
      "measured.yaml");
  model.drive({"u"}, [](const FunctionCall& call, std::span<double> r) { r[0] = call.arguments[0]; });
  const Summary summary = simulate(model, {.until = 1.6}).summary;
  EXPECT_NEAR(value_of(summary.final_outputs, "measured"), 2.5, 1e-9);
  EXPECT_NEAR(value_of(summary.final_rates, "y"), 2, 1e-9);
}

/// u = x' = sin t passes 1/2 at π/6, where x = 1 - cos t.
TEST(Functions, EventsOfTheirValuesAreLocated) {
  Model model = read_model(
      "inputs: {u: function(x')}\n"
      "coordinates: {x: 0}\n"
      "kinetic_energy: x'^2/2\n"
      "forces: {x: 1 - x}\n"
      "events: {half: {when: u - 0.5, stop: true}}\n",
      "event.yaml");
  model.drive({"u"}, [](const FunctionCall& call, std::span<double> r) { r[0] = call.arguments[0]; });
  const taut::Run run = simulate(model, {.until = 3, .rtol = 1e-11});
  EXPECT_NEAR(run.summary.t_end, std::asin(0.5), 1e-8);
}

/// A drag without a formula, on a state of its own: z' = u(x), and z drives nothing.
TEST(Functions, AreRatesOfStates) {
  Model model = read_model(
      "inputs: {u: function(x)}\n"
      "coordinates: {x: [0, 1]}\n"
      "states: {z: {value: 0, rate: u}}\n"
      "kinetic_energy: x'^2/2\n",
      "state.yaml");
  model.drive({"u"}, [](const FunctionCall& call, std::span<double> r) { r[0] = std::exp(call.arguments[0]); });
  const taut::Run run = simulate(model, {.until = 1, .rtol = 1e-11});
  EXPECT_NEAR(value_of(run.summary.final_rates, "z"), std::exp(1) - 1, 1e-9);
}

TEST(Functions, GiveTheSameBitsAsMachineCode) {
  const taut::Run interpreted = simulate(by_arguments(), {.until = 1, .step = 0.01, .native = Native::off});
  const taut::Run compiled = simulate(by_arguments(), {.until = 1, .step = 0.01, .native = Native::on});
  for (std::size_t k = 0; k < interpreted.summary.final_coordinates.size(); ++k)
    EXPECT_EQ(interpreted.summary.final_coordinates[k].value, compiled.summary.final_coordinates[k].value);
}

TEST(Functions, GoOnFromACheckpointByTheSameBits) {
  Simulation sim(by_state(), {.until = 3, .step = 0.01});
  sim.advance(1);
  const Checkpoint here = sim.checkpoint();
  sim.advance(2);
  const Vector q = sim.q(), v = sim.v();
  sim.restore(here);
  sim.advance(2);
  EXPECT_EQ(q, sim.q());
  EXPECT_EQ(v, sim.v());
}

// ---- what goes wrong --------------------------------------------------------------------------------

struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Model breaking_at(double t) {
  Model model = read_model(bead, "bead.yaml");
  model.drive({"u"}, [t](const FunctionCall& call, std::span<double> r) {
    if (call.t >= t) throw Broken("broken");
    r[0] = 0;
  });
  return model;
}

TEST_P(FunctionsUnder, WhatTheyThrowComesOutOfTheRun) {
  for (const double t : {0.0, 0.5}) {
    Options options{.until = 1, .method = Choice(GetParam())};
    if (GetParam() != "stabilized-index-2") options.step = 0.01;
    EXPECT_THROW(simulate(breaking_at(t), options), Broken);
  }
}

TEST(Functions, WhatTheyThrowComesOutOfAStepAndTheSimulationCanBeginAnew) {
  EXPECT_THROW(Simulation(breaking_at(0), {.until = 1}), Broken);
  bool breaks = true;
  Model model = read_model(bead, "bead.yaml");
  model.drive({"u"}, [&](const FunctionCall& call, std::span<double> r) {
    if (breaks && call.t > 0.5) throw Broken("broken");
    r[0] = 0;
  });
  Simulation sim(model, {.until = 1, .step = 0.01});
  EXPECT_THROW(sim.advance(1), Broken);
  breaks = false;
  sim.reset();
  EXPECT_TRUE(sim.advance(1));
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

StateFunction::Law nothing() {
  return [](const FunctionCall&, std::span<double> r) { r[0] = 0; };
}

TEST(Functions, AreRefusedWhereTheirRatesWouldBeNeeded) {
  for (const char* line : {"constraints: {rod: x + y = u}", "constraints: {drive: x' = u}", "potential_energy: u*x^2",
                           "potential_energy: u*y"}) {
    Model model = read_model(std::string("inputs: {u: function(x)}\ncoordinates: {x: 0, y: 0}\n"
                                         "kinetic_energy: x'^2 + y'^2\n") +
                                 line + "\n",
                             "wrong.yaml");
    model.drive({"u"}, nothing());
    EXPECT_THAT(refusal([&] { simulate(model, {.until = 1}); }), HasSubstr("its rate would be needed")) << line;
  }
}

TEST(Functions, ThatWereNotGivenAreAskedFor) {
  const Model model =
      read_model("inputs: {u: function(x)}\ncoordinates: {x: 0}\nkinetic_energy: x'^2\nforces: {x: u}\n", "waits.yaml");
  EXPECT_THAT(refusal([&] { simulate(model, {.until = 1}); }),
              testing::AllOf(HasSubstr("waits.yaml:1:"), HasSubstr("a function of x"), HasSubstr("--set u=0")));
  const Model held = read_model("inputs: {u: function(x)}\ncoordinates: {x: 0}\nkinetic_energy: x'^2\nforces: {x: u}\n",
                                "held.yaml", {{"u", "2"}});
  EXPECT_NEAR(simulate(held, {.until = 1}).summary.final_coordinates[0].value, 0.5, 1e-9);
}

TEST(Functions, WrongOnesAreRefusedWithTheirPlace) {
  const auto read = [](const std::string& inputs) {
    read_model(inputs + "\ncoordinates: {x: 0}\nkinetic_energy: x'^2\nforces: {x: u}\n", "wrong.yaml");
  };
  EXPECT_THAT(refusal([&] { read("inputs: {u: 'function(z)'}"); }), HasSubstr("wrong.yaml:1:23"));
  EXPECT_THAT(refusal([&] { read("inputs: {u: \"function(x'')\"}"); }), HasSubstr("an argument of a function"));
  EXPECT_THAT(refusal([&] { read("inputs: {u: 'function(x) + 1'}"); }), HasSubstr("stands alone"));
  EXPECT_THAT(refusal([&] { read("inputs: {u: 'function(x'}"); }), HasSubstr("stands alone"));
  Model model = read_model(bead, "bead.yaml");
  EXPECT_THAT(refusal([&] { model.drive({"w"}, nothing()); }), HasSubstr("there is no input 'w'"));
  EXPECT_THAT(refusal([&] { model.drive({"u", "u"}, nothing()); }), HasSubstr("twice"));
  EXPECT_THAT(refusal([&] { model.drive({}, nothing()); }), HasSubstr("no input"));
  model.drive({"u"}, nothing());
  EXPECT_THAT(refusal([&] { simulate(model, {.until = 1, .set = {{"u", "3"}}}); }), HasSubstr("set by a function"));
  Simulation sim(model, {.until = 1});
  EXPECT_THAT(refusal([&] { sim.set_input("u", 1); }), HasSubstr("set by a function"));
  EXPECT_THAT(refusal([&] { linearize(model, {}); }), HasSubstr("a function of the program"));
}

TEST(Functions, BeyondTheLimitsOfTheirInputEndTheRun) {
  Model model =
      read_model("inputs: {u: {default: 0, max: 2}}\ncoordinates: {x: [0, 1]}\nkinetic_energy: x'^2\nforces: {x: u}\n",
                 "limits.yaml");
  model.drive({"u"}, [](const FunctionCall& call, std::span<double> r) { r[0] = 4 * call.t; });
  EXPECT_THAT(refusal([&] { simulate(model, {.until = 1}); }), HasSubstr("beyond its limits"));
  EXPECT_NO_THROW(simulate(model, {.until = 0.4, .step = 0.1}));
}

// ---- the Jacobians of outputs, and values by name -----------------------------------------------------

/// By central differences of what the outputs are after set_state: of coordinates without constraints.
TEST(OutputJacobian, IsThatOfDifferences) {
  const Model model = read_model(
      "coordinates: {x: [0.3, 0.7], y: [0.2, -0.4]}\n"
      "kinetic_energy: x'^2 + y'^2\n"
      "outputs: {a: x*sin(y)*x', b: exp(x)*y'^2 + t, c: 3}\n",
      "outputs.yaml");
  Simulation sim(model, {.until = 1});
  const OutputJacobian found = sim.output_jacobian();
  ASSERT_EQ(found.values.size(), 3);
  const double x = 0.3, y = 0.2, vx = 0.7, vy = -0.4;
  EXPECT_NEAR(found.values[0], x * std::sin(y) * vx, 1e-15);
  const Matrix by_q{{std::sin(y) * vx, x * std::cos(y) * vx}, {std::exp(x) * vy * vy, 0}, {0, 0}};
  const Matrix by_v{{x * std::sin(y), 0}, {0, 2 * std::exp(x) * vy}, {0, 0}};
  EXPECT_LT((found.by_q - by_q).norm(), 1e-15);
  EXPECT_LT((found.by_v - by_v).norm(), 1e-15);
  EXPECT_EQ(sim.output_jacobian({"b"}).values.size(), 1);
  EXPECT_THAT(refusal([&] { sim.output_jacobian({"d"}); }), HasSubstr("there is no output 'd'"));
}

/// The velocity of the slider of a crank of length 1 and a rod of 2 by the angle's rate, against the rigid-body
/// Jacobian of the same point.
TEST(OutputJacobian, OfAPointIsThatOfThePointInBothCoordinates) {
  for (const Coordinates coordinates : {Coordinates::bodies, Coordinates::joints}) {
    Simulation sim(
        read_model("bodies: {a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0]},\n"
                   "         b: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1.5, 0, 0]}}\n"
                   "joints:\n"
                   "  one: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], rate: 0.3}\n"
                   "  two: {type: revolute, bodies: [a, b], at: [1, 0, 0], axis: [0, 1, 0], rate: 0.2}\n"
                   "outputs: {tip: \"velocity(b, [0.5, 0.1, 0])\"}\n",
                   "arm.yaml"),
        {.until = 1, .coordinates = coordinates});
    sim.advance(0.6);
    const OutputJacobian found = sim.output_jacobian();
    const PointMotion point = sim.point("b", {0.5, 0.1, 0});
    for (Eigen::Index k = 0; k < 3; ++k)
      EXPECT_NEAR(found.values[k], point.velocity[static_cast<std::size_t>(k)], 1e-12);
    EXPECT_LT((found.by_v - point.jacobian).norm(), 1e-12);
  }
}

TEST(OutputJacobian, OfWhatFollowsFromForcesIsRefused) {
  Simulation sim(load_model("pendulum"), {.until = 1});
  EXPECT_THAT(refusal([&] { sim.output_jacobian({"tension"}); }), HasSubstr("accelerations or multipliers"));
}

TEST(ValuesByName, AreTheSameWhateverCoordinatesAreUsed) {
  const Model model = load_model("mechanisms/slider-crank");
  Simulation bodies(model, {.until = 1, .rtol = 1e-12, .coordinates = Coordinates::bodies});
  Simulation joints(model, {.until = 1, .rtol = 1e-12, .coordinates = Coordinates::joints});
  bodies.advance(0.5);
  joints.advance(0.5);
  for (const std::string& name : bodies.shape().coordinates) {
    EXPECT_NEAR(bodies.value(name), joints.value(name), 1e-8) << name;
    EXPECT_NEAR(bodies.value(name + "'"), joints.value(name + "'"), 1e-8) << name;
  }
  EXPECT_THAT(refusal([&] { joints.value("nothing.x"); }), HasSubstr("no value 'nothing.x'"));
}

}  // namespace
}  // namespace taut
