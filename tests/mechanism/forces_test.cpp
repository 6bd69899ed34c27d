// Force elements against closed forms, against the same forces written by hand, and against what they must keep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "mechanism/text_model.hpp"

namespace taut {
namespace {

using ::testing::AllOf;
using testing::Final;
using ::testing::HasSubstr;
using testing::refusal;
using testing::run_text;

constexpr double same = 1e-8;

/// x'' + 2 d x' + w² x = 0 from x(0) = x0, x'(0) = v0, with d < w.
double damped(double x0, double v0, double w, double d, double t) {
  const std::complex<double> root(-d, std::sqrt(w * w - d * d));
  const std::complex<double> amplitude(x0, -(v0 + d * x0) / root.imag());
  return (amplitude * std::exp(root * t)).real();
}

TEST(ForceElement, PushesAtTheCentreOfMass) {
  const Final last = run_text(R"(
bodies: {b: {mass: 2, inertia: [1, 2, 3], position: [1, 0, 0]}}
forces: {push: {type: force, body: b, value: [4, 6*t, -2]}}
outputs: {fy: push.fy}
)",
                              2);
  EXPECT_NEAR(last["b.x"], 1 + 4, same);
  EXPECT_NEAR(last["b.y"], 3 * 8 / 6.0, same);
  EXPECT_NEAR(last["b.z"], -2, same);
  EXPECT_NEAR(last["b.omega_x"], 0, same);
  EXPECT_NEAR(last["fy"], 12, same);
}

TEST(ForceElement, TurnsABodyWhereItActsBesideTheCentre) {
  // At a point that the body carries, in the world's axes: J φ'' = F l cos φ is a pendulum, whose energy is
  // J φ'²/2 − F l sin φ.
  const Final last = run_text(R"(
bodies: {b: {mass: 2, inertia: [0, 0, 0.5], position: [0, 0, 0], planar: true}}
forces: {push: {type: force, body: b, at: [0.3, 0, 0], axis: [0, 2, 0], value: 4}}
)",
                              1.5);
  const double omega = last["b.angle'"];
  EXPECT_NEAR(0.5 * omega * omega / 2, 4 * 0.3 * std::sin(last["b.angle"]), same);
  EXPECT_NEAR(last["b.y"], 4.0 / 2 * 1.5 * 1.5 / 2, same);
  EXPECT_GT(std::abs(omega), 0.1);
}

TEST(ForceElement, InBodyAxesTurnsWithTheBody) {
  // A rocket that spins at w: v = ∫ (F/m) (cos wt, sin wt).
  const std::string before = R"(
bodies: {b: {mass: 2, inertia: [1, 1, 1], position: [0, 0, 0], orientation: {axis: [0, 0, 1], angle: 0.3},
             angular_velocity: [0, 0, 1.7]}}
forces: {jet: {type: force, body: b, axes: body, )";
  const Final vector = run_text(before + "value: [3, 0, 0]}}", 2);
  // A vector is given in the body's own axes, an axis in those of the world at the start.
  const Final axis = run_text(before + "axis: [cos(0.3), sin(0.3), 0], value: 3}}", 2);
  const double w = 1.7, end = 0.3 + w * 2;
  for (const Final& last : {vector, axis}) {
    EXPECT_NEAR(last["b.vx"], 1.5 / w * (std::sin(end) - std::sin(0.3)), same);
    EXPECT_NEAR(last["b.vy"], -1.5 / w * (std::cos(end) - std::cos(0.3)), same);
    EXPECT_LE(*last.summary.max_energy_error, 1e-9);
  }
}

TEST(ForceElement, BetweenTwoBodiesKeepsTheirMomentum) {
  // Bodies that are alike about every axis, so that the angular momentum is that of the centres and J w.
  const Final last = run_text(R"(
bodies:
  a: {mass: 1, inertia: [0.2, 0.2, 0.2], position: [0, 0, 0]}
  b: {mass: 2, inertia: [0.3, 0.3, 0.3], position: [1, 0.5, 0], angular_velocity: [0, 1, 0]}
forces:
  push: {type: force, bodies: [a, b], at: [0.8, 0.5, 0.2], axes: body, value: [1, 2 - b.vy, sin(3*t)]}
  turn: {type: torque, bodies: [a, b], axis: [1, 1, 0], value: 0.3 - 0.1*a.omega_y}
outputs:
  px: a.vx + 2*b.vx
  py: a.vy + 2*b.vy
  pz: a.vz + 2*b.vz
  Lx: a.y*a.vz - a.z*a.vy + 2*(b.y*b.vz - b.z*b.vy) + 0.2*a.omega_x + 0.3*b.omega_x
  Ly: a.z*a.vx - a.x*a.vz + 2*(b.z*b.vx - b.x*b.vz) + 0.2*a.omega_y + 0.3*b.omega_y
  Lz: a.x*a.vy - a.y*a.vx + 2*(b.x*b.vy - b.y*b.vx) + 0.2*a.omega_z + 0.3*b.omega_z
)",
                              3);
  for (const char* name : {"px", "py", "pz", "Lx", "Lz"}) EXPECT_NEAR(last[name], 0, 1e-9) << name;
  EXPECT_NEAR(last["Ly"], 0.3, 1e-9);
  EXPECT_GT(std::abs(last["b.vx"]), 0.1);
  EXPECT_LE(*last.summary.max_energy_error, 1e-9);
}

