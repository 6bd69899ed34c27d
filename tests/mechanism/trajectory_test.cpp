#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "taut/simulation.hpp"

/// Constraints on points of bodies, on outputs and on the centre of mass, and the effort they take.
namespace taut {
namespace {

using Eigen::Vector2d;

Summary run(const std::string& text, double until, double rtol = 1e-10) {
  return simulate(read_model(text, "test.yaml"), {.until = until, .rtol = rtol, .record = false}).summary;
}

double value(const std::vector<NamedValue>& values, const std::string& name) {
  for (const NamedValue& each : values)
    if (each.name == name) return each.value;
  ADD_FAILURE() << "nothing is named " << name;
  return NAN;
}

// ---- a leg whose foot is led ----------------------------------------------------------------------

constexpr double g = 9.81;
constexpr double m1 = 3, m2 = 2, J1 = 0.07, J2 = 0.05, length = 0.5;

double cross2(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }
Vector2d along(double angle) { return {std::cos(angle), std::sin(angle)}; }
Vector2d across(double angle) { return {-std::sin(angle), std::cos(angle)}; }

/// The foot goes from (0, −0.8) along x = 0.1 (1 − cos 2t), y = −0.8 + 0.05 t².
Vector2d foot(double t) { return {0.1 * (1 - std::cos(2 * t)), -0.8 + 0.05 * t * t}; }
Vector2d foot_velocity(double t) { return {0.2 * std::sin(2 * t), 0.1 * t}; }
Vector2d foot_acceleration(double t) { return {0.4 * std::cos(2 * t), 0.1}; }

/// The force on the foot that this motion takes: the angles by the law of cosines, their rates and accelerations by
/// f = l (e(a) + e(b)) differentiated twice, then Newton and Euler for thigh and shin.
Vector2d effort_by_hand(double t) {
  const Vector2d f = foot(t);
  const double half = std::acos(f.norm() / 2 / length), towards = std::atan2(f.y(), f.x());
  const double a = towards + half, b = towards - half;  // the knee points forward
  Eigen::Matrix2d J;
  J << length * across(a), length * across(b);
  const Vector2d w = J.inverse() * foot_velocity(t);
  const Vector2d centripetal = length * (along(a) * w[0] * w[0] + along(b) * w[1] * w[1]);
  const Vector2d alpha = J.inverse() * (foot_acceleration(t) + centripetal);
  const Vector2d knee = length * along(a), c1 = knee / 2, c2 = knee + length / 2 * along(b);
  const Vector2d knee_acceleration = length * (across(a) * alpha[0] - along(a) * w[0] * w[0]);
  const Vector2d a2 = knee_acceleration + length / 2 * (across(b) * alpha[1] - along(b) * w[1] * w[1]);
  const Vector2d down(0, -g);
  // F + K = m2 (a2 − down);  (foot − c2) × F + (knee − c2) × K = J2 α2;  c1 × m1 down − knee × K = (J1 + m1 l²/4) α1.
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  Eigen::Vector4d right;
  const Vector2d from_foot = f - c2, from_knee = knee - c2;
  A.row(0) << 1, 0, 1, 0;
  A.row(1) << 0, 1, 0, 1;
  A.row(2) << -from_foot.y(), from_foot.x(), -from_knee.y(), from_knee.x();
  A.row(3) << 0, 0, knee.y(), -knee.x();
  right.head<2>() = m2 * (a2 - down);
  right[2] = J2 * alpha[1];
  right[3] = (J1 + m1 * length * length / 4) * alpha[0] - cross2(c1, m1 * down);
  return A.inverse().eval().topRows<2>() * right;
}

const std::string leg = R"(
gravity: [0, -9.81, 0]
bodies:
  thigh: {mass: 3, inertia: [0, 0, 0.07], position: [0.15, -0.2, 0], planar: true}
  shin: {mass: 2, inertia: [0, 0, 0.05], position: [0.15, -0.6, 0], planar: true}
joints:
  hip: {type: revolute, bodies: [ground, thigh], at: [0, 0, 0], axis: [0, 0, 1]}
  knee: {type: revolute, bodies: [thigh, shin], at: [0.3, -0.4, 0], axis: [0, 0, 1]}
)";

void expect_leg_effort(const std::string& constraint, const std::string& x, const std::string& y) {
  for (const double t : {0.0, 0.7}) {
    const Summary s = run(leg + constraint, t);
    const Vector2d effort = effort_by_hand(t);
    // The state is off by rtol times some hundred steps; forces are of the order of 30.
    EXPECT_NEAR(value(s.final_multipliers, x), effort.x(), 1e-6) << t;
    EXPECT_NEAR(value(s.final_multipliers, y), effort.y(), 1e-6) << t;
    EXPECT_EQ(s.degrees_of_freedom, 0);
  }
}

TEST(Trajectory, OfAFootTakesTheForceOfInverseDynamics) {
  expect_leg_effort("constraints:\n  foot: point(shin, [-0.15, -0.2, 0]) = [0.1*(1 - cos(2*t)), -0.8 + 0.05*t^2, 0]\n",
                    "foot.x", "foot.y");
}

TEST(Trajectory, MayBeGivenByTwoComponents) {
  expect_leg_effort("constraints:\n  foot: point(shin, [-0.15, -0.2]) = [0.1*(1 - cos(2*t)), -0.8 + 0.05*t^2]\n",
                    "foot.x", "foot.y");
}

TEST(Trajectory, MayBeARowForEachComponent) {
  expect_leg_effort(
      "constraints:\n  fx: point(shin, [-0.15, -0.2, 0]).x = 0.1*(1 - cos(2*t))\n"
      "  fy: point(shin, [-0.15, -0.2, 0]).y + 0.8 = 0.05*t^2\n",
      "fx", "fy");
}

TEST(Trajectory, MayBeOnVelocities) {
  expect_leg_effort(
      "constraints:\n  fx: velocity(shin, [-0.15, -0.2, 0]).x = 0.2*sin(2*t)\n"
      "  fy: velocity(shin, [-0.15, -0.2, 0]).y = 0.1*t\n",
      "fx", "fy");
}

TEST(Trajectory, MayBeOnOutputsWhereverTheyStand) {
  expect_leg_effort(
      "constraints:\n  fx: reach = 0.1*(1 - cos(2*t))\n  fy: sole.y = -0.8 + 0.05*t^2\n"
      "outputs:\n  reach: 2*halfway\n  halfway: sole.x/2\n  sole: point(shin, [-0.15, -0.2, 0])\n",
      "fx", "fy");
}

TEST(Trajectory, OfAVectorOutputIsRecordedByComponents) {
  const Summary s = run(leg + "outputs: {sole: \"point(shin, [-0.15, -0.2, 0])\"}\n", 0);
  EXPECT_NEAR(value(s.final_outputs, "sole.x"), 0, 1e-15);
  EXPECT_NEAR(value(s.final_outputs, "sole.y"), -0.8, 1e-15);
  EXPECT_EQ(value(s.final_outputs, "sole.z"), 0);
}

TEST(Trajectory, OfAPointInSpaceIsABallJoint) {
  const std::string bodies =
      "gravity: [0, 0, -9.81]\n"
      "bodies: {top: {mass: 2, inertia: [0.3, 0.2, 0.1], position: [0.4, 0.1, 0.2], angular_velocity: [0.3, 0.2, 4],\n"
      "               velocity: [-0.36, 1.54, -0.05]}}\n";
  // ω × r with r = (0.4, 0.1, 0.2): (0.2·0.2 − 4·0.1, 4·0.4 − 0.3·0.2, 0.3·0.1 − 0.2·0.4).
  const Summary held = run(bodies + "constraints:\n  tip: point(top, [-0.4, -0.1, -0.2]) = [0, 0, 0]\n", 1);
  const Summary jointed = run(bodies + "joints: {tip: {type: spherical, bodies: [ground, top], at: [0, 0, 0]}}\n", 1);
  for (const char* name : {"top.x", "top.y", "top.z", "top.qw", "top.qx"})
    EXPECT_NEAR(value(held.final_coordinates, name), value(jointed.final_coordinates, name), 1e-8) << name;
  const char* const rows[] = {"tip.x", "tip.y", "tip.z"};
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(value(held.final_multipliers, rows[k]), jointed.final_joints[0].force[k], 1e-6);
}

TEST(Trajectory, OfTwoPointsHoldsThemTogether) {
  const Summary s =
      run(leg + "constraints:\n  heel: point(shin, [-0.15, -0.2, 0]) = point(ground, [0, -0.8, 0])\n", 0.5);
  // A triangle of two bars and the ground does not move.
  EXPECT_EQ(s.degrees_of_freedom, 0);
  EXPECT_NEAR(value(s.final_coordinates, "shin.y"), -0.6, 1e-9);
}

// ---- the centre of mass -----------------------------------------------------------------------------

const std::string pair = R"(
gravity: [0, -9.81, 0]
bodies:
  left: {mass: 3, inertia: [0, 0, 0.07], position: [-1, 0, 0], planar: true, angular_velocity: [0, 0, 2], velocity: [0, -2, 0]}
  right: {mass: 2, inertia: [0, 0, 0.05], position: [1, 0, 0], planar: true, angular_velocity: [0, 0, 3], velocity: [0, 3, 0]}
joints:
  hinge: {type: revolute, bodies: [left, right], at: [0, 0, 0], axis: [0, 0, 1]}
)";

