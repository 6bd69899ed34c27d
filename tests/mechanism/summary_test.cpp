#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "output/json.hpp"
#include "output/text.hpp"
#include "taut/simulation.hpp"

/// What the summary of a run tells of joints: coordinates, reactions, efforts, and whether they are determined.
namespace taut {
namespace {

using testing::HasSubstr;
using testing::Not;

Summary run(const std::string& text, double until, double rtol = 1e-10) {
  return simulate(read_model(text, "test.yaml"), {.until = until, .rtol = rtol, .record = false}).summary;
}
Summary in_bodies(const std::string& text) {
  const Options options{.until = 0, .rtol = 1e-10, .coordinates = Coordinates::bodies, .record = false};
  return simulate(read_model(text, "test.yaml"), options).summary;
}

const JointState& joint(const Summary& summary, const std::string& name) {
  for (const JointState& state : summary.final_joints)
    if (state.name == name) return state;
  throw std::runtime_error("no joint " + name);
}

std::optional<double> value(const std::vector<NamedValue>& values, const std::string& name) {
  for (const NamedValue& each : values)
    if (each.name == name) return each.value;
  return std::nullopt;
}

constexpr double g = 9.81;

/// A bar of mass 1 that is let go horizontally, its centre of mass at a distance of 1 from the hinge:
/// α = −g/(J + 1), and the hinge carries what the fall does not take, g − g/(J + 1).
const std::string planar_pendulum = R"(
gravity: [0, -9.81, 0]
bodies: {bob: {mass: 1, inertia: [0.1, 0.3, 0.2], position: [1, 0, 0], planar: true}}
joints: {pivot: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}}
)";
const std::string spatial_pendulum = R"(
gravity: [0, 0, -9.81]
bodies: {bob: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}}
joints: {pivot: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: [0, -1, 0]}}
)";

TEST(JointSummary, HasTheReactionOfAFallingBarInThePlane) {
  const Summary s = run(planar_pendulum, 0);
  const JointState& pivot = joint(s, "pivot");
  EXPECT_EQ(pivot.type, "revolute");
  EXPECT_NEAR(pivot.force[0], 0, 1e-13);
  EXPECT_NEAR(pivot.force[1], g - g / 1.2, 1e-13);
  for (const double torque : pivot.torque) EXPECT_NEAR(torque, 0, 1e-13);
  EXPECT_EQ(pivot.unique, true);
  EXPECT_EQ(pivot.angle, 0.0);
  EXPECT_EQ(pivot.angle_rate, 0.0);
  EXPECT_FALSE(pivot.effort);
}

TEST(JointSummary, HasTheReactionOfAFallingBarInSpace) {
  for (const Summary& s : {run(spatial_pendulum, 0), in_bodies(spatial_pendulum)}) {
    const JointState& pivot = joint(s, "pivot");
    EXPECT_NEAR(pivot.force[0], 0, 1e-13);
    EXPECT_NEAR(pivot.force[1], 0, 1e-13);
    EXPECT_NEAR(pivot.force[2], g - g / 1.2, 1e-13);
    for (const double torque : pivot.torque) EXPECT_NEAR(torque, 0, 1e-13);
    EXPECT_NEAR(*pivot.angle_rate, 0, 1e-15);
    if (s.coordinates_used == "joints")
      EXPECT_EQ(pivot.angle, 0.0);
    else
      EXPECT_FALSE(pivot.angle) << "no formula uses it, so a model of bodies does not keep it";
  }
}

TEST(JointSummary, NamesAccelerationsOfBodiesAsTheContractDoes) {
  const Summary plane = run(planar_pendulum, 0), space = run(spatial_pendulum, 0);
  for (const char* name : {"bob.y", "bob.ay"})
    EXPECT_NEAR(value(plane.final_accelerations, name).value(), -g / 1.2, 1e-13);
  for (const char* name : {"bob.angle", "bob.alpha_z"})
    EXPECT_NEAR(value(plane.final_accelerations, name).value(), -g / 1.2, 1e-13);
  EXPECT_FALSE(value(plane.final_accelerations, "bob.az"));
  EXPECT_NEAR(value(space.final_accelerations, "bob.az").value(), -g / 1.2, 1e-13);
  EXPECT_NEAR(value(space.final_accelerations, "bob.alpha_y").value(), g / 1.2, 1e-13);
  EXPECT_NEAR(value(space.final_accelerations, "pivot.angle").value(), -g / 1.2, 1e-13);
  EXPECT_EQ(space.final_accelerations.size(), 7U);
  EXPECT_EQ(in_bodies(spatial_pendulum).final_accelerations.size(), 6U);
  EXPECT_FALSE(value(space.final_accelerations, "bob.vz"));
  EXPECT_TRUE(value(space.final_rates, "bob.vz"));
}

