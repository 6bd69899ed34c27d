// The same motion in other units: amplitudes of 1e-3 to 1e-12, milliseconds, and huge numbers.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

/// x'' = −w² x − 2 d x': closed form.
Case small_oscillator(Dice& dice) {
  const Real size = dice.scaled(1e-12, 1e-3), w = dice.scaled(0.5, 30),
             d = dice.chance(0.5) ? 0 : dice.between(0.01, 0.2);
  const double x0 = static_cast<double>(size), v0 = dice.chance(0.5) ? 0 : static_cast<double>(size * w);
  const double until = dice.between(1, 10);
  const double k = static_cast<double>(w * w), c = static_cast<double>(2 * d);
  const Real damping = Real(c) / 2, f = std::sqrt(Real(k) - damping * damping);
  const Real b = (v0 + damping * x0) / f, e = std::exp(-damping * until);
  const Real x = e * (x0 * std::cos(f * until) + b * std::sin(f * until));
  const Real v = -damping * x + e * f * (b * std::cos(f * until) - x0 * std::sin(f * until));
  Case out;
  out.model = fmt::format(
      "coordinates: {{x: [{}, {}]}}\nkinetic_energy: x'^2/2\npotential_energy: {}/2*x^2\nforces: {{x: -{}*x'}}\n",
      text_of(x0), text_of(v0), text_of(k), text_of(c));
  out.plan = draw_plan(dice);
  out.until = until;
  out.expected = {{"x", x, size * 2 * (1 + f * until)}, {"x'", v, size * 2 * f * (1 + f * until)}};
  return out;
}

/// A pendulum in a unit of length and a unit of time.
Case pendulum_in(Dice& dice, Real length_unit, Real time_unit) {
  const double l = static_cast<double>(dice.between(0.3, 2) * length_unit);
  const double g = static_cast<double>(9.81L * length_unit / (time_unit * time_unit));
  Motion motion;
  const Real pace = std::sqrt(Real(g) / l);
  motion.rates = [=](Real, const State& y) -> State { return {y[1] * pace, -pace * std::sin(y[0])}; };
  motion.start = {dice.between(-2, 2), dice.between(-1, 1)};  // the rate in units of √(g/l)
  motion.names = {"x", "y", "x'", "y'"};
  motion.figures = [=](Real, const State& y) -> State {
    const Real s = l * std::sin(y[0]), c = l * std::cos(y[0]);
    return {s, -c, c * y[1] * pace, s * y[1] * pace};
  };
  const State p = motion.figures(0, motion.start);
  const double m = dice.scaled(1e-3, 1e3);
  Case out;
  out.model = fmt::format(
      "coordinates:\n  x: [{}, {}]\n  y: [{}, {}]\nkinetic_energy: {}/2*(x'^2 + y'^2)\npotential_energy: {}*y\n"
      "constraints: {{rod: x^2 + y^2 = {}^2}}\n",
      text_of(p[0]), text_of(p[2]), text_of(p[1]), text_of(p[3]), text_of(m), text_of(Real(m) * g), text_of(l));
  out.until = static_cast<double>(dice.between(1, 10) / pace);
  out.plan = draw_plan(dice, {.step = static_cast<double>(0.01L / pace)});
  out.expected = expected_of(motion, out.until);
  return out;
}

Case millimetres(Dice& dice) { return pendulum_in(dice, 1e3L, 1); }
Case kilometres(Dice& dice) { return pendulum_in(dice, 1e-3L, 1); }
Case nanometres(Dice& dice) { return pendulum_in(dice, 1e9L, 1); }
Case gigametres(Dice& dice) { return pendulum_in(dice, std::pow(10.0L, -dice.whole(6, 9)), 1); }
Case milliseconds(Dice& dice) { return pendulum_in(dice, 1, dice.chance(0.5) ? 1e-3L : 1e-6L); }
Case years(Dice& dice) { return pendulum_in(dice, 1, 3e7L); }

/// A planet about a sun in SI units: Kepler's equation.
Case orbit(Dice& dice) {
  const Real gm = dice.scaled(1e13, 1e20), a = dice.scaled(1e6, 1e11), e = dice.between(0, 0.6);
  const double mu = static_cast<double>(gm), x0 = static_cast<double>(a * (1 - e));
  const double v0 = static_cast<double>(std::sqrt(gm / a * (1 + e) / (1 - e)));
  // The elements that the rounded numbers have.
  const Real axis = 1 / (2 / Real(x0) - Real(v0) * v0 / mu), ecc = 1 - x0 / axis,
             n = std::sqrt(mu / (axis * axis * axis));
  const double until = static_cast<double>(dice.between(0.2, 2.5) * 2 * pi / n);
  Real anomaly = n * until;
  for (int k = 0; k < 100; ++k)
    anomaly -= (anomaly - ecc * std::sin(anomaly) - n * until) / (1 - ecc * std::cos(anomaly));
  const Real b = axis * std::sqrt(1 - ecc * ecc);
  Case out;
  out.model = fmt::format(
      "coordinates: {{x: {}, y: [0, {}]}}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: -{}/sqrt(x^2 + y^2)\n",
      text_of(x0), text_of(v0), text_of(mu));
  out.plan = draw_plan(dice, {.energy_law = true});
  out.until = until;
  const Real growth = 1 + 3 * n * until / (1 - ecc);
  out.expected = {{"x", axis * (std::cos(anomaly) - ecc), axis * 2 * growth},
                  {"y", b * std::sin(anomaly), axis * 2 * growth}};
  return out;
}

}  // namespace

std::vector<Family> unit_families() {
  return {{"units-small-oscillator", "amplitudes 1e-3 … 1e-12", small_oscillator},
          {"units-millimetres", "a pendulum in mm", millimetres},
          {"units-nanometres", "a pendulum in nm", nanometres},
          {"units-kilometres", "a pendulum in km", kilometres},
          {"units-gigametres", "a pendulum in units of 1e6 … 1e9 m", gigametres},
          {"units-milliseconds", "a pendulum in units of a ms or µs", milliseconds},
          {"units-years", "a pendulum in years", years},
          {"units-orbit", "a planet in SI units", orbit}};
}

}  // namespace taut::hunt
