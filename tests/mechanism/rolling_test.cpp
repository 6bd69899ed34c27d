// Rolling and blades against closed forms. Bodies start with velocities that do not slip, so nothing is assembled.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "mechanism/text_model.hpp"

namespace taut {
namespace {

using ::testing::AllOf;
using testing::Final;
using ::testing::HasSubstr;
using testing::refusal;
using testing::run_text;

/// The bars of the closed forms, and of slipping.
constexpr double same = 1e-7, no_slip = 1e-11;
constexpr double g = 9.81;

void expect_no_slip(const Final& last) {
  ASSERT_TRUE(last.summary.max_velocity_violation.has_value());
  EXPECT_LE(last.summary.max_velocity_violation.value_or(0), no_slip);
  EXPECT_LE(last.summary.max_position_violation.value_or(0), no_slip);
}

TEST(RollingBall, RunsDownASlopeWithFiveSevenths) {
  const double alpha = 0.4, t = 2;
  // The plane passes through a point that is not the origin, and leans: its normal is turned about y by alpha.
  const Final last = run_text(R"(
parameters: {alpha: 0.4, r: 0.3, m: 2, J: 2/5*m*r^2, x0: 1, z0: 2}
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: m, inertia: [J, J, J], position: [x0 + r*sin(alpha), 0.5, z0 + r*cos(alpha)]}
joints:
  roll: {type: rolling-ball, bodies: [ground, ball], radius: r,
         plane: {point: [x0, 0, z0], normal: [2*sin(alpha), 0, 2*cos(alpha)]}}
outputs: {fx: roll.fx, fy: roll.fy, fz: roll.fz, tx: roll.tx, ty: roll.ty, tz: roll.tz}
)",
                              t);
  const double down = 5.0 / 7 * g * std::sin(alpha);
  const double path = down * t * t / 2;
  EXPECT_NEAR(last["ball.x"], 1 + 0.3 * std::sin(alpha) + path * std::cos(alpha), same);
  EXPECT_NEAR(last["ball.z"], 2 + 0.3 * std::cos(alpha) - path * std::sin(alpha), same);
  EXPECT_NEAR(last["ball.y"], 0.5, same);
  EXPECT_NEAR(last["ball.omega_y"], down * t / 0.3, same * 10);  // radians are metres divided by the radius
  expect_no_slip(last);
  // Newton: what the plane gives is m a − m g; it passes through the contact, so there is no torque.
  EXPECT_NEAR(last["fx"], 2 * down * std::cos(alpha), 1e-6);
  EXPECT_NEAR(last["fy"], 0, 1e-6);
  EXPECT_NEAR(last["fz"], 2 * (g - down * std::sin(alpha)), 1e-6);
  for (const char* torque : {"tx", "ty", "tz"}) EXPECT_NEAR(last[torque], 0, 1e-6);
  EXPECT_LE(*last.summary.max_energy_error, 1e-8);
}

/// On a plane that turns at W the ball's velocity turns at 2/7 W, whatever its spin.
void expect_circle(const Final& last, double x0, double vx, double vy, double W, double t) {
  const double w = 2.0 / 7 * W, c = std::cos(w * t), s = std::sin(w * t);
  EXPECT_NEAR(last["ball.vx"], c * vx - s * vy, same);
  EXPECT_NEAR(last["ball.vy"], s * vx + c * vy, same);
  EXPECT_NEAR(last["ball.x"], x0 + (s * vx - (1 - c) * vy) / w, same);
  EXPECT_NEAR(last["ball.y"], ((1 - c) * vx + s * vy) / w, same);
  expect_no_slip(last);
}

const std::string ball_on_table = R"(
parameters: {r: 0.1, m: 2, J: 2/5*m*r^2, W: 3, x0: 0.5, vx: 0.1, vy: 0.2}
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: m, inertia: [J, J, J], position: [x0, 0, r], velocity: [vx, vy, 0],
         angular_velocity: [(W*x0 - vy)/r, vx/r, 0.7]}
)";

