#include <gmock/gmock.h>

#include <fmt/format.h>

#include <numbers>

#include "places.hpp"
#include "robots.hpp"

namespace taut::robot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string mujoco(const std::string& content) { return "<mujoco model='m'>\n" + content + "\n</mujoco>\n"; }
std::string world(const std::string& content) { return "<worldbody>" + content + "</worldbody>\n"; }
yaml::Node tree(const std::string& content) { return import_robot(mujoco(content), "m.xml").tree; }
std::string refused(const std::string& content) { return refusal(mujoco(content), "m.xml"); }
const std::string inertial = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>";

void expect_near(const std::vector<double>& values, const std::vector<double>& expected, double tolerance = 1e-15) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(values[k], expected[k], tolerance) << k;
}

TEST(Mjcf, BodiesStandInOneAnother) {
  const yaml::Node m = imported_file("four_bar.xml").tree;
  EXPECT_EQ(text_at(m, {"model"}), "four_bar");
  EXPECT_THAT(numbers_at(m, {"joints", "pivot", "at"}), ElementsAre(0, 0, 1));
  expect_near(numbers_at(m, {"joints", "elbow", "at"}), {0, 0, 1.4});
  expect_near(numbers_at(m, {"joints", "wrist", "at"}), {1, 0, 1.7});
  EXPECT_EQ(text_at(m, {"joints", "elbow", "bodies", "0"}), "crank");
  EXPECT_EQ(text_at(m, {"joints", "pivot", "bodies", "0"}), "ground");
  EXPECT_EQ(text_at(m, {"joints", "pivot", "type"}), "revolute");
  EXPECT_THAT(numbers_at(m, {"joints", "pivot", "axis"}), ElementsAre(0, 1, 0));  // from the defaults
}

TEST(Mjcf, DefaultsComeFromTheElementItsClassAndTheClassesAroundIt) {
  const yaml::Node m = imported_file("four_bar.xml").tree;
  // Capsule and density from the outer class; the radius of the crank from the inner one, of the coupler its own.
  const auto mass = [](double r, double l) { return 800 * std::numbers::pi * r * r * (l + 4.0 / 3 * r); };
  EXPECT_NEAR(std::stod(text_at(m, {"bodies", "crank", "mass"})), mass(0.03, 0.4), 1e-15);
  EXPECT_NEAR(std::stod(text_at(m, {"bodies", "coupler", "mass"})), mass(0.02, std::sqrt(1.09)), 1e-15);
  expect_near(numbers_at(m, {"bodies", "crank", "position"}), {0, 0, 1.2});
  EXPECT_EQ(text_at(m, {"forces", "elbow_spring", "damping"}), "0.01");
}

TEST(Mjcf, AnInertialOutweighsTheGeomsOrNotAsTheCompilerSays) {
  const std::string body = world("<body name='b'>" + inertial + "<geom size='1' mass='7'/><freejoint/></body>");
  EXPECT_EQ(text_at(tree(body), {"bodies", "b", "mass"}), "1");
  EXPECT_EQ(text_at(tree("<compiler inertiafromgeom='true'/>" + body), {"bodies", "b", "mass"}), "7");
  EXPECT_THAT(
      refused("<compiler inertiafromgeom='false'/>\n" + world("<body name='b'><joint/><geom size='1'/></body>")),
      HasSubstr("body 'b' moves and has no mass"));
}

TEST(Mjcf, AFullInertiaIsTheMatrixInTheOrderOfTheContract) {
  const yaml::Node m =
      tree(world("<body name='b'><freejoint/><inertial pos='1 2 3' mass='2' fullinertia='3 4 5 0.1 0.2 0.3'/></body>"));
  EXPECT_THAT(numbers_at(m, {"bodies", "b", "inertia"}), ElementsAre(3, 4, 5, 0.1, 0.2, 0.3));
  EXPECT_THAT(numbers_at(m, {"bodies", "b", "position"}), ElementsAre(1, 2, 3));
}

TEST(Mjcf, GeomsAddUpAboutTheirCommonCentre) {
  // A dumbbell: two balls of mass m and radius r at ±d on x. 2/5 m r² each, and m d² each across.
  const yaml::Node m =
      tree(world("<body name='b' pos='0 0 1'><freejoint/><geom size='0.1' pos='0.5 0 0' mass='2'/>"
                 "<geom size='0.1' pos='-0.5 0 0' mass='2'/></body>"));
  const double own = 0.4 * 2 * 0.01;
  expect_near(numbers_at(m, {"bodies", "b", "inertia"}), {2 * own, 2 * own + 4 * 0.25, 2 * own + 4 * 0.25});
  expect_near(numbers_at(m, {"bodies", "b", "position"}), {0, 0, 1});
}

