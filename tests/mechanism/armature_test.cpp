// Rotor inertia at joints: against equations of motion written by hand, and joint against body coordinates.
#include <gtest/gtest.h>

#include <cmath>

#include "mechanism/compared.hpp"
#include "mechanism/random_mechanism.hpp"
#include "taut/error.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"

namespace taut::testing {
namespace {

constexpr Coordinates both[] = {Coordinates::bodies, Coordinates::joints};

Summary at_start(const Model& model, Coordinates coordinates) {
  Options options = options_of(model);
  options.until = 0;
  options.assemble = true;
  return run_in(coordinates, model, options);
}

/// (m l²/3 + J) θ̈ = −m g (l/2) sin θ; the hinge hands on −J θ̈.
TEST(Armature, AddsToTheInertiaOfAPendulum) {
  for (const bool planar : {true, false}) {
    const Model model = read_model(std::string(R"yaml(
parameters: {m: 2, l: 0.7, g: 9.81, J: 0.3}
gravity: [g, 0, 0]
bodies:
  rod: {mass: m, inertia: [m*l^2/12, m*l^2/12, m*l^2/12], position: [l/2*cos(0.6), l/2*sin(0.6), 0], planar: )yaml") +
                                       (planar ? "true" : "false") + R"yaml(}
joints:
  pivot: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1], armature: J}
outputs: {torque: pivot.tz}
)yaml",
                                   "test.yaml");
    const double m = 2, l = 0.7, g = 9.81, J = 0.3;
    const double expected = -m * g * l / 2 * std::sin(0.6) / (m * l * l / 3 + J);
    for (const Coordinates coordinates : both) {
      const Summary summary = at_start(model, coordinates);
      const char* const name = planar ? "rod.angle" : "rod.alpha_z";
      EXPECT_NEAR(value_of(summary.final_accelerations, name), expected, 1e-13);
      EXPECT_NEAR(value_of(summary.final_outputs, "torque"), -J * expected, 1e-13);
    }
  }
}

/// An arm on a turntable: T = ½ (I_t + I_s + (I_a + m d²) cos² θ) φ̇² + ½ (I_a + m d² + J) θ̇². The rotor's axis turns
/// with the table, and its energy is that of θ alone.
const char* const arm_on_table = R"yaml(
parameters: {m: 1.3, d: 0.4, J: 0.25}
gravity: [0, 0, -9.81]
bodies:
  table: {mass: 3, inertia: [0.3, 0.3, 0.5], angular_velocity: [0, 0, 2]}
  arm: {mass: m, inertia: [0.01, 0.03, 0.03], position: [d, 0, 0], velocity: [0, 2*d, 1.5*d], angular_velocity: [0, -1.5, 2]}
joints:
  shaft: {type: revolute, bodies: [ground, table], at: [0, 0, 0], axis: [0, 0, 1]}
  elbow: {type: revolute, bodies: [table, arm], at: [0, 0, 0], axis: [0, -1, 0], armature: J}
outputs: {angle: elbow.angle}
simulate: {until: 1, rtol: 1e-11}
)yaml";
const char* const same_by_hand = R"yaml(
parameters: {m: 1.3, d: 0.4, J: 0.25}
coordinates: {phi: [0, 2], theta: [0, 1.5]}
kinetic_energy: (0.5 + 0.01*sin(theta)^2 + (0.03 + m*d^2)*cos(theta)^2)*phi'^2/2 + (0.03 + m*d^2 + J)*theta'^2/2
potential_energy: m*9.81*d*sin(theta)
simulate: {until: 1, rtol: 1e-11}
)yaml";

TEST(Armature, FollowsItsJointAloneWhereTheAxisTurns) {
  const Model by_hand = read_model(same_by_hand, "hand.yaml");
  const Summary expected = run_in(Coordinates::bodies, by_hand, options_of(by_hand));
  const Model model = read_model(arm_on_table, "table.yaml");
  for (const Coordinates coordinates : both) {
    const Summary summary = run_in(coordinates, model, options_of(model));
    // Errors of steps of either run, over a motion that is hardly sensitive.
    EXPECT_NEAR(value_of(summary.final_outputs, "angle"), value_of(expected.final_coordinates, "theta"), 1e-9);
    EXPECT_NEAR(value_of(summary.final_rates, "table.omega_z"), value_of(expected.final_rates, "phi"), 1e-9);
    EXPECT_LE(*summary.max_energy_error, 1e-9);
  }
}

