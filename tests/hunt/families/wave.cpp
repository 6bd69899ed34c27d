// Forces and drives that switch with time: square waves, ramps, tables.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

/// x'' = −k x − c x' + u(t), u with kinks at `breaks`.
Case oscillator(Dice& dice, const std::string& words, std::function<Real(Real)> u, State breaks, double until) {
  const double k = dice.chance(0.3) ? 0 : dice.between(0.5, 30), c = dice.chance(0.5) ? 0 : dice.between(0.05, 2);
  Motion motion;
  motion.rates = [=](Real t, const State& y) -> State { return {y[1], -k * y[0] - c * y[1] + u(t)}; };
  motion.start = {dice.between(-1, 1), dice.between(-1, 1)};
  motion.names = {"x", "x'"};
  motion.figures = [](Real, const State& y) { return y; };
  motion.breaks = std::move(breaks);
  Case out;
  out.model = fmt::format(
      "coordinates: {{x: [{}, {}]}}\nkinetic_energy: x'^2/2\npotential_energy: {}/2*x^2\n"
      "forces: {{x: \"{} - {}*x'\"}}\n",
      text_of(motion.start[0]), text_of(motion.start[1]), text_of(k), words, text_of(c));
  out.plan = draw_plan(dice, {.step = 1e-3});
  // Given steps do not end where the wave jumps: each jump is off by a share of a step.
  if (out.plan.fixed()) out.least_share = 1e-2;
  out.until = until;
  out.expected = expected_of(motion, until);
  for (Expected& expected : out.expected) expected.sensitivity += 1;
  return out;
}

State multiples(Real period, Real shift, Real until) {
  State list;
  for (int k = -2; shift + k * period < until; ++k) list.push_back(shift + k * period);
  return list;
}

Case square(Dice& dice) {
  const double w = dice.between(1, 20), f = dice.between(0.5, 5), phase = dice.between(0, 3),
               until = dice.between(1, 10);
  const auto u = [=](Real t) { return std::sin(w * t + phase) > 0 ? Real(f) : -Real(f); };
  return oscillator(dice, fmt::format("{}*sign(sin({}*t + {}))", text_of(f), text_of(w), text_of(phase)), u,
                    multiples(pi / w, -phase / Real(w), until), until);
}

/// A triangle wave: asin of a sine.
Case triangle(Dice& dice) {
  const double w = dice.between(1, 20), f = dice.between(0.5, 5), until = dice.between(1, 10);
  const auto u = [=](Real t) { return f * std::asin(std::sin(w * t)); };
  return oscillator(dice, fmt::format("{}*asin(sin({}*t))", text_of(f), text_of(w)), u,
                    multiples(pi / w, pi / (2 * Real(w)), until), until);
}

Case rectified(Dice& dice) {
  const double w = dice.between(1, 20), f = dice.between(0.5, 5), until = dice.between(1, 10);
  const auto u = [=](Real t) { return f * std::abs(std::sin(w * t)); };
  return oscillator(dice, fmt::format("{}*abs(sin({}*t))", text_of(f), text_of(w)), u, multiples(pi / w, 0, until),
                    until);
}

/// Ramps between levels, as a table of values is written with min and max.
Case table(Dice& dice) {
  std::string words = "0";
  State breaks;
  struct Ramp {
    Real from, slope, length;
  };
  std::vector<Ramp> ramps;
  const double until = dice.between(3, 12);
  for (int k = dice.whole(2, 5); k > 0; --k) {
    const double from = dice.between(0, 1) * until, length = dice.scaled(0.01, 1), slope = dice.between(-5, 5);
    ramps.push_back({from, slope, length});
    breaks.insert(breaks.end(), {Real(from), Real(from) + length});
    words += fmt::format(" + {}*min({}, max(0, t - {}))", text_of(slope), text_of(length), text_of(from));
  }
  const auto u = [ramps](Real t) {
    Real sum = 0;
    for (const Ramp& r : ramps) sum += r.slope * std::min(r.length, std::max<Real>(0, t - r.from));
    return sum;
  };
  return oscillator(dice, words, u, breaks, until);
}

/// Gravity that is switched at a time, on a pendulum: kinks with a constraint.
Case switched_pendulum(Dice& dice) {
  const double l = dice.between(0.5, 2), g = dice.between(3, 12), w = dice.between(1, 6), until = dice.between(1, 6);
  const Real angle = dice.between(-2, 2);
  Motion motion;
  motion.rates = [=](Real t, const State& y) -> State {
    return {y[1], -g * (std::sin(w * t) > 0 ? 1.5L : 0.5L) / l * std::sin(y[0])};
  };
  motion.start = {angle, 0};
  motion.names = {"x", "y", "x'", "y'"};
  motion.breaks = multiples(pi / w, 0, until);
  motion.figures = [=](Real, const State& y) -> State {
    return {l * std::sin(y[0]), -l * std::cos(y[0]), l * std::cos(y[0]) * y[1], l * std::sin(y[0]) * y[1]};
  };
  const State p = motion.figures(0, motion.start);
  Case out;
  out.model = fmt::format(
      "coordinates: {{x: {}, y: {}}}\nkinetic_energy: (x'^2 + y'^2)/2\n"
      "forces: {{y: \"-{}*(1 + sign(sin({}*t))/2)\"}}\nconstraints: {{rod: x^2 + y^2 = {}^2}}\n",
      text_of(p[0]), text_of(p[1]), text_of(g), text_of(w), text_of(l));
  out.plan = draw_plan(dice, {.step = 1e-3});
  // Given steps do not end where the wave jumps: each jump is off by a share of a step.
  if (out.plan.fixed()) out.least_share = 1e-2;
  out.until = until;
  out.expected = expected_of(motion, until);
  return out;
}

}  // namespace

std::vector<Family> wave_families() {
  return {{"wave-square", "sign(sin(w t)) as a force", square},
          {"wave-triangle", "asin(sin(w t)) as a force", triangle},
          {"wave-rectified", "abs(sin(w t)) as a force", rectified},
          {"wave-table", "ramps between levels, by min and max", table},
          {"wave-pendulum", "a pendulum whose weight is switched", switched_pendulum}};
}

}  // namespace taut::hunt
