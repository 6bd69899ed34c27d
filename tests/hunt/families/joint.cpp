// Joints with a coordinate of their own, closed forms: screw, gear, rack and pinion, Cardan joint, distance.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/lagrange.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

Case finished(Dice& dice, std::string model, double until, std::vector<Expected> expected) {
  Case out;
  out.model = std::move(model);
  out.plan = draw_plan(dice, {.step = 0.005, .energy_law = true, .rates_are_speeds = false});
  out.until = until;
  out.expected = std::move(expected);
  return out;
}

/// A nut that its weight turns down a screw.
Case screw(Dice& dice) {
  const double m = dice.between(0.3, 3), moment = dice.between(0.02, 0.5), pitch = dice.between(0.05, 1),
               g = dice.between(1, 12);
  const Real lead = pitch / (2 * pi), pull = -m * Real(g) * lead / (moment + m * lead * lead);
  const double until = dice.between(0.3, 2), spin = dice.between(-5, 5);
  const Real angle = spin * Real(until) + pull * until * until / 2,
             size = std::abs(spin) * until + std::abs(pull) * until * until;
  return finished(
      dice,
      fmt::format(
          "gravity: [0, 0, -{0}]\nbodies:\n  nut: {{mass: {1}, inertia: [{3}, {3}, {3}], velocity: [0, 0, {4}], "
          "angular_velocity: [0, 0, {5}]}}\njoints:\n  j: {{type: screw, bodies: [ground, nut], at: [0, 0, 0], "
          "axis: [0, 0, 1], pitch: {2}}}\noutputs: {{angle: j.angle}}\n",
          text_of(g), text_of(m), text_of(pitch), text_of(moment), text_of(lead * spin), text_of(spin)),
      until, {{"angle", angle, size}, {"nut.z", lead * angle, lead * size}});
}

/// Two wheels with a ratio, a torque on the first.
Case gear(Dice& dice) {
  const double j1 = dice.between(0.05, 1), j2 = dice.between(0.05, 1), ratio = dice.between(0.2, 4) * dice.sign(),
               torque = dice.between(-3, 3);
  const double until = dice.between(0.3, 3), spin = dice.between(-5, 5);
  const Real pull = torque / (j1 + Real(ratio) * ratio * j2), a = spin * Real(until) + pull * until * until / 2;
  const Real size = 1 + std::abs(spin) * until + std::abs(pull) * until * until;
  return finished(
      dice,
      fmt::format(
          "bodies:\n  one: {{mass: 1, inertia: [{0}, {0}, {0}], angular_velocity: [0, 0, {1}]}}\n"
          "  two: {{mass: 1, inertia: [{2}, {2}, {2}], position: [1, 0, 0], angular_velocity: [0, 0, {3}]}}\n"
          "joints:\n  a: {{type: revolute, bodies: [ground, one], at: [0, 0, 0], axis: [0, 0, 1], torque: {4}}}\n"
          "  b: {{type: revolute, bodies: [ground, two], at: [1, 0, 0], axis: [0, 0, 1]}}\n"
          "  mesh: {{type: gear, joints: [a, b], ratio: {5}}}\noutputs: {{turn: a.angle, other: b.angle}}\n",
          text_of(j1), text_of(spin), text_of(j2), text_of(Real(ratio) * spin), text_of(torque), text_of(ratio)),
      until, {{"turn", a, size}, {"other", ratio * a, size * (1 + std::abs(ratio))}});
}

/// A rack that falls and turns its pinion.
Case rack(Dice& dice) {
  const double m = dice.between(0.3, 3), moment = dice.between(0.02, 0.5), r = dice.between(0.05, 0.5),
               g = dice.between(1, 12);
  const Real pull = -m * Real(g) * r / (moment + m * Real(r) * r);
  const double until = dice.between(0.3, 2), spin = dice.between(-5, 5);
  const Real angle = spin * Real(until) + pull * until * until / 2,
             size = std::abs(spin) * until + std::abs(pull) * until * until;
  return finished(
      dice,
      fmt::format("gravity: [0, -{0}, 0]\nbodies:\n  wheel: {{mass: 1, inertia: [{1}, {1}, {1}], angular_velocity: [0, "
                  "0, {2}]}}\n"
                  "  rack: {{mass: {3}, inertia: [0.1, 0.1, 0.1], position: [{4}, 0, 0], velocity: [0, {5}, 0]}}\n"
                  "joints:\n  hub: {{type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
                  "  rail: {{type: prismatic, bodies: [ground, rack], at: [{4}, 0, 0], axis: [0, 1, 0]}}\n"
                  "  teeth: {{type: rack-pinion, joints: [hub, rail], radius: {4}}}\noutputs: {{angle: hub.angle}}\n",
                  text_of(g), text_of(moment), text_of(spin), text_of(m), text_of(r), text_of(Real(r) * spin)),
      until, {{"angle", angle, size}, {"rack.y", r * angle, r * size}});
}