TEST(Mjcf, OrientationsInEveryNotation) {
  // The same turn, a third of a full one about (1, 1, 1), which takes x to y, y to z and z to x: half of (1, 1, 1, 1).
  for (const char* notation : {"quat='2 2 2 2'", "axisangle='1 1 1 120'", "xyaxes='0 1 0 0 1 1'", "euler='90 90 0'"}) {
    const yaml::Node m = tree("<compiler eulerseq='zxy'/>" + world("<body name='b' " + std::string(notation) +
                                                                   "><freejoint/>" + inertial + "</body>"));
    expect_near(numbers_at(m, {"bodies", "b", "orientation"}), {0.5, 0.5, 0.5, 0.5});
  }
  // Capitals turn about the axes that stand still, so that the order is the other way round.
  const yaml::Node fixed =
      tree("<compiler eulerseq='XZY'/>" + world("<body name='b' euler='90 90 0'><freejoint/>" + inertial + "</body>"));
  expect_near(numbers_at(fixed, {"bodies", "b", "orientation"}), {0.5, 0.5, 0.5, 0.5});
  const yaml::Node z = tree(world("<body name='b' zaxis='2 0 0'><freejoint/>" + inertial + "</body>"));
  expect_near(numbers_at(z, {"bodies", "b", "orientation"}), {std::sqrt(0.5), 0, std::sqrt(0.5), 0});
}

TEST(Mjcf, AnglesAreInDegreesUnlessTheCompilerSaysRadians) {
  const std::string body =
      world("<body name='b'><joint name='j' stiffness='2' springref='90'/>" + inertial + "</body>");
  EXPECT_NEAR(std::stod(text_at(tree(body), {"forces", "j_spring", "angle"})), std::numbers::pi / 2, 1e-15);
  EXPECT_EQ(text_at(tree("<compiler angle='radian'/>" + body), {"forces", "j_spring", "angle"}), "90");
}

TEST(Mjcf, SpringsCountFromWhereTheJointStarts) {
  const yaml::Node m = tree("<compiler angle='radian'/>" +
                            world("<body name='b'><joint name='j' type='slide' stiffness='2' springref='0.5' ref='0.2' "
                                  "damping='3'/>" +
                                  inertial + "</body>"));
  EXPECT_EQ(text_at(m, {"forces", "j_spring", "travel"}), "0.3");
  EXPECT_EQ(text_at(m, {"forces", "j_spring", "stiffness"}), "2");
  EXPECT_EQ(text_at(m, {"forces", "j_spring", "damping"}), "3");
}

TEST(Mjcf, EveryTypeOfJointHasItsCounterpart) {
  const yaml::Node m =
      tree(world("<body name='a'><joint type='slide' axis='1 0 0' name='s'/>" + inertial + "</body>" +
                 "<body name='b'><joint type='ball' pos='0 0 1'/>" + inertial + "</body>" +
                 "<body name='c'><joint type='free'/>" + inertial + "<body name='d'>" + inertial + "</body></body>"));
  EXPECT_EQ(text_at(m, {"joints", "s", "type"}), "prismatic");
  EXPECT_EQ(text_at(m, {"joints", "b_joint", "type"}), "spherical");
  EXPECT_THAT(numbers_at(m, {"joints", "b_joint", "at"}), ElementsAre(0, 0, 1));
  EXPECT_EQ(text_at(m, {"joints", "d_fixed", "type"}), "fixed");
  EXPECT_EQ(at(m, {"joints"}).keys.size(), 3u);
}

TEST(Mjcf, ConnectClosesALoopByASphericalJoint) {
  const yaml::Node m = imported_file("four_bar.xml").tree;
  EXPECT_EQ(text_at(m, {"joints", "far_pivot", "type"}), "spherical");
  EXPECT_EQ(text_at(m, {"joints", "far_pivot", "bodies", "0"}), "ground");
  EXPECT_EQ(text_at(m, {"joints", "far_pivot", "bodies", "1"}), "rocker");
  expect_near(numbers_at(m, {"joints", "far_pivot", "at"}), {1.2, 0, 1});
}

TEST(Mjcf, WeldAndCouplingBecomeFixedAndGear) {
  const std::string bodies = world("<body name='a'><joint name='j'/>" + inertial +
                                   "</body><body name='b'><joint name='k'/>" + inertial + "</body>");
  const yaml::Node m = tree(bodies +
                            "<equality><weld name='w' body1='a' body2='b'/>"
                            "<joint name='c' joint1='k' joint2='j' polycoef='0.1 2'/></equality>");
  EXPECT_EQ(text_at(m, {"joints", "w", "type"}), "fixed");
  EXPECT_EQ(text_at(m, {"joints", "c", "type"}), "gear");
  EXPECT_EQ(text_at(m, {"joints", "c", "joints", "0"}), "j");  // joint1 follows joint2
  EXPECT_EQ(text_at(m, {"joints", "c", "joints", "1"}), "k");
  EXPECT_EQ(text_at(m, {"joints", "c", "ratio"}), "2");
  EXPECT_EQ(text_at(m, {"joints", "c", "offset"}), "0.1");
  const yaml::Node held = tree(bodies + "<equality><joint name='h' joint1='k' polycoef='0.3'/></equality>");
  EXPECT_EQ(text_at(held, {"constraints", "h"}), "k.angle = 0.3");
  EXPECT_EQ(text_at(held, {"simulate", "assemble"}), "on");  // the start is off it
}