TEST(Torque, SpinsABodyUpAndKeepsAngularMomentumBetweenTwo) {
  // J w' = T − c w.
  const double J = 0.5, T = 20, c = 5, t = 0.3;
  const Final crank = run_text(R"(
bodies: {crank: {mass: 1, inertia: [0, 0, 0.5], position: [0, 0, 0], planar: true}}
forces: {motor: {type: torque, body: crank, axis: [0, 0, 1], value: 20 - 5*crank.omega_z}}
outputs: {torque: motor.value, tz: motor.tz}
)",
                               t);
  EXPECT_NEAR(crank["crank.angle'"], T / c * (1 - std::exp(-c / J * t)), same);
  EXPECT_NEAR(crank["torque"], T * std::exp(-c / J * t), same);
  EXPECT_NEAR(crank["tz"], crank["torque"], 1e-15);
  // Alike about every axis, so that the angular momentum is J w.
  const Final pair = run_text(R"(
bodies:
  a: {mass: 1, inertia: [0.2, 0.2, 0.2], position: [0, 0, 0]}
  b: {mass: 1, inertia: [0.5, 0.5, 0.5], position: [1, 0, 0]}
forces: {motor: {type: torque, bodies: [a, b], axes: body, value: [1, b.omega_z, -2]}}
)",
                              2);
  for (const char* axis : {"x", "y", "z"}) {
    const std::string w = std::string(".omega_") + axis;
    EXPECT_NEAR(0.2 * pair["a" + w] + 0.5 * pair["b" + w], 0, 1e-10);
  }
}

TEST(Spring, SwingsAsADampedOscillator) {
  // Free length 0.5, m = 2, k = 50, c = 4; hung along z and started 0.2 beyond where it rests.
  const Final last = run_text(R"(
parameters: {k: 50, c: 4, free: 0.5}
bodies: {b: {mass: 2, inertia: [1, 1, 1], position: [0, 0, -0.7], velocity: [0, 0, -1]}}
forces: {s: {type: spring, bodies: [ground, b], points: [[0, 0, 0], [0, 0, -0.7]], stiffness: k, damping: c, length: free}}
outputs: {L: s.length, rate: s.rate, force: s.value}
)",
                              2);
  const double stretch = damped(0.2, 1, 5, 1, 2);
  EXPECT_NEAR(last["b.z"], -0.5 - stretch, same);
  EXPECT_NEAR(last["L"], 0.5 + stretch, same);
  EXPECT_NEAR(last["rate"], -last["b.vz"], same);
  EXPECT_NEAR(last["force"], -50 * stretch + 4 * last["b.vz"], 1e-6);
  EXPECT_LE(*last.summary.max_energy_error, 1e-9);
}

TEST(Spring, OfNoFreeLengthMayStartWithItsEndsTogether) {
  // It passes through d = 0 again and again, on a line: m d'' = −k d − c d'.
  const Final last = run_text(R"(
bodies: {b: {mass: 2, inertia: [1, 1, 1], position: [1, 2, 3], velocity: [0.6, 0, 0.8]}}
forces: {s: {type: spring, bodies: [ground, b], points: [[1, 2, 3], [1, 2, 3]], stiffness: 50, damping: 4}}
outputs: {L: s.length, rate: s.rate}
)",
                              2);
  const double d = damped(0, 1, 5, 1, 2);
  EXPECT_NEAR(last["b.x"], 1 + 0.6 * d, same);
  EXPECT_NEAR(last["b.z"], 3 + 0.8 * d, same);
  EXPECT_NEAR(last["L"], std::abs(d), same);
  EXPECT_LE(*last.summary.max_energy_error, 1e-9);
}

