#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "output/json.hpp"
#include "output/text.hpp"
#include "taut/simulation.hpp"

/// What `taut check` tells of a mechanism, and which bodies cannot be.
namespace taut {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSubsetOf;
using testing::UnorderedElementsAre;

Check check_text(const std::string& text) { return check(read_model(text, "test.yaml")); }

/// Four hinges with parallel axes: in space each takes five freedoms, 3·6 − 4·5 = −2, and it moves all the same.
std::string four_bar(const std::string& prefix, double y) {
  const auto at = [&](double x, double z) {
    return "[" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + "]";
  };
  const std::string p = prefix;
  return "  " + p + "A: {type: revolute, bodies: [ground, " + p + "crank], at: " + at(0, 0) + ", axis: [0, 1, 0]}\n" +
         "  " + p + "B: {type: revolute, bodies: [" + p + "crank, " + p + "rod], at: " + at(0.2, 1) +
         ", axis: [0, 1, 0]}\n" + "  " + p + "C: {type: revolute, bodies: [" + p + "rod, " + p +
         "rocker], at: " + at(2, 1.5) + ", axis: [0, 1, 0]}\n" + "  " + p + "D: {type: revolute, bodies: [ground, " +
         p + "rocker], at: " + at(2.2, 0) + ", axis: [0, 1, 0]}\n";
}

std::string bars(const std::string& p, double y) {
  const std::string rest = std::to_string(y);
  return "  " + p + "crank: {mass: 1, inertia: [0.1, 0.1, 0.01], position: [0.1, " + rest + ", 0.5]}\n" + "  " + p +
         "rod: {mass: 2, inertia: [0.1, 0.4, 0.4], position: [1.1, " + rest + ", 1.2]}\n" + "  " + p +
         "rocker: {mass: 1, inertia: [0.2, 0.2, 0.01], position: [2.1, " + rest + ", 0.7]}\n";
}

TEST(MechanismCheck, CountsMobilityAgainstTheRank) {
  const Check c = check_text("bodies:\n" + bars("", 0) + "joints:\n" + four_bar("", 0));
  EXPECT_EQ(c.bodies, 3);
  EXPECT_EQ(c.joints, 4);
  EXPECT_EQ(c.mobility, -2);
  EXPECT_EQ(c.degrees_of_freedom, 1);
  ASSERT_EQ(c.loops.size(), 1U);
  EXPECT_THAT(c.loops[0], ElementsAre("A", "B", "C", "D"));
  EXPECT_EQ(c.dependent.size(), 3U);
  EXPECT_FALSE(c.dependent_joints.empty());
  EXPECT_THAT(c.remarks, IsEmpty());
}

TEST(MechanismCheck, TellsLoopsApart) {
  const Check c =
      check_text("bodies:\n" + bars("p", 0) + bars("q", 3) + "joints:\n" + four_bar("p", 0) + four_bar("q", 3));
  EXPECT_EQ(c.mobility, -4);
  EXPECT_EQ(c.degrees_of_freedom, 2);
  EXPECT_THAT(c.loops, UnorderedElementsAre(ElementsAre("pA", "pB", "pC", "pD"), ElementsAre("qA", "qB", "qC", "qD")));
}

/// Two hinges of a door on one axis ask for the same; the hinge of its knocker has no part in it.
TEST(MechanismCheck, LeavesOutJointsThatAreNotRedundant) {
  const Check c = check_text(R"(
bodies:
  door: {mass: 20, inertia: [8, 6, 2], position: [0.5, 0, 1]}
  knocker: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.8, -0.1, 0.9]}
joints:
  low: {type: revolute, bodies: [ground, door], at: [0, 0, 0.2], axis: [0, 0, 1]}
  high: {type: revolute, bodies: [ground, door], at: [0, 0, 1.8], axis: [0, 0, 1]}
  ring: {type: revolute, bodies: [door, knocker], at: [0.8, -0.1, 1.1], axis: [1, 0, 0]}
)");
  EXPECT_EQ(c.mobility, 12 - 15);
  EXPECT_EQ(c.degrees_of_freedom, 2);
  EXPECT_THAT(c.loops, ElementsAre(ElementsAre("low", "high")));
  EXPECT_THAT(c.dependent_joints, IsSubsetOf({"low", "high"}));
  EXPECT_FALSE(c.dependent_joints.empty());
}

TEST(MechanismCheck, HasNothingToSayOfATree) {
  const Check c = check_text(R"(
bodies: {bob: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}}
joints: {pivot: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}}
)");
  EXPECT_EQ(c.mobility, 1);
  EXPECT_EQ(c.degrees_of_freedom, 1);
  EXPECT_THAT(c.loops, IsEmpty());
  EXPECT_THAT(c.dependent_joints, IsEmpty());
  EXPECT_THAT(c.remarks, IsEmpty());
}

TEST(MechanismCheck, StandsInTextAndJson) {
  const Check c = check_text("bodies:\n" + bars("", 0) + "joints:\n" + four_bar("", 0));
  const std::string text = to_text(c, Colour::off);
  EXPECT_THAT(text, HasSubstr("3 bodies, 4 joints"));
  EXPECT_THAT(text, HasSubstr("-2 by counting, 1 in fact: 3 constraints are redundant"));
  EXPECT_THAT(text, HasSubstr("A, B, C, D are over-constrained together"));
  const auto json = nlohmann::json::parse(to_json(c));
  EXPECT_EQ(json["mobility"], -2);
  EXPECT_EQ(json["loops"][0].size(), 4U);
  EXPECT_EQ(json["bodies"], 3);
}

