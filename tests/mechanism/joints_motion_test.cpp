// Every joint moves as a closed form says, or as the same mechanism in independent coordinates.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanism/joints.hpp"

namespace taut {
namespace {

using std::numbers::pi;
using testing::Motion;

constexpr double g = 9.81;
constexpr double close = 1e-8;  // what the motion is held to

/// A mechanism in gravity along −z, with outputs.
std::string mechanism(const std::string& bodies, const std::string& joints, const std::string& outputs) {
  return "gravity: [0, 0, -9.81]\nbodies:\n" + bodies + "joints:\n" + joints + "outputs: {" + outputs + "}\n";
}

/// An independent coordinate th with T = inertia/2 th'^2.
double independent_angle(const std::string& kinetic, const std::string& potential, double start, double until) {
  return Motion(
      fmt::format("coordinates: {{th: {}}}\nkinetic_energy: {}\npotential_energy: {}\n", start, kinetic, potential),
      until)["th"];
}

TEST(Revolute, SwingsAboutAnObliqueAxisAsAPhysicalPendulum) {
  const Motion motion(mechanism("  b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}\n",
                                "  j: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 1, 1]}\n",
                                "angle: j.angle, rate: j.rate"),
                      3);
  // About n = [0, 1, 1]/√2: n·J n = 0.25, and n × [1, 0, 0] = [0, 1, −1]/√2, so that z = −sin(θ)/√2.
  const double angle = independent_angle("(0.25 + 2)/2*th'^2", "-2*9.81*sin(th)/sqrt(2)", 0, 3);
  EXPECT_NEAR(motion["angle"], angle, close);
  EXPECT_NEAR(motion["b.x"], std::cos(angle), close);
  EXPECT_NEAR(motion["b.z"], -std::sin(angle) / std::sqrt(2), close);
}

TEST(Revolute, CountsTurnsInSpace) {
  for (const char* bodies : {"[ground, b]", "[b, ground]"}) {
    const Motion motion(
        fmt::format("bodies:\n  b: {{mass: 1, inertia: [0.1, 0.2, 0.3], angular_velocity: [0, 0, 2*pi]}}\n"
                    "joints:\n  j: {{type: revolute, bodies: {}, at: [0, 0, 0], axis: [0, 0, 1]}}\n"
                    "outputs: {{angle: j.angle, rate: j.rate}}\n",
                    bodies),
        10);
    const double sign = bodies[1] == 'g' ? 1 : -1;
    EXPECT_NEAR(motion["angle"], sign * 20 * pi, close) << bodies;
    EXPECT_NEAR(motion["rate"], sign * 2 * pi, close) << bodies;
  }
}

TEST(Revolute, CountsTheTurnsOfOneBodyOnAnother) {
  // Nothing acts between the two but what keeps them on one axis, which is a principal axis of both.
  const Motion motion(
      "bodies:\n"
      "  a: {mass: 1, inertia: [0.1, 0.2, 0.3], angular_velocity: [0, 0, 3], velocity: [1, 2, 3]}\n"
      "  b: {mass: 1, inertia: [0.3, 0.2, 0.1], position: [0, 0, 1], angular_velocity: [0, 0, -7], velocity: [1, 2, "
      "3]}\n"
      "joints:\n  j: {type: revolute, bodies: [a, b], at: [0, 0, 0.5], axis: [0, 0, 1]}\n"
      "outputs: {angle: j.angle}\n",
      5);
  EXPECT_NEAR(motion["angle"], -50, close);
  EXPECT_NEAR(motion["b.x"], 5, close);
}

TEST(Revolute, JoinsAPlanarAndASpatialBody) {
  // Both swing in the x-y plane: the same double pendulum, all planar and with a spatial second link.
  const auto text = [](const char* second, const char* order) {
    return fmt::format(
        "gravity: [0, -9.81, 0]\nbodies:\n"
        "  a: {{mass: 1, inertia: [0, 0, 0.1], position: [0.5, 0, 0], planar: true}}\n"
        "  b: {{mass: 1, inertia: [0.2, 0.3, 0.1], position: [1.5, 0, 0]{}}}\n"
        "joints:\n"
        "  p: {{type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
        "  q: {{type: revolute, bodies: {}, at: [1, 0, 0], axis: [0, 0, 1]}}\n"
        "outputs: {{p: p.angle, q: q.angle}}\n",
        second, order);
  };
  const Motion planar(text(", planar: true", "[a, b]"), 2), mixed(text("", "[a, b]"), 2), turned(text("", "[b, a]"), 2);
  EXPECT_NEAR(mixed["p"], planar["p"], close);
  EXPECT_NEAR(mixed["q"], planar["q"], close);
  EXPECT_NEAR(turned["q"], -planar["q"], close);
}

TEST(Prismatic, SlidesDownAnInclineWithoutTurning) {
  const Motion motion(
      mechanism("  b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 0.5, 0], velocity: [3, 0, 4]}\n",
                "  j: {type: prismatic, bodies: [ground, b], at: [0, 0, 0], axis: [3, 0, 4]}\n",
                "travel: j.travel, rate: j.rate"),
      2);
  EXPECT_NEAR(motion["travel"], 5 * 2 - 0.8 * g * 2, close);
  EXPECT_NEAR(motion["rate"], 5 - 0.8 * g * 2, close);
  EXPECT_NEAR(motion["b.x"], 1 + 0.6 * motion["travel"], close);
  EXPECT_NEAR(motion["b.qw"], 1, close);
}

TEST(Prismatic, SlidesOnABodyThatTurns) {
  // A bead on a rod that a motor turns: s'' = Ω² s about the axis.
  const Motion motion(
      "bodies:\n"
      "  rod: {mass: 1, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 0, 2]}\n"
      "  bead: {mass: 3, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0], velocity: [0, 1, 0], angular_velocity: [0, "
      "0, 2]}\n"
      "joints:\n"
      "  hub: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1], velocity: 2}\n"
      "  j: {type: prismatic, bodies: [rod, bead], at: [0.5, 0, 0], axis: [1, 0, 0]}\n"
      "outputs: {travel: j.travel}\n",
      1.5);
  EXPECT_NEAR(motion["travel"], 0.5 * std::cosh(3) - 0.5, 1e-8 * 5);
}

TEST(Cylindrical, FallsAndSpinsIndependently) {
  const Motion motion(
      mechanism("  b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0], velocity: [0, 9, 1], angular_velocity: "
                "[0, 0, 9]}\n",
                "  j: {type: cylindrical, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}\n",
                "angle: j.angle, travel: j.travel, angle_rate: j.angle_rate, travel_rate: j.travel_rate"),
      4);
  EXPECT_NEAR(motion["angle"], 36, close);
  EXPECT_NEAR(motion["angle_rate"], 9, close);
  EXPECT_NEAR(motion["travel"], 4 - g * 8, 1e-8 * 74);
  EXPECT_NEAR(motion["travel_rate"], 1 - g * 4, close * 38);
}

TEST(Spherical, CarriesATopInSteadyPrecession) {
  // A Ω² cos θ − C n Ω + m g l = 0 with the spin n about the axis of figure, which is at θ from the vertical.
  const double A = 0.5, C = 0.2, m = 2, l = 0.4, theta = 0.6, Omega = 1.5;
  const double about_point = A + m * l * l;
  const double n = (about_point * Omega * Omega * std::cos(theta) + m * g * l) / (C * Omega);
  const double s = std::sin(theta), c = std::cos(theta);
  // ω = Ω z + (n − Ω cos θ) e with e = [sin θ, 0, cos θ].
  const double spin = n - Omega * c;
  const Motion motion(
      mechanism(fmt::format("  b: {{mass: {}, inertia: [{}, {}, {}], position: [{}, 0, {}], velocity: [0, {}, 0],\n"
                            "      angular_velocity: [{}, 0, {}], orientation: {{axis: [0, 1, 0], angle: {}}}}}\n",
                            m, A, A, C, l * s, l * c, Omega * l * s, spin * s, Omega + spin * c, theta),
                "  j: {type: spherical, bodies: [ground, b], at: [0, 0, 0]}\n", ""),
      3);
  EXPECT_NEAR(motion["b.x"], l * s * std::cos(3 * Omega), close);
  EXPECT_NEAR(motion["b.y"], l * s * std::sin(3 * Omega), close);
  EXPECT_NEAR(motion["b.z"], l * c, close);
}

/// Two shafts in bearings, bent by `beta` in the x-y plane, the first driven.
std::string shafts(const std::string& joint, double beta, const std::string& drive) {
  return fmt::format(
      "parameters: {{beta: {}}}\nbodies:\n"
      "  a: {{mass: 1, inertia: [0.1, 0.2, 0.3], position: [-1, 0, 0], angular_velocity: [1, 0, 0]}}\n"
      "  b: {{mass: 1, inertia: [0.2, 0.1, 0.3], position: [cos(beta), sin(beta), 0], angular_velocity: [cos(beta), "
      "sin(beta), 0]}}\n"
      "joints:\n"
      "  p: {{type: revolute, bodies: [ground, a], at: [-1, 0, 0], axis: [1, 0, 0], {}}}\n"
      "  q: {{type: revolute, bodies: [ground, b], at: [cos(beta), sin(beta), 0], axis: [cos(beta), sin(beta), 0]}}\n"
      "  j: {}\n"
      "outputs: {{p: p.angle, q: q.angle}}\n",
      beta, drive, joint);
}

TEST(Universal, ObeysTheLawOfTheCardanShaft) {
  // tan θ₂ = tan θ₁ cos β where the first fork starts square to the plane of the shafts.
  const double beta = 0.5;
  const Motion motion(
      shafts("{type: universal, bodies: [a, b], at: [0, 0, 0], axes: [[0, 0, 1], [-sin(beta), cos(beta), 0]]}", beta,
             "velocity: 2 + sin(t)"),
      7);
  const double first = 14 + 1 - std::cos(7.0);
  EXPECT_NEAR(motion["p"], first, close);
  const double law = std::atan2(std::sin(first) * std::cos(beta), std::cos(first));
  EXPECT_NEAR(std::remainder(motion["q"] - law, 2 * pi), 0, close);
  EXPECT_LT(std::abs(motion["q"] - first), 0.5);  // the same number of turns
}

TEST(Universal, SwingsAboutItsTwoAxes) {
  // R = Rot(y, φ) Rot(z, ψ) of a body at [1, 0, 0]: independent coordinates φ, ψ.
  // ω in body axes = ψ' z + Rot(z, −ψ) φ' y = [φ' sin ψ, φ' cos ψ, ψ'], position [cos ψ cos φ, sin ψ, −cos ψ sin φ].
  const Motion motion(
      mechanism("  b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0], velocity: [0, 2, -1], "
                "angular_velocity: [0, 1, 2]}\n",
                "  j: {type: universal, bodies: [ground, b], at: [0, 0, 0], axes: [[0, 1, 0], [0, 0, 1]]}\n", ""),
      3);
  const Motion independent(
      "coordinates: {phi: [0, 1], psi: [0, 2]}\n"
      "kinetic_energy: (0.1*sin(psi)^2*phi'^2 + 0.2*cos(psi)^2*phi'^2 + 0.3*psi'^2)/2 + (cos(psi)^2*phi'^2 + psi'^2)\n"
      "potential_energy: -2*9.81*cos(psi)*sin(phi)\n",
      3);
  const double phi = independent["phi"], psi = independent["psi"];
  EXPECT_NEAR(motion["b.x"], std::cos(psi) * std::cos(phi), close);
  EXPECT_NEAR(motion["b.y"], std::sin(psi), close);
  EXPECT_NEAR(motion["b.z"], -std::cos(psi) * std::sin(phi), close);
}

TEST(ConstantVelocity, TurnsBothShaftsAlikeAtAnyBend) {
  for (const double beta : {0.0, 0.4, 1.2, 1.9}) {
    const Motion motion(
        shafts("{type: constant-velocity, bodies: [a, b], at: [0, 0, 0], axes: [[1, 0, 0], [cos(beta), sin(beta), 0]]}",
               beta, "velocity: 2 + sin(t)"),
        7);
    EXPECT_NEAR(motion["p"], 14 + 1 - std::cos(7.0), close) << beta;
    EXPECT_NEAR(motion["q"], motion["p"], close) << beta;
  }
}

TEST(ConstantVelocity, TakesOneAxisWhereTheShaftsAreInLine) {
  const Motion motion(
      shafts("{type: constant-velocity, bodies: [a, b], at: [0, 0, 0], axis: [1, 0, 0]}", 0, "velocity: 3"), 4);
  EXPECT_NEAR(motion["q"], 12, close);
}

TEST(ConstantVelocity, TurnsAlikeWhileTheBendChanges) {
  // The second shaft runs in an arm that swings about z through the joint: the bend stays in one plane, and the
  // angle in the arm's bearing is that of the first shaft.
  const Motion motion(
      "bodies:\n"
      "  a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [-1, 0, 0]}\n"
      "  arm: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}\n"
      "  b: {mass: 1, inertia: [0.2, 0.1, 0.3], position: [1, 0, 0]}\n"
      "joints:\n"
      "  p: {type: revolute, bodies: [ground, a], at: [-1, 0, 0], axis: [1, 0, 0], position: t^2 + t}\n"
      "  swing: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1], position: 0.9*sin(t)}\n"
      "  q: {type: revolute, bodies: [arm, b], at: [1, 0, 0], axis: [1, 0, 0]}\n"
      "  j: {type: constant-velocity, bodies: [a, b], at: [0, 0, 0], axis: [1, 0, 0]}\n"
      "outputs: {p: p.angle, q: q.angle, swing: swing.angle}\n",
      3);
  EXPECT_NEAR(motion["p"], 12, close);
  EXPECT_NEAR(motion["swing"], 0.9 * std::sin(3.0), close);
  EXPECT_NEAR(motion["q"], 12, close);
}

TEST(PlanarJoint, SlidesAndSpinsOnAnIncline) {
  // n = [0.6, 0, 0.8]: gravity along the plane is g(n n_z − z) = g [0.48, 0, −0.36]; the spin about n, through the
  // centre of mass of a body alike about every axis, stays.
  const Motion motion(
      mechanism("  b: {mass: 2, inertia: [0.3, 0.3, 0.3], position: [0, 0, 0], angular_velocity: [1.2, 0, 1.6]}\n",
                "  j: {type: planar, bodies: [ground, b], at: [0.4, 1, -0.3], normal: [0.6, 0, 0.8]}\n", ""),
      1);
  EXPECT_NEAR(motion["b.x"], 0.24 * g, close);
  EXPECT_NEAR(motion["b.y"], 0, close);
  EXPECT_NEAR(motion["b.z"], -0.18 * g, close);
  EXPECT_NEAR(motion["b.qw"], std::cos(1.0), close);
  EXPECT_NEAR(motion["b.qz"], 0.8 * std::sin(1.0), close);
}

TEST(Fixed, MakesOneBodyOfTwo) {
  // m₁ = 1 at 1 and m₂ = 3 at 2 on the x axis: m = 4 at 1.75, J_yy = 0.2 + 0.5 + 1·0.75² + 3·0.25² = 1.45.
  const std::string hinge = "  h: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}\n";
  const Motion two(mechanism("  a: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}\n"
                             "  b: {mass: 3, inertia: [0.4, 0.5, 0.6], position: [2, 0, 0]}\n",
                             hinge + "  j: {type: fixed, bodies: [a, b]}\n", "angle: h.angle"),
                   2);
  const double angle = independent_angle("(1.45 + 4*1.75^2)/2*th'^2", "-4*9.81*1.75*sin(th)", 0, 2);
  EXPECT_NEAR(two["angle"], angle, close);
  EXPECT_NEAR(two["b.z"], -2 * std::sin(angle), close);
}

TEST(Distance, SwingsAPointAsAMathematicalPendulum) {
  const Motion motion(mechanism("  b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1.5, 0, 0]}\n",
                                "  j: {type: distance, bodies: [ground, b], points: [[0, 0, 0], [1.5, 0, 0]]}\n", ""),
                      3);
  const double angle = independent_angle("1.5^2*th'^2", "-2*9.81*1.5*sin(th)", 0, 3);
  EXPECT_NEAR(motion["b.x"], 1.5 * std::cos(angle), close);
  EXPECT_NEAR(motion["b.z"], -1.5 * std::sin(angle), close);
}

TEST(Distance, TakesALengthToAssembleTo) {
  const Motion motion(
      mechanism("  b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1.6, 0, 0]}\n",
                "  j: {type: distance, bodies: [ground, b], points: [[0, 0, 0], [1.6, 0, 0]], length: 1.5}\n", ""),
      0);
  EXPECT_NEAR(motion["b.x"], 1.5, 1e-11);
}

TEST(PointOnLine, LetsAPendulumRideOnAWire) {
  // Travel s along x and swing θ about y: position of the centre of mass [s + cos θ, 0, −sin θ].
  const Motion motion(mechanism("  b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}\n",
                                "  j: {type: point-on-line, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0]}\n",
                                "travel: j.travel"),
                      3);
  const Motion independent(
      "coordinates: {s: 0, th: 0}\n"
      "kinetic_energy: (s' - sin(th)*th')^2 + cos(th)^2*th'^2 + 0.1*th'^2\npotential_energy: -2*9.81*sin(th)\n",
      3);
  EXPECT_NEAR(motion["travel"], independent["s"], close);
  EXPECT_NEAR(motion["b.z"], -std::sin(independent["th"]), close);
}

TEST(PointOnPlane, LetsAStickFallStraightDown) {
  // A tip on a smooth table: the centre of mass falls along z while the stick leans over.
  const Motion motion(
      mechanism("  b: {mass: 2, inertia: [0.3, 0.2, 0.1], position: [0.6, 0, 0.8]}\n",
                "  j: {type: point-on-plane, bodies: [ground, b], at: [0, 0, 0], normal: [0, 0, 1]}\n", ""),
      0.5);
  const double angle = independent_angle("cos(th)^2*th'^2 + 0.1*th'^2", "2*9.81*sin(th)", std::atan2(0.8, 0.6), 0.5);
  EXPECT_NEAR(motion["b.x"], 0.6, close);
  EXPECT_NEAR(motion["b.z"], std::sin(angle), close);
}

TEST(Screw, FallsAlongItsThreadOverManyTurns) {
  // m s'' + (J + m r²)(2π/p)² s'' = −m g with the centre of mass at r = 0.1 from the axis.
  const double ratio = 2 * pi / 0.2, inertia = 0.03 + 2 * 0.01;
  const double s = -g * 2 / (2 + inertia * ratio * ratio) * 8;
  const Motion motion(mechanism("  b: {mass: 2, inertia: [0.04, 0.05, 0.03], position: [0.1, 0, 0]}\n",
                                "  j: {type: screw, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], pitch: 0.2}\n",
                                "angle: j.angle, travel: j.travel, rate: j.rate"),
                      4);
  EXPECT_NEAR(motion["travel"], s, close);
  EXPECT_NEAR(motion["angle"], s * ratio, close * ratio);
  EXPECT_NEAR(motion["rate"], s * ratio / 2, close * ratio);
  EXPECT_LT(motion["angle"], -20 * pi);
}

TEST(Gear, TurnsTheSecondJointInTheRatioOfTheFirst) {
  // (J₁ + ratio² J₂) θ₁'' = torque, in space, in the plane, and mixed; the gear stands before what it connects.
  for (const auto& [first, second] :
       {std::pair{"", ""}, {", planar: true", ", planar: true"}, {"", ", planar: true"}}) {
    const Motion motion(
        fmt::format("bodies:\n"
                    "  a: {{mass: 1, inertia: [0.1, 0.2, 0.3]{}}}\n"
                    "  b: {{mass: 1, inertia: [0.2, 0.3, 0.4], position: [1, 0, 0]{}}}\n"
                    "joints:\n"
                    "  g: {{type: gear, joints: [p, q], ratio: -2.5}}\n"
                    "  p: {{type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], torque: 7}}\n"
                    "  q: {{type: revolute, bodies: [ground, b], at: [1, 0, 0], axis: [0, 0, 1]}}\n"
                    "outputs: {{p: p.angle, q: q.angle}}\n",
                    first, second),
        4);
    EXPECT_NEAR(motion["p"], 7 / (0.3 + 6.25 * 0.4) * 8, close);
    EXPECT_NEAR(motion["q"], -2.5 * motion["p"], close);
  }
}

TEST(Gear, HasARatioThatCanBeSetAndAnOffsetToAssembleTo) {
  Options options = testing::tight(2);
  options.set = {{"ratio", "-3"}};
  const Motion motion(
      "parameters: {ratio: 2}\n"
      "bodies:\n  a: {mass: 1, inertia: [0.3, 0.3, 0.3]}\n  b: {mass: 1, inertia: [0.4, 0.4, 0.4]}\n"
      "joints:\n"
      "  p: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], position: t}\n"
      "  q: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "  g: {type: gear, joints: [p, q], ratio: ratio, offset: 0.4}\n"
      "outputs: {q: q.angle}\n",
      options);
  EXPECT_NEAR(motion["q"], -5.6, close);
}

TEST(RackPinion, DrivesTheRack) {
  const Motion motion(
      "bodies:\n"
      "  a: {mass: 1, inertia: [0.1, 0.2, 0.3]}\n"
      "  b: {mass: 2, inertia: [0.2, 0.3, 0.4], position: [0, -0.5, 0]}\n"
      "joints:\n"
      "  p: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], torque: 3}\n"
      "  q: {type: prismatic, bodies: [ground, b], at: [0, -0.5, 0], axis: [1, 0, 0]}\n"
      "  g: {type: rack-pinion, joints: [p, q], radius: 0.5}\n"
      "outputs: {p: p.angle, q: q.travel}\n",
      4);
  EXPECT_NEAR(motion["p"], 3 / (0.3 + 0.25 * 2) * 8, close);
  EXPECT_NEAR(motion["q"], 0.5 * motion["p"], close);
}

TEST(Parallel, HoldsTheAxisOfABodyThatWouldTumble) {
  // ω stays along z though z is no principal axis: the centre of mass falls freely.
  const Motion motion(mechanism("  b: {mass: 2, inertia: [0.3, 0.4, 0.5, 0.02, 0.1, -0.05], velocity: [1, 0, 0], "
                                "angular_velocity: [0, 0, 3]}\n",
                                "  j: {type: parallel, bodies: [ground, b], axis: [0, 0, 1]}\n", "w: b.omega_z"),
                      1);
  EXPECT_NEAR(motion["b.x"], 1, close);
  EXPECT_NEAR(motion["b.z"], -g / 2, close);
  EXPECT_NEAR(motion["b.qw"], std::cos(1.5), close);
  EXPECT_NEAR(motion["b.qz"], std::sin(1.5), close);
  EXPECT_NEAR(motion["w"], 3, close);
}

TEST(Perpendicular, LetsABallPrecessAndSpinUniformly) {
  // u ⟂ z on a body alike about every axis: ω = ψ' z + φ' u, T = J/2 (ψ'² + φ'²), so both rates stay.
  const Motion motion(mechanism("  b: {mass: 2, inertia: [0.3, 0.3, 0.3], angular_velocity: [5, 0, 2]}\n",
                                "  j: {type: perpendicular, bodies: [ground, b], axes: [[0, 0, 1], [1, 0, 0]]}\n",
                                "ux: 'point(b, [1, 0, 0]).x - b.x', uy: 'point(b, [1, 0, 0]).y - b.y', w: b.omega_z"),
                      2);
  EXPECT_NEAR(motion["ux"], std::cos(4.0), close);
  EXPECT_NEAR(motion["uy"], std::sin(4.0), close);
  EXPECT_NEAR(motion["w"], 2, close);
}

TEST(PlanarBodies, MoveAsSpatialOnesInThePlane) {
  // What planar bodies satisfy by themselves is left out; the rest moves and pulls alike.
  const struct {
    const char* joint;
    int freedom;
  } cases[] = {{"type: revolute, at: [0, 0, 0], axis: [0, 0, 1]", 1},
               {"type: prismatic, at: [0, 0, 0], axis: [1, 1, 0]", 1},
               {"type: cylindrical, at: [0, 0, 0], axis: [0, 0, 1]", 1},
               {"type: spherical, at: [0, 0, 0]", 1},
               {"type: universal, at: [0, 0, 0], axes: [[0, 0, 1], [1, 0, 0]]", 1},
               {"type: constant-velocity, at: [0, 0, 0], axis: [1, 0, 0]", 1},
               {"type: planar, at: [0, 0, 0], normal: [0, 0, 1]", 3},
               {"type: planar, at: [0, 0, 0], normal: [1, 2, 0]", 1},
               {"type: fixed", 0},
               {"type: distance, points: [[-1, 0, 0], [0.4, 0.1, 0]]", 2},
               {"type: point-on-line, at: [0, 0, 0], axis: [1, 1, 0]", 2},
               {"type: point-on-plane, at: [0, 0, 0], normal: [1, 2, 0]", 2},
               {"type: parallel, axis: [1, 2, 0]", 2},
               {"type: perpendicular, axes: [[0, 0, 1], [1, 2, 0]]", 3}};
  for (const auto& [joint, freedom] : cases) {
    const auto text = [&](const char* planar) {
      return fmt::format(
          "gravity: [0, -9.81, 0]\nbodies:\n"
          "  b: {{mass: 2, inertia: [0.3, 0.3, 0.4], position: [1, 0.2, 0], velocity: [1, 2, 0], "
          "angular_velocity: [0, 0, 1], planar: {}}}\n"
          "joints:\n  j: {{bodies: [ground, b], {}}}\n"
          "outputs: {{fx: j.fx, fy: j.fy, tz: j.tz}}\n",
          planar, joint);
    };
    const Motion planar(text("true"), 1), spatial(text("false"), 1);
    EXPECT_EQ(planar.summary().degrees_of_freedom, freedom) << joint;
    for (const char* name : {"b.x", "b.y"}) EXPECT_NEAR(planar[name], spatial[name], close) << joint;
    for (const char* name : {"fx", "fy", "tz"}) EXPECT_NEAR(planar[name], spatial[name], 1e-6) << joint << ' ' << name;
  }
}

TEST(Redundancy, DoorOnThreeHingesSwingsAsOnOne) {
  const std::string body = "  b: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}\n";
  const auto hinge = [](const char* name, const char* at) {
    return fmt::format("  {}: {{type: revolute, bodies: [ground, b], at: {}, axis: [0, 1, 0]}}\n", name, at);
  };
  const Motion one(mechanism(body, hinge("j", "[0, 0, 0]"), "angle: j.angle"), 3);
  const Motion three(
      mechanism(body, hinge("j", "[0, 0, 0]") + hinge("k", "[0, 1, 0]") + hinge("l", "[0, 2, 0]"), "angle: j.angle"),
      3);
  EXPECT_NEAR(three["angle"], one["angle"], close);
  EXPECT_EQ(three.summary().degrees_of_freedom, 1);
  EXPECT_EQ(three.summary().dependent.size(), 10u);
}

TEST(Redundancy, BricardsLoopOfSixRevolutesMoves) {
  // The edges of a cube: five rods and the ground, each hinge along the next edge but one.
  const char* const at[] = {"[0, 0, 0]", "[1, 0, 0]", "[1, -1, 0]", "[1, -1, 1]", "[0, -1, 1]", "[0, 0, 1]"};
  const char* const centre[] = {"[0.5, 0, 0]", "[1, -0.5, 0]", "[1, -1, 0.5]", "[0.5, -1, 1]", "[0, -0.5, 1]"};
  const char* const axis[] = {"[0, 1, 0]", "[0, 0, 1]", "[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]", "[1, 0, 0]"};
  const char* const body[] = {"ground", "a", "b", "c", "d", "e", "ground"};
  std::string bodies, joints;
  for (int k = 0; k < 5; ++k)
    bodies += fmt::format("  {}: {{mass: 1, inertia: [0.08, 0.08, 0.08], position: {}}}\n", body[k + 1], centre[k]);
  for (int k = 0; k < 6; ++k)
    joints += fmt::format("  j{}: {{type: revolute, bodies: [{}, {}], at: {}, axis: {}}}\n", k + 1, body[k],
                          body[k + 1], at[k], axis[k]);
  const Motion motion(mechanism(bodies, joints, "angle: j1.angle"), 2);
  EXPECT_EQ(motion.summary().degrees_of_freedom, 1);
  EXPECT_EQ(motion.summary().dependent.size(), 1u);
  EXPECT_LE(*motion.summary().max_position_violation, 1e-11);
  EXPECT_GT(std::abs(motion["angle"]), 0.1);
}

}  // namespace
}  // namespace taut