TEST(RollingBall, DrawsACircleOnAPlaneThatTurns) {
  const Final last = run_text(ball_on_table + R"(
joints:
  roll: {type: rolling-ball, bodies: [ground, ball], radius: r,
         plane: {point: [0, 0, 0], normal: [0, 0, 1], velocity: [-turning*ball.y, turning*ball.x, 0]}}
definitions: {turning: W}
)",
                              5);
  expect_circle(last, 0.5, 0.1, 0.2, 3, 5);
  // The table does work, and the balance knows of it.
  EXPECT_LE(*last.summary.max_energy_error, 1e-8);
}

TEST(RollingBall, DrawsTheSameCircleOnATableThatIsABody) {
  const Final last = run_text(ball_on_table + R"(
  table: {mass: 5, inertia: [1, 1, 2], position: [0, 0, -0.1], angular_velocity: [0, 0, W]}
joints:
  shaft: {type: revolute, bodies: [ground, table], at: [0, 0, 0], axis: [0, 0, 1]}
  roll: {type: rolling-ball, bodies: [table, ball], radius: r, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
constraints: {drive: table.omega_z = W}
)",
                              5);
  expect_circle(last, 0.5, 0.1, 0.2, 3, 5);
}

TEST(RollingBall, KeepsMomentumAndEnergyWithATableThatTurnsFreely) {
  const std::string text = ball_on_table + R"(
  table: {mass: 5, inertia: [1, 1, 0.3], position: [0, 0, -0.1], angular_velocity: [0, 0, W]}
joints:
  shaft: {type: revolute, bodies: [ground, table], at: [0, 0, 0], axis: [0, 0, 1]}
  roll: {type: rolling-ball, bodies: [table, ball], radius: r, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
outputs: {L: 0.3*table.omega_z + J*ball.omega_z + m*(ball.x*ball.vy - ball.y*ball.vx), rate: table.omega_z}
)";
  const Final first = run_text(text, 0), last = run_text(text, 5);
  EXPECT_GT(std::abs(last["rate"] - 3), 1e-2);  // the ball slows the table
  EXPECT_NEAR(last["L"], first["L"], 1e-9);
  EXPECT_LE(*last.summary.max_energy_error, 1e-9);
  expect_no_slip(last);
}

TEST(RollingBall, RisesAndFallsInAnUprightCylinder) {
  // Around it at a constant rate W; z'' + 2/7 W² (z − z0) = −5/7 g − 2/7 W r omega_r0, with omega_r the spin about the
  // line to the contact.
  const double W = 4, r = 0.2, z_rate = 0.5, spin = 1.5, t = 6;
  const Final last = run_text(R"(
parameters: {r: 0.2, R: 1, m: 1.5, J: 2/5*m*r^2, W: 4, up: 0.5, spin: 1.5}
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: m, inertia: [J, J, J], position: [0.3 + R - r, -0.2, 0], velocity: [0, (R - r)*W, up],
         angular_velocity: [spin, up/r, -(R - r)*W/r]}
joints:
  roll: {type: rolling-ball, bodies: [ground, ball], radius: r,
         cylinder: {point: [0.3, -0.2, 7], axis: [0, 0, 1], radius: R}}
outputs: {press: lambda(roll.contact)}
)",
                              t);
  const double nu = std::sqrt(2.0 / 7) * W;
  const double mean = (-5.0 / 7 * g - 2.0 / 7 * W * r * spin) / (nu * nu);
  EXPECT_NEAR(last["ball.z"], mean * (1 - std::cos(nu * t)) + z_rate / nu * std::sin(nu * t), same);
  EXPECT_NEAR(last["ball.vz"], mean * nu * std::sin(nu * t) + z_rate * std::cos(nu * t), same);
  EXPECT_NEAR(last["ball.x"], 0.3 + 0.8 * std::cos(W * t), same);
  EXPECT_NEAR(last["ball.y"], -0.2 + 0.8 * std::sin(W * t), same);
  EXPECT_NEAR(last["press"], 1.5 * 0.8 * W * W, 1e-6);
  expect_no_slip(last);
}