TEST(Armature, IsTheSameInBothCoordinatesWhereverItIs) {
  for (unsigned seed = 1; seed <= 28; ++seed) {
    Model model = random_mechanism(seed, 3 + static_cast<int>(seed % 4), seed % 2, seed % 7 == 3).model();
    for (std::size_t k = 0; k < model.joints.size(); ++k) {
      const Joint& joint = model.joints[k];
      if (joint.has_coordinate() || joint.type == "spherical")
        add_armature(model, static_cast<int>(k), 0.1 + 0.05 * static_cast<double>(k));
    }
    const Summary bodies = at_start(model, Coordinates::bodies), joints = at_start(model, Coordinates::joints);
    if (bodies.degrees_of_freedom == 0) continue;
    SCOPED_TRACE(seed);
    expect_same(bodies.final_rates, joints.final_rates, 1e-8, "rates");
    expect_same(bodies.final_accelerations, joints.final_accelerations, 1e-8, "accelerations");
    expect_same_reactions(bodies, joints, 1e-8);
  }
}

TEST(Armature, IsRefusedWhereThereIsNoSingleRate) {
  const auto read = [](const std::string& joint) {
    return read_model(R"yaml(
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
joints:
  j: {bodies: [ground, a], at: [0, 0, 0], )yaml" +
                          joint + "}\n",
                      "test.yaml");
  };
  EXPECT_NO_THROW(read("type: spherical, armature: 1"));
  for (const char* joint :
       {"type: planar, normal: [0, 0, 1], armature: 1", "type: fixed, armature: 1",
        "type: cylindrical, axis: [0, 0, 1], armature: 1", "type: revolute, axis: [0, 0, 1], armature: -1"}) {
    try {
      read(joint);
      ADD_FAILURE() << joint;
    } catch (const InputError& error) {
      EXPECT_EQ(error.place().line, 5) << error.what();
    }
  }
}

// ---- bodies without mass ----------------------------------------------------------------------------

/// A cross without mass between two hinges is a universal joint.
TEST(BodyWithoutMass, MayStandInsideTheTree) {
  const std::string bodies = R"yaml(
gravity: [0.4, 1, -9.81]
bodies:
  cross: {position: [0, 0, -0.3]}
  bob: {mass: 1.5, inertia: [0.1, 0.08, 0.03], position: [0, 0, -1], velocity: [0.7, 0.35, 0], angular_velocity: [0.5, -1, 0]}
)yaml";
  const Model two_hinges = read_model(bodies + R"yaml(
joints:
  first: {type: revolute, bodies: [ground, cross], at: [0, 0, -0.3], axis: [1, 0, 0]}
  second: {type: revolute, bodies: [cross, bob], at: [0, 0, -0.3], axis: [0, 1, 0]}
simulate: {until: 0.5, rtol: 1e-10, assemble: true}
)yaml",
                                      "hinges.yaml");
  const Model universal = read_model(R"yaml(
gravity: [0.4, 1, -9.81]
bodies:
  bob: {mass: 1.5, inertia: [0.1, 0.08, 0.03], position: [0, 0, -1], velocity: [0.7, 0.35, 0], angular_velocity: [0.5, -1, 0]}
joints:
  both: {type: universal, bodies: [ground, bob], at: [0, 0, -0.3], axes: [[1, 0, 0], [0, 1, 0]]}
simulate: {until: 0.5, rtol: 1e-10, assemble: true}
)yaml",
                                     "universal.yaml");
  const Summary expected = run_in(Coordinates::bodies, universal, options_of(universal));
  for (const Coordinates coordinates : both) {
    const Summary summary = run_in(coordinates, two_hinges, options_of(two_hinges));
    EXPECT_EQ(summary.verdict, Verdict::done) << summary.verdict_reason;
    EXPECT_EQ(summary.degrees_of_freedom, 2);
    for (const char* name : {"bob.x", "bob.y", "bob.z", "bob.qw", "bob.qx"})
      EXPECT_NEAR(value_of(summary.final_coordinates, name), value_of(expected.final_coordinates, name), 1e-8) << name;
  }
}

}  // namespace
}  // namespace taut::testing
