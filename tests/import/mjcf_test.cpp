#include <gmock/gmock.h>

#include <numbers>

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
  const yaml::Node held = tree(bodies + "<equality><joint joint1='k' polycoef='0.3'/></equality>");
  EXPECT_EQ(text_at(held, {"joints", "k", "position"}), "0.3");
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
  EXPECT_EQ(text_at(m, {"joints", "pivot", "torque"}), "(5)*drive_ctrl");
  const yaml::Node two = tree(world("<body name='a'><joint name='j'/>" + inertial + "</body>") +
                              "<actuator><motor joint='j'/><motor joint='j' gear='-2 0 0 0 0 0'/></actuator>");
  EXPECT_EQ(text_at(two, {"joints", "j", "torque"}), "motor1_ctrl + (-2)*motor2_ctrl");
}

TEST(Mjcf, GeomsAreDrawn) {
  const yaml::Node draw = at(imported_file("four_bar.xml").tree, {"draw"});
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
  const yaml::Node m = import_robot(text, TAUT_TEST_SOURCE "/tests/import/m.xml").tree;
  EXPECT_EQ(text_at(m, {"draw", "0", "mesh"}), "robots/part.stl");
  EXPECT_EQ(text_at(m, {"draw", "0", "color"}), "#0000ff");
  EXPECT_THAT(numbers_at(m, {"draw", "0", "scale"}), ElementsAre(2, 2, 2));
}

// ---- wrong files ----------------------------------------------------------------------------------

TEST(WrongMjcf, MalformedXml) {
  EXPECT_THAT(refusal("<mujoco>\n<worldbody>\n</mujoco>", "m.xml"), HasSubstr("m.xml:2: this is not XML"));
}

TEST(WrongMjcf, UnknownElementsAreRefusedByName) {
  EXPECT_THAT(refused("<tendon/>"), HasSubstr("m.xml:2: <tendon> cannot be imported"));
  EXPECT_THAT(refused(world("\n<body name='a'><composite/></body>")), HasSubstr("m.xml:3: <composite> cannot"));
  EXPECT_THAT(refused(world("<joint/>")), HasSubstr("m.xml:2: <joint> cannot"));  // the world does not move
  EXPECT_THAT(refused("<option><flag contact='disable'/></option>"), HasSubstr("<flag> cannot"));
  EXPECT_THAT(refused("<default><position kp='1'/></default>"), HasSubstr("defaults of <position>"));
  EXPECT_THAT(refused(world("<body name='a'><joint name='j'/>" + inertial + "</body>") +
                      "<equality><tendon tendon1='x'/></equality>"),
              HasSubstr("<tendon> cannot"));
  EXPECT_THAT(refused(world("<body name='a'><joint name='j'/>" + inertial + "</body>") +
                      "<actuator><position joint='j'/></actuator>"),
              HasSubstr("<position> cannot be imported; give a <motor>"));
}

TEST(WrongMjcf, UnknownAttributesAreRefusedByName) {
  EXPECT_THAT(refused(world("<body name='a'>\n<joint axes='0 0 1'/></body>")),
              HasSubstr("m.xml:3: <joint>: the attribute axes cannot be imported; did you mean 'axis'?"));
  EXPECT_THAT(refused("<option wind='1 0 0'/>"), HasSubstr("<option>: the attribute wind"));
  EXPECT_THAT(refused("<compiler settotalmass='5'/>"), HasSubstr("<compiler settotalmass>"));
}

TEST(WrongMjcf, WhatChangesTheMotionIsNotPassedOver) {
  const auto with_joint = [](const std::string& joint) {
    return refused(world("<body name='a'>\n" + joint + inertial + "</body>"));
  };
  EXPECT_THAT(with_joint("<joint armature='0.1'/>"), HasSubstr("m.xml:3: <joint armature>"));
  EXPECT_THAT(with_joint("<joint frictionloss='0.1'/>"), HasSubstr("m.xml:3: <joint frictionloss>"));
  EXPECT_THAT(with_joint("<joint type='ball' damping='1'/>"), HasSubstr("m.xml:3: <joint damping>"));
  EXPECT_THAT(with_joint("<joint name='x'/>\n<joint name='y'/>"),
              HasSubstr("m.xml:4: body 'a' has more than one joint"));
  EXPECT_THAT(refused("<option density='1.2'/>"), HasSubstr("<option density>"));
}

TEST(WrongMjcf, MissingInertia) {
  EXPECT_THAT(refused(world("\n<body name='a'><joint/></body>")), HasSubstr("m.xml:3: body 'a' moves and has no mass"));
  EXPECT_THAT(refused("<asset><mesh file='a.stl'/></asset>" +
                      world("<body name='a'><joint/><geom type='mesh' mesh='a'/></body>")),
              HasSubstr("would have to come from a mesh"));
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
  EXPECT_THAT(refused(bodies + "<equality><joint joint1='k' joint2='j' polycoef='0 1 2'/></equality>"),
              HasSubstr("m.xml:3: <joint polycoef>: only a straight line"));
  EXPECT_THAT(refused(bodies + "<equality><weld body1='a' body2='b' relpose='0 0 0 1 0 0 0'/></equality>"),
              HasSubstr("<weld relpose>"));
  EXPECT_THAT(refused(bodies + "<equality><connect body1='a' body2='a' anchor='0 0 0'/></equality>"),
              HasSubstr("connects a body with itself"));
  EXPECT_THAT(refused(bodies + "<equality><connect body1='a'/></equality>"), HasSubstr("<connect> has no anchor"));
}

}  // namespace
}  // namespace taut::robot