/// The rows push at each body with its share of the mass, m/Σm λ: gravity is cancelled, Σm λ/Σm = Σm g, and nothing
/// turns about the centre of mass.
TEST(CenterOfMass, IsKeptAtRestByTheWeight) {
  const Summary s = run(pair + R"(constraints:
  across: com.x = -0.2
  height: com.y = 0
outputs:
  cx: com.x
  cy: com.y
  vx: com.vx
  rate: d(com.y) - com.vy
  spin: 0.07*left.omega_z + 0.05*right.omega_z + 3*(left.x*left.vy - left.y*left.vx) + 2*(right.x*right.vy - right.y*right.vx)
)",
                        1.5);
  EXPECT_NEAR(value(s.final_outputs, "cx"), -0.2, 1e-12);
  EXPECT_NEAR(value(s.final_outputs, "cy"), 0, 1e-12);
  EXPECT_NEAR(value(s.final_outputs, "vx"), 0, 1e-12);
  EXPECT_NEAR(value(s.final_outputs, "rate"), 0, 1e-14);
  EXPECT_NEAR(value(s.final_multipliers, "height"), 5 * g, 1e-9);
  EXPECT_NEAR(value(s.final_multipliers, "across"), 0, 1e-9);
  EXPECT_NEAR(value(s.final_outputs, "spin"), 0.07 * 2 + 0.05 * 3 + 3 * 2 + 2 * 3, 1e-7);
}

