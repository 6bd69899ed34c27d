// Kinks within kinks, stops that are only just reached, trains of pulses, events of every growth. Closed forms.
#include <cmath>

#include "hunt/families.hpp"

namespace taut::hunt {
namespace {

Case finished(Dice& dice, std::string model, double until, std::vector<Expected> expected, const Wish& wish = {}) {
  Case out;
  out.model = std::move(model);
  out.plan = draw_plan(dice, wish);
  out.until = until;
  out.expected = std::move(expected);
  out.least_share = 1e-9;
  return out;
}

/// A force −a beyond a place, and none before it, written in many ways: the particle goes in, turns and comes out.
Case heaviside(Dice& dice) {
  const double v = dice.between(0.5, 2), place = dice.between(1, 5), a = dice.between(2, 20);
  const std::string u = fmt::format("(x - {})", text_of(place));
  const std::string step = fmt::format(fmt::runtime(dice.one_of({
                                           "(1 + sign({0}))/2",
                                           "max(0, sign({0}))",
                                           "max(0, sign(max(0, sign({0}))))",
                                           "(1 + sign(({0})^3))/2",
                                           "(1 + sign(atan({0})*exp({0})))/2",
                                           "sign(max(0, {0}))",
                                           "max(0, min(1, sign({0})))",
                                           "sign(abs(max({0}, 0)))",
                                           "(1 + sign(tanh(5*{0})/2))/2",
                                           "(1 - sign(-{0}*abs(sign({0}))))/2",
                                       })),
                                       u);
  const Real in = Real(place) / v, inside = 2 * Real(v) / a, until = in + inside + dice.between(0.5, 2) * in;
  const double end = std::stod(fmt::format("{:.5g}", double(until)));
  const Real x = place - v * (Real(end) - in - inside);
  return finished(dice,
                  fmt::format("coordinates: {{x: [0, {}]}}\nkinetic_energy: x'^2/2\nforces: {{x: \"-{}*{}\"}}\n",
                              text_of(v), text_of(a), step),
                  end, {{"x", x, 20 * v * end}, {"x'", -v, 20 * v}}, {.tightest = 1e-11});
}

/// x'' = −x from (0, 1) meets a stiff stop just before it turns: harmonic with another centre and rate inside.
Case grazing_stop(Dice& dice) {
  const double gap = dice.scaled(1e-6, 1e-2), k = dice.scaled(1e3, 1e6), until = dice.between(2, 4.5);
  const Real stop = 1 - Real(gap), rate = std::sqrt(1 + Real(k)), centre = Real(k) * stop / (1 + Real(k));
  const Real enters = std::asin(stop), v = std::cos(enters), offset = stop - centre;
  // In the stop: x = centre + offset cos(ωτ) + v/ω sin(ωτ), until x is the stop again.
  const Real inside = 2 * std::atan2(v / rate, offset) / rate;
  const Real leaves = enters + inside;
  const Real phase = until - leaves;
  const Real x = stop * std::cos(phase) - v * std::sin(phase), speed = -stop * std::sin(phase) - v * std::cos(phase);
  return finished(dice,
                  fmt::format("coordinates: {{x: [0, 1]}}\nkinetic_energy: x'^2/2\n"
                              "potential_energy: x^2/2 + {}/2*max(0, x - {:.17g})^2\n",
                              text_of(k), double(stop)),
                  until, {{"x", x, 20 + 1 / std::sqrt(gap)}, {"x'", speed, 20 + 1 / std::sqrt(gap)}},
                  {.loosest = 1e-6});
}

/// ∫ exp(n(cos t − 1)) over a period is 2π exp(−n) I₀(n); the run ends midway between two pulses.
Case pulse_train(Dice& dice) {
  const double n = dice.scaled(50, 5000);
  const int periods = dice.whole(5, 400);
  const double until = 2 * double(pi) * (periods + 0.5);
  // I₀ by the mean of exp(n (cos t − 1)) over evenly spaced points, which converges faster than any power.
  const int points = 4000;
  Real mean = 0;
  for (int j = 0; j < points; ++j) mean += std::exp(n * (std::cos(2 * pi * j / points) - 1)) / points;
  const Real speed = 2 * pi * mean * (periods + 0.5L);
  return finished(
      dice,
      fmt::format("coordinates: {{x: 0}}\nkinetic_energy: x'^2/2\nforces: {{x: \"exp({}*(cos(t) - 1))\"}}\n",
                  text_of(n)),
      until, {{"x'", speed, 10 * speed}});
}

/// Events of x = v t whose functions grow without measure, have poles, corners or zeros of high order.
Case odd_events(Dice& dice) {
  const double v = dice.between(0.5, 2), until = dice.between(4, 10);
  const double place = v * until * dice.between(0.2, 0.8);
  const std::string u = fmt::format("(x - {})", text_of(place));
  const std::string formula = fmt::format(fmt::runtime(dice.one_of({
                                              "exp(20*{0}) - 1",
                                              "({0})^3",
                                              "({0})^5",
                                              "abs({0})",
                                              "sqrt(({0})^2)",
                                              "max({0}, -({0}))",
                                              "sinh(3*{0})",
                                              "({0})/(1 + exp(10*{0}))",
                                              "({0})^3*exp(5*{0})",
                                              "({0})^2",
                                          })),
                                          u);
  const bool stops = dice.chance(0.5);
  const std::string model =
      fmt::format("coordinates: {{x: [0, {}]}}\nkinetic_energy: x'^2/2\nevents: {{e: {{when: \"{}\", stop: {}}}}}\n",
                  text_of(v), formula, stops);
  const Real t = Real(place) / v;
  if (stops) return finished(dice, model, until, {{"t", t, until}});
  return finished(dice, model, until, {{"event(e, 0)", t, until}, {"events(e)", 1, 1}});
}

}  // namespace

std::vector<Family> nested_families() {
  return {
      {"nested-heaviside", "a force that sets in at a place, written with kinks within kinks", heaviside},
      {"nested-grazing-stop", "a stiff stop that an oscillator only just reaches", grazing_stop},
      {"nested-pulse-train", "short pulses in time that come again and again", pulse_train},
      {"nested-odd-events", "events with corners, poles, high orders and exponential growth", odd_events},
  };
}

}  // namespace taut::hunt