TEST(Mjcf, WhatIsNotActiveIsLeftOutAndNoted) {
  const Imported m = import_robot(mujoco(world("<body name='a'><joint name='j'/>" + inertial + "</body>") +
                                         "<equality><connect body1='a' anchor='0 0 0' active='false'/></equality>"),
                                  "m.xml");
  EXPECT_EQ(at(m.tree, {"joints"}).keys.size(), 1u);
  EXPECT_THAT(m.notes, testing::Contains(HasSubstr("not active")));
}

TEST(Mjcf, MotorsAreDrivenByParameters) {
  const yaml::Node m = imported_file("four_bar.xml").tree;
  EXPECT_EQ(text_at(m, {"parameters", "drive_ctrl"}), "0");
  EXPECT_EQ(text_at(m, {"joints", "pivot", "torque"}), "(5)*max((-1), min(1, drive_ctrl))");
  const yaml::Node two = tree(world("<body name='a'><joint name='j'/>" + inertial + "</body>") +
                              "<actuator><motor joint='j'/><motor joint='j' gear='-2 0 0 0 0 0'/></actuator>");
  EXPECT_EQ(text_at(two, {"joints", "j", "torque"}), "motor1_ctrl + (-2)*motor2_ctrl");
}

TEST(Mjcf, GeomsAreDrawn) {
  const yaml::Node draw = at(imported_file("four_bar.xml").tree, {"draw", "only"});
  ASSERT_EQ(draw.items.size(), 7u);  // two capsules of three parts each, one box; the floor has no end
  EXPECT_EQ(text_at(draw, {"0", "cylinder", "radius"}), "0.03");
  EXPECT_EQ(text_at(draw, {"0", "cylinder", "length"}), "0.4");
  EXPECT_EQ(text_at(draw, {"1", "sphere"}), "0.03");
  expect_near(numbers_at(draw, {"1", "at"}), {0, 0, -0.2});
  EXPECT_THAT(numbers_at(draw, {"6", "box"}), ElementsAre(0.2, 0.04, 0.7));
}

TEST(Mjcf, MeshesAreDrawnAndDoNotWeigh) {
  const std::string text =
      mujoco("<compiler meshdir='robots'/><asset><mesh file='part.stl' scale='2 2 2'/></asset>" +
             world("<body name='a'><joint/>" + inertial + "<geom type='mesh' mesh='part' rgba='0 0 1 1'/></body>"));
  const yaml::Node m = import_robot(text, places::source("tests/import/m.xml")).tree;
  EXPECT_EQ(text_at(m, {"draw", "only", "0", "mesh"}), "robots/part.stl");
  EXPECT_EQ(text_at(m, {"draw", "only", "0", "color"}), "#0000ff");
  EXPECT_THAT(numbers_at(m, {"draw", "only", "0", "scale"}), ElementsAre(2, 2, 2));
}

// ---- what acts ------------------------------------------------------------------------------------

/// One arm on a hinge, and a second one on it.
std::string arms(const std::string& first = "name='j'", const std::string& second = "name='k'") {
  return world("<body name='a'><joint " + first + "/>" + inertial +
               "<site name='p' pos='0 0 1'/><body name='b' pos='0 0 2'>" + "<joint " + second + "/>" + inertial +
               "<site name='q' pos='1 0 0'/></body></body>");
}

TEST(Mjcf, RotorsAndFrictionBelongToTheJoint) {
  const yaml::Node m =
      tree(arms("name='j' armature='0.1' frictionloss='0.2'", "name='k' type='slide' frictionloss='3'"));
  EXPECT_EQ(text_at(m, {"joints", "j", "armature"}), "0.1");
  EXPECT_EQ(text_at(m, {"joints", "j", "friction", "torque"}), "0.2");
  EXPECT_EQ(text_at(m, {"joints", "k", "friction", "force"}), "3");
}

TEST(Mjcf, WhatIsIgnoredIsCounted) {
  const Imported m =
      import_robot(mujoco(arms("name='j' armature='0.1' frictionloss='0.2'", "name='k' frictionloss='3'")), "m.xml",
                   {.ignore = {"friction"}});
  EXPECT_EQ(at(m.tree, {"joints", "j"}).find("friction"), nullptr);
  EXPECT_NE(at(m.tree, {"joints", "j"}).find("armature"), nullptr);
  EXPECT_THAT(m.notes, testing::Contains(HasSubstr("--ignore friction, although it acts on the motion: 2 times")));
}