TEST(Spring, DampsAlongItselfOnly) {
  // At right angles to the line between its ends a damper does nothing: a body that circles at the spring's rest
  // length under the right tension keeps its speed. m v²/R = k (R − L0) with R = 1, v = 2: k (1 − L0) = 8.
  for (const char* free : {"length: 0.5, stiffness: 16", "stiffness: 8"}) {
    const Final last = run_text(std::string(R"(
bodies: {b: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [0, 2, 0]}}
forces: {s: {type: spring, bodies: [ground, b], points: [[0, 0, 0], [1, 0, 0]], damping: 3, )") +
                                    free + "}}",
                                3);
    EXPECT_NEAR(last["b.x"], std::cos(6), same);
    EXPECT_NEAR(last["b.y"], std::sin(6), same);
  }
}

const std::string two_bodies = R"(
parameters: {k: 30, c: 0.7}
bodies:
  a: {mass: 1, inertia: [0.1, 0.2, 0.25], position: [0, 0, 0], angular_velocity: [0.5, 1, 0]}
  b: {mass: 2, inertia: [0.3, 0.2, 0.2], position: [1, 0.5, 0], orientation: {axis: [1, 2, 3], angle: 0.7},
      angular_velocity: [0, 1, 0]}
)";

TEST(Spring, WithAValueIsTheSameAsWithStiffnessAndDamping) {
  const std::string ends = "forces: {s: {type: spring, bodies: [a, b], points: [[0.1, 0.2, 0], [1, 0.6, -0.1]], ";
  const Final given = run_text(two_bodies + ends + "stiffness: k, damping: c, length: 0.4}}", 2);
  // `length` and `rate` are the spring's, whatever else has these names.
  const Final valued = run_text(
      two_bodies + "definitions: {rate: 1000*t, length: 77}\n" + ends + "value: -k*(length - 0.4) - c*rate}}", 2);
  for (const char* name : {"a.x", "b.y", "a.qx", "b.qz", "a.omega_y", "b.vz"})
    EXPECT_NEAR(valued[name], given[name], same) << name;
  EXPECT_LE(*given.summary.max_energy_error, 1e-9);
  EXPECT_LE(*valued.summary.max_energy_error, 1e-9);
  // No force from outside.
  for (const char* axis : {"x", "y", "z"})
    EXPECT_NEAR(given[std::string("a.v") + axis] + 2 * given[std::string("b.v") + axis], 0, 1e-10);
}

TEST(Spring, WhoseFreeLengthMovesDoesWork) {
  // x'' = −w² (x − 1 − u sin(p t)), a driven oscillator: x = 1 + A sin(p t) − A p/w sin(w t), A = u w²/(w² − p²).
  const double w = 4, p = 3, u = 0.1, t = 2, A = u * w * w / (w * w - p * p);
  const Final last = run_text(R"(
bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}
forces: {s: {type: spring, bodies: [ground, b], points: [[0, 0, 0], [1, 0, 0]], stiffness: 16, length: 1 + 0.1*sin(3*t)}}
)",
                              t);
  EXPECT_NEAR(last["b.x"], 1 + A * std::sin(p * t) - A * p / w * std::sin(w * t), same);
  EXPECT_LE(*last.summary.max_energy_error, 1e-9);
}

TEST(TorsionSpring, WindsUpOverSeveralTurns) {
  // A hinge in space through the centre of mass; J = 0.2 about it, k = 0.05, from rest at 20 rad/s: 2 turns and more.
  const double w = std::sqrt(0.05 / 0.2), d = 0.02 / 0.4, t = 4;
  const Final last = run_text(R"(
bodies: {b: {mass: 1, inertia: [0.3, 0.2, 0.4], position: [1, 2, 0], angular_velocity: [0, 20, 0]}}
joints: {hinge: {type: revolute, bodies: [ground, b], at: [1, 2, 0], axis: [0, 1, 0]}}
forces: {coil: {type: torsion-spring, joint: hinge, stiffness: 0.05, damping: 0.02, angle: 0.5}}
outputs: {angle: hinge.angle, torque: coil.value}
)",
                              t);
  const double angle = 0.5 + damped(-0.5, 20, w, d, t);
  EXPECT_GT(angle, 4 * M_PI);
  EXPECT_NEAR(last["angle"], angle, 1e-7);
  EXPECT_NEAR(last["torque"], -0.05 * (angle - 0.5) - 0.02 * last["b.omega_y"], 1e-8);
  EXPECT_LE(*last.summary.max_energy_error, 1e-7);
}

