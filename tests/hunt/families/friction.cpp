// Coulomb friction by sign(x'): sliding, standstill, breaking loose, sliding modes. Closed forms.
#include <cmath>

#include "hunt/families.hpp"

namespace taut::hunt {
namespace {

Case finished(Dice& dice, std::string model, double until, Real x, Real v, Real size) {
  Case out;
  out.model = std::move(model);
  out.plan = draw_plan(dice, {.loosest = 1e-5, .drifting = true});
  out.until = until;
  out.expected = {{"x", x, size}, {"x'", v, size}};
  // Where a run answers for standstill with a small creep, that is a millionth.
  out.least_share = 1e-5;
  return out;
}

/// Slides and stops; then it rests.
Case stops(Dice& dice) {
  const Real f = dice.between(0.3, 3), v = dice.between(0.5, 4) * dice.sign(), stop = std::abs(v) / f;
  const double until = static_cast<double>(stop) * dice.between(0.3, 2);
  const Real t = std::min<Real>(until, stop), s = v > 0 ? 1 : -1;
  return finished(dice,
                  fmt::format("coordinates: {{x: [0, {}]}}\nkinetic_energy: x'^2/2\nforces: {{x: \"-{}*sign(x')\"}}\n",
                              text_of(v), text_of(f)),
                  until, v * t - s * f * t * t / 2, t < stop ? v - s * f * t : 0, std::abs(v) * (1 + stop));
}

/// A spring with friction: half swings about ±f/k, and sticks as soon as the spring cannot overcome it.
Case spring(Dice& dice) {
  const Real k = dice.between(2, 40), f = dice.between(0.1, 1), w = std::sqrt(k);
  const Real x0 = dice.between(1, 3) * dice.sign();
  const double until = dice.between(0.5, 8);
  Real t = until, x = x0, v = 0;
  while (std::abs(k * x) > f) {
    const Real middle = (x > 0 ? 1 : -1) * f / k;
    if (t < pi / w) {
      v = -w * (x - middle) * std::sin(w * t);
      x = middle + (x - middle) * std::cos(w * t);
      break;
    }
    x = 2 * middle - x;
    t -= pi / w;
  }
  return finished(dice,
                  fmt::format("coordinates: {{x: {}}}\nkinetic_energy: x'^2/2\npotential_energy: {}/2*x^2\n"
                              "forces: {{x: \"-{}*sign(x')\"}}\n",
                              text_of(x0), text_of(k), text_of(f)),
                  until, x, v, std::abs(x0) * (1 + w));
}

/// A pull that grows breaks the mass loose: at rest until r t = f.
Case breaks_loose(Dice& dice) {
  const Real f = dice.between(0.5, 2), r = dice.between(0.3, 2), start = f / r;
  const double until = static_cast<double>(start) * dice.between(0.5, 3);
  const Real t = std::max<Real>(0, until - start);
  return finished(dice,
                  fmt::format("coordinates: {{x: 0}}\nkinetic_energy: x'^2/2\nforces: {{x: \"{}*t - {}*sign(x')\"}}\n",
                              text_of(r), text_of(f)),
                  until, r * t * t * t / 6, r * t * t / 2, std::max<Real>(1, r * t * t * t));
}

/// A brake: friction on a hinged wheel that turns and stands.
Case brake(Dice& dice) {
  const Real moment = dice.between(0.1, 2), torque = dice.between(0.1, 2), w = dice.between(1, 10);
  const Real stop = w * moment / torque;
  const double until = static_cast<double>(stop) * dice.between(0.4, 1.8);
  const Real t = std::min<Real>(until, stop);
  Case out = finished(
      dice,
      fmt::format("bodies:\n  x: {{mass: 1, inertia: [{0}, {0}, {0}], planar: true, angular_velocity: [0, 0, {1}]}}\n"
                  "joints:\n  hub: {{type: revolute, bodies: [ground, x], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
                  "forces:\n  brake: {{type: torque, body: x, axis: [0, 0, 1], value: \"-{2}*sign(x.omega_z)\"}}\n"
                  "outputs: {{turn: x.angle, spin: x.omega_z}}\n",
                  text_of(moment), text_of(w), text_of(torque)),
      until, w * t - torque / moment * t * t / 2, t < stop ? w - torque / moment * t : 0, w * (1 + stop));
  out.expected[0].name = "turn", out.expected[1].name = "spin";
  return out;
}

/// A sliding mode: a relay on x + c x' brings the mass to that line, along which x decays as exp(−t/c).
Case sliding_mode(Dice& dice) {
  const Real f = dice.between(2, 6), c = dice.between(0.3, 1), x0 = dice.between(0.2, 0.6);
  // From rest at x0 > 0: x = x0 − f t²/2 until x + c x' = 0.
  const Real hit = -c + std::sqrt(c * c + 2 * x0 / f);
  const Real xs = x0 - f * hit * hit / 2, vs = -f * hit;
  // It stays there if the relay is stronger than what the line asks for: |x'' | = |v|/c < f.
  const double until = static_cast<double>(hit) + dice.between(0.3, 3);
  const bool slides = std::abs(vs) / c < f;
  const Real decay = std::exp(-(until - hit) / c);
  Case out =
      finished(dice,
               fmt::format("coordinates: {{x: {}}}\nkinetic_energy: x'^2/2\nforces: {{x: \"-{}*sign(x + {}*x')\"}}\n",
                           text_of(x0), text_of(f), text_of(c)),
               until, xs * decay, vs * decay, 1);
  // Before it slides it may cross the line; that is another formula, and only the first is used.
  if (!slides) return sliding_mode(dice);
  out.least_share = 1e-4;
  return out;
}

/// Masses that know nothing of each other, each with a friction of its own: one at rest must not stop another.
Case blocks(Dice& dice) {
  const int n = 2 + static_cast<int>(dice.between(0, 2.999));
  const double until = dice.between(0.5, 4);
  std::string coordinates, energy, forces, sum;
  Real total = 0;
  for (int k = 0; k < n; ++k) {
    const Real m = dice.between(0.3, 3), f = dice.between(0.1, 3), v = dice.between(0.3, 3);
    const Real stop = m * v / f, t = std::min<Real>(until, stop);
    total += v * t - f / m * t * t / 2;
    const char* const comma = k > 0 ? ", " : "";
    const char* const plus = k > 0 ? " + " : "";
    coordinates += fmt::format("{}x{}: [0, {}]", comma, k, text_of(v));
    energy += fmt::format("{}{}*x{}'^2/2", plus, text_of(m), k);
    forces += fmt::format("{}x{}: \"-{}*sign(x{}')\"", comma, k, text_of(f), k);
    sum += fmt::format("{}x{}", plus, k);
  }
  Case out = finished(dice,
                      fmt::format("coordinates: {{{}}}\nkinetic_energy: {}\nforces: {{{}}}\noutputs: {{total: {}}}\n",
                                  coordinates, energy, forces, sum),
                      until, total, 0, 3 * n);
  out.expected[0].name = "total";
  out.expected.resize(1);
  return out;
}

}  // namespace

std::vector<Family> friction_families() {
  return {{"friction-stops", "a mass slides and rests", stops},
          {"friction-spring", "half swings, then it sticks", spring},
          {"friction-loose", "at rest until the pull is strong enough", breaks_loose},
          {"friction-blocks", "masses that know nothing of each other", blocks},
          {"friction-brake", "a wheel with a brake", brake},
          {"friction-sliding-mode", "a relay that chatters along a line", sliding_mode}};
}

}  // namespace taut::hunt