TEST(Mjcf, WhatDoesNotActIsCountedInOneLine) {
  const Imported m = import_robot(
      mujoco(arms() + "<contact><exclude body1='a' body2='b'/></contact><sensor><jointpos joint='j'/></sensor>"
                      "<visual/><statistic/><option><flag contact='disable'/></option>"),
      "m.xml");
  EXPECT_THAT(m.notes, testing::Contains(HasSubstr("nothing collides here: 1 <contact>")));
  EXPECT_THAT(m.notes, testing::Contains(HasSubstr("1 <statistic>, 1 <visual>")));
}

TEST(Mjcf, SeveralJointsActOneAfterTheOther) {
  const yaml::Node m =
      tree(world("<body name='a'><joint name='x' axis='1 0 0'/><joint name='y' axis='0 1 0'/>"
                 "<joint name='s' type='slide'/>" +
                 inertial + "</body>"));
  EXPECT_EQ(text_at(m, {"bodies", "a_between1", "mass"}), "0");
  EXPECT_EQ(text_at(m, {"joints", "x", "bodies", "0"}), "ground");
  EXPECT_EQ(text_at(m, {"joints", "x", "bodies", "1"}), "a_between1");
  EXPECT_EQ(text_at(m, {"joints", "y", "bodies", "1"}), "a_between2");
  EXPECT_EQ(text_at(m, {"joints", "s", "bodies", "1"}), "a");
}

TEST(Mjcf, EveryKindOfActuatorIsOneLaw) {
  const auto force = [](const std::string& actuator, const std::string& joint = "name='j'") {
    const yaml::Node m = tree(arms(joint) + "<actuator>" + actuator + "</actuator>");
    EXPECT_NE(m.find("definitions"), nullptr) << actuator;
    return text_at(m, {"definitions", "m_force"});
  };
  EXPECT_EQ(force("<position name='m' joint='j' kp='5' kv='2'/>"), "(5)*m_ctrl + (-5)*j.angle + (-2)*j.rate");
  EXPECT_EQ(force("<velocity name='m' joint='j' kv='3'/>"), "(3)*m_ctrl + (-3)*j.rate");
  EXPECT_EQ(force("<damper name='m' joint='j' kv='3'/>"), "((-3)*j.rate)*m_ctrl");
  EXPECT_EQ(force("<general name='m' joint='j' gainprm='7' biastype='affine' biasprm='1 -7 -2'/>"),
            "(7)*m_ctrl + 1 + (-7)*j.angle + (-2)*j.rate");
  // Numbers that their type does not ask for do not count: a gain is its first, and there is no bias.
  EXPECT_EQ(force("<general name='m' joint='j' gainprm='7 2 3' biasprm='1 -7 -2'/>"), "(7)*m_ctrl");
  EXPECT_EQ(force("<position name='m' joint='j' kp='5' gear='2'/>"), "(5)*m_ctrl + (-5)*(2)*j.angle");
  EXPECT_EQ(force("<position name='m' joint='j' kp='5' ctrlrange='-1 1' forcerange='-2 3'/>"),
            "max((-2), min(3, (5)*max((-1), min(1, m_ctrl)) + (-5)*j.angle))");
  // The file counts from ref.
  EXPECT_EQ(force("<position name='m' joint='s' kp='5'/>", "name='s' type='slide' ref='0.5'"),
            "(5)*m_ctrl + (-5)*(s.travel + 0.5)");
}

TEST(Mjcf, DefaultsOfActuatorsAreSharedByTheirKinds) {
  const yaml::Node m =
      tree("<default><general ctrlrange='-1 1'/><default class='c'><position kp='9'/></default></default>" + arms() +
           "<actuator><position class='c' name='m' joint='j'/></actuator>");
  EXPECT_EQ(text_at(m, {"definitions", "m_force"}), "(9)*max((-1), min(1, m_ctrl)) + (-9)*j.angle");
}

TEST(Mjcf, ADampingRatioIsThatOfTheInertiaAtTheStart) {
  // Both bodies turn about z of the first: 1 + 1, and the rotor. kv = 2 ζ √(k I).
  const yaml::Node m = tree(arms("name='j' armature='0.5'") +
                            "<actuator><position name='m' joint='j' kp='10' dampratio='0.7'/></actuator>");
  EXPECT_EQ(text_at(m, {"definitions", "m_force"}),
            fmt::format("(10)*m_ctrl + (-10)*j.angle + ({})*j.rate", -1.4 * std::sqrt(25)));
}

