// Short pulses in a long time of rest: a step must not leap over them.
#include <cmath>

#include "hunt/families.hpp"

namespace taut::hunt {
namespace {

struct Pulse {
  double at, width, impulse, until;
};

Pulse draw_pulse(Dice& dice) {
  const double until = dice.between(2, 20);
  return {until * dice.between(0.2, 0.8), until * dice.scaled(1e-4, 0.05), dice.between(0.3, 3) * dice.sign(), until};
}

Case finished(Dice& dice, std::string model, const Pulse& pulse, std::vector<Expected> expected) {
  Case out;
  out.model = std::move(model);
  out.plan = draw_plan(dice, {.drifting = true});
  out.until = pulse.until;
  out.expected = std::move(expected);
  return out;
}

/// A mass at rest that is hit; its momentum and its way, both from moments of the pulse.
std::vector<Expected> after(const Pulse& pulse, double mass, Real impulse) {
  const Real v = impulse / mass, x = v * (Real(pulse.until) - pulse.at);
  return {{"x", x, std::abs(x)}, {"x'", v, std::abs(v)}};
}

std::string mass_with(double mass, const std::string& force) {
  return fmt::format("coordinates: {{x: 0}}\nkinetic_energy: {}/2*x'^2\nforces: {{x: \"{}\"}}\n", text_of(mass), force);
}

/// exp(−((t − at)/w)²) J/w: its momentum is √π J; beyond six widths nothing is left of it.
Case bell(Dice& dice) {
  const Pulse p = draw_pulse(dice);
  const double mass = dice.between(0.5, 2);
  return finished(dice,
                  mass_with(mass, fmt::format("{}*exp(-((t - {})/{})^2)", text_of(Real(p.impulse / p.width)),
                                              text_of(p.at), text_of(p.width))),
                  p, after(p, mass, Real(p.impulse / p.width) * p.width * std::sqrt(pi)));
}

/// A parabola's arch, zero elsewhere.
Case arch(Dice& dice) {
  const Pulse p = draw_pulse(dice);
  const double mass = dice.between(0.5, 2), height = p.impulse / p.width;
  return finished(
      dice,
      mass_with(mass, fmt::format("{}*max(0, 1 - ((t - {})/{})^2)", text_of(height), text_of(p.at), text_of(p.width))),
      p, after(p, mass, Real(height) * p.width * 4 / 3));
}

/// A rectangle, by two signs.
Case rectangle(Dice& dice) {
  const Pulse p = draw_pulse(dice);
  const double mass = dice.between(0.5, 2), height = p.impulse / p.width;
  const double from = p.at - p.width, to = p.at + p.width;
  const Real middle = (Real(from) + to) / 2;
  Pulse exact = p;
  exact.at = static_cast<double>(middle);
  return finished(
      dice,
      mass_with(mass, fmt::format("{}*(sign(t - {}) - sign(t - {}))/2", text_of(height), text_of(from), text_of(to))),
      p, after(exact, mass, Real(height) * (Real(to) - from)));
}

/// A motor that moves a hinge by a step of the angle in a short time; the arm's tip follows.
Case motor_step(Dice& dice) {
  const Pulse p = draw_pulse(dice);
  const Real angle = p.impulse, end = angle * (1 + std::tanh((Real(p.until) - p.at) / p.width));
  const Real start = angle * (1 + std::tanh(-Real(p.at) / p.width));
  std::string model = fmt::format(
      "bodies:\n  arm: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], planar: true}}\n"
      "joints:\n  hinge: {{type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1], position: "
      "\"{}*(tanh((t - {})/{}) - tanh({}))\"}}\n",
      text_of(p.impulse), text_of(p.at), text_of(p.width), text_of(-Real(p.at) / p.width));
  return finished(dice, model, p,
                  {{"arm.x", std::cos(end - start), 1},
                   {"arm.y", std::sin(end - start), 1},
                   {"arm.angle", end - start, std::abs(end - start)}});
}

}  // namespace

std::vector<Family> pulse_families() {
  return {{"pulse-bell", "a bell-shaped force in a long rest", bell},
          {"pulse-arch", "a parabola's arch, by max", arch},
          {"pulse-rectangle", "a rectangle, by signs", rectangle},
          {"pulse-motor", "a motor that steps in a short time", motor_step}};
}

}  // namespace taut::hunt
