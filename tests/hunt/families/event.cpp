// Events: pairs of zeros, the first that stops, grazing, many at once. Closed forms of t.
#include <cmath>

#include "hunt/families.hpp"

namespace taut::hunt {
namespace {

/// x = v t: a clock that events can be set on.
struct Clock {
  double v, until;
};
Clock draw_clock(Dice& dice) { return {dice.between(0.5, 3), dice.between(3, 10)}; }

Case finished(Dice& dice, const Clock& c, const std::string& events, std::vector<Expected> expected) {
  Case out;
  out.model = fmt::format("coordinates: {{x: [0, {}]}}\nkinetic_energy: x'^2/2\nevents:\n{}", text_of(c.v), events);
  out.plan = draw_plan(dice, {.step = 0.05});
  out.until = c.until;
  out.expected = std::move(expected);
  out.least_share = 1e-9;
  return out;
}

/// Two zeros near each other, with a stop: at the first.
Case pair_stops(Dice& dice) {
  const Clock c = draw_clock(dice);
  const double first = c.v * c.until * dice.between(0.1, 0.7), gap = dice.scaled(1e-3, 1) * c.v;
  const double second = first + gap;
  return finished(dice, c,
                  fmt::format("  pair: {{when: \"(x - {})*(x - {})\", stop: true}}\n", text_of(first), text_of(second)),
                  {{"t", Real(first) / c.v, c.until}, {"x", first, c.v * c.until}});
}

Case pair_logged(Dice& dice) {
  const Clock c = draw_clock(dice);
  const double first = c.v * c.until * dice.between(0.1, 0.7), second = first + dice.scaled(1e-3, 0.5) * c.v;
  return finished(dice, c, fmt::format("  pair: \"(x - {})*(x - {})\"\n", text_of(first), text_of(second)),
                  {{"event(pair, 0)", Real(first) / c.v, c.until},
                   {"event(pair, 1)", Real(second) / c.v, c.until},
                   {"events(pair)", 2, 1}});
}

/// sin(w x): all zeros after the start.
Case many(Dice& dice) {
  const Clock c = draw_clock(dice);
  const double w = dice.between(2, 20);
  const Real first = pi / (Real(w) * c.v);
  const int count = static_cast<int>(std::floor(c.until / first));
  const Real left = c.until / first - count;
  if (left < 0.05L || left > 0.95L) return many(dice);
  return finished(dice, c, fmt::format("  wave: \"cos({}*x)\"\n", text_of(w)),
                  {{"event(wave, 0)", first / 2, c.until}, {"events(wave)", Real(count + (left > 0.5L ? 1 : 0)), 1}});
}

/// Touches zero without crossing it, or misses it a little, or just crosses.
Case grazing(Dice& dice) {
  const Clock c = draw_clock(dice);
  const double at = c.v * c.until * dice.between(0.2, 0.8);
  const double depth = dice.scaled(1e-6, 1e-2) * dice.sign();
  const std::string words = fmt::format("(x - {})^2 - {}", text_of(at), text_of(depth));
  if (depth < 0)
    return finished(dice, c, fmt::format("  touch: {{when: \"{}\", stop: true}}\n", words), {{"t", c.until, c.until}});
  return finished(dice, c, fmt::format("  touch: {{when: \"{}\", stop: true}}\n", words),
                  {{"t", (Real(at) - std::sqrt(Real(depth))) / c.v, c.until}});
}

/// A ball in flight: its summit and where it lands.
Case flight(Dice& dice) {
  const double g = dice.between(2, 12), vx = dice.between(0.5, 5), vy = dice.between(1, 8),
               height = dice.between(0.1, 5);
  const Real summit = Real(vy) / g, land = (vy + std::sqrt(Real(vy) * vy + 2 * Real(g) * height)) / g;
  Case out;
  out.model = fmt::format(
      "coordinates: {{x: [0, {}], y: [{}, {}]}}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: {}*y\n"
      "events:\n  summit: y'\n  ground: {{when: y, stop: true}}\n",
      text_of(vx), text_of(height), text_of(vy), text_of(g));
  out.plan = draw_plan(dice, {.step = 0.01, .energy_law = true});
  out.until = static_cast<double>(2 * land);
  out.expected = {{"t", land, land * 2}, {"x", vx * land, vx * land * 2}, {"event(summit, 0)", summit, land * 2}};
  out.least_share = 1e-9;
  return out;
}

/// An event that depends on the time alone: short and late.
Case by_time(Dice& dice) {
  const Clock c = draw_clock(dice);
  const double at = c.until * dice.between(0.2, 0.8), width = dice.scaled(1e-3, 0.3);
  return finished(
      dice, c,
      fmt::format("  bell: {{when: \"exp(-((t - {})/{})^2) - 0.5\", stop: true}}\n", text_of(at), text_of(width)),
      {{"t", at - width * std::sqrt(std::log(2.0L)), c.until}});
}

}  // namespace

std::vector<Family> event_families() {
  return {{"event-pair-stops", "two near zeros: stops at the first", pair_stops},
          {"event-pair-logged", "two near zeros are both logged", pair_logged},
          {"event-many", "every zero of a wave", many},
          {"event-grazing", "just crosses zero, or just not", grazing},
          {"event-flight", "summit and landing of a throw", flight},
          {"event-time", "a short event in time", by_time}};
}

}  // namespace taut::hunt