TEST(Mjcf, DynamicsOfActuatorsAreStates) {
  const yaml::Node m = tree(arms() +
                            "<actuator><general name='m' joint='j' dyntype='filter' dynprm='0.1'/>"
                            "<intvelocity name='n' joint='k' kp='4'/></actuator>");
  EXPECT_EQ(text_at(m, {"states", "m_act", "rate"}), "(m_ctrl - m_act)/0.1");
  EXPECT_EQ(text_at(m, {"joints", "j", "torque"}), "m_act");
  EXPECT_EQ(text_at(m, {"states", "n_act", "rate"}), "n_ctrl");
  EXPECT_EQ(text_at(m, {"definitions", "n_force"}), "(4)*n_act + (-4)*k.angle");
}

TEST(Mjcf, TendonsAreLengthsAndTensions) {
  const yaml::Node m =
      tree(arms() +
           "<tendon><fixed name='f' stiffness='3' damping='0.5'><joint joint='j' coef='0.5'/><joint joint='k' "
           "coef='-2'/></fixed><spatial name='s' stiffness='4' springlength='0.1 0.7'><site site='p'/><site "
           "site='q'/></spatial></tendon><actuator><motor name='m' tendon='f' gear='6'/></actuator>"
           "<equality><tendon name='e' tendon1='s' polycoef='0'/></equality>");
  EXPECT_EQ(text_at(m, {"definitions", "f_length"}), "(0.5)*j.angle + (-2)*k.angle");
  EXPECT_EQ(text_at(m, {"definitions", "f_tension"}), "(-3)*(f_length - 0) + (-0.5)*d(f_length)");
  EXPECT_EQ(text_at(m, {"forces", "f_k", "value"}), "(-2)*f_tension");
  EXPECT_EQ(text_at(m, {"joints", "k", "torque"}), "(-12)*m_ctrl");
  EXPECT_EQ(
      text_at(m, {"definitions", "s_length"}),
      "sqrt((point(a, [0, 0, 1]).x - point(b, [1, 0, 0]).x)^2 + (point(a, [0, 0, 1]).y - point(b, [1, 0, 0]).y)^2 + "
      "(point(a, [0, 0, 1]).z - point(b, [1, 0, 0]).z)^2)");
  EXPECT_EQ(text_at(m, {"definitions", "s_tension"}), "(-4)*(max(0, s_length - 0.7) + min(0, s_length - 0.1))");
  EXPECT_EQ(text_at(m, {"forces", "s_1", "type"}), "spring");
  EXPECT_THAT(numbers_at(m, {"forces", "s_1", "points", "1"}), ElementsAre(1, 0, 2));
  EXPECT_EQ(text_at(m, {"constraints", "e"}).substr(0, 12), "(s_length - ");
}

TEST(Mjcf, WhatActuatorsDoToAJointOrATendonIsBounded) {
  const yaml::Node m =
      tree(arms("name='j' actuatorfrcrange='-2 3'", "name='k' actuatorfrcrange='-1 1' actuatorfrclimited='false'") +
           "<tendon><fixed name='f' actuatorfrcrange='-4 4'><joint joint='k' coef='2'/></fixed></tendon>"
           "<actuator><motor name='m' joint='j'/><motor name='n' joint='j'/>"
           "<motor name='o' tendon='f'/></actuator>");
  EXPECT_EQ(text_at(m, {"definitions", "j_actuators"}), "m_ctrl + n_ctrl");
  EXPECT_EQ(text_at(m, {"joints", "j", "torque"}), "max((-2), min(3, j_actuators))");
  EXPECT_EQ(text_at(m, {"definitions", "f_actuation"}), "max((-4), min(4, o_ctrl))");
  EXPECT_EQ(text_at(m, {"joints", "k", "torque"}), "(2)*f_actuation");
}

TEST(Mjcf, RangesCountAsTheCompilerSays) {
  const std::string rest = arms() + "<actuator><motor name='m' joint='j' ctrlrange='-1 1'/></actuator>";
  const std::string said =
      arms() + "<actuator><motor name='m' joint='j' ctrlrange='-1 1' ctrllimited='true'/></actuator>";
  EXPECT_EQ(text_at(tree(rest), {"joints", "j", "torque"}), "max((-1), min(1, m_ctrl))");
  EXPECT_EQ(text_at(tree("<compiler autolimits='false'/>" + rest), {"joints", "j", "torque"}), "m_ctrl");
  EXPECT_EQ(text_at(tree("<compiler autolimits='false'/>" + said), {"joints", "j", "torque"}),
            "max((-1), min(1, m_ctrl))");
  // What a class of defaults says of limits holds for a range that is given later.
  EXPECT_EQ(text_at(tree("<default><motor ctrllimited='false'/></default>" + rest), {"joints", "j", "torque"}),
            "m_ctrl");
}

