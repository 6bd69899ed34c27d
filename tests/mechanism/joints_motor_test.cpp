// Motors and stops: the effort they take, the motion they make, and joints that cannot be.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analytic/reference.hpp"
#include "mechanism/joints.hpp"

namespace taut {
namespace {

using ::testing::HasSubstr;
using testing::Motion;

constexpr double g = 9.81;

/// A pendulum of inertia J = 0.2 + 2·1² about y, which starts along x: θ about y turns it down.
std::string driven(const std::string& motor, const std::string& bodies = "[ground, b]") {
  return "gravity: [0, 0, -9.81]\nbodies: {b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}}\n"
         "joints: {j: {type: revolute, bodies: " +
         bodies + ", at: [0, 0, 0], axis: [0, 1, 0], " + motor +
         "}}\n"
         "outputs: {angle: j.angle, rate: j.rate, effort: j.effort, ty: j.ty, row: 'lambda(j.motor)'}\n";
}

TEST(Motor, TakesTheEffortThatAPrescribedPositionNeeds) {
  // θ = 3 (1 − cos 2t): J θ'' = m g l cos θ + effort.
  const Motion motion(driven("position: 3*(1 - cos(2*t))"), 2.3);
  const double angle = 3 * (1 - std::cos(4.6)), acceleration = 12 * std::cos(4.6);
  EXPECT_NEAR(motion["angle"], angle, 1e-10);
  EXPECT_NEAR(motion["rate"], 6 * std::sin(4.6), 1e-9);
  EXPECT_NEAR(motion["effort"], 2.2 * acceleration - 2 * g * std::cos(angle), 1e-6);
  EXPECT_EQ(motion["row"], motion["effort"]);
  EXPECT_NEAR(motion["ty"], motion["effort"], 1e-9);  // the pin itself gives no torque about its axis
}

TEST(Motor, TakesTheEffortThatAPrescribedVelocityNeeds) {
  const Motion motion(driven("velocity: 2 + sin(t)"), 2.3);
  const double angle = 2 * 2.3 + 1 - std::cos(2.3);
  EXPECT_NEAR(motion["angle"], angle, 1e-8);
  EXPECT_NEAR(motion["effort"], 2.2 * std::cos(2.3) - 2 * g * std::cos(angle), 1e-6);
}

TEST(Motor, ActsOnTheSecondBodyAlongTheCoordinate) {
  // With the ground second the angle is that of the ground against the body: everything changes its sign.
  const Motion motion(driven("velocity: -(2 + sin(t))", "[b, ground]"), 2.3);
  const double angle = 2 * 2.3 + 1 - std::cos(2.3);
  EXPECT_NEAR(motion["angle"], -angle, 1e-8);
  EXPECT_NEAR(motion["effort"], -(2.2 * std::cos(2.3) - 2 * g * std::cos(angle)), 1e-6);
  EXPECT_NEAR(motion["ty"], motion["effort"], 1e-9);
}

TEST(Motor, GivesATorqueOfAnyName) {
  // A torque that undoes gravity and adds a damped spring: J θ'' = −5 θ − 0.3 θ' + 1.
  const Motion motion(
      "gravity: [0, 0, -9.81]\nparameters: {k: 5}\nbodies: {b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 0, "
      "0]}}\n"
      "joints: {j: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 1, 0], torque: lift + push}}\n"
      "definitions: {lift: -2*9.81*cos(j.angle), push: 1 - k*j.angle - 0.3*j.rate}\n"
      "outputs: {angle: j.angle, effort: j.effort, ty: j.ty, balance: 2.2*b.alpha_y - push}\n",
      3);
  const double J = 2.2, delta = 0.15 / J, w = std::sqrt(5 / J - delta * delta), t = 3;
  const double angle = 0.2 * (1 - std::exp(-delta * t) * (std::cos(w * t) + delta / w * std::sin(w * t)));
  EXPECT_NEAR(motion["angle"], angle, 1e-8);
  EXPECT_NEAR(motion["balance"], 0, 1e-8);
  EXPECT_NEAR(motion["ty"], motion["effort"], 1e-9);
}

TEST(Motor, PushesASlider) {
  for (const char* key : {"force", "torque"}) {
    const Motion motion(
        fmt::format("bodies: {{b: {{mass: 2, inertia: [0.1, 0.2, 0.3]}}}}\n"
                    "joints: {{j: {{type: prismatic, bodies: [ground, b], at: [1, 0, 0], axis: [3, 4, 0], {}: 6*t}}}}\n"
                    "outputs: {{travel: j.travel, fx: j.fx, fy: j.fy}}\n",
                    key),
        2);
    EXPECT_NEAR(motion["travel"], 4, 1e-9);  // ½ t³
    EXPECT_NEAR(motion["fx"], 0.6 * 12, 1e-9);
    EXPECT_NEAR(motion["fy"], 0.8 * 12, 1e-9);
  }
}

TEST(Motor, TurnsAScrewByItsAngle) {
  const Motion motion(
      "bodies: {b: {mass: 2, inertia: [0.1, 0.2, 0.3]}}\n"
      "joints: {j: {type: screw, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], pitch: 0.5, position: "
      "4*pi*t^2}}\n"
      "outputs: {travel: j.travel, effort: j.effort, fz: j.fz, tz: j.tz}\n",
      2);
  // s = t², s'' = 2: the force along the axis is 4; the motor gives J θ'' plus what the thread takes, F p/2π.
  EXPECT_NEAR(motion["travel"], 4, 1e-9);
  EXPECT_NEAR(motion["fz"], 4, 1e-7);
  EXPECT_NEAR(motion["tz"], 0.3 * 8 * M_PI, 1e-7);
  EXPECT_NEAR(motion["effort"], 0.3 * 8 * M_PI + 4 * 0.5 / (2 * M_PI), 1e-7);
}

TEST(Motor, MayFollowAnotherJoint) {
  const Motion motion(
      "gravity: [0, 0, -9.81]\nbodies:\n  a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}\n"
      "  b: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 3, 0]}\n"
      "joints:\n  p: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}\n"
      "  q: {type: revolute, bodies: [ground, b], at: [0, 3, 0], axis: [0, 1, 0], position: -2*p.angle}\n"
      "outputs: {p: p.angle, q: q.angle}\n",
      2);
  EXPECT_NEAR(motion["q"], -2 * motion["p"], 1e-10);
  // The same as a gear: (1 + 0.2 + 4·0.2) θ'' = 9.81 cos θ.
  const Motion independent("coordinates: {th: 0}\nkinetic_energy: th'^2\npotential_energy: -9.81*sin(th)\n", 2);
  EXPECT_NEAR(motion["p"], independent["th"], 1e-8);
}

TEST(Motor, CanBeAddedInCpp) {
  Model model;
  const int body = add_body(model, {.name = "b", .mass = 1, .inertia = {1, 2, 3}});
  ASSERT_EQ(body, 1);
  const int joint =
      add_joint(model, {.name = "j", .type = "revolute", .second = "b", .at = Vector3{}, .axis = Vector3{0, 0, 1}});
  add_motor(model, joint, {.drive = Drive::position, .value = model.t() * model.t()});
  add_limits(model, joint, {.upper = 1, .stiffness = 100, .width = 0.1});
  model.output("effort", *model.joints[joint].effort);
  const auto run = simulate(model, testing::tight(2));
  ASSERT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  // θ = 4, θ'' = 2; the stop is 3 deep: 100 (3 − 0.05).
  EXPECT_NEAR(value_of(run.summary.final_outputs, "effort"), 6 + 295, 1e-6);
}

// ---- limits -------------------------------------------------------------------------------------

/// The stop of the tests, written down by cases: stiffness 50, width 0.2, damping 3, ends at −0.5 and 0.7.
long double stop(long double c, long double rate) {
  const auto one_end = [](long double depth) -> std::pair<long double, long double> {
    if (depth <= 0) return {0, 0};
    if (depth >= 0.2L) return {50 * (depth - 0.1L), 3};
    const long double s = depth / 0.2L;
    return {50 * depth * depth / 0.4L, 3 * (3 * s * s - 2 * s * s * s)};
  };
  const auto [up, drag_up] = one_end(c - 0.7L);
  const auto [down, drag_down] = one_end(-0.5L - c);
  return down - up - (drag_up + drag_down) * rate;
}

TEST(Limits, StopASliderAsTheirFormulaSays) {
  const char* const limits = "limits: {lower: -0.5, upper: 0.7, stiffness: 50, width: 0.2, damping: 3}";
  test::IndependentMotion reference(0, 3, 1e-4L, [](long double s, long double v) { return stop(s, v) / 2; });
  const auto expected = static_cast<double>(reference.theta_at(3));
  for (const char* planar : {"false", "true"}) {
    const Motion motion(
        fmt::format("bodies: {{b: {{mass: 2, inertia: [0.1, 0.2, 0.3], velocity: [3, 0, 0], planar: {}}}}}\n"
                    "joints: {{j: {{type: prismatic, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0], {}}}}}\n"
                    "outputs: {{travel: j.travel, fx: j.fx, balance: 2*b.ax - j.fx}}\n",
                    planar, limits),
        3);
    EXPECT_NEAR(motion["travel"], expected, 1e-8);
    EXPECT_NEAR(motion["balance"], 0, 1e-8);
  }
  const Motion wheel(
      fmt::format("bodies: {{b: {{mass: 1, inertia: [1.5, 1.5, 2], angular_velocity: [0, 0, 3]}}}}\n"
                  "joints: {{j: {{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], {}}}}}\n"
                  "outputs: {{angle: j.angle, balance: 2*b.alpha_z - j.tz}}\n",
                  limits),
      3);
  EXPECT_NEAR(wheel["angle"], expected, 1e-8);
  EXPECT_NEAR(wheel["balance"], 0, 1e-8);
}

TEST(Limits, AreInTheReactionWhileTheyHold) {
  const Motion motion(
      "bodies: {b: {mass: 2, inertia: [0.1, 0.2, 0.3], velocity: [3, 0, 0]}}\n"
      "joints: {j: {type: prismatic, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0],\n"
      "             limits: {lower: -0.5, upper: 0.7, stiffness: 50, width: 0.2, damping: 3}}}\n"
      "outputs: {travel: j.travel, rate: j.rate, fx: j.fx, ax: b.ax}\n",
      0.3);
  EXPECT_GT(motion["travel"], 0.8);
  EXPECT_NEAR(motion["fx"], static_cast<double>(stop(motion["travel"], motion["rate"])), 1e-10);
  EXPECT_NEAR(motion["fx"], 2 * motion["ax"], 1e-10);
}

TEST(Limits, WithoutDampingKeepTheEnergy) {
  const Motion motion(
      "bodies: {b: {mass: 2, inertia: [0.1, 0.2, 0.3], velocity: [3, 0, 0]}}\n"
      "joints: {j: {type: prismatic, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0],\n"
      "             limits: {lower: -1, upper: 1, stiffness: 1000, width: 0.05}}}\n",
      5);
  EXPECT_LE(*motion.summary().max_energy_error, 1e-8 * 9);
}

TEST(Limits, AreOnePercentWideByDefaultAndMayHaveOneEnd) {
  const auto force_at = [](const char* limits) {
    return Motion(fmt::format("bodies: {{b: {{mass: 1, inertia: [1, 1, 1]}}}}\n"
                              "joints: {{j: {{type: prismatic, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0], "
                              "position: 3*t, limits: {}}}}}\noutputs: {{effort: j.effort}}\n",
                              limits),
                  1)["effort"];
  };
  EXPECT_NEAR(force_at("{lower: -2, upper: 2, stiffness: 10}"), 10 * (1 - 0.02), 1e-8);
  EXPECT_NEAR(force_at("{upper: 2, stiffness: 10}"), 10 * (1 - 0.01), 1e-8);
  EXPECT_NEAR(force_at("{lower: -2, stiffness: 10}"), 0, 1e-8);
}

// ---- what is refused ----------------------------------------------------------------------------

struct Wrong {
  const char* joint;
  const char* message;
};

TEST(WrongJoint, IsRefusedWithPlaceAndRemedy) {
  const Wrong wrongs[] = {
      {"{type: universal, bodies: [ground, b], at: [0, 0, 0], axes: [[1, 0, 0], [1, 1, 0]]}", "start at 45 degrees"},
      {"{type: perpendicular, bodies: [ground, b], axes: [[1, 0, 0], [1, 0, 0]]}", "start at 0 degrees"},
      {"{type: distance, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]]}", "has no length"},
      {"{type: distance, bodies: [ground, b], points: [[0, 0, 0], [1, 0, 0]], length: 0}", "not above zero"},
      {"{type: distance, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], length: 1}", "start as one"},
      {"{type: distance, bodies: [ground, b]}", "lacks 'points'"},
      {"{type: screw, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], pitch: 0}", "pitch of screw 'j' is zero"},
      {"{type: screw, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}", "lacks 'pitch'"},
      {"{type: gear, joints: [r, r], ratio: 2}", "couples 'r' with itself"},
      {"{type: gear, joints: [r, s], ratio: 0}", "ratio of joint 'j' is 0"},
      {"{type: gear, joints: [r, c], ratio: 2}", "does not have one coordinate"},
      {"{type: gear, joints: [r, nothing], ratio: 2}", "there is no joint 'nothing'"},
      {"{type: rack-pinion, joints: [s, r], radius: 2}", "connects a prismatic with a revolute joint"},
      {"{type: constant-velocity, bodies: [ground, b], at: [0, 0, 0]}", "needs either 'axis' or 'axes'"},
      {"{type: constant-velocity, bodies: [ground, b], at: [0, 0, 0], axes: [[1, 0, 0], [-1, 0, 0]]}",
       "point against each other"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 0]}", "has no direction"},
      {"{type: spherical, bodies: [ground, b], at: [0, 0, 0], torque: 1}", "no single coordinate that a motor"},
      {"{type: cylindrical, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], velocity: 1}", "no single coordinate"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], velocity: 1, torque: 2}", "two motors"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], force: 2}", "a force does not turn it"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], position: j.angle}", "given by itself"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], torque: 2*j.effort}", "given by itself"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], torque: j.fx}", "given by itself"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], velocity: r.fx}", "holds a multiplier"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], position: r.rate}", "holds a speed"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], limits: {lower: -1}}",
       "lack 'stiffness'"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], limits: {stiffness: 1}}", "have no end"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], limits: {lower: 1, stiffness: 1}}",
       "not below zero"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], limits: {upper: 0, stiffness: 1}}",
       "not above zero"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], limits: {upper: 1, stiffness: -1}}",
       "stiffness of the limits"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], limits: {upper: 1, stiffness: 1, width: "
       "0}}",
       "width of the limits"},
      {"{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], limits: {upper: 1, stiffness: 1, "
       "damping: -1}}",
       "damping of the limits"},
      {"{type: spherical, bodies: [ground, b], at: [0, 0, 0], limits: {upper: 1, stiffness: 1}}", "to limit"},
  };
  for (const Wrong& wrong : wrongs) {
    const std::string text =
        "bodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\n  b: {mass: 1, inertia: [1, 1, 1]}\njoints:\n"
        "  r: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
        "  s: {type: prismatic, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}\n"
        "  c: {type: cylindrical, bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 1]}\n  j: " +
        std::string(wrong.joint) + "\n";
    try {
      read_model(text, "wrong.yaml");
      ADD_FAILURE() << "not refused: " << wrong.joint;
    } catch (const InputError& error) {
      EXPECT_THAT(error.message(), HasSubstr(wrong.message)) << wrong.joint;
      EXPECT_EQ(error.place().line, 8) << wrong.joint;
      EXPECT_FALSE(error.remedy().empty()) << wrong.joint;
    }
  }
}

TEST(WrongJoint, InCppLacksWhatItNeeds) {
  Model model;
  add_body(model, {.name = "b", .mass = 1, .inertia = {1, 1, 1}});
  EXPECT_THROW(add_joint(model, {.name = "j", .type = "revolute", .second = "b"}), InputError);
  EXPECT_THROW(add_joint(model, {.name = "j", .type = "universal", .second = "b", .at = Vector3{}}), InputError);
  EXPECT_THROW(add_joint(model, {.name = "j", .type = "gear", .second = "b"}), InputError);
  EXPECT_NO_THROW(add_joint(model, {.name = "j", .type = "spherical", .second = "b", .at = Vector3{}}));
}

}  // namespace
}  // namespace taut
