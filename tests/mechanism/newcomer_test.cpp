// What a newcomer may write, and what must then be said or be so.
#include <gtest/gtest.h>

#include <cmath>

#include "mechanism/text_model.hpp"

namespace taut {
namespace {

using testing::refusal;

/// A disk on a hinge about y, in space.
const std::string hinged = R"(
gravity: [0, 0, -9.81]
bodies:
  b: {mass: 3, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}
joints:
  j: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 1, 0]}
)";

const std::string in_plane = R"(
bodies:
  w: {mass: 1, inertia: [0, 0, 1], planar: true}
joints:
  a: {type: revolute, bodies: [ground, w], at: [0, 0, 0], axis: [0, 0, 1]}
forces:
  s: {type: torsion-spring, joint: a, stiffness: 1}
outputs: {angle: a.angle}
)";

taut::Run run(const std::string& text, Options options, const std::vector<Assignment>& set = {}) {
  options.set = set;
  return simulate(read_model(text, "model.yaml", set), options);
}

/// Two hinged bodies whose angles differ at the start, as a gear with an offset asks for.
TEST(Retraction, AssemblesAGearWithAnOffset) {
  for (const char* const numbers : {"ratio: 1, offset: 1", "ratio: 4, offset: 3", "ratio: -4, offset: 3",
                                    "ratio: 0.25, offset: 2", "ratio: 1, offset: 6"}) {
    const std::string text = std::string(R"(
bodies:
  a: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}
  b: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}
joints:
  ja: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  jb: {type: revolute, bodies: [ground, b], at: [1, 0, 0], axis: [0, 0, 1]}
  g: {type: gear, joints: [ja, jb], )") +
                             numbers + "}\n";
    Options options;
    options.until = 0;
    options.assemble = true;
    const auto done = run(text, options);
    EXPECT_LE(done.summary.max_position_violation.value_or(0), 1e-12) << numbers;
    const auto& q = done.summary.final_coordinates;
    const double by_body = 2 * std::atan2(value_of(q, "b.qz"), value_of(q, "b.qw"));
    EXPECT_NEAR(std::remainder(value_of(q, "jb.angle") - by_body, 2 * M_PI), 0, 1e-12) << numbers;
  }
}

/// With steps so large that a stage leaves the sphere by far, the angle still is where the body is.
TEST(Retraction, SetsAnAngleToWhereTheBodyStands) {
  const std::string text = R"(
bodies:
  a: {mass: 1, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 30, 0]}
joints:
  j: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}
outputs: {turned: j.angle}
)";
  Options options;
  options.until = 1;
  options.step = 0.05;
  options.integrator = Choice{"rk4"};
  options.method = Choice{"udwadia-kalaba"};
  const auto done = run(text, options);
  const auto& q = done.summary.final_coordinates;
  const double by_body = 2 * std::atan2(value_of(q, "a.qy"), value_of(q, "a.qw"));
  EXPECT_NEAR(std::remainder(value_of(q, "j.angle") - by_body, 2 * M_PI), 0, 1e-12);
}

TEST(InitialValues, AQuaternionThatIsNoneIsRefused) {
  EXPECT_NE(refusal(hinged, {{"b.qw(0)", "0.5"}}).find("length"), std::string::npos);
  EXPECT_NE(refusal(hinged, {{"b.qw(0)", "0"}}).find("length"), std::string::npos);
}

TEST(InitialValues, PlanarAnglesOfMoreThanATurnStartAJointAtZero) {
  const auto done = run(in_plane, {.until = 0}, {{"w.angle(0)", "7"}});
  EXPECT_EQ(value_of(done.summary.final_outputs, "angle"), 0);
  EXPECT_EQ(value_of(done.summary.final_coordinates, "w.angle"), 7);
}

TEST(InitialValues, SpeedsGoByBothOfTheirNames) {
  for (const char* const name : {"w.omega_z(0)", "w.angle'(0)"})
    EXPECT_EQ(value_of(run(in_plane, {.until = 0}, {{name, "2"}}).summary.final_rates, "w.angle"), 2) << name;
  const std::string free = "bodies:\n  s: {mass: 1, inertia: [1, 1, 1]}\n";
  for (const char* const name : {"s.vx(0)", "s.x'(0)"})
    EXPECT_EQ(value_of(run(free, {.until = 0}, {{name, "2"}}).summary.final_rates, "s.vx"), 2) << name;
}

TEST(InitialValues, AnAngleOfAJointMovesTheMechanism) {
  const std::string used = hinged + "outputs: {turned: j.angle}\n";
  const auto done = run(used, {.until = 0}, {{"j.angle(0)", "1"}});
  EXPECT_NEAR(value_of(done.summary.final_outputs, "turned"), 1, 1e-12);
}

TEST(Mechanisms, TheGroundDoesNotRoll) {
  const std::string text = R"(
bodies:
  b: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}
joints:
  j: {type: rolling-ball, bodies: [b, ground], radius: 1, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
)";
  EXPECT_NE(refusal(text).find("name the body that moves second"), std::string::npos);
}

TEST(Mechanisms, ForcesOnTheAngleOfAJointMayStandAnywhere) {
  const std::string text = hinged + "forces: {j.angle: 10}\n";
  const auto done = run(text, {.until = 0});
  // About y, positive turns lower the body: (m l² + I) α = m g l + 10.
  EXPECT_NEAR(value_of(done.summary.final_accelerations, "b.alpha_y"), (3 * 9.81 + 10) / 3.1, 1e-12);
}

TEST(Mechanisms, ForcesOnPartsOfAQuaternionAreRefused) {
  EXPECT_NE(refusal(hinged + "forces: {b.qx: 1}\n").find("quaternion"), std::string::npos);
}

TEST(Mechanisms, ANameThatAJointDoesNotGiveIsAnsweredWithThoseItDoes) {
  const std::string message = refusal(hinged + "outputs: {x: j.travel}\n");
  EXPECT_NE(message.find("'j' has angle"), std::string::npos) << message;
}

TEST(Mechanisms, GravityAcrossThePlaneIsNoted) {
  const auto done = run("gravity: [0, 0, -9.81]\n" + in_plane, {.until = 0});
  ASSERT_FALSE(done.summary.notes.empty());
  EXPECT_NE(done.summary.notes[0].find("gravity pulls along z"), std::string::npos);
}

TEST(Mechanisms, AStartFarFromTheConstraintsIsRefusedOrNoted) {
  const std::string text = hinged + "constraints: {lifted: b.z = 0.5}\n";
  EXPECT_THROW(run(text, {.until = 0.1}), InputError);
  bool told = false;
  for (const std::string& note : run(text, {.until = 0.1, .assemble = true}).summary.notes)
    told |= note.find("did not start on its constraints") != note.npos;
  EXPECT_TRUE(told);
  Options plain;
  plain.until = 0.1;
  plain.step = 1e-2;
  plain.method = Choice{"udwadia-kalaba"};
  told = false;
  for (const std::string& note : run(text, plain).summary.notes) told |= note.find("--assemble mends it") != note.npos;
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace taut