TEST(Mjcf, StopsAreMadeOnRequest) {
  const std::string text = mujoco(arms("name='j' range='-90 45' armature='0.5'", "name='k' range='10 20'"));
  const Imported without = import_robot(text, "m.xml");
  EXPECT_EQ(at(without.tree, {"joints", "j"}).find("limits"), nullptr);
  EXPECT_THAT(without.notes, testing::Contains(HasSubstr("--stops asks for them: 2 <joint range>")));
  const Imported with = import_robot(text, "m.xml", {.stops = true});
  EXPECT_NEAR(std::stod(text_at(with.tree, {"joints", "j", "limits", "lower"})), -std::numbers::pi / 2, 1e-15);
  EXPECT_NEAR(std::stod(text_at(with.tree, {"joints", "j", "limits", "upper"})), std::numbers::pi / 4, 1e-15);
  // Two bodies of 1 kg m² and the rotor, 20 ms: I/τ² and 2 I/τ.
  EXPECT_NEAR(std::stod(text_at(with.tree, {"joints", "j", "limits", "stiffness"})), 6250, 1e-9);
  EXPECT_NEAR(std::stod(text_at(with.tree, {"joints", "j", "limits", "damping"})), 250, 1e-10);
  EXPECT_EQ(at(with.tree, {"joints", "k"}).find("limits"), nullptr);
  EXPECT_THAT(with.notes, testing::Contains(HasSubstr("not between the ends of its range: 1 joint 'k'")));
}

TEST(Mjcf, KeyframesAreStarts) {
  const Imported m = import_robot(
      mujoco(
          "<default><joint ref='30'/></default>" +
          world(
              "<body name='base' pos='0 0 1'><freejoint/><inertial pos='0.5 0 0' mass='1' diaginertia='1 1 1'/>"
              "<body name='arm'><joint name='j'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></body>") +
          "<actuator><motor name='m' joint='j'/><adhesion name='a' body='arm'/><general name='n' joint='j' "
          "dyntype='integrator'/></actuator><keyframe><key name='home' qpos='1 2 3 0 0 0 1 0.6' "
          "qvel='0 0 0 0 0 2 0.3' ctrl='4 5 6' act='7'/><key/></keyframe>"),
      "m.xml");
  const yaml::Node& home = at(m.tree, {"starts", "home"});
  EXPECT_NEAR(std::stod(text_at(home, {"base.x"})), 0.5, 1e-15);  // half a turn about z, and the centre is at 0.5 x
  EXPECT_NEAR(std::stod(text_at(home, {"base.qz"})), 1, 1e-15);
  EXPECT_NEAR(std::stod(text_at(home, {"base.vy"})), -1, 1e-15);  // ω × r
  EXPECT_EQ(text_at(home, {"base.omega_z"}), "2");
  EXPECT_NEAR(std::stod(text_at(home, {"j.angle"})), 0.6 - std::numbers::pi / 6, 1e-15);
  EXPECT_EQ(text_at(home, {"j.rate"}), "0.3");
  EXPECT_EQ(text_at(home, {"m_ctrl"}), "4");
  EXPECT_EQ(text_at(home, {"n_ctrl"}), "6");
  EXPECT_EQ(text_at(home, {"n_act"}), "7");
  EXPECT_TRUE(at(m.tree, {"starts", "key2"}).items.empty());
  EXPECT_THAT(m.notes, testing::Contains("starts by name, for --start: home, key2"));
  EXPECT_THAT(refused(arms() + "\n<keyframe>\n<key qpos='1'/></keyframe>"),
              HasSubstr("m.xml:5: <key qpos>: 1 are given; give 2 numbers"));
}

TEST(Mjcf, ActivationsStayInTheirRange) {
  const yaml::Node m = tree(arms() + "<actuator><intvelocity name='m' joint='j' kp='4' actrange='-1 2'/></actuator>");
  EXPECT_EQ(text_at(m, {"states", "m_act", "rate"}),
            "if(m_act >= 2, min(0, m_ctrl), if(m_act <= (-1), max(0, m_ctrl), m_ctrl))");
}

TEST(Mjcf, PolynomialsAndSitesBecomeConstraints) {
  const yaml::Node m = tree(arms() +
                            "<equality><joint name='p' joint1='j' joint2='k' polycoef='0 1 0.5'/>"
                            "<connect name='c' site1='p' site2='q'/></equality>");
  EXPECT_EQ(text_at(m, {"constraints", "p"}), "j.angle = 0 + 1*k.angle + 0.5*k.angle^2");
  EXPECT_EQ(text_at(m, {"constraints", "c"}), "point(a, [0, 0, 1]) = point(b, [1, 0, 0])");
  EXPECT_EQ(text_at(m, {"simulate", "assemble"}), "on");
}

TEST(Mjcf, WeightCanBeTakenOff) {
  const yaml::Node m =
      tree("<option gravity='0 0 -10'/>" +
           world("<body name='a' gravcomp='0.5'><joint/><inertial mass='2' pos='0 0 0' diaginertia='1 1 1'/></body>"));
  EXPECT_THAT(numbers_at(m, {"forces", "a_lift", "value"}), ElementsAre(0, 0, 10));
}