TEST(MechanismCheck, RemarksOnWhatLooksOdd) {
  const auto remark = [](const std::string& body) {
    const Check c = check_text("bodies:\n  b: {" + body + "}\njoints:\n  weld: {type: fixed, bodies: [ground, b]}\n");
    return c.remarks.size() == 1 ? c.remarks[0] : std::to_string(c.remarks.size()) + " remarks";
  };
  EXPECT_THAT(remark("inertia: [1, 1, 1]"), HasSubstr("has inertia but no mass"));
  EXPECT_THAT(remark("mass: 1, inertia: [0, 0.0833, 0.08333]"), HasSubstr("miss the triangle inequality"));
  EXPECT_THAT(remark("mass: 0.001, inertia: [1e5, 1e5, 1e5]"), HasSubstr("radius of gyration"));
  EXPECT_EQ(remark("mass: 1, inertia: [0.1, 0.1, 0.2]"), "0 remarks") << "a flat disk is no wonder";
}

TEST(MechanismCheck, SaysWhichBodyLacksInertia) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      check_text(text);
    } catch (const InputError& error) {
      return error.remedy();
    }
    return "none";
  };
  EXPECT_THAT(refusal("bodies: {a: {mass: 1, planar: true}}\n"), HasSubstr("give body 'a' a moment of inertia"));
  EXPECT_THAT(refusal("bodies: {a: {mass: 1}}\njoints: {n: {type: spherical, bodies: [ground, a], at: [1, 0, 0]}}\n"),
              HasSubstr("give body 'a' a moment of inertia"));
  EXPECT_THAT(refusal("bodies: {a: {inertia: [0, 0, 1], planar: true}}\n"), HasSubstr("give body 'a' a mass"));
  // A point mass on a hinge turns with it.
  EXPECT_EQ(refusal("bodies: {a: {mass: 1, planar: true}}\n"
                    "joints: {n: {type: revolute, bodies: [ground, a], at: [1, 0, 0], axis: [0, 0, 1]}}\n"),
            "none");
}

/// A motor on a weld: its row asks for what the weld asks for already.
TEST(MechanismCheck, CountsMotorsAmongTheJoints) {
  const Check c = check_text(R"(
bodies: {bob: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}}
joints:
  pivot: {type: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0], velocity: 0}
  prop: {type: distance, bodies: [ground, bob], points: [[1, 0, 1], [1, 0, 0]]}
)");
  EXPECT_EQ(c.mobility, -1);
  EXPECT_EQ(c.degrees_of_freedom, 0);
  EXPECT_THAT(c.loops, ElementsAre(ElementsAre("pivot", "prop")));
}

/// The principal moments decide, however the axes lie: a tensor turned by 30° about z has the same.
TEST(ImpossibleBodies, AreToldByTheirPrincipalMoments) {
  const auto turned = [](double a, double b, double c) {
    const double cos2 = 0.75, sin2 = 0.25, mixed = std::sqrt(cos2 * sin2);
    BodyDescription body;
    body.name = "b";
    body.mass = 1;
    body.inertia = {a * cos2 + b * sin2, a * sin2 + b * cos2, c, (a - b) * mixed, 0, 0};
    return body;
  };
  Model model;
  EXPECT_THROW(add_body(model, turned(1, 3, 1.9)), InputError);
  EXPECT_THROW(add_body(model, turned(-1, 3, 3)), InputError);
  EXPECT_NO_THROW(add_body(model, turned(1, 3, 2)));
}

TEST(ImpossibleBodies, HaveNegativeMassOrNone) {
  Model model;
  BodyDescription body;
  body.name = "b";
  body.mass = -1;
  EXPECT_THROW(add_body(model, body), InputError);
  body.mass = std::nan("");
  EXPECT_THROW(add_body(model, body), InputError);
}

TEST(ImpossibleBodies, MayBeMassesThatOneCanVary) {
  const Model model = read_model("parameters: {m: 1}\nbodies: {b: {mass: m, inertia: [m, m, m]}}\n", "test.yaml");
  EXPECT_FALSE(model.parameters[0].structural) << "looking at a mass must not freeze it";
}

TEST(Quaternions, NearUnitLengthAreNormalised) {
  const Model model =
      read_model("bodies: {b: {mass: 1, inertia: [1, 1, 1], orientation: [0.7071, 0, 0, 0.7071]}}\n", "test.yaml");
  const InitialValues values = initial_values(model);
  EXPECT_NEAR(values.coordinates[3], std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(values.coordinates[6], std::sqrt(0.5), 1e-15);
}

TEST(Massless, BodiesAreFineWhereOthersCarryThem) {
  const Check c = check_text(R"(
bodies:
  frame: {position: [0, 0, 0]}
  disk: {mass: 1, inertia: [0.1, 0.1, 0.2]}
joints:
  outer: {type: revolute, bodies: [ground, frame], at: [0, 0, 0], axis: [1, 0, 0]}
  inner: {type: revolute, bodies: [frame, disk], at: [0, 0, 0], axis: [0, 1, 0]}
)");
  EXPECT_EQ(c.degrees_of_freedom, 2);
}

}  // namespace
}  // namespace taut