TEST(RollingBall, InABowlIsWrittenAsConstraintsOnABody) {
  // Braun & Goldfarb, Part II, section 3.1, against an integration of the reduced equations in long double. Three rows
  // for no slip say along the normal what the contact says already.
  const Final last = run_text(R"(
parameters: {R: 8, r: 1, m: 1, J: 2/5*m*r^2, a: pi/4, sa: sin(a), ca: cos(a)}
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: m, inertia: [J, J, J], position: [(R - r)*ca, 0, -(R - r)*sa],
         velocity: [-(R - r)*sa/2, (R - r)*ca, -(R - r)*ca/2], angular_velocity: [ca - 7*ca*sa, -3.5, -sa - 7*ca^2]}
definitions:
  distance: sqrt(ball.x^2 + ball.y^2 + ball.z^2)
  nx: ball.x/distance
  ny: ball.y/distance
  nz: ball.z/distance
constraints:
  contact: distance = R - r
  roll_x: ball.vx + r*(ball.omega_y*nz - ball.omega_z*ny) = 0
  roll_y: ball.vy + r*(ball.omega_z*nx - ball.omega_x*nz) = 0
  roll_z: ball.vz + r*(ball.omega_x*ny - ball.omega_y*nx) = 0
outputs: {nx: nx, ny: ny, nz: nz}
)",
                              100, 1e-12);
  EXPECT_EQ(last.summary.degrees_of_freedom, 3);
  EXPECT_NEAR(last["nx"], -.6735034131690, same);
  EXPECT_NEAR(last["ny"], -.5387716891539, same);
  EXPECT_NEAR(last["nz"], -.5060812379607, same);
  EXPECT_NEAR(last["ball.omega_x"], .875521834909, same);
  EXPECT_NEAR(last["ball.omega_y"], .866420477350, same);
  EXPECT_NEAR(last["ball.omega_z"], -4.063517107454, same);
  expect_no_slip(last);
}

TEST(RollingDisk, GoesRoundInASteadyTiltedTurn) {
  // Lean theta, turning at W; about the axis w2 from (C + m r²) w2 W cos + m g r sin = A W² sin cos.
  const double theta = 0.3, W = 1.2, r = 0.5, m = 2, t = 3;
  const double A = m * r * r / 4, C = m * r * r / 2;
  const double s = std::sin(theta), c = std::cos(theta);
  const double w2 = (A * W * W * s * c - m * g * r * s) / ((C + m * r * r) * W * c);
  const Final last = run_text(R"(
parameters: {theta: 0.3, W: 1.2, r: 0.5, m: 2, A: m*r^2/4, C: m*r^2/2,
             w2: (A*W^2*sin(theta)*cos(theta) - m*9.81*r*sin(theta))/((C + m*r^2)*W*cos(theta)), w3: W*cos(theta)}
gravity: [0, 0, -9.81]
bodies:
  disk: {mass: m, inertia: [A, C, A], position: [0, -r*sin(theta), r*cos(theta)],
         orientation: {axis: [1, 0, 0], angle: theta}, velocity: [r*w2, 0, 0],
         angular_velocity: [0, w2*cos(theta) - w3*sin(theta), w2*sin(theta) + w3*cos(theta)]}
joints:
  roll: {type: rolling-disk, bodies: [ground, disk], radius: r, axis: [0, cos(theta), sin(theta)],
         plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
outputs: {fx: roll.fx, fy: roll.fy, fz: roll.fz, tx: roll.tx, ty: roll.ty, tz: roll.tz}
)",
                              t);
  const double radius = r * w2 / W;  // of the centre's circle, signed
  const double x = radius * std::sin(W * t), y = -r * s + radius * (1 - std::cos(W * t));
  EXPECT_NEAR(last["disk.x"], x, same);
  EXPECT_NEAR(last["disk.y"], y, same);
  EXPECT_NEAR(last["disk.z"], r * c, same);
  expect_no_slip(last);
  EXPECT_NEAR(last["fx"], -m * r * w2 * W * std::sin(W * t), 1e-6);
  EXPECT_NEAR(last["fy"], m * r * w2 * W * std::cos(W * t), 1e-6);
  EXPECT_NEAR(last["fz"], m * g, 1e-6);
  for (const char* torque : {"tx", "ty", "tz"}) EXPECT_NEAR(last[torque], 0, 1e-6);
}