TEST(Mjcf, FramesAndReplicasStandInOneAnother) {
  const yaml::Node m = tree(
      world("<frame pos='1 0 0' euler='0 0 90'><body name='a' pos='1 0 0'><joint name='j' axis='1 0 0'/>" + inertial +
            "</body></frame><replicate count='3' offset='0 0 1' euler='0 0 90'><body name='r' pos='1 0 0'>"
            "<freejoint/>" +
            inertial + "</body></replicate>"));
  expect_near(numbers_at(m, {"bodies", "a", "position"}), {1, 1, 0});
  expect_near(numbers_at(m, {"joints", "j", "axis"}), {0, 1, 0});
  expect_near(numbers_at(m, {"bodies", "r0", "position"}), {1, 0, 0});
  expect_near(numbers_at(m, {"bodies", "r1", "position"}), {0, 1, 1});
  expect_near(numbers_at(m, {"bodies", "r2", "position"}), {-1, 0, 2});
}

TEST(Mjcf, TheMassOfAMeshIsWhatItEncloses) {
  // A tetrahedron with legs 1, 2, 3: volume 1, centre a quarter of each leg; moments by ∫x² = V a²/10 and so on.
  const std::string text = mujoco(
      "<asset><mesh name='t' vertex='0 0 0 1 0 0 0 2 0 0 0 3' face='0 2 1 0 1 3 0 3 2 1 2 3' inertia='exact'/>"
      "</asset>" +
      world("<body name='a'><freejoint/><geom type='mesh' mesh='t' density='5'/></body>"));
  const yaml::Node m = import_robot(text, "m.xml").tree;
  EXPECT_NEAR(std::stod(text_at(m, {"bodies", "a", "mass"})), 5, 1e-14);
  expect_near(numbers_at(m, {"bodies", "a", "position"}), {0.25, 0.5, 0.75}, 1e-15);
  const double xx = 1.0 / 10 - 1.0 / 16, yy = 4 * xx, zz = 9 * xx, xy = 2 * (1.0 / 20 - 1.0 / 16);
  expect_near(numbers_at(m, {"bodies", "a", "inertia"}),
              {5 * (yy + zz), 5 * (xx + zz), 5 * (xx + yy), -5 * xy, -5 * 1.5 * xy, -5 * 3 * xy}, 1e-14);
}

TEST(Mjcf, CompilersMayAlterMasses) {
  const std::string bodies = world("<body name='a'><freejoint/>" + inertial +
                                   "</body><body name='b'><freejoint/>"
                                   "<inertial pos='0 0 0' mass='3' diaginertia='1 1 3'/></body>");
  EXPECT_EQ(text_at(tree("<compiler settotalmass='8'/>" + bodies), {"bodies", "b", "mass"}), "6");
  EXPECT_EQ(text_at(tree("<compiler boundmass='2'/>" + bodies), {"bodies", "a", "mass"}), "2");
  expect_near(numbers_at(tree("<compiler balanceinertia='true'/>" + bodies), {"bodies", "b", "inertia"}),
              {5. / 3, 5. / 3, 5. / 3});
}

// ---- wrong files ----------------------------------------------------------------------------------

TEST(WrongMjcf, MalformedXml) {
  EXPECT_THAT(refusal("<mujoco>\n<worldbody>\n</mujoco>", "m.xml"), HasSubstr("m.xml:2: this is not XML"));
}

TEST(WrongMjcf, UnknownElementsAreRefusedByName) {
  EXPECT_THAT(refused("<tendons/>"), HasSubstr("m.xml:2: <tendons> in <mujoco> is not known; did you mean <tendon>?"));
  EXPECT_THAT(
      refused(world("\n<body name='a'><composite/></body>")),
      HasSubstr("m.xml:3: <composite> cannot be simulated: nothing is soft here; take it out, or leave it out by "
                "--ignore flexible"));
  EXPECT_THAT(refused(world("<joint/>")), HasSubstr("m.xml:2: <joint> in <worldbody> is not known"));
}

TEST(WrongMjcf, UnknownAttributesAreRefusedByName) {
  EXPECT_THAT(refused(world("<body name='a'>\n<joint axes='0 0 1'/></body>")),
              HasSubstr("m.xml:3: <joint>: the attribute axes is not known; did you mean 'axis'?"));
  EXPECT_THAT(refused("<option winds='1 0 0'/>"), HasSubstr("did you mean 'wind'?"));
}

