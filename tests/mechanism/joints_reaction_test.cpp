// The reaction of every joint is what the laws of Newton and Euler ask for, body by body.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "mechanism/joints.hpp"

namespace taut {
namespace {

using Eigen::Vector3d;
using testing::Motion;
using testing::newton_euler;
using testing::reaction_of;
using testing::reaction_outputs;
using testing::Solid;
using testing::state_outputs;
using testing::Wrench;

constexpr double close = 1e-6;  // what reactions are held to
const Vector3d gravity(0.7, -1.3, -9.81);

struct Kind {
  const char* type;
  const char* more;  ///< what is said of it beside its type and bodies
  Vector3d at;       ///< where its reaction acts, at the start
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.type; }

std::string name_of(const ::testing::TestParamInfo<Kind>& info) {
  std::string name = info.param.type;
  std::erase(name, '-');
  return name;
}

const Kind kinds[] = {
    {"revolute", "at: [0.2, 0.1, -0.3], axis: [1, 2, -1]", {0.2, 0.1, -0.3}},
    {"prismatic", "at: [0.2, 0.1, -0.3], axis: [1, 2, -1]", {0.2, 0.1, -0.3}},
    {"cylindrical", "at: [0.2, 0.1, -0.3], axis: [1, 2, -1]", {0.2, 0.1, -0.3}},
    {"spherical", "at: [0.2, 0.1, -0.3]", {0.2, 0.1, -0.3}},
    {"universal", "at: [0.2, 0.1, -0.3], axes: [[1, 2, -1], [1, 0, 1]]", {0.2, 0.1, -0.3}},
    {"planar", "at: [0.2, 0.1, -0.3], normal: [1, 2, -1]", {0.2, 0.1, -0.3}},
    {"fixed", "at: [0.2, 0.1, -0.3]", {0.2, 0.1, -0.3}},
    {"distance", "points: [[-0.5, 0.2, 0.1], [0.8, 0.1, 0.4]]", {0.8, 0.1, 0.4}},
    {"point-on-line", "at: [0.2, 0.1, -0.3], axis: [1, 2, -1]", {0.2, 0.1, -0.3}},
    {"point-on-plane", "at: [0.2, 0.1, -0.3], normal: [1, 2, -1]", {0.2, 0.1, -0.3}},
    {"screw", "at: [0.2, 0.1, -0.3], axis: [1, 2, -1], pitch: 0.7", {0.2, 0.1, -0.3}},
    {"parallel", "axis: [1, 2, -1]", {0, 0, 0}},
    {"perpendicular", "axes: [[1, 2, -1], [1, 0, 1]]", {0, 0, 0}},
    {"constant-velocity", "at: [0.2, 0.1, -0.3], axes: [[1, 2, -1], [1, 1, -1]]", {0.2, 0.1, -0.3}},
};

Eigen::Matrix3d inertia_of(const std::array<double, 6>& J) {
  Eigen::Matrix3d matrix;
  matrix << J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2];
  return matrix;
}

const std::array<double, 6> first_inertia{0.4, 0.5, 0.6, 0.03, -0.05, 0.02},
    second_inertia{0.3, 0.2, 0.4, -0.02, 0.04, 0.01};
const Solid first{"a", 2, inertia_of(first_inertia), {-0.4, 0.3, 0.2}};
const Solid second{"b", 3, inertia_of(second_inertia), {0.9, -0.2, 0.3}};

std::string body(const Solid& solid, const std::array<double, 6>& J, const char* more) {
  return fmt::format("  {}: {{mass: {}, inertia: [{}], position: [{}, {}, {}]{}}}\n", solid.name, solid.mass,
                     fmt::join(J, ", "), solid.position.x(), solid.position.y(), solid.position.z(), more);
}

/// The second body moves already, so that every term counts; assembling makes that suit the joint.
std::string spatial_second() {
  return body(second, second_inertia, ", velocity: [0.5, 1, -0.3], angular_velocity: [1.5, -2, 2.5]");
}

std::string text(const std::string& bodies, const std::string& joints, const std::string& outputs) {
  return "gravity: [0.7, -1.3, -9.81]\nbodies:\n" + bodies + "joints:\n" + joints + "outputs:\n" + outputs;
}

std::string joint(const Kind& kind, const char* bodies) {
  return fmt::format("  j: {{type: {}, bodies: {}, {}}}\n", kind.type, bodies, kind.more);
}

void expect_same(const Wrench& found, const Wrench& expected) {
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(found.force[k], expected.force[k], close) << "force " << k;
    EXPECT_NEAR(found.torque[k], expected.torque[k], close) << "torque " << k;
  }
}

class Reactions : public ::testing::TestWithParam<Kind> {};

TEST_P(Reactions, HoldABodyOnTheGround) {
  const Kind& kind = GetParam();
  const Motion motion(text(spatial_second(), joint(kind, "[ground, b]"), state_outputs("b") + reaction_outputs("j")),
                      0.6);
  expect_same(reaction_of(motion, "j"), newton_euler(motion, second, gravity, kind.at));
}

