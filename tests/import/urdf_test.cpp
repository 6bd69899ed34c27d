#include <gmock/gmock.h>

#include "robots.hpp"

namespace taut::robot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string robot(const std::string& content) { return "<robot name='r'>\n" + content + "\n</robot>\n"; }
std::string link(const std::string& name) {
  return "<link name='" + name +
         "'><inertial><mass value='1'/>"
         "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n";
}
std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& rest = "", const std::string& type = "continuous") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child + "'/>" +
         rest + "</joint>\n";
}
yaml::Node tree(const std::string& content) { return import_robot(robot(content), "r.urdf").tree; }
std::string refused(const std::string& content) { return refusal(robot(content), "r.urdf"); }

TEST(Urdf, LinksBecomeBodiesAtTheirCentresOfMass) {
  const yaml::Node arm = imported_file("arm.urdf").tree;
  EXPECT_EQ(text_at(arm, {"model"}), "arm");
  EXPECT_THAT(numbers_at(arm, {"gravity"}), ElementsAre(0, 0, -9.81));
  ASSERT_EQ(at(arm, {"bodies"}).keys.size(), 2u);  // neither the root nor the flange
  EXPECT_EQ(text_at(arm, {"bodies", "column", "mass"}), "3");
  EXPECT_THAT(numbers_at(arm, {"bodies", "column", "inertia"}), ElementsAre(0.2, 0.21, 0.03, 0.001, 0.002, -0.003));
  EXPECT_THAT(numbers_at(arm, {"bodies", "column", "position"}), ElementsAre(0.01, -0.02, 0.4));
  EXPECT_THAT(numbers_at(arm, {"bodies", "boom", "position"}), ElementsAre(0.4, 0.05, 0.72));
}

TEST(Urdf, AnInertiaInTurnedAxesIsTurnedIntoThoseOfTheLink) {
  // A quarter turn about z: x goes to y and y to -x, so xx and yy change places, xy -> -xy, xz -> -yz, yz -> xz.
  const std::vector<double> inertia = numbers_at(imported_file("arm.urdf").tree, {"bodies", "boom", "inertia"});
  const std::vector<double> expected{0.02, 0.16, 0.15, -0.004, -0.008, -0.006};
  ASSERT_EQ(inertia.size(), 6u);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(inertia[k], expected[k], 1e-16) << k;
}

TEST(Urdf, JointsStandInTheWorldOfTheZeroConfiguration) {
  const yaml::Node arm = imported_file("arm.urdf").tree;
  ASSERT_EQ(at(arm, {"joints"}).keys.size(), 2u);  // the flange is part of the boom
  EXPECT_EQ(text_at(arm, {"joints", "yaw", "type"}), "revolute");
  EXPECT_EQ(text_at(arm, {"joints", "yaw", "bodies", "0"}), "ground");
  EXPECT_EQ(text_at(arm, {"joints", "yaw", "bodies", "1"}), "column");
  EXPECT_THAT(numbers_at(arm, {"joints", "lift", "at"}), ElementsAre(0, 0, 0.7));
  EXPECT_THAT(numbers_at(arm, {"joints", "lift", "axis"}), ElementsAre(0, 1, 0));  // of unit length
}

TEST(Urdf, TurnsOfFramesAddUp) {
  // A quarter turn about z, then one about the new x: the axis z of the second joint is the world's x turned into y
  // by the first, and z turned into -y by the second, hence x in the world.
  const std::string quarter = "1.5707963267948966";
  const yaml::Node r =
      tree("<link name='root'/>" + link("a") + link("b") +
           joint("first", "root", "a", "<origin xyz='1 2 3' rpy='0 0 " + quarter + "'/><axis xyz='1 0 0'/>") +
           joint("second", "a", "b", "<origin xyz='1 0 0' rpy='" + quarter + " 0 0'/><axis xyz='0 0 1'/>"));
  EXPECT_THAT(numbers_at(r, {"joints", "first", "axis"}), ElementsAre(0, testing::DoubleEq(1), 0));
  EXPECT_THAT(numbers_at(r, {"joints", "second", "at"}), ElementsAre(testing::DoubleEq(1), 3, 3));
  EXPECT_THAT(numbers_at(r, {"joints", "second", "axis"}), ElementsAre(testing::DoubleEq(1), 0, 0));
  const std::vector<double> q = numbers_at(r, {"bodies", "b", "orientation"});
  ASSERT_EQ(q.size(), 4u);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(q[k], 0.5, 1e-15) << k;  // (1 + k)/√2 · (1 + i)/√2 = (1 + i + j + k)/2
}

