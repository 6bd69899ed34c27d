#include <gmock/gmock.h>

#include <numbers>

#include "robots.hpp"

namespace taut::robot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string sdf(const std::string& content) { return "<sdf version='1.9'>\n" + content + "\n</sdf>\n"; }
std::string model(const std::string& content, const std::string& name = "m") {
  return "<model name='" + name + "'>" + content + "</model>";
}
std::string link(const std::string& name, const std::string& more = "") {
  return "<link name='" + name + "'>" + more +
         "<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>\n";
}
std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& more = "", const std::string& type = "revolute") {
  return "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" + child + "</child>" +
         more + "</joint>\n";
}
yaml::Node tree(const std::string& content) { return import_robot(sdf(model(content)), "r.sdf").tree; }
std::string refused(const std::string& content) { return refusal(sdf(model(content)), "r.sdf"); }

void expect_near(const std::vector<double>& values, const std::vector<double>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(values[k], expected[k], 1e-15) << k;
}

TEST(Sdf, LinksStandWhereTheirPosesPutThem) {
  const yaml::Node m =
      tree("<pose>0 0 1 0 0 0</pose>" + link("a", "<pose>1 0 0 0 0 1.5707963267948966</pose>") +
           link("b", "<pose relative_to='a'>1 0 0 0 0 0</pose>") +
           "<frame name='f' attached_to='b'><pose>0 0 2 0 0 0</pose></frame>" + link("c", "<pose relative_to='f'/>"));
  EXPECT_THAT(numbers_at(m, {"bodies", "a", "position"}), ElementsAre(1, 0, 1));
  expect_near(numbers_at(m, {"bodies", "b", "position"}), {1, 1, 1});
  expect_near(numbers_at(m, {"bodies", "c", "position"}), {1, 1, 3});
}

TEST(Sdf, JointsStandInTheirChildUnlessTheySayOtherwise) {
  const yaml::Node m = tree(
      link("a") + link("b", "<pose>0 0 1 1.5707963267948966 0 0</pose>") +
      joint("j", "a", "b", "<pose>1 0 0 0 0 0</pose><axis><xyz>0 1 0</xyz></axis>") +
      joint("k", "world", "a",
            "<axis><xyz expressed_in='b'>0 1 0</xyz><dynamics><damping>0.5</damping>"
            "<friction>0.2</friction><spring_stiffness>3</spring_stiffness><spring_reference>0.1</spring_reference>"
            "</dynamics></axis>",
            "prismatic"));
  expect_near(numbers_at(m, {"joints", "j", "at"}), {1, 0, 1});
  expect_near(numbers_at(m, {"joints", "j", "axis"}), {0, 0, 1});
  expect_near(numbers_at(m, {"joints", "k", "axis"}), {0, 0, 1});
  EXPECT_EQ(text_at(m, {"joints", "k", "type"}), "prismatic");
  EXPECT_EQ(text_at(m, {"joints", "k", "friction", "force"}), "0.2");
  EXPECT_EQ(text_at(m, {"forces", "k_spring", "travel"}), "0.1");
  EXPECT_EQ(text_at(m, {"forces", "k_spring", "damping"}), "0.5");
}

TEST(Sdf, AJointWhoseChildHasAParentClosesALoop) {
  const yaml::Node m = tree(link("a") + link("b") + link("c") + joint("j", "world", "a") + joint("k", "a", "b") +
                            joint("l", "b", "c") + joint("n", "world", "c", "", "ball"));
  EXPECT_EQ(at(m, {"joints"}).keys.size(), 4u);
  EXPECT_EQ(text_at(m, {"joints", "n", "type"}), "spherical");
}

TEST(Sdf, TwoAxesTurnOneAfterTheOther) {
  const yaml::Node m =
      tree(link("a") +
           joint("u", "world", "a", "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>", "universal"));
  EXPECT_EQ(text_at(m, {"bodies", "u_between", "mass"}), "0");
  EXPECT_THAT(numbers_at(m, {"joints", "u", "axis"}), ElementsAre(1, 0, 0));
  EXPECT_THAT(numbers_at(m, {"joints", "u_2", "axis"}), ElementsAre(0, 1, 0));
  EXPECT_EQ(text_at(m, {"joints", "u_2", "bodies", "1"}), "a");
}

TEST(Sdf, GearboxesAndMimicsAreGears) {
  const std::string hinges =
      link("a") + link("b") + joint("j", "world", "a") + joint("k", "world", "b", "<axis><xyz>0 0 -1</xyz></axis>");
  const yaml::Node box = tree(hinges + joint("g", "a", "b",
                                             "<gearbox_ratio>0.25</gearbox_ratio><gearbox_reference_body>world"
                                             "</gearbox_reference_body><axis/><axis2/>",
                                             "gearbox"));
  EXPECT_EQ(text_at(box, {"joints", "g", "joints", "0"}), "j");
  EXPECT_EQ(text_at(box, {"joints", "g", "ratio"}), "0.25");  // -0.25 about z, and k turns about -z
  const yaml::Node mimic = tree(link("a") + link("b") + joint("j", "world", "a") +
                                joint("k", "world", "b",
                                      "<axis><mimic joint='j'><multiplier>2</multiplier><offset>1</offset>"
                                      "<reference>0.5</reference></mimic></axis>"));
  EXPECT_EQ(text_at(mimic, {"joints", "k_mimic", "ratio"}), "2");
  EXPECT_EQ(at(mimic, {"joints", "k_mimic"}).find("offset"), nullptr);  // 1 - 2·0.5
}