TEST_P(Reactions, ActBetweenTwoBodiesThatMove) {
  const Kind& kind = GetParam();
  const Motion motion(
      text(body(first, first_inertia, ", velocity: [-0.2, 0.4, 1], angular_velocity: [-1, 0.5, 2]") + spatial_second(),
           joint(kind, "[a, b]"), state_outputs("a") + state_outputs("b") + reaction_outputs("j")),
      0.6);
  const Wrench on_second = newton_euler(motion, second, gravity, kind.at);
  expect_same(reaction_of(motion, "j"), on_second);
  // The first body gets the opposite, about the same point of space: balance both about the first's centre of mass.
  const Wrench on_first = newton_euler(motion, first, gravity, first.position);
  const auto centre = [&](const std::string& name) { return motion.vector(name + "_x", name + "_y", name + "_z"); };
  const Wrench about_second = newton_euler(motion, second, gravity, second.position);
  expect_same(on_first,
              {-about_second.force, -about_second.torque - (centre("b") - centre("a")).cross(about_second.force)});
}

INSTANTIATE_TEST_SUITE_P(Joints, Reactions, ::testing::ValuesIn(kinds), name_of);

TEST(Reaction, IsThatOnTheGroundWhereTheGroundComesSecond) {
  const Kind& revolute = kinds[0];
  const Motion motion(
      text(spatial_second(), joint(revolute, "[b, ground]"), state_outputs("b") + reaction_outputs("j")), 0.6);
  const Wrench on_body = newton_euler(motion, second, gravity, revolute.at);
  expect_same(reaction_of(motion, "j"), {-on_body.force, -on_body.torque});
}

TEST(Reaction, OfASpatialBodyOnAPlanarOneHasAllSixComponents) {
  const std::string planar =
      "  a: {mass: 2, inertia: [0, 0, 0.5], position: [0, 1, 0], planar: true, angular_velocity: [0, 0, 2]}\n";
  for (const bool spatial_first : {false, true}) {
    const Motion motion(text(planar + spatial_second(), joint(kinds[0], spatial_first ? "[b, a]" : "[a, b]"),
                             state_outputs("b") + reaction_outputs("j")),
                        0.6);
    const Wrench on_body = newton_euler(motion, second, gravity, kinds[0].at);
    const double sign = spatial_first ? -1 : 1;
    expect_same(reaction_of(motion, "j"), {sign * on_body.force, sign * on_body.torque});
  }
}

TEST(Reaction, OfAPlanarPendulumPullsInThePlane) {
  const Motion motion(
      "gravity: [0, -9.81, 0]\nbodies:\n  b: {mass: 2, inertia: [0, 0, 0.5], position: [1, 0, 0], planar: true}\n"
      "joints:\n  j: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "outputs:\n" +
          state_outputs("b") + reaction_outputs("j"),
      0.6);
  const Solid b{"b", 2, Vector3d(0, 0, 0.5).asDiagonal(), {1, 0, 0}};
  expect_same(reaction_of(motion, "j"), newton_euler(motion, b, {0, -9.81, 0}, {0, 0, 0}));
}

TEST(Reaction, OfAGearIsWhatItsBearingDoesNotGive) {
  // On b act the bearing q, at its point, and the gear, a torque about the axis.
  const Motion motion(text(body(first, first_inertia, "") + spatial_second(),
                           "  p: {type: revolute, bodies: [ground, a], at: [-1, 0, 0], axis: [1, 0, 1], torque: 4}\n"
                           "  q: {type: revolute, bodies: [ground, b], at: [1, 0, 0], axis: [0, 1, 2]}\n"
                           "  g: {type: gear, joints: [p, q], ratio: -1.7}\n",
                           state_outputs("b") + state_outputs("a") + reaction_outputs("g") + reaction_outputs("p") +
                               reaction_outputs("q")),
                      0.6);
  const Wrench gear = reaction_of(motion, "g"), bearing = reaction_of(motion, "q");
  expect_same({bearing.force + gear.force, bearing.torque + gear.torque},
              newton_euler(motion, second, gravity, {1, 0, 0}));
  EXPECT_NEAR(gear.force.norm(), 0, close);
  // Without the gear nothing turns b about its axis but gravity: the bearing's torque is square to it.
  const Vector3d axis = Vector3d(0, 1, 2).normalized();
  EXPECT_NEAR(bearing.torque.dot(axis), 0, close);
  EXPECT_NEAR(gear.torque.cross(axis).norm(), 0, close);
  // a gets −ratio times the torque about its own axis, beside the motor's that its bearing hands on.
  const Vector3d first_axis = Vector3d(1, 0, 1).normalized();
  const Wrench on_first = newton_euler(motion, first, gravity, {-1, 0, 0});
  EXPECT_NEAR(reaction_of(motion, "p").torque.dot(first_axis), 4, close);
  EXPECT_NEAR(on_first.torque.dot(first_axis), 4 + 1.7 * gear.torque.dot(axis), close);
}

TEST(Reaction, OfARackIsAForceAlongIt) {
  const Motion motion(text(body(first, first_inertia, "") + spatial_second(),
                           "  p: {type: revolute, bodies: [ground, a], at: [-1, 0, 0], axis: [1, 0, 1], torque: 4}\n"
                           "  q: {type: prismatic, bodies: [ground, b], at: [1, 0, 0], axis: [0, 3, 4]}\n"
                           "  g: {type: rack-pinion, joints: [p, q], radius: 0.3}\n",
                           state_outputs("b") + reaction_outputs("g") + reaction_outputs("q")),
                      0.6);
  const Wrench rack = reaction_of(motion, "g"), guide = reaction_of(motion, "q");
  expect_same({guide.force + rack.force, guide.torque + rack.torque}, newton_euler(motion, second, gravity, {1, 0, 0}));
  const Vector3d axis(0, 0.6, 0.8);
  EXPECT_NEAR(guide.force.dot(axis), 0, close);
  EXPECT_NEAR(rack.force.cross(axis).norm(), 0, close);
}

}  // namespace
}  // namespace taut