TEST(Urdf, DampingBecomesASpringOnTheJoint) {
  const yaml::Node arm = imported_file("arm.urdf").tree;
  EXPECT_EQ(text_at(arm, {"forces", "yaw_spring", "type"}), "torsion-spring");
  EXPECT_EQ(text_at(arm, {"forces", "yaw_spring", "joint"}), "yaw");
  EXPECT_EQ(text_at(arm, {"forces", "yaw_spring", "damping"}), "0.3");
  EXPECT_EQ(at(arm, {"forces", "yaw_spring"}).find("stiffness"), nullptr);
}

TEST(Urdf, VisualsAreDrawnOnTheirBodyFromItsCentreOfMass) {
  const yaml::Node draw = at(imported_file("arm.urdf").tree, {"draw", "only"});
  ASSERT_EQ(draw.items.size(), 4u);
  EXPECT_EQ(text_at(draw, {"0", "body"}), "ground");
  EXPECT_EQ(text_at(draw, {"0", "cylinder", "radius"}), "0.2");
  EXPECT_EQ(text_at(draw, {"0", "label"}), "foot");
  EXPECT_THAT(numbers_at(draw, {"0", "at"}), ElementsAre(0, 0, 0.05));
  EXPECT_THAT(numbers_at(draw, {"1", "box"}), ElementsAre(0.1, 0.1, 0.6));
  EXPECT_EQ(text_at(draw, {"2", "body"}), "boom");
  EXPECT_THAT(numbers_at(draw, {"2", "at"}), ElementsAre(0, -0.05, -0.02));
  const std::vector<double> turn = numbers_at(draw, {"2", "orientation"});
  EXPECT_NEAR(turn[0], std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(turn[2], std::sqrt(0.5), 1e-15);
  // The flange has no body of its own.
  EXPECT_EQ(text_at(draw, {"3", "body"}), "boom");
  const std::vector<double> flange = numbers_at(draw, {"3", "at"});
  EXPECT_NEAR(flange[0], 0.4, 1e-16);
}

std::string with_mesh(const std::string& mesh) {
  return robot(
      "<link name='a'><inertial><mass value='1'/>"
      "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial><visual><geometry><mesh " +
      mesh + "/></geometry></visual></link>");
}

TEST(Urdf, MeshesKeepTheirFileAndScale) {
  const yaml::Node r =
      import_robot(with_mesh("filename='part.stl' scale='0.001 0.001 0.001'"), robot_path("r.urdf")).tree;
  EXPECT_EQ(text_at(r, {"draw", "only", "0", "mesh"}), "part.stl");
  EXPECT_THAT(numbers_at(r, {"draw", "only", "0", "scale"}), ElementsAre(0.001, 0.001, 0.001));
}

TEST(Urdf, MeshesOfAPackageAreLookedForAroundTheRobot) {
  for (const char* name : {"package://robots/part.stl", "package://import/robots/part.stl"}) {
    const yaml::Node r = import_robot(with_mesh("filename='" + std::string(name) + "'"), robot_path("r.urdf")).tree;
    EXPECT_EQ(text_at(r, {"draw", "only", "0", "mesh"}), "part.stl");
  }
}

TEST(Urdf, AFileOfTheWorkingFolderMayNameAPackageThatIsNotThere) {
  const std::string mesh =
      "<link name='root'/><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
      "iyz='0'/></inertial><visual><geometry><mesh filename='package://nowhere/a.stl'/></geometry></visual></link>";
  const Imported read = import_robot(robot(mesh + joint("j", "root", "a")), "r.urdf");
  EXPECT_THAT(read.notes, testing::Contains(HasSubstr("its package is not found around the robot file")));
}

TEST(Urdf, AMeshThatCannotBeDrawnIsABoxAndNoted) {
  for (const char* mesh : {"filename='part.dae'", "filename='package://elsewhere/part.stl'", "filename='missing.stl'",
                           "filename='part.stl' scale='1 -1 1'"}) {
    const Imported r = import_robot(with_mesh(mesh), robot_path("r.urdf"));
    // Of mass 1 and moments 1: the edges of a cube, m/12 · 2 a² = 1.
    for (const double edge : numbers_at(r.tree, {"draw", "only", "0", "box"})) EXPECT_NEAR(edge, std::sqrt(6.0), 1e-14);
    EXPECT_THAT(r.notes, testing::Contains(HasSubstr("1 mesh is drawn as boxes"))) << mesh;
  }
}

TEST(Urdf, AMaterialGivesItsColour) {
  const yaml::Node r = tree(
      "<material name='paint'><color rgba='1 0.5 0 1'/></material><link name='a'><inertial><mass "
      "value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial><visual>"
      "<geometry><sphere radius='1'/></geometry><material name='paint'/></visual></link>");
  EXPECT_EQ(text_at(r, {"draw", "only", "0", "color"}), "#ff8000");
}

TEST(Urdf, MimicBecomesAGearFromTheLeaderToTheFollower) {
  const yaml::Node gripper = imported_file("gripper.urdf").tree;
  EXPECT_EQ(text_at(gripper, {"joints", "right_knuckle_mimic", "type"}), "gear");
  EXPECT_EQ(text_at(gripper, {"joints", "right_knuckle_mimic", "joints", "0"}), "left_knuckle");
  EXPECT_EQ(text_at(gripper, {"joints", "right_knuckle_mimic", "joints", "1"}), "right_knuckle");
  EXPECT_EQ(text_at(gripper, {"joints", "right_knuckle_mimic", "ratio"}), "-0.5");
  EXPECT_NE(at(gripper, {"bodies"}).find("left_finger"), nullptr);  // the blank of its name is an underscore
}

TEST(Urdf, AnOffsetOfAMimicIsKeptAndNoted) {
  const Imported r = import_robot(robot("<link name='root'/>" + link("a") + link("b") + joint("j", "root", "a") +
                                        joint("k", "root", "b", "<mimic joint='j' multiplier='2' offset='0.1'/>")),
                                  "r.urdf");
  EXPECT_EQ(text_at(r.tree, {"joints", "k_mimic", "offset"}), "0.1");
  EXPECT_THAT(r.notes, testing::Contains(HasSubstr("the start is assembled first")));
  EXPECT_EQ(text_at(r.tree, {"simulate", "assemble"}), "on");
}

TEST(Urdf, EveryTypeOfJointHasItsCounterpart) {
  const std::string limit = "<limit lower='0' upper='1' effort='1' velocity='1'/>";
  const yaml::Node r =
      tree("<link name='root'/>" + link("a") + link("b") + link("c") + link("d") + link("e") +
           joint("slide", "root", "a", limit, "prismatic") +
           joint("table", "root", "b", "<axis xyz='0 1 0'/>", "planar") + joint("loose", "root", "c", "", "floating") +
           joint("weld", "c", "d", "", "fixed") + joint("hinge", "d", "e", limit, "revolute"));
  EXPECT_EQ(text_at(r, {"joints", "slide", "type"}), "prismatic");
  EXPECT_THAT(numbers_at(r, {"joints", "slide", "axis"}), ElementsAre(1, 0, 0));  // URDF's default
  EXPECT_EQ(text_at(r, {"joints", "table", "type"}), "planar");
  EXPECT_THAT(numbers_at(r, {"joints", "table", "normal"}), ElementsAre(0, 1, 0));
  EXPECT_EQ(at(r, {"joints"}).find("loose"), nullptr);
  EXPECT_EQ(text_at(r, {"joints", "weld", "type"}), "fixed");
  EXPECT_EQ(at(r, {"joints", "weld"}).find("axis"), nullptr);
}

TEST(Urdf, LimitsAndCollisionsAreLeftOutAndNoted) {
  const Imported arm = imported_file("arm.urdf");
  EXPECT_EQ(at(arm.tree, {"joints", "lift"}).find("limits"), nullptr);
  EXPECT_THAT(arm.notes, testing::Contains(HasSubstr("<limit>")));
  EXPECT_THAT(arm.notes, testing::Contains(HasSubstr("collision")));
}

TEST(Urdf, ARootWithMassFloats) {
  const Imported r = import_robot(robot(link("base") + link("a") + joint("j", "base", "a")), "r.urdf");
  EXPECT_EQ(text_at(r.tree, {"joints", "j", "bodies", "0"}), "base");
  EXPECT_EQ(at(r.tree, {"joints"}).keys.size(), 1u);
  EXPECT_THAT(r.notes, testing::Contains("root link 'base' has mass, so it floats"));
}

TEST(Urdf, ALinkWithoutMassBelongsToWhatItIsFixedTo) {
  // 'frame' is moved by a joint and holds 'heavy', and another frame that moves 'next'.
  const yaml::Node r = tree("<link name='root'/><link name='frame'/><link name='tip'/>" + link("heavy") + link("next") +
                            joint("turn", "root", "frame") + joint("glue", "frame", "heavy", "", "fixed") +
                            joint("more", "frame", "tip", "", "fixed") + joint("bend", "tip", "next"));
  EXPECT_EQ(text_at(r, {"joints", "turn", "bodies", "1"}), "heavy");
  EXPECT_EQ(text_at(r, {"joints", "bend", "bodies", "0"}), "heavy");
  EXPECT_EQ(at(r, {"joints"}).keys.size(), 2u);
}

TEST(Urdf, AJointWithTheNameOfALinkGetsAnother) {
  const yaml::Node leg = imported_file("leg.urdf").tree;
  EXPECT_NE(at(leg, {"bodies"}).find("crank"), nullptr);
  EXPECT_NE(at(leg, {"joints"}).find("crank_joint"), nullptr);
}

TEST(Urdf, TheOrderIsThatOfTheTreeAndOfTheFile) {
  const yaml::Node bodies = at(imported_file("leg.urdf").tree, {"bodies"});
  std::vector<std::string> names;
  for (const yaml::Node& key : bodies.keys) names.push_back(key.text.text);
  EXPECT_THAT(names, ElementsAre("thigh", "crank", "shank", "rod"));
}

TEST(Urdf, EveryEntryKnowsItsLine) {
  const yaml::Node r = tree("<link name='root'/>\n" + link("a") + joint("j", "root", "a"));
  EXPECT_EQ(at(r, {"bodies", "a"}).position.line, 3);
  EXPECT_EQ(at(r, {"joints", "j"}).position.line, 4);
}

// ---- wrong files ----------------------------------------------------------------------------------

TEST(WrongUrdf, MalformedXml) {
  EXPECT_THAT(refusal("<robot name='r'>\n<link name='a'>\n</robot>\n", "r.urdf"),
              HasSubstr("r.urdf:2: this is not XML"));
  EXPECT_THAT(refusal("", "r.urdf"), HasSubstr("r.urdf:1: this is not XML"));
  EXPECT_THAT(refusal("model: pendulum\n", "r.urdf"), HasSubstr("r.urdf:1: this is not XML"));
}

TEST(WrongUrdf, AnotherRoot) {
  EXPECT_THAT(refusal("<sdff version='1.6'/>", "r.urdf"), HasSubstr("r.urdf:1: <sdff> is no robot"));
}

TEST(WrongUrdf, MisspeltElementsAndAttributes) {
  EXPECT_THAT(refused("<link name='a'><inertail/></link>"),
              HasSubstr("r.urdf:2: <inertail> in <link> is not known; did you mean <inertial>?"));
  EXPECT_THAT(refused("<link nam='a'/>"),
              HasSubstr("r.urdf:2: <link>: the attribute nam is not known; did you mean 'name'?"));
}

TEST(Urdf, WhatOtherProgramsReadIsCounted) {
  const Imported r = import_robot(
      "<robot name='r' xmlns:xacro='http://ros.org/xacro'>\n" + link("a") +
          "<gazebo reference='a'/><gazebo/><vendor_thing x='1'/><xacro:property name='p' value='1'/></robot>",
      "r.urdf");
  EXPECT_THAT(r.notes,
              testing::Contains(HasSubstr("other programs read it: 2 <gazebo>, 1 <vendor_thing>, 1 <xacro:property>")));
}

TEST(Urdf, DryFrictionHasOneSize) {
  const yaml::Node r = tree("<link name='root'/>" + link("a") + joint("j", "root", "a", "<dynamics friction='0.1'/>"));
  EXPECT_EQ(text_at(r, {"joints", "j", "friction", "torque"}), "0.1");
}

TEST(Urdf, WhatCannotActAtAFixedJointIsPassedOver) {
  const Imported r = import_robot(robot("<link name='root'/>" + link("a") + link("b") + joint("k", "root", "a") +
                                        joint("j", "a", "b", "<dynamics damping='1'/><mimic joint='k'/>", "fixed")),
                                  "r.urdf");
  EXPECT_THAT(r.notes, testing::Contains(HasSubstr("the joint does not move: 1 <dynamics>, 1 <mimic>")));
}

TEST(Urdf, LinksWithoutMassThatCarryNothingGoAndOthersStay) {
  const Imported r =
      import_robot(robot("<link name='root'/><link name='dummy'/><link name='leaf'/>" + link("a") +
                         joint("j", "root", "dummy") + joint("k", "dummy", "a") + joint("l", "a", "leaf")),
                   "r.urdf");
  EXPECT_EQ(text_at(r.tree, {"bodies", "dummy", "mass"}), "0");
  EXPECT_EQ(at(r.tree, {"bodies"}).find("leaf"), nullptr);
  EXPECT_EQ(at(r.tree, {"joints"}).find("l"), nullptr);
  EXPECT_THAT(r.notes, testing::Contains(HasSubstr("it has no mass and carries none: 1 <link>")));
}

TEST(Urdf, ALeaderWithoutMassTiesItsFollowers) {
  const std::string mimic = "<mimic joint='drive'/>", drive = joint("drive", "palm", "driver");
  const auto joints_of = [](const std::string& content) { return at(tree(content), {"joints"}).keys; };
  const std::string hand = "<link name='palm'/><link name='driver'/>" + link("one") + drive;
  const yaml::Node both =
      tree(hand + link("two") + joint("j1", "palm", "one", mimic) + joint("j2", "palm", "two", mimic) +
           "<transmission name='t'><joint name='drive'/></transmission>");
  EXPECT_EQ(text_at(both, {"joints", "j1_mimic", "joints", "0"}), "drive");
  EXPECT_EQ(text_at(both, {"joints", "j2_mimic", "joints", "0"}), "drive");
  EXPECT_EQ(text_at(both, {"joints", "drive", "torque"}), "drive_ctrl");
  // One that leads nothing that has mass goes.
  EXPECT_EQ(
      joints_of(hand + "<link name='two'/>" + joint("j1", "palm", "one") + joint("j2", "palm", "two", mimic)).size(),
      1u);
}

TEST(Urdf, NamesThatMeanSomethingElseGetAnother) {
  const Imported r =
      import_robot(robot(link("t") + link("ground") + link("left-arm") + link("left arm") + joint("j", "t", "ground") +
                         joint("k", "t", "left-arm") + joint("l", "t", "left arm")),
                   "r.urdf");
  for (const char* name : {"t_", "ground_", "left_arm", "left_arm_2"})
    EXPECT_NE(at(r.tree, {"bodies"}).find(name), nullptr) << name;
  EXPECT_THAT(r.notes, testing::Contains("link 'left arm' is called 'left_arm_2'"));
}

TEST(Urdf, ATransmissionDrivesItsJoint) {
  const yaml::Node r =
      tree("<link name='root'/>" + link("a") + joint("j", "root", "a") +
           "<transmission name='x'><joint name='j'/><actuator name='m'><mechanicalReduction>50</mechanicalReduction>"
           "</actuator></transmission>");
  EXPECT_EQ(text_at(r, {"joints", "j", "torque"}), "(50)*j_ctrl");
  EXPECT_EQ(text_at(r, {"parameters", "j_ctrl"}), "0");
}

TEST(Urdf, VisualsOfNoSizeAreNotDrawn) {
  const Imported r = import_robot(
      robot("<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
            "ixz='0' iyz='0'/></inertial><visual><geometry><box size='0 0 0'/></geometry></visual></link>"),
      "r.urdf");
  EXPECT_EQ(r.tree.find("draw"), nullptr);
  EXPECT_THAT(r.notes, testing::Contains(HasSubstr("it has no size: 1 <visual>")));
}

TEST(Urdf, InertiasThatNoBodyCanHaveAreRefusedOrMended) {
  const std::string text = robot(
      "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='4' ixy='0' ixz='0' "
      "iyz='0'/></inertial></link>");
  EXPECT_THAT(refusal(text, "r.urdf"),
              HasSubstr("no body can have the inertia of link 'a': its principal moments are 1, 1 and 4"));
  const Imported mended = import_robot(text, "r.urdf", {.mend_inertia = true});
  EXPECT_THAT(numbers_at(mended.tree, {"bodies", "a", "inertia"}), ElementsAre(2, 2, 2));
  EXPECT_THAT(mended.notes, testing::Contains(HasSubstr("link 'a'")));
}

TEST(Urdf, InertiasThatAreNothingBesideTheRobotsAreMendedWithAWord) {
  const std::string text = robot(link("a") +
                                 "<link name='dummy'><inertial><mass value='1e-6'/><inertia ixx='1e-6' iyy='1e-6' "
                                 "izz='1e-6' ixy='1e-6' ixz='1e-6' iyz='1e-6'/></inertial></link>" +
                                 joint("j", "a", "dummy"));
  const Imported r = import_robot(text, "r.urdf");
  EXPECT_THAT(numbers_at(r.tree, {"bodies", "dummy", "inertia"}), testing::Each(testing::DoubleNear(1e-6, 1e-20)));
  EXPECT_THAT(r.notes, testing::Contains(HasSubstr("link 'dummy'")));
}

TEST(WrongUrdf, NoLinksAndNoMass) {
  EXPECT_THAT(refused(""), HasSubstr("r.urdf:1: the robot has no links"));
  EXPECT_THAT(refused("<link name='a'/>"), HasSubstr("no link has mass"));
}

TEST(WrongUrdf, MissingInertia) {
  EXPECT_THAT(refused("<link name='a'><inertial><mass value='1'/></inertial></link>"),
              HasSubstr("r.urdf:2: the <inertial> of link 'a' has no <inertia>"));
  EXPECT_THAT(
      refused("<link name='a'><inertial><mass value='1'/>\n<inertia ixx='1' iyy='1' izz='1'/></inertial></link>"),
      HasSubstr("r.urdf:3: <inertia> has no ixy"));
}

TEST(WrongUrdf, MassesThatAreNone) {
  const auto with_mass = [](const std::string& mass) {
    return "<link name='a'><inertial><mass value='" + mass +
           "'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>";
  };
  EXPECT_THAT(refused(with_mass("-2")), HasSubstr("r.urdf:2: the mass of link 'a' is -2"));
  EXPECT_THAT(refused(with_mass("heavy")), HasSubstr("r.urdf:2: <mass value>: 'heavy' is not a number"));
  EXPECT_THAT(refused(with_mass("nan")), HasSubstr("is not a number"));
}

TEST(WrongUrdf, UnknownParentAndChild) {
  EXPECT_THAT(
      refused("<link name='root'/>" + link("arm") + "\n" + joint("j", "rooot", "arm")),
      HasSubstr("r.urdf:4: joint 'j' names link 'rooot' as its parent, and there is none; did you mean 'root'?"));
  EXPECT_THAT(refused("<link name='root'/>" + joint("j", "root", "nothing")), HasSubstr("as its child"));
  EXPECT_THAT(refused("<link name='root'/>\n<joint name='j' type='fixed'><child link='root'/></joint>"),
              HasSubstr("r.urdf:3: joint 'j' has no <parent>"));
}

TEST(WrongUrdf, WhatIsNoTree) {
  EXPECT_THAT(refused(link("a") + link("b") + link("c") + joint("j", "a", "c") + joint("k", "b", "c")),
              HasSubstr("link 'c' is the child of two joints, 'j' and 'k'; keep one here, and close the loop by"));
  EXPECT_THAT(refused(link("a") + link("b")), HasSubstr("neither link 'a' nor link 'b'"));
  EXPECT_THAT(refused(link("r") + link("a") + link("b") + joint("j", "a", "b") + joint("k", "b", "a")),
              HasSubstr("in a circle"));
}

TEST(WrongUrdf, JointsThatCannotBe) {
  EXPECT_THAT(refused(link("a") + link("b") + joint("j", "a", "b", "", "revolut")),
              HasSubstr("'revolut' is not known; did you mean 'revolute'?"));
  EXPECT_THAT(refused(link("a") + link("b") + joint("j", "a", "b", "<axis xyz='0 0 0'/>")),
              HasSubstr("r.urdf:4: the axis of joint 'j' has no direction"));
}

TEST(WrongUrdf, MimicOfNothingOfItselfOrOfWhatCannotMove) {
  EXPECT_THAT(refused(link("a") + link("b") + joint("j", "a", "b", "<mimic joint='k'/>")),
              HasSubstr("r.urdf:4: joint 'j' names joint 'k' as its mimic"));
  EXPECT_THAT(refused(link("a") + link("b") + joint("j", "a", "b", "<mimic joint='j'/>")), HasSubstr("mimics itself"));
  EXPECT_THAT(refused(link("a") + link("b") + link("c") + joint("j", "a", "b", "", "fixed") +
                      joint("k", "b", "c", "<mimic joint='j'/>")),
              HasSubstr("'j' has no single coordinate"));
}

TEST(WrongUrdf, NamesThatAreTheSame) {
  EXPECT_THAT(refused(link("a") + link("a")), HasSubstr("r.urdf:3: there are two links 'a'"));
}

TEST(WrongUrdf, FormatsThatAreKnownAndCannotBeRead) {
  EXPECT_THAT(refusal("#usda 1.0", "r.usda"), HasSubstr("USD cannot be read; export the robot as URDF, MJCF or SDF"));
  EXPECT_THAT(refusal("<robot/>", "r.xacro"), HasSubstr("run 'xacro FILE > robot.urdf'"));
}

/// A point at (1, 0, 0) that a hinge about z moves along y, and a second one about an axis of the x-z plane as well:
/// both together could leave it where it is.
std::string two_hinges(const std::string& second_axis) {
  return "<robot name='r'><link name='base'/><link name='a'/><link name='b'><inertial><origin xyz='1 0 0'/>"
         "<mass value='2'/><inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'/></inertial></link>"
         "<joint name='j' type='continuous'><parent link='base'/><child link='a'/><axis xyz='0 0 1'/></joint>"
         "<joint name='k' type='continuous'><parent link='a'/><child link='b'/><axis xyz='" +
         second_axis + "'/></joint></robot>";
}

TEST(Urdf, PointsThatLeaveAJointWithoutInertiaBecomeBalls) {
  const Imported collinear = import_robot(two_hinges("0.6 0 0.8"), "r.urdf");
  // 2 kg of water: a radius of (3 · 0.002 / 4π)^(1/3) m, and 2/5 m r² about the middle.
  const double expected = 0.4 * 2 * std::pow(3 * 0.002 / (4 * M_PI), 2.0 / 3);
  for (const double moment : numbers_at(collinear.tree, {"bodies", "b", "inertia"}))
    EXPECT_NEAR(moment, expected, 1e-15);
  EXPECT_THAT(collinear.notes, testing::Contains(testing::HasSubstr("a ball as heavy as water")));
  const Imported apart = import_robot(two_hinges("0 1 0"), "r.urdf");
  for (const double moment : numbers_at(apart.tree, {"bodies", "b", "inertia"})) EXPECT_EQ(moment, 0);
}

}  // namespace
}  // namespace taut::robot