TEST(RollingDisk, MovesAsTheCoinWrittenAsEquations) {
  Options options;
  options.until = 4;
  options.rtol = 1e-11;
  options.record = false;
  const Final coin{simulate(load_model("rolling-disk"), options).summary};
  const Final disk = run_text(R"(
parameters: {m: 1, r: 0.5, A: m*r^2/4, C: m*r^2/2, lean: 0.1, spin: 6, turn: 0.2,
             w2: spin + turn*sin(lean), w3: turn*cos(lean)}
gravity: [0, 0, -9.81]
bodies:
  disk: {mass: m, inertia: [A, C, A], position: [0, 0, r*cos(lean)], orientation: {axis: [1, 0, 0], angle: lean},
         velocity: [r*w2, 0, 0],
         angular_velocity: [0, w2*cos(lean) - w3*sin(lean), w2*sin(lean) + w3*cos(lean)]}
joints:
  roll: {type: rolling-disk, bodies: [ground, disk], radius: r, axis: [0, cos(lean), sin(lean)],
         plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
outputs: {normal_force: roll.fz}
)",
                              4);
  EXPECT_NEAR(disk["disk.x"], coin["x"], same);
  EXPECT_NEAR(disk["disk.y"], coin["y"], same);
  EXPECT_NEAR(disk["disk.z"], coin["z"], same);
  EXPECT_NEAR(disk["normal_force"], coin["normal_force"], 1e-6);
  expect_no_slip(disk);
}

TEST(RollingDisk, IsAWheelOnALineForPlanarBodies) {
  // Down a slope of 0.2 with 2/3 g sin, and two rows: contact and one of rolling.
  const double alpha = 0.2, t = 2;
  const Final last = run_text(R"(
parameters: {a: 0.2, m: 3, r: 0.4}
gravity: [0, -9.81, 0]
bodies:
  wheel: {mass: m, inertia: [0, 0, m*r^2/2], position: [r*sin(a), r*cos(a), 0], planar: true}
joints:
  roll: {type: rolling-disk, bodies: [ground, wheel], radius: r, axis: [0, 0, 1],
         plane: {point: [0, 0, 0], normal: [sin(a), cos(a), 0]}}
)",
                              t);
  EXPECT_EQ(last.summary.constraints, 2);
  const double path = 2.0 / 3 * g * std::sin(alpha) * t * t / 2;
  EXPECT_NEAR(last["wheel.x"], 0.4 * std::sin(alpha) + path * std::cos(alpha), same);
  EXPECT_NEAR(last["wheel.y"], 0.4 * std::cos(alpha) - path * std::sin(alpha), same);
  EXPECT_NEAR(last["wheel.angle"], -path / 0.4, same);
  expect_no_slip(last);
}

/// A blade under its centre of mass, let go on a slope while it turns at w, draws a cycloid:
/// x = a sin²(w t) down the slope, y = a (w t − sin(2 w t)/2) across, with a = g sin(alpha)/(2 w²).
struct Cycloid {
  double a, w;
  double x(double t) const { return a * std::pow(std::sin(w * t), 2); }
  double y(double t) const { return a * (w * t - std::sin(2 * w * t) / 2); }
};

TEST(KnifeEdge, DrawsACycloidOnASlope) {
  const Cycloid cycloid{g * std::sin(0.5) / (2 * 1.3 * 1.3), 1.3};
  const Final last = run_text(R"(
gravity: [9.81*sin(0.5), 0, 0]
bodies:
  sleigh: {mass: 2, inertia: [0, 0, 0.3], position: [0, 0, 0], angular_velocity: [0, 0, 1.3], planar: true}
joints:
  blade: {type: knife-edge, bodies: [ground, sleigh], axis: [1, 0, 0]}
)",
                              4);
  EXPECT_NEAR(last["sleigh.x"], cycloid.x(4), same);
  EXPECT_NEAR(last["sleigh.y"], cycloid.y(4), same);
  expect_no_slip(last);
}