TEST(JointSummary, CountsWholeTurns) {
  const std::string motor =
      "joints: {pivot: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1], velocity: 10}}\n";
  const std::string spinning = "angular_velocity: [0, 0, 10], velocity: [0, 10, 0]";
  const Summary plane = run(
      "bodies: {bob: {mass: 1, inertia: [0, 0, 1], position: [1, 0, 0], planar: true, " + spinning + "}}\n" + motor, 2);
  EXPECT_NEAR(joint(plane, "pivot").angle.value(), 20, 1e-8);
  EXPECT_NEAR(joint(plane, "pivot").angle_rate.value(), 10, 1e-9);
  const Summary space = run("bodies: {bob: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], " + spinning + "}}\n" +
                                motor + "outputs: {a: pivot.angle}\n",
                            2);
  EXPECT_NEAR(joint(space, "pivot").angle.value(), 20, 1e-8);
}

/// A bar turned at ω = 1 from the horizontal: its motor holds the weight, m g cos t, and the hinge the weight and the
/// centripetal force.
TEST(JointSummary, HasTheEffortOfAMotor) {
  const Summary s = run(R"(
gravity: [0, -9.81, 0]
bodies: {bar: {mass: 2, inertia: [0, 0, 0.7], position: [0.5, 0, 0], planar: true, velocity: [0, 0.5, 0], angular_velocity: [0, 0, 1]}}
joints: {pivot: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: [0, 0, 1], position: t}}
)",
                        1);
  const JointState& pivot = joint(s, "pivot");
  EXPECT_NEAR(pivot.effort.value(), 2 * g * 0.5 * std::cos(1.0), 1e-8);
  EXPECT_NEAR(pivot.torque[2], *pivot.effort, 1e-8);
  EXPECT_NEAR(pivot.force[0], -2 * 0.5 * std::cos(1.0), 1e-8);
  EXPECT_NEAR(pivot.force[1], 2 * g - 2 * 0.5 * std::sin(1.0), 1e-8);
}

const std::string arm = R"(
gravity: [0.3, 0.2, -9.81]
bodies:
  boom: {mass: 2, inertia: [0.1, 0.3, 0.3], position: [1, 0, 0]}
  slide: {mass: 1, inertia: [0.05, 0.06, 0.07], position: [2, 0, 0.1]}
  hook: {mass: 0.5, inertia: [0.01, 0.02, 0.02], position: [2, 0.1, -0.5]}
joints:
  shoulder: {type: revolute, bodies: [ground, boom], at: [0, 0, 0], axis: [0, 1, 1], torque: 3*sin(t)}
  sleeve: {type: cylindrical, bodies: [boom, slide], at: [2, 0, 0], axis: [1, 0, 0]}
  ball: {type: spherical, bodies: [slide, hook], at: [2, 0, 0]}
)";

TEST(JointSummary, AgreesWithTheReactionsThatOutputsGive) {
  const Summary s = run(arm + R"(outputs:
  a: shoulder.fx
  b: shoulder.fy
  c: shoulder.fz
  d: sleeve.tx
  e: sleeve.ty
  f: sleeve.tz
  g: ball.fz
  h: ball.tx
  i: sleeve.travel
  j: sleeve.travel_rate
  k: sleeve.angle_rate
  l: shoulder.effort
)",
                        0.5);
  const JointState &shoulder = joint(s, "shoulder"), &sleeve = joint(s, "sleeve"), &ball = joint(s, "ball");
  const std::vector<double> expected{shoulder.force[0],   shoulder.force[1],  shoulder.force[2],
                                     sleeve.torque[0],    sleeve.torque[1],   sleeve.torque[2],
                                     ball.force[2],       ball.torque[0],     sleeve.travel.value(),
                                     *sleeve.travel_rate, *sleeve.angle_rate, shoulder.effort.value()};
  // The same formulas in another order of operations.
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(s.final_outputs[k].value, expected[k], 1e-11 * std::max(1.0, std::abs(expected[k])))
        << s.final_outputs[k].name;
  EXPECT_NEAR(*shoulder.effort, 3 * std::sin(0.5), 1e-14);
  for (const JointState& state : s.final_joints) EXPECT_EQ(state.unique, true) << state.name;
}