/// A driven shaft turns another through a Cardan joint, whose arm on the driven fork begins square to both shafts:
/// tan out = cos bend · tan in, turns counted.
Case cardan(Dice& dice) {
  const double bend = dice.between(0.1, 0.8), w = dice.between(0.5, 5), until = dice.between(0.3, 4);
  const Real in = Real(w) * until, turns = std::round(in / (2 * pi));
  // The cross's arm on the driven fork is z, on the second the direction square to it and to the second shaft.
  const Real rest = in - 2 * pi * turns,
             out = 2 * pi * turns + std::atan2(std::sin(rest) * std::cos(Real(bend)), std::cos(rest));
  const Real c = std::cos(Real(bend)), s = std::sin(Real(bend));
  // At the start out' = cos(bend) in'.
  return finished(
      dice,
      fmt::format(
          "bodies:\n  one: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [-1, 0, 0], angular_velocity: [{0}, 0, 0]}}\n"
          "  two: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [{1}, {2}, 0], angular_velocity: [{3}, {4}, 0]}}\n"
          "joints:\n  in: {{type: revolute, bodies: [ground, one], at: [-1, 0, 0], axis: [1, 0, 0], position: "
          "\"{0}*t\"}}\n"
          "  cross: {{type: universal, bodies: [one, two], at: [0, 0, 0], axes: [[0, 0, 1], [{5}, {1}, 0]]}}\n"
          "  out: {{type: revolute, bodies: [ground, two], at: [{1}, {2}, 0], axis: [{1}, {2}, 0]}}\n"
          "outputs: {{turn: out.angle}}\n",
          text_of(w), text_of(c), text_of(s), text_of(Real(w) * c * c), text_of(Real(w) * c * s), text_of(-s)),
      until, {{"turn", out, 2 + in}});
}

/// Two bodies that slide on square rails, with a rod of given distance between: a pendulum's angle as truth.
Case ellipse_trammel(Dice& dice) {
  const double m1 = dice.between(0.3, 3), m2 = dice.between(0.3, 3), l = dice.between(0.5, 2), g = dice.between(1, 12);
  Motion motion;
  motion.rates = ReducedEquations(1, [=](const auto&, const auto& q, const auto& v) {
    const auto vx = l * cos(q[0]) * v[0], vy = l * sin(q[0]) * v[0];
    return m1 / 2 * vx * vx + m2 / 2 * vy * vy + m2 * g * l * cos(q[0]);
  });
  motion.start = {dice.between(-2, 2), dice.between(-2, 2)};
  motion.names = {"a.x", "b.y"};
  motion.figures = [=](Real, const State& y) -> State { return {l * std::sin(y[0]), -l * std::cos(y[0])}; };
  const State p = motion.figures(0, motion.start);
  const Real rate = motion.start[1];
  const double until = dice.between(0.3, 3);
  return finished(
      dice,
      fmt::format("gravity: [0, -{0}, 0]\nbodies:\n  a: {{mass: {1}, inertia: [0.1, 0.1, 0.1], position: [{2}, 0, 0], "
                  "velocity: [{3}, 0, 0]}}\n"
                  "  b: {{mass: {4}, inertia: [0.1, 0.1, 0.1], position: [0, {5}, 0], velocity: [0, {6}, 0]}}\n"
                  "joints:\n  h: {{type: prismatic, bodies: [ground, a], at: [{2}, 0, 0], axis: [1, 0, 0]}}\n"
                  "  v: {{type: prismatic, bodies: [ground, b], at: [0, {5}, 0], axis: [0, 1, 0]}}\n"
                  "  rod: {{type: distance, bodies: [a, b], points: [[{2}, 0, 0], [0, {5}, 0]], length: {7}}}\n",
                  text_of(g), text_of(m1), text_of(p[0]), text_of(-p[1] * rate), text_of(m2), text_of(p[1]),
                  text_of(p[0] * rate), text_of(l)),
      until, expected_of(motion, until));
}

}  // namespace

std::vector<Family> joint_families() {
  return {{"joint-screw", "a nut on a screw", screw},
          {"joint-gear", "two wheels and a torque", gear},
          {"joint-rack", "a rack that falls", rack},
          {"joint-cardan", "a Cardan joint, driven", cardan},
          {"joint-distance", "an ellipse trammel of two slides", ellipse_trammel}};
}

}  // namespace taut::hunt