TEST(Sdf, ScrewsOfBothWords) {
  const auto pitch = [](const std::string& word) {
    return std::stod(text_at(tree(link("a") + joint("s", "world", "a", word, "screw")), {"joints", "s", "pitch"}));
  };
  EXPECT_EQ(pitch("<screw_thread_pitch>0.01</screw_thread_pitch>"), 0.01);
  EXPECT_NEAR(pitch("<thread_pitch>-628.3185307179587</thread_pitch>"), 0.01, 1e-16);
}

TEST(Sdf, ModelsStandInOneAnotherAndMayStandStill) {
  const yaml::Node m = import_robot(sdf("<world name='w'><gravity>0 0 -5</gravity>" +
                                        model(link("a") + model("<pose>0 1 0 0 0 0</pose>" + link("a"), "inner")) +
                                        model("<static>true</static>" + link("wall"), "hall") + "</world>"),
                                    "r.sdf")
                           .tree;
  EXPECT_THAT(numbers_at(m, {"gravity"}), ElementsAre(0, 0, -5));
  EXPECT_THAT(numbers_at(m, {"bodies", "m__inner__a", "position"}), ElementsAre(0, 1, 0));
  EXPECT_EQ(at(m, {"bodies"}).keys.size(), 2u);
}

TEST(Sdf, ALinkMayFeelNoGravity) {
  const yaml::Node m = tree(link("a", "<gravity>false</gravity>"));
  EXPECT_THAT(numbers_at(m, {"forces", "a_lift", "value"}), ElementsAre(0, 0, testing::DoubleEq(19.6)));
}

TEST(Sdf, AFrameStandsForTheLinkThatItIsAttachedTo) {
  const yaml::Node m = tree(link("a") + link("b", "<pose>0 0 1 0 0 0</pose>") +
                            "<frame name='f' attached_to='b'><pose>0 0 1 0 0 0</pose></frame>"
                            "<frame name='g' attached_to='f'/>" +
                            joint("j", "a", "g"));
  EXPECT_EQ(text_at(m, {"joints", "j", "bodies", "1"}), "b");
  EXPECT_THAT(numbers_at(m, {"joints", "j", "at"}), ElementsAre(0, 0, 2));  // in the frame that it names
}

TEST(Sdf, AModelMayBePlacedByOneOfItsFrames) {
  const std::string inner = "<model name='inner' placement_frame='hook'><pose>5 0 0 0 0 0</pose>" +
                            link("b", "<pose>1 0 0 0 0 0</pose>") +
                            "<frame name='hook' attached_to='b'><pose>0 0 2 0 0 0</pose></frame></model>";
  const yaml::Node m = tree(link("a") + inner);
  expect_near(numbers_at(m, {"bodies", "inner__b", "position"}), {5, 0, -2});
}

TEST(Sdf, AxesOfOldFilesAreThoseOfTheModel) {
  const auto axis = [](const char* version) {
    return numbers_at(import_robot(std::string("<sdf version='") + version + "'>" +
                                       model(link("a", "<pose>0 0 0 1.5707963267948966 0 0</pose>") +
                                             joint("j", "world", "a", "<axis><xyz>0 1 0</xyz></axis>")) +
                                       "</sdf>",
                                   "r.sdf")
                          .tree,
                      {"joints", "j", "axis"});
  };
  expect_near(axis("1.4"), {0, 1, 0});
  expect_near(axis("1.6"), {0, 0, 1});
}

TEST(Sdf, AJointMayStartElsewhere) {
  const yaml::Node m =
      tree(link("a") + joint("j", "world", "a", "<axis><initial_position>0.3</initial_position></axis>"));
  EXPECT_EQ(text_at(m, {"joints", "j", "angle"}), "0.3");
}

TEST(WrongSdf, WhatWouldActAndCannotIsNotPassedOver) {
  EXPECT_THAT(refused("<link name='a'><inertial auto='true'/></link>"), HasSubstr("would come from what collides"));
  EXPECT_THAT(refused(link("a", "<velocity_decay><linear>0.1</linear></velocity_decay>")),
              HasSubstr("decays by itself"));
}

TEST(WrongSdf, NamesAndFramesThatAreNot) {
  EXPECT_THAT(refused(link("arm") + joint("j", "amr", "arm")),
              HasSubstr("r.sdf:3: there is no link, joint, frame or model 'amr'; did you mean 'arm'?"));
  EXPECT_THAT(refused(link("a", "<pose relative_to='x'>0 0 0 0 0 0</pose>")), HasSubstr("there is no such frame"));
  EXPECT_THAT(refused(link("a", "<pose relative_to='b'/>") + link("b", "<pose relative_to='a'/>")),
              HasSubstr("is given in itself"));
  EXPECT_THAT(refused(link("a") + link("a")), HasSubstr("r.sdf:3: there are two things called 'm::a'"));
  EXPECT_THAT(refused(link("a", "<pose>0 0 0</pose>")), HasSubstr("<pose>: 3 are given; give 6 numbers"));
  EXPECT_THAT(refused(link("a") + joint("j", "world", "a", "", "hinge")), HasSubstr("'hinge' is not known"));
}

}  // namespace
}  // namespace taut::robot