TEST(KnifeEdge, DrawsTheSameCycloidInSpace) {
  const Cycloid cycloid{g * std::sin(0.5) / (2 * 1.3 * 1.3), 1.3};
  // The slope falls along e1 = (cos, 0, −sin), across it is y, its normal n = (sin, 0, cos).
  const Final last = run_text(R"(
parameters: {alpha: 0.5, w: 1.3}
gravity: [0, 0, -9.81]
bodies:
  sleigh: {mass: 2, inertia: [0.3, 0.3, 0.3], position: [1, 2, 3], angular_velocity: [w*sin(alpha), 0, w*cos(alpha)]}
joints:
  blade: {type: knife-edge, bodies: [ground, sleigh], axis: [cos(alpha), 0, -sin(alpha)],
          plane: {point: [1, 2, 3], normal: [sin(alpha), 0, cos(alpha)]}}
)",
                              4);
  EXPECT_EQ(last.summary.constraints, 2);
  EXPECT_NEAR(last["sleigh.x"], 1 + cycloid.x(4) * std::cos(0.5), same);
  EXPECT_NEAR(last["sleigh.z"], 3 - cycloid.x(4) * std::sin(0.5), same);
  EXPECT_NEAR(last["sleigh.y"], 2 + cycloid.y(4), same);
  expect_no_slip(last);
}

TEST(KnifeEdge, StraightensTheSleighOfChaplygin) {
  // The blade is a behind the centre of mass. With k² = J/m + a² and V = k w0, from rest of the blade:
  // u = V tanh(s), w = w0 / cosh(s), phi = (k/a) gd(s), where s = a V t / k².
  const double a = 0.4, J = 0.5, m = 2, w0 = 1.5, t = 3;
  const double k = std::sqrt(J / m + a * a), V = k * w0, s = a * V * t / (k * k);
  const Final last = run_text(R"(
bodies:
  sleigh: {mass: 2, inertia: [0, 0, 0.5], position: [0.4, 0, 0], velocity: [0, 0.6, 0],
           angular_velocity: [0, 0, 1.5], planar: true}
joints:
  blade: {type: knife-edge, bodies: [ground, sleigh], at: [0, 0, 0], axis: [1, 0, 0]}
outputs:
  u: sleigh.vx*cos(sleigh.angle) + sleigh.vy*sin(sleigh.angle)
  side: sleigh.vy*cos(sleigh.angle) - sleigh.vx*sin(sleigh.angle)
)",
                              t);
  EXPECT_NEAR(last["u"], V * std::tanh(s), same);
  EXPECT_NEAR(last["sleigh.angle'"], w0 / std::cosh(s), same);
  EXPECT_NEAR(last["side"], a * w0 / std::cosh(s), same);
  EXPECT_NEAR(last["sleigh.angle"], k / a * 2 * std::atan(std::tanh(s / 2)), same);
  EXPECT_LE(*last.summary.max_energy_error, 1e-9);
  expect_no_slip(last);
}

TEST(Rolling, OnABodyThatFloatsKeepsMomentum) {
  // A plate and what rolls on it, both free, driven by a torque between them from rest: no momentum comes about.
  // Both are alike about every axis, so that the angular momentum is that of the centres and J w.
  const std::string plane = "plane: {point: [0, 0, 0], normal: [0, sin(0.3), cos(0.3)]}";
  const std::vector<std::string> joints{
      "type: rolling-disk, at: [0.1, 0.5*sin(0.3), 0.5*cos(0.3)], axis: [1, 0, 0], radius: 0.5, " + plane,
      "type: rolling-ball, at: [0.1, 0.5*sin(0.3), 0.5*cos(0.3)], radius: 0.5, " + plane,
      "type: rolling-ball, at: [0.5, 0, 0], radius: 0.5, cylinder: {point: [0, 0, 3], axis: [0, 0, 1], radius: 1}",
      "type: knife-edge, at: [0.1, 0, 0], axis: [1, 0, 0], " + plane};
  for (const std::string& joint : joints) {
    const Final last = run_text(R"(
bodies:
  plate: {mass: 3, inertia: [0.5, 0.5, 0.5], position: [0, 0, -0.2]}
  b: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.2, 0.1, 0.5]}
joints:
  j: {bodies: [plate, b], )" + joint +
                                    R"(}
forces: {drive: {type: torque, bodies: [plate, b], axes: body, value: [0.3, 0.2, 0.1]}}
outputs:
  px: 3*plate.vx + b.vx
  py: 3*plate.vy + b.vy
  pz: 3*plate.vz + b.vz
  Lx: 3*(plate.y*plate.vz - plate.z*plate.vy) + b.y*b.vz - b.z*b.vy + 0.5*plate.omega_x + 0.1*b.omega_x
  Ly: 3*(plate.z*plate.vx - plate.x*plate.vz) + b.z*b.vx - b.x*b.vz + 0.5*plate.omega_y + 0.1*b.omega_y
  Lz: 3*(plate.x*plate.vy - plate.y*plate.vx) + b.x*b.vy - b.y*b.vx + 0.5*plate.omega_z + 0.1*b.omega_z
)",
                                1);
    for (const char* name : {"px", "py", "pz", "Lx", "Ly", "Lz"}) EXPECT_NEAR(last[name], 0, 1e-10) << name << joint;
    EXPECT_GT(std::abs(last["b.vx"]) + std::abs(last["b.vy"]), 1e-3) << joint;
    EXPECT_GT(std::abs(last["plate.omega_x"]), 1e-2) << joint;
    EXPECT_LE(*last.summary.max_energy_error, 1e-9) << joint;
    expect_no_slip(last);
    EXPECT_TRUE(last.summary.events.empty()) << joint << last.summary.events[0].message;
  }
}

