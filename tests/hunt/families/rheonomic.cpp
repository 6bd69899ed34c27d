// Constraints that move: beads on wires, hoops and ramps that turn, pivots that shake.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/lagrange.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

std::string two_coordinates(const State& p) {
  return fmt::format("coordinates:\n  x: [{}, {}]\n  y: [{}, {}]\n", text_of(p[0]), text_of(p[2]), text_of(p[1]),
                     text_of(p[3]));
}

Case finished(Dice& dice, const std::string& model, const Motion& motion, double until, const Wish& wish) {
  Case out;
  out.model = model;
  out.plan = draw_plan(dice, wish);
  out.until = until;
  out.expected = expected_of(motion, until);
  return out;
}

/// A wire through the origin that turns at w: r'' = w² r − g sin(w t). Hyperbolic functions, by integration.
Case bead_on_wire(Dice& dice) {
  const double w = dice.between(0.5, 2.5) * dice.sign(), g = dice.chance(0.7) ? dice.between(1, 10) : 0;
  Motion motion;
  motion.rates = [=](Real t, const State& y) -> State { return {y[1], Real(w) * w * y[0] - g * std::sin(w * t)}; };
  motion.start = {dice.between(0.2, 1), dice.between(-1, 1)};
  motion.names = {"x", "y", "x'", "y'"};
  motion.figures = [=](Real t, const State& y) -> State {
    const Real c = std::cos(w * t), s = std::sin(w * t);
    return {y[0] * c, y[0] * s, y[1] * c - y[0] * s * w, y[1] * s + y[0] * c * w};
  };
  const std::string model = two_coordinates(motion.figures(0, motion.start)) +
                            fmt::format(
                                "kinetic_energy: (x'^2 + y'^2)/2\npotential_energy: {0}*y\n"
                                "constraints: {{wire: \"x*sin({1}*t) = y*cos({1}*t)\"}}\n",
                                text_of(g), text_of(w));
  return finished(dice, model, motion, dice.between(0.5, 3), {.step = 0.002, .energy_law = true});
}

/// A hoop of radius r about a vertical axis, turning at w: a'' = w² sin a cos a − g/r sin a.
Case bead_on_hoop(Dice& dice) {
  const double w = dice.between(0.5, 6), r = dice.between(0.3, 2), g = dice.between(1, 12);
  Motion motion;
  motion.rates = [=](Real, const State& y) -> State {
    return {y[1], (Real(w) * w * std::cos(y[0]) - Real(g) / r) * std::sin(y[0])};
  };
  motion.start = {dice.between(0.2, 2.5), dice.between(-2, 2)};
  motion.names = {"x", "y", "z", "x'", "y'", "z'"};
  motion.figures = [=](Real t, const State& y) -> State {
    const Real c = std::cos(w * t), s = std::sin(w * t), p = r * std::sin(y[0]), dp = r * std::cos(y[0]) * y[1];
    return {p * c, p * s, -r * std::cos(y[0]), dp * c - p * s * w, dp * s + p * c * w, p * y[1]};
  };
  const State p = motion.figures(0, motion.start);
  const std::string model = fmt::format(
      "coordinates:\n  x: [{}, {}]\n  y: [{}, {}]\n  z: [{}, {}]\nkinetic_energy: (x'^2 + y'^2 + z'^2)/2\n"
      "potential_energy: {}*z\nconstraints:\n  hoop: x^2 + y^2 + z^2 = {}^2\n  plane: x*sin({}*t) = y*cos({}*t)\n",
      text_of(p[0]), text_of(p[3]), text_of(p[1]), text_of(p[4]), text_of(p[2]), text_of(p[5]), text_of(g), text_of(r),
      text_of(w), text_of(w));
  return finished(dice, model, motion, dice.between(0.5, 4), {.step = 0.001});
}

/// A pendulum whose pivot shakes up and down.
Case shaken_pendulum(Dice& dice) {
  const double w = dice.between(1, 20), l = dice.between(0.4, 2), g = dice.between(1, 12),
               size = dice.between(0.02, 0.3);
  Motion motion;
  motion.rates = [=](Real t, const State& y) -> State {
    return {y[1], -(g - size * Real(w) * w * std::sin(w * t)) / l * std::sin(y[0])};
  };
  motion.start = {dice.between(-2, 2), dice.between(-2, 2)};
  motion.names = {"x", "y", "x'", "y'"};
  motion.figures = [=](Real t, const State& y) -> State {
    const Real s = l * std::sin(y[0]), c = l * std::cos(y[0]);
    return {s, size * std::sin(w * t) - c, c * y[1], size * w * std::cos(w * t) + s * y[1]};
  };
  const std::string model = two_coordinates(motion.figures(0, motion.start)) +
                            fmt::format(
                                "kinetic_energy: (x'^2 + y'^2)/2\npotential_energy: {}*y\n"
                                "constraints: {{rod: \"x^2 + (y - {}*sin({}*t))^2 = {}^2\"}}\n",
                                text_of(g), text_of(size), text_of(w), text_of(l));
  return finished(dice, model, motion, dice.between(0.5, 4), {.step = 0.001, .energy_law = true});
}

/// A pendulum that is drawn in: r(t) given, r² a' grows by gravity only.
Case drawn_in(Dice& dice) {
  const double l = dice.between(0.5, 2), rate = dice.between(-0.15, 0.3),
               g = dice.chance(0.6) ? dice.between(1, 12) : 0;
  Motion motion;
  motion.rates = [=](Real t, const State& y) -> State {
    const Real r = l * std::exp(-rate * t);
    return {y[1], 2 * rate * y[1] - g / r * std::sin(y[0])};
  };
  motion.start = {dice.between(-2, 2), dice.between(-2, 2)};
  motion.names = {"x", "y", "x'", "y'"};
  motion.figures = [=](Real t, const State& y) -> State {
    const Real r = l * std::exp(-rate * t), s = r * std::sin(y[0]), c = r * std::cos(y[0]);
    return {s, -c, c * y[1] - rate * s, s * y[1] + rate * c};
  };
  const std::string model = two_coordinates(motion.figures(0, motion.start)) +
                            fmt::format(
                                "kinetic_energy: (x'^2 + y'^2)/2\npotential_energy: {}*y\n"
                                "constraints: {{rod: \"sqrt(x^2 + y^2) = {}*exp(-({})*t)\"}}\n",
                                text_of(g), text_of(l), text_of(rate));
  return finished(dice, model, motion, dice.between(0.5, 4), {.step = 0.001, .energy_law = true});
}

}  // namespace

std::vector<Family> rheonomic_families() {
  return {{"moving-wire", "a bead on a wire that turns", bead_on_wire},
          {"moving-hoop", "a bead on a hoop that turns", bead_on_hoop},
          {"moving-pivot", "a pendulum whose pivot shakes", shaken_pendulum},
          {"moving-length", "a pendulum that is drawn in", drawn_in}};
}

}  // namespace taut::hunt
