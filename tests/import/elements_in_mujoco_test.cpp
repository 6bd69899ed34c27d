// What moves robots, an element at a time, in MuJoCo and here: accelerations where a key puts the robot, and where all
// bodies are after 0.2 s.
#ifdef TAUT_MUJOCO
#include <gtest/gtest.h>

#include "mujoco_robot.hpp"
#include "taut/error.hpp"
#include "taut/model.hpp"

namespace taut::robot {
namespace {

struct Case {
  std::string name, text;
  std::vector<double> controls = {};
  /// Vertices of meshes are numbers of 24 bits in MuJoCo: some ten of their roundings come together.
  bool has_mesh = false;
};

void PrintTo(const Case& given, std::ostream* out) { *out << given.name; }

/// A file in degrees with a key "k", where it has one.
std::string file(const std::string& bodies, const std::string& sections, const std::string& key = "") {
  return "<mujoco><worldbody>" + bodies + "</worldbody>" + sections +
         (key.empty() ? "" : "<keyframe><key name='k' " + key + "/></keyframe>") + "</mujoco>";
}

const std::string box = "<geom type='box' size='.1 .2 .3' pos='.05 .1 0.2'/>";
const std::string free_key = "qpos='0 0 1 0.8 0.2 -0.4 0.4' qvel='1 2 3 0.5 -0.6 0.7'";

std::string free_body(const std::string& joint) {
  return "<body name='a' pos='0 0 1' euler='20 30 10'>" + joint + box + "</body>";
}
std::string arm_with_ball(const std::string& actuator) {
  return file("<body name='a' pos='0 0 1' euler='10 20 30'><joint axis='0 1 1'/>" + box +
                  "<body name='b' pos='.1 .2 .3' euler='20 10 70'><joint name='j' type='ball' damping='0.1' "
                  "pos='.1 0 .05'/>" +
                  box + "</body></body>",
              "<actuator>" + actuator + "</actuator>");
}
std::string arm_with_site(const std::string& actuator) {
  return file("<body name='a' pos='0 0 1' euler='10 20 30'><joint axis='1 0 2'/>" + box +
                  "<body name='b' pos='.3 .1 .2'><joint axis='0 1 0'/>" + box +
                  "<site name='s' pos='.1 .2 .1' zaxis='1 1 1'/></body></body>",
              "<actuator>" + actuator + "</actuator>", "qpos='0.4 -0.3' qvel='1.2 0.8'");
}
std::string two_arms(const std::string& sections) {
  return file("<body name='a' pos='0 0 1'><joint name='j1' axis='1 0 0'/>" + box +
                  "</body><body name='b' pos='0 1 0.4'><joint name='j2' axis='0 1 0'/>" + box + "</body>",
              sections);
}
/// A body that a mocap body leads, and one that hangs on it.
std::string led(const std::string& equality) {
  return file("<body name='t' mocap='true' pos='0 .1 1'/><body name='a' pos='0 0 1'><freejoint/>" + box +
                  "<body name='b' pos='0 0 .4'><joint axis='1 0 0'/>" + box + "</body></body>",
              "<equality>" + equality + "</equality>",
              "qpos='.296 .372 2 .8 0 0 .6 .3' mpos='.2 .4 2' mquat='.8 0 0 .6'");
}

std::vector<Case> cases() {
  const std::string tetrahedra =
      "<mujoco><asset><mesh name='m' vertex='0 0 0 .25 0 0 0 .5 0 0 0 .5 .25 .5 .5' face='0 2 1 0 1 3 0 3 2 1 2 4 2 3 "
      "4 "
      "1 4 3' scale='1 -2 .5' refpos='.125 .25 .375' refquat='.8 .1 .3 -.2'/></asset><worldbody><body name='a' pos='0 "
      "0 "
      "1'><joint axis='1 2 3'/><geom type='mesh' mesh='m' pos='.1 .2 .1' euler='10 20 "
      "60'/></body></worldbody></mujoco>";
  return {
      {"DampingOfAFreeJoint", file(free_body("<joint type='free' damping='0.7'/>"), "", free_key)},
      {"MotorOfAFreeJoint",
       file(free_body("<joint name='j' type='free' pos='.3 .2 .1'/>"),
            "<actuator><motor name='m' joint='j' gear='1 2 3 4 5 6'/></actuator>", free_key),
       {1.5}},
      {"MotorOfAFreeJointInTheWorld",
       file(free_body("<joint name='j' type='free'/>"),
            "<actuator><motor name='m' jointinparent='j' gear='1 2 3 4 5 6'/></actuator>", free_key),
       {1.5}},
      {"VelocityServoOfAFreeJoint",
       file(free_body("<joint name='j' type='free'/>"),
            "<actuator><velocity name='m' joint='j' kv='2' gear='1 2 3 4 5 6'/></actuator>", free_key),
       {0.4}},
      {"MotorOfABallBetweenBodies", arm_with_ball("<motor name='m' joint='j' gear='1 2 3'/>"), {0.6}},
      {"MotorOfABallInItsParent", arm_with_ball("<motor name='m' jointinparent='j' gear='1 2 3'/>"), {0.6}},
      {"VelocityServoOfABall", arm_with_ball("<velocity name='m' joint='j' kv='.5' gear='1 2 3'/>"), {0.6}},
      {"VelocityServoOfASite", arm_with_site("<velocity name='m' site='s' kv='2' gear='1 2 3 4 5 6'/>"), {0.6}},
      {"LawOfASite",
       arm_with_site(
           "<general name='m' site='s' gear='1 2 3 4 5 6' gaintype='affine' gainprm='2 1 .3' biastype='affine' "
           "biasprm='1 2 -.5'/>"),
       {0.6}},
      {"EqualitiesThatADefaultSwitchesOff",
       two_arms("<default><equality active='false'/></default><equality><joint joint1='j1' joint2='j2'/></equality>")},
      {"AMeshThatIsMovedAndStretched", tetrahedra, {}, true},
      {"AWeldToAMocapBody", led("<weld body1='t' body2='a'/>")},
      {"AConnectToAMocapBody", led("<connect body1='a' body2='t' anchor='0 .1 0'/>")},
  };
}

Summary run(const Model& model, const Case& given, double until) {
  Options options{.until = until, .rtol = 1e-12, .coordinates = Coordinates::automatic, .record = false};
  options.native = Native::off;
  for (const double value : given.controls) options.set.emplace_back("m_ctrl", value);
  if (given.text.find("<key ") != std::string::npos) options.start = "k";
  return simulate(model, options_of(model, options)).summary;
}

class Elements : public ::testing::TestWithParam<Case> {};

TEST_P(Elements, MoveAsInMujoco) {
  const Case& given = GetParam();
  MujocoRobot reference(given.text, {}, given.controls);
  if (given.text.find("<key ") != std::string::npos) reference.begin_at_key();
  const Model model = read_model(given.text, "element.xml");
  const Summary start = run(model, given, 0);
  ASSERT_EQ(start.outcome, Outcome::done) << start.reason;
  EXPECT_LE(worst_acceleration(reference, start), given.has_mesh ? 1e-6 : 1e-9);
  const Summary end = run(model, given, 0.2);
  ASSERT_EQ(end.outcome, Outcome::done) << end.reason;
  // The error of the classical formula in 0.2 s is below 1e-12 where motions change at some 10/s.
  reference.advance(0.2, 1e-4);
  EXPECT_LE(worst_place(reference, end), given.has_mesh ? 1e-6 : 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Files, Elements, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace taut::robot
#endif
