// Joint coordinates: the same motion, energies and reactions as body coordinates, whatever the mechanism.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "mechanism/compared.hpp"
#include "mechanism/random_mechanism.hpp"
#include "taut/error.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"

namespace taut::testing {
namespace {

// ---- the gallery ----------------------------------------------------------------------------------

std::vector<std::string> mechanisms_of_bodies() {
  std::vector<std::string> names;
  for (const GalleryModel& model : gallery())
    if (model.name.starts_with("mechanisms/")) names.push_back(model.name);
  return names;
}

class GalleryInJointCoordinates : public ::testing::TestWithParam<std::string> {};

TEST_P(GalleryInJointCoordinates, MovesAsInBodyCoordinates) {
  const Model model = load_model(GetParam());
  Options options = options_of(model);
  // Where the motion is not yet more sensitive than 100 times: errors of steps are what is compared.
  options.until = std::min(options.until, GetParam() == "mechanisms/a03-andrews" ? 0.03 : 0.3);
  options.rtol = 1e-10;
  const Summary bodies = run_in(Coordinates::bodies, model, options);
  const Summary joints = run_in(Coordinates::joints, model, options);
  EXPECT_EQ(bodies.verdict, Verdict::done) << bodies.verdict_reason;
  EXPECT_EQ(joints.verdict, Verdict::done) << joints.verdict_reason;
  EXPECT_EQ(joints.coordinates_used, "joints");
  EXPECT_EQ(bodies.degrees_of_freedom, joints.degrees_of_freedom);
  EXPECT_LE(joints.constraints, bodies.constraints);
  const double tolerance = 100 * options.rtol;
  expect_same(bodies.final_coordinates, joints.final_coordinates, tolerance, "coordinates");
  expect_same(bodies.final_rates, joints.final_rates, tolerance, "rates");
  // Accelerations of fast mechanisms change by much more than rates in the time by which the two runs differ.
  expect_same(bodies.final_accelerations, joints.final_accelerations, 100 * tolerance, "accelerations");
  expect_same(bodies.final_outputs, joints.final_outputs, 100 * tolerance, "outputs");
}

TEST_P(GalleryInJointCoordinates, StartsWithTheSameAccelerationsEnergiesAndReactions) {
  const Model model = load_model(GetParam());
  Options options = options_of(model);
  options.until = 0;
  const Summary bodies = run_in(Coordinates::bodies, model, options);
  const Summary joints = run_in(Coordinates::joints, model, options);
  expect_same(bodies.final_coordinates, joints.final_coordinates, 1e-14, "coordinates");
  expect_same(bodies.final_rates, joints.final_rates, 1e-12, "rates");
  expect_same(bodies.final_accelerations, joints.final_accelerations, 1e-10, "accelerations");
  expect_same(bodies.final_outputs, joints.final_outputs, 1e-10, "outputs");
  expect_same_reactions(bodies, joints, 1e-9);
  if (bodies.multipliers_unique) expect_same(bodies.final_multipliers, joints.final_multipliers, 1e-9, "multipliers");
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, GalleryInJointCoordinates, ::testing::ValuesIn(mechanisms_of_bodies()),
                         [](const auto& info) {
                           std::string name = info.param.substr(info.param.find('/') + 1);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// ---- everything at once ---------------------------------------------------------------------------

/// Motors of each kind, stops, springs, bushings, forces on bodies, points and coordinates, potentials and constraints
/// in bodies' names, joints named from either side, welds, a body that floats, and outputs of all sorts.
const char* const in_space = R"yaml(
model: kitchen-sink
parameters: {g: 9.81, k: 40, l: 0.8}
gravity: [0.3, -0.2, -g]
bodies:
  base:   {mass: 2, inertia: [0.1, 0.12, 0.14, 0.01, 0.02, -0.01], position: [0, 0, 0.3], orientation: {axis: [1, 1, 0], angle: 0.4}}
  plate:  {mass: 0.5, inertia: [0.01, 0.02, 0.025], position: [0.1, 0, 0.6]}
  arm:    {mass: 1, inertia: [0.02, 0.05, 0.06], position: [l, 0.1, 0.6], orientation: {axis: [0, 1, 1], angle: 1}, angular_velocity: [0, 0, 0]}
  slider: {mass: 0.7, inertia: [0.03, 0.02, 0.01], position: [1.3, 0.2, 0.8]}
  nut:    {mass: 0.4, inertia: [0.01, 0.015, 0.02], position: [1.5, 0.3, 1]}
  ball:   {mass: 0.3, inertia: [0.01, 0.02, 0.015], position: [0.2, 0.9, 0.5]}
  cross:  {mass: 0.3, inertia: [0.02, 0.02, 0.03], position: [0.3, 1.4, 0.5]}
  float:  {mass: 0.9, inertia: [0.05, 0.06, 0.07], position: [-1, -1, 1], velocity: [0.1, 0.2, 0.3], angular_velocity: [1, -2, 0.5]}
  tail:   {mass: 0.2, inertia: [0.004, 0.005, 0.006], position: [-1.4, -1.2, 1.1]}
joints:
  pivot: {type: revolute, bodies: [base, ground], at: [0, 0, 0], axis: [1, 2, 3], torque: "3*sin(2*t) - 0.1*pivot.rate", limits: {lower: -0.2, upper: 0.1, stiffness: 200, damping: 3}}
  weld: {type: fixed, bodies: [base, plate], at: [0.05, 0, 0.45]}
  elbow: {type: revolute, bodies: [plate, arm], at: [0.3, 0, 0.6], axis: [0, 1, 0]}
  rail: {type: prismatic, bodies: [slider, arm], at: [1.1, 0.1, 0.7], axis: [1, 0, 1], position: "0.05*sin(3*t)"}
  thread: {type: screw, bodies: [slider, nut], at: [1.4, 0.2, 0.9], axis: [0, 0.6, 0.8], pitch: 0.2}
  socket: {type: spherical, bodies: [ball, plate], at: [0.1, 0.5, 0.5]}
  hook: {type: universal, bodies: [ball, cross], at: [0.25, 1.1, 0.5], axes: [[1, 0, 0], [0, 0, 1]]}
  sleeve: {type: cylindrical, bodies: [float, tail], at: [-1.2, -1.1, 1], axis: [1, 1, 0]}
forces:
  rubber: {type: spring, bodies: [arm, ball], points: [[l, 0.1, 0.6], [0.2, 0.9, 0.5]], stiffness: k, damping: 0.5, length: 0.7}
  twist: {type: torsion-spring, joint: elbow, stiffness: 5, damping: 0.2}
  pad: {type: bushing, bodies: [slider, float], at: [0, 0, 1], stiffness: [10, 20, 30], torsional_stiffness: 3, damping: 1, torsional_damping: 0.2}
  push: {type: force, body: nut, at: [1.6, 0.3, 1], value: [t, 2, -1]}
  spin: {type: torque, body: tail, axis: [0, 1, 0], value: 0.3 - 0.1*tail.omega_y}
  ball.x: 0.5 - ball.vx
potential_energy: 3*(cross.z - 0.5)^2 + cross.qx
constraints:
  kept: float.x + 2*tail.y - 0.3*t + 3.4
outputs:
  tip: point(nut, [0.1, 0, 0]).x
  speed: nut.vx^2 + nut.vy^2
  acc: arm.ax + arm.alpha_z
  load: pivot.fx + pivot.ty
  pull: lambda(rail.across1)
  weld_t: weld.ty
  weld_l: lambda(weld.turn2)
  hook_l: lambda(hook.cross)
  thread_l: lambda(thread.thread)
  thread_t: thread.travel + thread.angle
  effort: rail.effort
  quat: arm.qw*arm.qx
simulate: {until: 0.4, rtol: 1e-10}
)yaml";

/// Planar bodies that are turned at the start, on the ground and free, with a body in space and a coordinate beside
/// them.
const char* const in_the_plane = R"yaml(
model: flat-sink
parameters: {a0: 0.3}
gravity: [0, -9.81, 0]
coordinates: {s: [0.1, 0.2]}
kinetic_energy: 0.5*2*s'^2
potential_energy: 4*(s - c.x)^2 + 2*(c.angle - a.angle)^2
bodies:
  a: {mass: 1, inertia: [0, 0, 0.1], position: [0.5*cos(a0), 0.5*sin(a0), 0], orientation: {axis: [0, 0, 1], angle: a0}, planar: true}
  b: {mass: 0.6, inertia: [0, 0, 0.07], position: [1.2, 0.5, 0], orientation: {axis: [0, 0, 1], angle: -1.2}, planar: true}
  w: {mass: 0.2, inertia: [0, 0, 0.02], position: [1.3, 0.6, 0], planar: true}
  c: {mass: 0.8, inertia: [0, 0, 0.05], position: [-1, 1, 0], orientation: {axis: [0, 0, 1], angle: 0.5}, velocity: [0.3, 0, 0], angular_velocity: [0, 0, 2], planar: true}
  d: {mass: 0.3, inertia: [0, 0, 0.03], position: [-1.5, 1, 0], planar: true}
  e: {mass: 0.3, inertia: [0.02, 0.03, 0.03], position: [1.5, 0.8, 0.4]}
joints:
  pin: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], velocity: "1 + 0.2*t"}
  knee: {type: revolute, bodies: [b, a], at: [cos(a0), sin(a0), 0], axis: [0, 0, -1]}
  weld: {type: fixed, bodies: [w, b]}
  rail: {type: prismatic, bodies: [c, d], at: [-1.2, 1, 0], axis: [1, 0.3, 0], limits: {lower: -0.1, upper: 0.05, stiffness: 300}}
  ball: {type: spherical, bodies: [w, e], at: [1.4, 0.7, 0.2]}
  rod: {type: distance, bodies: [b, c], points: [[1.2, 0.5, 0], [-1, 1, 0]]}
  tip: {type: point-on-plane, bodies: [ground, e], at: [1.5, 0.8, 0.4], normal: [0, 0, 1]}
forces:
  s: -0.3*s'
  c.angle: -0.2*c.angle'
  spring: {type: spring, bodies: [d, w], points: [[-1.5, 1, 0], [1.3, 0.6, 0]], stiffness: 3, length: 1}
outputs:
  f1: pin.fx
  f2: rail.tz
  f3: weld.tz
  l1: lambda(knee.x)
  q: e.qw + b.angle
  acc: b.ax
simulate: {until: 0.4, rtol: 1e-10}
)yaml";