TEST(TorsionSpring, WithAValueAndOnASlider) {
  const std::string hinge = R"(
bodies: {b: {mass: 1, inertia: [0, 0, 0.2], position: [0, 0, 0], angular_velocity: [0, 0, 3], planar: true}}
joints: {hinge: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}}
)";
  const Final last =
      run_text(hinge + "forces: {coil: {type: torsion-spring, joint: hinge, value: -5*angle - 0.4*rate}}", 2);
  EXPECT_NEAR(last["b.angle"], damped(0, 3, 5, 1, 2), same);
  const std::string slider = R"(
bodies: {b: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [3, 0, 0]}}
joints: {rail: {type: prismatic, bodies: [ground, b], at: [1, 0, 0], axis: [1, 0, 0]}}
)";
  const Final kept =
      run_text(slider + "forces: {s: {type: torsion-spring, joint: rail, stiffness: 50, damping: 4}}", 2);
  const Final valued =
      run_text(slider + "forces: {s: {type: torsion-spring, joint: rail, value: -50*travel - 4*rate}}", 2);
  for (const Final& run : {kept, valued}) EXPECT_NEAR(run["b.x"], 1 + damped(0, 3, 5, 1, 2), same);
}

TEST(Bushing, IsThreeOscillatorsAlongItsAxes) {
  // To the ground, at the centre of mass, without turning: x, y, z swing apart.
  const Final last = run_text(R"(
bodies: {b: {mass: 2, inertia: [1, 1, 1], position: [1, 2, 3], velocity: [1, 1, 1]}}
forces: {mount: {type: bushing, bodies: [ground, b], at: [1, 2, 3], stiffness: [50, 72, 98], damping: [4, 0, 8]}}
outputs: {ux: mount.ux}
)",
                              2);
  EXPECT_NEAR(last["b.x"], 1 + damped(0, 1, 5, 1, 2), same);
  EXPECT_NEAR(last["b.y"], 2 + damped(0, 1, 6, 0, 2), same);
  EXPECT_NEAR(last["b.z"], 3 + damped(0, 1, 7, 2, 2), same);
  EXPECT_NEAR(last["ux"], last["b.x"] - 1, 1e-12);
  EXPECT_LE(*last.summary.max_energy_error, 1e-9);
}

TEST(Bushing, HasTheEnergyOfThePendulumWhenItTurns) {
  // κ (1 − cos θ) about any axis: without damping J w²/2 + κ (1 − cos θ) stays, with θ from the quaternion.
  const Final last = run_text(R"(
bodies: {b: {mass: 2, inertia: [0.5, 0.5, 0.5], position: [0, 0, 0], orientation: {axis: [3, 1, 2], angle: 2},
             angular_velocity: [0.6, 1.2, -0.8]}}
forces: {mount: {type: bushing, bodies: [ground, b], at: [0, 0, 0], torsional_stiffness: 3}}
outputs: {wx: mount.turn_x, wy: mount.turn_y, wz: mount.turn_z}
)",
                              1.1);
  const double square = std::pow(last["wx"], 2) + std::pow(last["wy"], 2) + std::pow(last["wz"], 2);
  const double cosine = 1 - square / 2;
  const double w2 = std::pow(last["b.omega_x"], 2) + std::pow(last["b.omega_y"], 2) + std::pow(last["b.omega_z"], 2);
  EXPECT_NEAR(0.5 * w2 / 2 + 3 * (1 - cosine), 0.5 * (0.36 + 1.44 + 0.64) / 2, same);
  EXPECT_GT(square, 0.01);
  // It turns about one axis, so J θ'' = −κ sin θ: the angular velocity keeps its direction.
  EXPECT_NEAR(last["b.omega_y"], -1.5 * last["b.omega_z"], same);
}

TEST(Bushing, BetweenTwoBodiesKeepsMomentumAndTheBalanceOfEnergy) {
  const std::string text = two_bodies + R"(
forces: {mount: {type: bushing, bodies: [a, b], at: [0.5, 0.2, 0], stiffness: [20, 30, 40], damping: [1, 2, 3],
                 torsional_stiffness: [2, 3, 4], torsional_damping: 0.1}}
)";
  const Final first = run_text(text, 0), last = run_text(text, 3);
  EXPECT_LE(*last.summary.max_energy_error, 1e-9);
  const auto momentum = [](const Final& run, int k) {
    const char* const axes[] = {"x", "y", "z"};
    return run[std::string("a.v") + axes[k]] + 2 * run[std::string("b.v") + axes[k]];
  };
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(momentum(last, k), momentum(first, k), 1e-10);
}

