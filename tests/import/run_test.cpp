// Robots in motion, against models of the same mechanisms that were derived by hand in as few coordinates as they need.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>

#include "model/model_tree.hpp"
#include "robots.hpp"
#include "taut/simulation.hpp"

namespace taut::robot {
namespace {

/// A model that includes a robot, as if it stood beside it.
Model with_robot(const std::string& robot, const std::string& more, const std::vector<Assignment>& set = {}) {
  return read_model("include: " + robot + "\n" + more, robot_path("including.yaml"), set);
}

Summary motion(const Model& model, double until) {
  return simulate(model, {.until = until, .rtol = 1e-11, .atol = 1e-12, .record = false}).summary;
}

double value(const std::vector<NamedValue>& list, const std::string& name) {
  for (const NamedValue& entry : list) {
    if (entry.name == name) return entry.value;
  }
  ADD_FAILURE() << "no " << name;
  return NAN;
}

/// Where a point of a body, given in its axes from its centre of mass, is in the end.
Eigen::Vector3d point(const Summary& run, const std::string& body, const Eigen::Vector3d& at) {
  const auto get = [&](const char* part) { return value(run.final_coordinates, body + "." + part); };
  const Eigen::Quaterniond q(get("qw"), get("qx"), get("qy"), get("qz"));
  return Eigen::Vector3d(get("x"), get("y"), get("z")) + q.normalized() * at;
}

// Both runs keep a relative error of 1e-11 per step over some hundreds of steps; the contract is 1e-8.
constexpr double same_motion = 1e-8;

TEST(Run, TheArmMovesAsItsLagrangianSays) {
  const Summary arm = motion(with_robot("arm.urdf", "outputs: {a: yaw.angle, b: lift.angle}\n"), 2);
  ASSERT_EQ(arm.outcome, Outcome::done) << arm.reason;
  EXPECT_EQ(arm.degrees_of_freedom, 2);
  // Angular velocity w and velocity of the centre v = w x c in the axes of the boom; a turns about z, b about y.
  const Summary lagrange = motion(read_model("coordinates: {a: 0, b: 0}\n"
                                             "definitions:\n"
                                             "  w1: -sin(b)*a'\n"
                                             "  w2: b'\n"
                                             "  w3: cos(b)*a'\n"
                                             "  v1: w2*0.02 - w3*0.05\n"
                                             "  v2: w3*0.4 - w1*0.02\n"
                                             "  v3: w1*0.05 - w2*0.4\n"
                                             "  column: (0.03 + 3*(0.01^2 + 0.02^2))/2*a'^2\n"
                                             "  shift: 2/2*(v1^2 + v2^2 + v3^2)\n"
                                             "  spin: 0.02/2*w1^2 + 0.16/2*w2^2 + 0.15/2*w3^2\n"
                                             "  cross: -0.004*w1*w2 - 0.008*w1*w3 - 0.006*w2*w3\n"
                                             "kinetic_energy: column + shift + spin + cross\n"
                                             "potential_energy: 2*9.81*(-sin(b)*0.4 + cos(b)*0.02)\n"
                                             "forces: {a: -0.3*a', b: -0.2*b'}\n",
                                             "arm.yaml"),
                                  2);
  for (const char* angle : {"a", "b"}) {
    EXPECT_NEAR(value(arm.final_outputs, angle), value(lagrange.final_coordinates, angle), same_motion) << angle;
  }
  EXPECT_GT(std::abs(value(lagrange.final_coordinates, "a")), 1e-3);  // products of inertia turn the column
  EXPECT_LE(arm.max_position_violation.value_or(0), 1e-12);
}

TEST(Run, TheFingersOfTheGripperMoveAsOne) {
  const Summary gripper =
      motion(with_robot("gripper.urdf", "outputs: {l: left_knuckle.angle, r: right_knuckle.angle}\n"), 1);
  ASSERT_EQ(gripper.outcome, Outcome::done) << gripper.reason;
  EXPECT_EQ(gripper.degrees_of_freedom, 1);
  EXPECT_NEAR(value(gripper.final_outputs, "r"), -0.5 * value(gripper.final_outputs, "l"), 1e-12);
  const Summary lagrange =
      motion(read_model("coordinates: {q: 0}\n"
                        "definitions: {r: -q/2}\n"
                        "parameters: {left: 0.0006 + 0.2*(0.03^2 + 0.1^2), right: 0.0009 + 0.3*(0.04^2 + 0.12^2)}\n"
                        "kinetic_energy: (left + right/4)/2*q'^2\n"
                        "potential_energy: 9.81*(0.2*(0.1*cos(q) - 0.03*sin(q)) + 0.3*(0.12*cos(r) + 0.04*sin(r)))\n"
                        "forces: {q: -0.002*q'}\n",
                        "gripper.yaml"),
             1);
  EXPECT_NEAR(value(gripper.final_outputs, "l"), value(lagrange.final_coordinates, "q"), same_motion);
}

/// A torque on the crank, for the leg would hang almost still.
const std::string servo = "forces: {servo: {type: torque, body: crank, axis: [0, 1, 0], value: 3*sin(4*t)}}\n";

TEST(Run, TheLegKeepsItsLoopClosed) {
  const Model model = with_robot("leg.yaml", servo);
  const Summary leg = motion(model, 1);
  ASSERT_EQ(leg.outcome, Outcome::done) << leg.reason;
  EXPECT_EQ(leg.degrees_of_freedom, 2);
  EXPECT_LE(leg.max_position_violation.value_or(0), 1e-12);
  // The rod's end, 0.36 m below and 0.02 m beside its pin, from its centre 0.2 m below the pin; the same point from the
  // centre of the shank, whose axes are turned by 0.3 rad at the start.
  const Eigen::Vector3d lever =
      Eigen::AngleAxisd(-0.3, Eigen::Vector3d::UnitY()) * Eigen::Vector3d(0.12, 0, 0.04) + Eigen::Vector3d(0, 0, 0.15);
  EXPECT_LE((point(leg, "rod", {0.02, 0, -0.16}) - point(leg, "shank", lever)).norm(), 1e-12);
}

TEST(Run, TheLegMovesAsInFourAnglesAndOneLoop) {
  const Summary leg =
      motion(with_robot("leg.yaml", servo + "outputs: {hip: hip_pitch.angle, knee_angle: knee.angle}\n"), 1);
  // Angles about y from the vertical: (x, z) turns to (x cos + z sin, z cos - x sin).
  const Summary plane =
      motion(read_model("coordinates: {a: 0, s: 0.3, c: 0, r: 0}\n"
                        "parameters: {px: 0.12*cos(0.3) - 0.04*sin(0.3), pz: 0.12*sin(0.3) + 0.04*cos(0.3)}\n"
                        "definitions:\n"
                        "  knee_x: -0.4*sin(a)\n"
                        "  knee_z: -0.4*cos(a)\n"
                        "  pin_x: 0.1*cos(c)\n"
                        "  pin_z: -0.1*sin(c)\n"
                        "  shank_x: knee_x - 0.15*sin(s)\n"
                        "  shank_z: knee_z - 0.15*cos(s)\n"
                        "  rod_x: pin_x - 0.2*sin(r)\n"
                        "  rod_z: pin_z - 0.2*cos(r)\n"
                        "kinetic_energy: (0.06 + 4*0.04)/2*a'^2 + 0.03/2*s'^2 + 2/2*(d(shank_x)^2 + d(shank_z)^2)"
                        " + (0.0008 + 0.5*0.0025)/2*c'^2 + 0.004/2*r'^2 + 0.3/2*(d(rod_x)^2 + d(rod_z)^2)\n"
                        "potential_energy: 9.81*(4*(-0.2*cos(a)) + 2*shank_z + 0.5*(-0.05*sin(c)) + 0.3*rod_z)\n"
                        "constraints:\n"
                        "  x: pin_x + 0.02*cos(r) - 0.36*sin(r) = knee_x + px*cos(s) + pz*sin(s)\n"
                        "  z: pin_z - 0.02*sin(r) - 0.36*cos(r) = knee_z - px*sin(s) + pz*cos(s)\n"
                        "forces: {c: 3*sin(4*t)}\n"
                        "outputs: {hip: a, knee_angle: s - a - 0.3}\n",
                        "leg.yaml"),
             1);
  for (const char* angle : {"hip", "knee_angle"}) {
    EXPECT_NEAR(value(leg.final_outputs, angle), value(plane.final_outputs, angle), same_motion) << angle;
  }
  EXPECT_GT(std::abs(value(plane.final_outputs, "knee_angle")), 0.1);
}

TEST(Run, TheFourBarKeepsItsLoopClosed) {
  const Summary bars = motion(load_model(robot_path("four_bar.xml")), 2);
  ASSERT_EQ(bars.outcome, Outcome::done) << bars.reason;
  EXPECT_EQ(bars.degrees_of_freedom, 1);
  EXPECT_LE(bars.max_position_violation.value_or(0), 1e-12);
  EXPECT_LE((point(bars, "rocker", {0.1, 0, -0.35}) - Eigen::Vector3d(1.2, 0, 1)).norm(), 1e-12);
}

TEST(Run, TheMotorOfTheFourBarDoesWhatItsControlSays) {
  // At rest, the torque 5 u on the crank changes its angular acceleration in proportion to u.
  const auto acceleration = [](const std::string& control) {
    const std::vector<Assignment> set{{"drive_ctrl", control}};
    const Model model = with_robot("four_bar.xml", "outputs: {a: crank.ax}\n", set);
    const Summary start = simulate(model, {.until = 0, .set = set, .record = false}).summary;
    return value(start.final_outputs, "a");
  };
  const double free = acceleration("0"), one = acceleration("0.5"), two = acceleration("1");  // ±1 is its range
  EXPECT_GT(one, free + 1);
  EXPECT_NEAR(two - one, one - free, 1e-9 * std::abs(one - free));
}

/// A finger of three links in a plane that an arm carries round. The loop's row across that plane has slopes of
/// rounding alone where the arm is drawn, and as it turns takes part of the others.
Model gripper_on_an_arm() {
  return read_model(
      "<mujoco model='grip'><worldbody>\n"
      "<body name='arm'><joint name='turn' axis='0 0 1'/><inertial pos='0.1 0 0.2' mass='1' diaginertia='.02 .02 "
      ".02'/>\n"
      "<body name='crank' pos='0 .035 .06'><joint name='one' axis='1 0 0'/>\n"
      "<inertial pos='0 .02 .015' mass='.03' diaginertia='2e-5 2e-5 1e-5'/>\n"
      "<body name='finger' pos='0 .035 .042'><joint name='two' axis='-1 0 0'/>\n"
      "<inertial pos='0 -.016 .03' mass='.02' diaginertia='1e-5 1e-5 1e-5'/></body></body>\n"
      "<body name='knuckle' pos='0 .02 .074'><joint name='three' axis='1 0 0'/>\n"
      "<inertial pos='0 .022 .026' mass='.02' diaginertia='1e-5 1e-5 1e-5'/></body></body></worldbody>\n"
      "<equality><connect body1='finger' body2='knuckle' anchor='0 -.015 .015'/></equality></mujoco>",
      "grip.xml");
}

TEST(Run, AGripperMovesTheSameOnAnArmThatTurns) {
  const Model model = gripper_on_an_arm();
  Options options{.until = 0.5, .rtol = 1e-11, .atol = 1e-12, .set = {{"turn.rate(0)", 1.0}}, .record = false};
  std::array<Summary, 2> runs;
  for (const Coordinates how : {Coordinates::bodies, Coordinates::joints}) {
    options.coordinates = how;
    Summary& run = runs[how == Coordinates::joints ? 1 : 0];
    run = simulate(model, options_of(model, options)).summary;
    ASSERT_EQ(run.outcome, Outcome::done) << run.reason;
    EXPECT_EQ(run.degrees_of_freedom, 2);
  }
  for (const char* name : {"finger.x", "finger.y", "finger.z", "knuckle.x", "knuckle.z"})
    EXPECT_NEAR(value(runs[0].final_coordinates, name), value(runs[1].final_coordinates, name), same_motion) << name;
}

TEST(Run, TheGearedPendulumsMoveAsOne) {
  const Summary geared = motion(with_robot("geared_pendulums.xml", "outputs: {q: first.angle, r: second.angle}\n"), 3);
  ASSERT_EQ(geared.outcome, Outcome::done) << geared.reason;
  EXPECT_EQ(geared.degrees_of_freedom, 1);
  EXPECT_LE(geared.max_position_violation.value_or(0), 1e-12);
  EXPECT_NEAR(value(geared.final_outputs, "r"), -1.5 * value(geared.final_outputs, "q"), 1e-12);
  const Summary lagrange =
      motion(read_model("coordinates: {q: 0}\n"
                        "kinetic_energy: (0.03 + 1.2*0.25)/2*q'^2 + (0.4*0.8*0.01 + 0.8*0.09)/2*(1.5*q')^2\n"
                        "potential_energy: -1.2*10*0.5*cos(q + 0.5) - 0.8*10*0.3*cos(1.5*q) + 3/2*(q - 0.25)^2\n"
                        "forces: {q: -0.05*q'}\n",
                        "pendulums.yaml"),
             3);
  EXPECT_NEAR(value(geared.final_outputs, "q"), value(lagrange.final_coordinates, "q"), same_motion);
}

TEST(Run, WhatIsExportedMovesAsWhatWasRead) {
  for (const char* name : {"arm.urdf", "gripper.urdf", "leg.yaml", "four_bar.xml", "geared_pendulums.xml"}) {
    const Summary given = motion(load_model(robot_path(name)), 0.5);
    const Summary written = motion(read_model(model_as_yaml(robot_path(name)), "written.yaml"), 0.5);
    ASSERT_EQ(given.final_coordinates.size(), written.final_coordinates.size()) << name;
    for (std::size_t k = 0; k < given.final_coordinates.size(); ++k) {
      EXPECT_EQ(given.final_coordinates[k].name, written.final_coordinates[k].name) << name;
      EXPECT_EQ(given.final_coordinates[k].value, written.final_coordinates[k].value) << name;
    }
  }
}

TEST(Run, DryFrictionOfConstantSizeStopsAWheel) {
  // ω' = −T/I from ω = 2: it stands still from t = 2 I/T = 4 on, at the angle 2·4 − 4²/4 = 4.
  const Model wheel = read_model(
      "gravity: [0, 0, -9.81]\n"
      "bodies: {wheel: {mass: 3, inertia: [1, 1, 1], position: [0, 0, 0], angular_velocity: [0, 0, 2]}}\n"
      "joints: {hub: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1], friction: {torque: "
      "0.5}}}\n"
      "outputs: {a: hub.angle}\n",
      "wheel.yaml");
  EXPECT_NEAR(value(motion(wheel, 3).final_outputs, "a"), 2 * 3 - 9.0 / 4, same_motion);
  EXPECT_NEAR(value(motion(wheel, 5).final_outputs, "a"), 4, same_motion);
}

TEST(Run, LoopsBesideAUrdfAreClosed) {
  // Two legs of two links each, whose tips the file beside them ties: four freedoms less two rows, for the third,
  // across the plane of motion, holds by itself.
  const Model model = load_model(robot_path("five_bar.urdf"));
  const Summary bars = simulate(model, options_of(model, {.until = 0.5, .rtol = 1e-10, .record = false})).summary;
  ASSERT_EQ(bars.outcome, Outcome::done) << bars.reason;
  EXPECT_EQ(bars.degrees_of_freedom, 2);
  EXPECT_LE(bars.max_position_violation.value_or(0), 1e-12);
  EXPECT_EQ(load_model(robot_path("five_bar.yaml")).bodies.size(), model.bodies.size());
}

TEST(Run, AnErrorInARobotThatIsIncludedSaysWhereItStands) {
  try {
    with_robot("arm.urdf", "joints: {weld: {type: fixed, bodies: [ground, bom], at: [0, 0, 0]}}\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().line, 2);
    EXPECT_NE(std::string(error.what()).find("boom"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace taut::robot