class EverythingInJointCoordinates : public ::testing::TestWithParam<const char*> {};

TEST_P(EverythingInJointCoordinates, IsTheSameAsInBodyCoordinates) {
  const Model model = read_model(GetParam(), "test.yaml");
  Options options = options_of(model);
  options.assemble = true;
  for (const double until : {0.0, 0.3}) {
    options.until = until;
    const Summary bodies = run_in(Coordinates::bodies, model, options);
    const Summary joints = run_in(Coordinates::joints, model, options);
    EXPECT_EQ(joints.verdict, Verdict::done) << joints.verdict_reason;
    EXPECT_EQ(bodies.degrees_of_freedom, joints.degrees_of_freedom);
    const double tolerance = 100 * options.rtol;
    expect_same(bodies.final_coordinates, joints.final_coordinates, tolerance, "coordinates");
    expect_same(bodies.final_rates, joints.final_rates, tolerance, "rates");
    expect_same(bodies.final_accelerations, joints.final_accelerations, tolerance, "accelerations");
    expect_same(bodies.final_outputs, joints.final_outputs, tolerance, "outputs");
    expect_same_reactions(bodies, joints, tolerance);
    EXPECT_LE(*joints.max_energy_error, 1e3 * options.rtol);
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, EverythingInJointCoordinates, ::testing::Values(in_space, in_the_plane));

// ---- mechanisms drawn at random -------------------------------------------------------------------

class RandomInJointCoordinates : public ::testing::TestWithParam<unsigned> {};

/// A loop through a weld says nothing of the motion.
TEST(RandomMechanism, MayCloseALoopThroughAWeld) {
  for (const unsigned seed : {70U, 380U}) {
    const Model model = random_mechanism(seed, 3 + static_cast<int>(seed % 6), seed % 3, seed % 7 == 3).model();
    Options options;
    options.until = 0;
    options.assemble = true;
    const Summary bodies = run_in(Coordinates::bodies, model, options);
    const Summary joints = run_in(Coordinates::joints, model, options);
    EXPECT_EQ(bodies.degrees_of_freedom, joints.degrees_of_freedom);
    expect_same(bodies.final_accelerations, joints.final_accelerations, 1e-8, "accelerations");
    expect_same_reactions(bodies, joints, 1e-8);
  }
}

/// Velocities are drawn at random, and put onto the joints by assembling: in the metric of masses both ways.
TEST_P(RandomInJointCoordinates, HasTheSameAccelerationsAndReactions) {
  const unsigned seed = GetParam();
  const RandomMechanism mechanism = random_mechanism(seed, 3 + static_cast<int>(seed % 5), seed % 2, seed % 7 == 3);
  const Model model = mechanism.model();
  Options options;
  options.until = 0;
  options.assemble = true;
  const Summary bodies = run_in(Coordinates::bodies, model, options);
  const Summary joints = run_in(Coordinates::joints, model, options);
  // Gears and racks may lock what others leave free.
  if (bodies.degrees_of_freedom == 0) return;
  EXPECT_EQ(bodies.degrees_of_freedom, joints.degrees_of_freedom);
  expect_same(bodies.final_coordinates, joints.final_coordinates, 1e-10, "coordinates");
  expect_same(bodies.final_rates, joints.final_rates, 1e-8, "rates");
  expect_same(bodies.final_accelerations, joints.final_accelerations, 1e-8, "accelerations");
  expect_same_reactions(bodies, joints, 1e-8);
}

TEST_P(RandomInJointCoordinates, MovesAsInBodyCoordinates) {
  const unsigned seed = GetParam();
  const RandomMechanism mechanism = random_mechanism(seed, 3 + static_cast<int>(seed % 3), seed % 2, seed % 7 == 3);
  const Model model = mechanism.model();
  Options options;
  options.until = 0.1;
  options.rtol = 1e-10;
  options.assemble = true;
  const Summary bodies = run_in(Coordinates::bodies, model, options);
  const Summary joints = run_in(Coordinates::joints, model, options);
  if (bodies.verdict != Verdict::done || bodies.degrees_of_freedom == 0) return;
  EXPECT_EQ(joints.verdict, Verdict::done) << joints.verdict_reason;
  const double tolerance = 100 * options.rtol;
  expect_same(bodies.final_coordinates, joints.final_coordinates, tolerance, "coordinates");
  expect_same(bodies.final_rates, joints.final_rates, 10 * tolerance, "rates");
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomInJointCoordinates, ::testing::Range(1U, 57U));

}  // namespace
}  // namespace taut::testing