// ---- wrong ones ---------------------------------------------------------------------------------

std::string with_joint(const std::string& joint) {
  return "bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}}\njoints:\n  j: " + joint + "\n";
}

TEST(Rolling, RefusesWhatCannotRoll) {
  const std::string on = "type: rolling-ball, bodies: [ground, b], ",
                    plane = "plane: {point: [0, 0, 0], normal: [0, 0, 1]}";
  EXPECT_THAT(refusal(with_joint("{" + on + "radius: 1}")),
              AllOf(HasSubstr("test.yaml:3:3"), HasSubstr("lacks 'plane'")));
  EXPECT_THAT(refusal(with_joint("{" + on + "radius: -1, " + plane + "}")),
              HasSubstr("radius of joint 'j' is not above zero"));
  EXPECT_THAT(refusal(with_joint("{" + on + "radius: 1, plane: {point: [0, 0, 0], normal: [0, 0, -1]}}")),
              HasSubstr("let the normal point to the side where the body is"));
  EXPECT_THAT(refusal(with_joint("{" + on + "radius: 1, plane: {point: [0, 0, 0]}}")), HasSubstr("lacks 'normal'"));
  EXPECT_THAT(refusal(with_joint("{" + on + "radius: 1, plane: {point: [0, 0, 0], norm: [0, 0, 1]}}")),
              HasSubstr("has no 'norm'; there are point, normal, velocity"));
  EXPECT_THAT(refusal(with_joint("{" + on + "radius: 1, cylinder: {point: [0, 0, 0], axis: [0, 0, 1], radius: 2}}")),
              HasSubstr("starts on the axis of its cylinder"));
  EXPECT_THAT(refusal(with_joint("{" + on + "radius: 1, cylinder: {point: [1, 0, 0], axis: [0, 0, 1], radius: 1}}")),
              HasSubstr("is not smaller than its cylinder"));
  EXPECT_THAT(
      refusal(with_joint("{type: rolling-disk, bodies: [ground, b], axis: [0, 0, 2], radius: 1, " + plane + "}")),
      HasSubstr("lies flat on its plane"));
  EXPECT_THAT(refusal(with_joint("{type: knife-edge, bodies: [ground, b], axis: [1, 0, 0]}")),
              HasSubstr("lacks 'plane'"));
  EXPECT_THAT(refusal(with_joint("{type: knife-edge, bodies: [ground, b], axis: [0, 0, 1], " + plane + "}")),
              HasSubstr("stands upright on its plane"));
}

TEST(Rolling, IsAssembledAndSaysSoWhereItStartsOffItsSurface) {
  const std::string text = with_joint(
      "{type: rolling-ball, bodies: [ground, b], radius: 0.5, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}");
  const Model model = read_model(text, "test.yaml");
  EXPECT_THROW(simulate(model, {.until = 0.1}), InputError);  // half a radius off is no matter of typed digits
  const Summary summary = simulate(model, {.until = 0.1, .assemble = true}).summary;
  ASSERT_EQ(summary.events.size(), 1U);
  EXPECT_EQ(summary.events[0].kind, "assembly");
  EXPECT_THAT(summary.events[0].message, HasSubstr("'b.z' by 0.5"));
}

}  // namespace
}  // namespace taut