TEST(WrongMjcf, WhatChangesTheMotionIsNotPassedOver) {
  const auto with_joint = [](const std::string& joint) {
    return refused(world("<body name='a'>\n" + joint + inertial + "</body>"));
  };
  EXPECT_THAT(with_joint("<joint type='ball' stiffness='1'/>"), HasSubstr("m.xml:3: <joint stiffness>: a ball joint"));
  EXPECT_THAT(with_joint("<joint type='free' armature='1'/>"), HasSubstr("--ignore armature"));
  EXPECT_THAT(
      refused("<option density='1.2'/>" +
              world("<body name='a'><freejoint/>\n<geom size='0.1' fluidshape='ellipsoid'/></body>")),
      HasSubstr("m.xml:3: air or water around the ellipsoid of a geom; take it out, or leave it out by --ignore "
                "fluid"));
}

TEST(WrongMjcf, AllFaultsAreSaidAtOnce) {
  const std::string text = refused(world("<body name='a' pos='0 0'/>\n<body name='b'><joint axis='0 0 0'/>" + inertial +
                                         "</body>\n<body name='c'>" + inertial + "<geom size='x'/></body>") +
                                   "<actuator><motor joint='k'/></actuator>");
  EXPECT_THAT(text, HasSubstr("m.xml:2: <body pos>: 2 are given"));
  EXPECT_THAT(text, HasSubstr("\nm.xml:3: <joint axis>: this has no direction"));
  EXPECT_THAT(text, HasSubstr("\nm.xml:4: <geom size>: 'x' is not a number"));
  EXPECT_THAT(text, HasSubstr("there is no joint 'k'"));
}

TEST(WrongMjcf, MissingInertia) {
  EXPECT_THAT(refused(world("\n<body name='a'><joint/></body>")), HasSubstr("m.xml:3: body 'a' moves and has no mass"));
  EXPECT_THAT(refused("<asset><mesh file='a.stl'/></asset>" +
                      world("<body name='a'><joint/><geom type='mesh' mesh='a'/></body>")),
              HasSubstr("<geom mesh>: the body's mass would come from it: there is no mesh"));
  EXPECT_THAT(refused(world("<body name='a'><joint/><inertial mass='1'/></body>")), HasSubstr("says no inertia"));
  EXPECT_THAT(refused(world("")), HasSubstr("no body has mass"));
}

TEST(WrongMjcf, NamesThatAreNot) {
  const std::string bodies = world("<body name='arm'><joint name='elbow'/>" + inertial + "</body>");
  EXPECT_THAT(refused(bodies + "<equality><connect body1='amr' anchor='0 0 0'/></equality>"),
              HasSubstr("m.xml:3: <connect body1>: there is no body 'amr'; did you mean 'arm'?"));
  EXPECT_THAT(refused(bodies + "<actuator><motor joint='elbw'/></actuator>"),
              HasSubstr("m.xml:3: <motor joint>: there is no joint 'elbw'; did you mean 'elbow'?"));
  EXPECT_THAT(refused(world("<body name='a' childclass='big'><joint/>" + inertial + "</body>")),
              HasSubstr("there is no class 'big'"));
  EXPECT_THAT(refused(world("<body name='a'><joint/>" + inertial + "<geom type='mesh' mesh='x'/></body>")),
              HasSubstr("there is no mesh 'x'"));
  EXPECT_THAT(refused(world("<body name='a'><freejoint/>" + inertial + "</body><body name='a'/>")),
              HasSubstr("there are two bodies 'a'"));
}

TEST(WrongMjcf, NumbersThatAreNone) {
  EXPECT_THAT(refused(world("<body name='a' pos='0 0'/>")), HasSubstr("<body pos>: 2 are given; give 3 numbers"));
  EXPECT_THAT(refused(world("<body name='a' pos='0 0 x'/>")), HasSubstr("'x' is not a number"));
  EXPECT_THAT(refused(world("<body name='a'><geom size='-1'/></body>")), HasSubstr("sizes have to be above 0"));
  EXPECT_THAT(refused(world("<body name='a'><geom type='box' size='1 1'/></body>")), HasSubstr("give 3 numbers"));
  EXPECT_THAT(refused(world("<body name='a'><geom type='sphere'/></body>")), HasSubstr("size"));
  EXPECT_THAT(refused(world("<body name='a' quat='0 0 0 0'/>")), HasSubstr("<body quat>: this has no direction"));
}

TEST(WrongMjcf, ConstraintsThatCannotBe) {
  const std::string bodies = world("<body name='a'><joint name='j'/>" + inertial +
                                   "</body><body name='b'><joint name='k'/>" + inertial + "</body>");
  EXPECT_THAT(refused(bodies + "<equality><connect body1='a' body2='a' anchor='0 0 0'/></equality>"),
              HasSubstr("connects a body with itself"));
  EXPECT_THAT(refused(bodies + "<equality><connect body1='a'/></equality>"), HasSubstr("<connect> has no anchor"));
}

}  // namespace
}  // namespace taut::robot