/// A door on three hinges one above the other: how they share its load is undetermined, what they carry together is
/// not; nor is what the knocker's hinge carries.
const std::string door = R"(
gravity: [0, 0, -9.81]
bodies:
  door: {mass: 20, inertia: [8, 6, 2], position: [0.5, 0, 1], angular_velocity: [0, 0, 1], velocity: [0, 0.5, 0]}
  knocker: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.8, -0.1, 0.9], velocity: [0.1, 0.8, 0], angular_velocity: [0, 0, 1]}
  pendulum: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [5, 0, -1]}
joints:
  low: {type: revolute, bodies: [ground, door], at: [0, 0, 0.2], axis: [0, 0, 1]}
  middle: {type: revolute, bodies: [ground, door], at: [0, 0, 1], axis: [0, 0, 1]}
  high: {type: revolute, bodies: [ground, door], at: [0, 0, 1.8], axis: [0, 0, 1]}
  ring: {type: revolute, bodies: [door, knocker], at: [0.8, -0.1, 1.1], axis: [1, 0, 0]}
  nail: {type: spherical, bodies: [ground, pendulum], at: [5, 0, 0]}
)";

TEST(JointSummary, TellsReactionsThatAreNotUniqueFromThoseThatAre) {
  const Summary s = run(door, 0.3);
  for (const char* name : {"low", "middle", "high"}) EXPECT_EQ(joint(s, name).unique, false) << name;
  EXPECT_EQ(joint(s, "ring").unique, true);
  EXPECT_EQ(joint(s, "nail").unique, true);
  // The knocker hangs straight down but for the turning of the door; together all hinges carry what weighs on them
  // less the knocker's fall.
  const double carried = joint(s, "low").force[2] + joint(s, "middle").force[2] + joint(s, "high").force[2];
  EXPECT_NEAR(carried, 20 * g + joint(s, "ring").force[2], 1e-7);
  EXPECT_NEAR(joint(s, "nail").force[2], g, 1e-10);
  EXPECT_FALSE(s.multipliers_unique);
}

TEST(JointSummary, StandsInJson) {
  const auto json = nlohmann::json::parse(to_json(run(door, 0)));
  const auto& joints = json["final"]["joints"];
  EXPECT_EQ(joints.size(), 5U);
  EXPECT_EQ(joints["low"]["unique"], false);
  EXPECT_EQ(joints["ring"]["unique"], true);
  EXPECT_EQ(joints["ring"]["type"], "revolute");
  EXPECT_EQ(joints["ring"]["angle"], 0.0);
  EXPECT_TRUE(nlohmann::json::parse(to_json(in_bodies(door)))["final"]["joints"]["ring"]["angle"].is_null());
  EXPECT_EQ(joints["ring"]["force"].size(), 3U);
  EXPECT_EQ(joints["ring"]["torque"].size(), 3U);
  EXPECT_TRUE(joints["ring"].contains("rate"));
  EXPECT_FALSE(joints["nail"].contains("angle"));
  EXPECT_FALSE(joints["nail"].contains("rate"));
  EXPECT_FALSE(joints["nail"].contains("effort"));
  const auto others = nlohmann::json::parse(to_json(run(arm, 0)))["final"]["joints"];
  EXPECT_TRUE(others["sleeve"].contains("travel_rate"));
  EXPECT_TRUE(others["sleeve"].contains("angle_rate"));
  EXPECT_EQ(others["shoulder"]["effort"], 0);
}

TEST(JointSummary, StandsInTheTextOfARun) {
  const std::string text = to_text(run(door, 0), Colour::off);
  EXPECT_THAT(text, HasSubstr("reactions"));
  EXPECT_THAT(text, HasSubstr("not unique"));
  EXPECT_THAT(text, HasSubstr("ring "));
}

TEST(JointSummary, IsLeftOutWhereThereAreNoJoints) {
  const std::string json = to_json(run("coordinates: {x: [0, 1]}\nkinetic_energy: x'^2\n", 0.1));
  EXPECT_THAT(json, Not(HasSubstr("joints")));
}

/// Deriving reactions must leave a model alone that other threads simulate.
TEST(JointSummary, LeavesTheModelAsItWas) {
  const Model model = read_model(arm, "test.yaml");
  const std::size_t nodes = model.graph->size();
  simulate(model, {.until = 0.1});
  EXPECT_EQ(model.graph->size(), nodes);
}

}  // namespace
}  // namespace taut