TEST(ForceElement, BuiltInCppIsTheSameAsRead) {
  const Final read = run_text(R"(
bodies: {b: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}}
forces: {s: {type: spring, bodies: [ground, b], points: [[0, 0, 0], [1, 0.1, 0]], value: -9*(length - 0.3)^3}}
)",
                              1);
  Model model;
  BodyDescription body;
  body.name = "b";
  body.mass = 2;
  body.inertia = {1, 1, 1};
  body.position = {1, 0, 0};
  add_body(model, body);
  ForceDescription spring;
  spring.name = "s";
  spring.type = "spring";
  spring.second = "b";
  spring.points = {{0, 0, 0}, {1, 0.1, 0}};
  spring.law = [](const Expression& length, const Expression&) { return -9 * pow(length - 0.3, 3); };
  add_force(model, spring);
  Options options;
  options.until = 1;
  options.rtol = 1e-11;
  const Final built{simulate(model, options).summary};
  for (const char* name : {"b.x", "b.y", "b.qz"}) EXPECT_NEAR(built[name], read[name], 1e-12);
}

// ---- wrong ones ---------------------------------------------------------------------------------

std::string with_force(const std::string& force) {
  return "bodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\n  p: {mass: 1, inertia: [1, 1, 1], planar: true}\n"
         "joints: {ball: {type: spherical, bodies: [ground, b], at: [0, 0, 0]}}\nforces:\n  f: " +
         force + "\n";
}

TEST(ForceElement, RefusesWhatIsWrongWithPlaceNameAndRemedy) {
  const auto expect = [](const std::string& force, const char* message, const char* remedy) {
    EXPECT_THAT(refusal(with_force(force)), AllOf(HasSubstr("test.yaml:6:"), HasSubstr(message), HasSubstr(remedy)));
  };
  expect("{type: forse, body: b}", "there is no force of type 'forse'", "did you mean 'force'?");
  expect("{body: b, value: [1, 2, 3]}", "force 'f' lacks 'type'", "torsion-spring");
  expect("{type: force, value: [1, 2, 3]}", "lacks 'body'", "name the body");
  expect("{type: force, body: c, value: [1, 2, 3]}", "there is no body 'c'", "b");
  expect("{type: force, body: b, bodies: [ground, b], value: [1, 2, 3]}", "has 'body' and 'bodies'", "give 'body'");
  expect("{type: force, body: b}", "lacks 'value'", "needs value");
  expect("{type: force, body: b, value: 1}", "has one value, but no axis", "give 'axis'");
  expect("{type: force, body: b, value: [1, 2, 3], axis: [0, 0, 1]}", "three components and an axis",
         "leave 'axis' out");
  expect("{type: force, body: b, value: 1, axis: [0, 0, 0]}", "has no direction", "not zero");
  expect("{type: force, body: b, value: 1, axis: [0, 0, 1], axes: local}", "is 'local'", "'world' or 'body'");
  expect("{type: force, body: b, vlaue: [1, 2, 3]}", "has no 'vlaue'", "did you mean 'value'?");
  expect("{type: force, body: ground, value: [1, 2, 3]}", "between 'ground' and itself", "name a body that moves");
  expect("{type: torque, body: p, axis: [1, 0, 0], value: 1}", "acts along no motion", "turns about z only");
  expect("{type: torque, body: p, value: [1, 2]}", "has 2 components", "give three");
  expect("{type: force, body: b, value: [b.ax, 0, 0]}", "'b.ax' is an acceleration", "outputs");
  expect("{type: spring, bodies: [ground, b], stiffness: 1}", "lacks 'points'", "a spring needs bodies, points");
  expect("{type: spring, bodies: [ground, b], points: [[0, 0, 1], [0, 0, 0]]}", "does nothing", "'stiffness'");
  expect("{type: spring, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], stiffness: 1, length: 1}",
         "starts with its ends together", "leave 'length' out");
  expect("{type: spring, bodies: [ground, b], points: [[0, 0, 1], [0, 0, 0]], stiffness: 1, value: length}",
         "has a 'value' beside a stiffness", "leave it out");
  expect("{type: spring, bodies: [ground, b], points: [[0, 0, 1], [0, 0, 0]], stiffness: b.x}", "'b.x' is a coordinate",
         "use 'value'");
  expect("{type: spring, bodies: [ground, b], points: [[0, 0, 1], [0, 0, 0]], value: lenght}",
         "nothing is named 'lenght'", "did you mean 'length'?");
  expect("{type: torsion-spring, joint: bal, stiffness: 1}", "there is no joint 'bal'", "did you mean 'ball'?");
  expect("{type: torsion-spring, joint: ball, stiffness: 1}", "neither an angle nor a travel",
         "name a joint that turns");
  expect("{type: bushing, bodies: [ground, b], at: [0, 0, 0]}", "does nothing", "give its 'stiffness' or 'damping'");
}

}  // namespace
}  // namespace taut