TEST(CenterOfMass, IsNotShadowedByABodyOfThatName) {
  const Model model = read_model(
      "bodies: {com: {mass: 1, inertia: [1, 1, 1], position: [7, 0, 0]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "outputs: {x: com.x}\n",
      "test.yaml");
  EXPECT_EQ(simulate(model, {.until = 0}).summary.final_outputs[0].value, 7);
}

// ---- vectors elsewhere ------------------------------------------------------------------------------

TEST(Vectors, AreTakenAsThePointOfALoad) {
  const Summary s = run(R"(
bodies: {plate: {mass: 2, inertia: [0, 0, 0.4], position: [3, 1, 0], planar: true}}
loads:
  push:
    at: point(plate, [0.5, 0, 0])
    force: [0, 6]
)",
                        0);
  EXPECT_NEAR(value(s.final_accelerations, "plate.ay"), 3, 1e-14);
  EXPECT_NEAR(value(s.final_accelerations, "plate.alpha_z"), 0.5 * 6 / 0.4, 1e-13);
}

TEST(Vectors, MayStandInARepetition) {
  const Summary s = run(R"(
repeat:
  - index: i
    from: 1
    to: 2
    bodies: {"b{i}": {mass: 1, inertia: [1, 1, 1], position: [i, 0, 0]}}
    constraints: {"hold{i}": "point(b{i}, [0, 0, 0]) = [i, 0, 0]"}
)",
                        0.1);
  EXPECT_EQ(s.degrees_of_freedom, 6);
  EXPECT_NEAR(value(s.final_coordinates, "b2.x"), 2, 1e-14);
}

}  // namespace
}  // namespace taut
