// Events that act: clutches, bounces, latches, values that change. Closed forms from event to event.
#include <algorithm>
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

/// No given steps: their errors make and hide events near the end.
Case finished(Dice& dice, std::string model, double until, std::vector<Expected> expected) {
  Case out;
  out.model = std::move(model);
  out.plan = draw_plan(dice, {.tightest = 1e-11, .loosest = 1e-5});
  out.until = until;
  out.expected = std::move(expected);
  out.least_share = 1e-9;
  return out;
}

/// Discs in a row, the first of which turns: one clutch after the other shuts at an angle of the first.
Case clutches(Dice& dice) {
  const int n = dice.whole(2, 4);
  std::vector<double> moment, at;
  for (int k = 0; k < n; ++k) moment.push_back(dice.between(0.5, 3));
  for (int k = 1; k < n; ++k) at.push_back(dice.between(0.5, 2) + (at.empty() ? 0 : at.back()));
  const double spin = dice.between(2, 6);
  std::string coordinates, energy, constraints, events;
  for (int k = 0; k < n; ++k) {
    coordinates += fmt::format("{}q{}: [0, {}]", k ? ", " : "", k, k ? "0" : text_of(spin));
    energy += fmt::format("{}{}/2*q{}'^2", k ? " + " : "", text_of(moment[k]), k);
    if (k == 0) continue;
    constraints += fmt::format("  c{0}: {{equation: q{1}' = q{0}', engaged: false}}\n", k, k - 1);
    events += fmt::format("  shut{0}: {{when: q0 - {1}, engage: c{0}}}\n", k, text_of(at[k - 1]));
  }
  Real momentum = Real(moment[0]) * spin, inertia = moment[0], rate = spin, t = 0, angle = 0;
  std::vector<Expected> expected;
  State turned(n, 0);
  const auto go_on = [&](Real time, int held) {
    for (int k = 0; k <= held; ++k) turned[k] += rate * time;
    t += time;
  };
  for (int k = 1; k < n; ++k) {
    go_on((at[k - 1] - angle) / rate, k - 1);
    angle = at[k - 1];
    expected.push_back({fmt::format("event(shut{}, 0)", k), t, std::max<Real>(1, t)});
    inertia += moment[k];
    rate = momentum / inertia;
  }
  const double until = static_cast<double>(t) + dice.between(0.2, 2);
  go_on(until - t, n - 1);
  for (int k = 0; k < n; ++k) {
    expected.push_back({fmt::format("q{}", k), turned[k], turned[0] + 1});
    expected.push_back({fmt::format("q{}'", k), rate, Real(spin)});
  }
  return finished(dice,
                  fmt::format("coordinates: {{{}}}\nkinetic_energy: {}\nconstraints:\n{}events:\n{}", coordinates,
                              energy, constraints, events),
                  until, expected);
}

/// A ball thrown over a slope, in coordinates along and across it, perhaps of more than it needs: some bounces.
Case bounces(Dice& dice) {
  const double g = dice.between(3, 12), tilt = dice.between(-0.5, 0.5), e = dice.between(0.4, 1);
  const double height = dice.between(0.3, 3), vx = dice.between(-2, 2), vy = dice.between(-2, 3);
  const bool redundant = dice.chance(0.4);
  const std::string model = fmt::format(
      "parameters: {{g: {}, c: {}}}\ncoordinates: {{x: [0, {}], y: [{}, {}]{}}}\n"
      "kinetic_energy: (x'^2 + y'^2)/{}{}\npotential_energy: g*(cos(c)*y + sin(c)*x)\n{}"
      "events:\n  floor: {{when: y, restitution: {}}}\n",
      text_of(g), text_of(tilt), text_of(vx), text_of(height), text_of(vy),
      redundant ? fmt::format(", z: [{}, {}]", text_of(2 * height), text_of(2 * vy)) : "", redundant ? 4 : 2,
      redundant ? " + x'^2/4 + z'^2/16" : "", redundant ? "constraints: {twice: z = 2*y}\n" : "", text_of(e));
  const Real fall = g * std::cos(Real(tilt));
  const int bounces = dice.whole(1, 5);
  Real t = 0, y = height, v = vy;
  std::vector<Real> times;
  for (int k = 0; k <= bounces; ++k) {
    const Real flight = (v + std::sqrt(v * v + 2 * fall * y)) / fall;
    if (k == bounces) {
      const Real share = dice.between(0.2, 0.8) * flight;
      t += share;
      y += v * share - fall * share * share / 2;
      v -= fall * share;
      break;
    }
    t += flight;
    times.push_back(t);
    v = -e * (v - fall * flight);
    y = 0;
  }
  const double until = static_cast<double>(t);
  const Real rest = until - t;  // what rounding to a double has left
  y += v * rest, v -= fall * rest;
  const Real x = Real(vx) * until - Real(g) * std::sin(Real(tilt)) * until * until / 2;
  const Real size = height + Real(vy) * vy / g + 1, speed = std::sqrt(2 * Real(g) * size);
  std::vector<Expected> expected = {{"y", y, size * (bounces + 1)},
                                    {"y'", v, speed * (bounces + 1)},
                                    {"x", x, std::max<Real>(size, std::abs(Real(vx)) * until + std::abs(x))},
                                    {"events(floor)", Real(bounces), 1}};
  for (int k = 0; k < bounces; ++k) expected.push_back({fmt::format("event(floor, {})", k), times[k], t});
  return finished(dice, model, until, expected);
}

/// A pendulum on a rod strikes a wall and bounces off. y = (angle, rate).
Case strikes(Dice& dice) {
  const double l = dice.between(0.4, 1.5), start = dice.between(0.5, 1.4), wall = dice.between(-0.3, 0.3),
               e = dice.between(0.3, 1);
  const double until = dice.between(0.5, 2.5);
  const std::string model = fmt::format(
      "parameters: {{l: {}, a: {}, b: {}}}\ncoordinates: {{x: l*sin(a), y: -l*cos(a)}}\n"
      "kinetic_energy: (x'^2 + y'^2)/2\npotential_energy: 9.81*y\nconstraints: {{rod: x^2 + y^2 = l^2}}\n"
      "events: {{wall: {{when: x*cos(b) + y*sin(b), restitution: {}}}}}\n"
      "outputs: {{turn: atan2(x, -y), spin: (x*y' - y*x')/l^2}}\n",
      text_of(l), text_of(start), text_of(wall), text_of(e));
  Motion motion;
  motion.start = {start, 0};
  motion.names = {"turn", "spin"};
  // The gap is l sin(angle − wall).
  motion.rates = [=](Real, const State& s) -> State { return {s[1], -9.81 / Real(l) * std::sin(s[0])}; };
  motion.solve = [=](State y, Real end, Real) {
    Real t = 0;
    while (true) {
      const Stop stop = integrate_until(
          motion.rates, [=](Real, const State& s) { return s[0] - Real(wall); }, 1, t, end, y);
      y = stop.y, t = stop.t;
      if (!stop.reached || t >= end) return y;
      y[0] = wall;
      y[1] *= -Real(e);
      if (std::abs(y[1]) < 0.05L) throw std::runtime_error("comes to rest");
    }
  };
  motion.figures = [](Real, const State& s) { return s; };
  std::vector<Expected> expected = expected_of(motion, until);
  for (const Expected& figure : expected)  // an end just beside a strike depends on it without bound
    if (figure.sensitivity > 100) throw std::runtime_error("ends at a strike");
  return finished(dice, model, until, expected);
}

/// Two masses on a rod turn and move; where one passes a line, the rod lets go.
Case released(Dice& dice) {
  const double m = dice.between(0.5, 2), n = dice.between(0.5, 2), l = dice.between(0.5, 2), w = dice.between(1, 4);
  const double u = dice.between(0.5, 2), line = dice.between(0.5, 3), g = dice.chance(0.5) ? 0 : dice.between(1, 5);
  // The centre of mass moves with u along x; the rod begins upright and turns with w.
  const double a = n / (m + n) * l, b = m / (m + n) * l;  // distances from the centre, of m above and of n below
  const std::string model = fmt::format(
      "parameters: {{m: {}, n: {}, l: {}, w: {}, u: {}, g: {}, a: n/(m + n)*l, b: m/(m + n)*l}}\n"
      "coordinates: {{x: [0, u - w*a], y: [a, 0], p: [0, u + w*b], q: [-b, 0]}}\n"
      "kinetic_energy: m/2*(x'^2 + y'^2) + n/2*(p'^2 + q'^2)\npotential_energy: g*(m*y + n*q)\n"
      "constraints: {{rod: (x - p)^2 + (y - q)^2 = l^2}}\n"
      "events: {{cut: {{when: (m*x + n*p)/(m + n) - {}, release: rod}}}}\n",
      text_of(m), text_of(n), text_of(l), text_of(w), text_of(u), text_of(g), text_of(line));
  const Real cut = Real(line) / u, turned = Real(w) * cut;
  const double until = static_cast<double>(cut) + dice.between(0.1, 2);
  const Real after = until - cut, fall = -Real(g) * until * until / 2;
  const auto place = [&](Real r, Real sign, bool x) {
    const Real at = x ? -std::sin(turned) : std::cos(turned),
               rate = Real(w) * (x ? -std::cos(turned) : -std::sin(turned));
    return (x ? Real(u) * until : fall) + sign * r * (at + rate * after);
  };
  const Real size = l * (1 + Real(w) * until) + u * until + std::abs(fall);
  return finished(dice, model, until,
                  {{"x", place(a, 1, true), size},
                   {"y", place(a, 1, false), size},
                   {"p", place(b, -1, true), size},
                   {"q", place(b, -1, false), size},
                   {"event(cut, 0)", cut, cut + 1}});
}

/// An oscillator whose stiffness changes whenever it passes the middle: another one to each side.
Case switched(Dice& dice) {
  const double k = dice.between(1, 30), j = dice.between(1, 30), v = dice.between(0.5, 3), until = dice.between(1, 6);
  const std::string model = fmt::format(
      "parameters: {{k: {0}}}\ncoordinates: {{x: [0, {2}]}}\nkinetic_energy: x'^2/2\nforces: {{x: -k*x}}\n"
      "events:\n  up: {{when: x, direction: rising, set: {{k: {0}}}}}\n"
      "  down: {{when: x, direction: falling, set: {{k: {1}}}}}\n",
      text_of(k), text_of(j), text_of(v));
  Real t = until, speed = v, w = std::sqrt(Real(k)), other = std::sqrt(Real(j));
  while (t > pi / w) {
    t -= pi / w;
    std::swap(w, other);
    speed = -speed;
  }
  return finished(dice, model, until,
                  {{"x", speed / w * std::sin(w * t), v / std::min(w, other) + v * until},
                   {"x'", speed * std::cos(w * t), Real(v) * (1 + w * until)}});
}

}  // namespace

std::vector<Family> act_families() {
  return {{"act-clutches", "discs that are coupled one after the other", clutches},
          {"act-bounces", "a ball that bounces on a slope", bounces},
          {"act-strikes", "a pendulum that strikes a wall", strikes},
          {"act-released", "a turning rod that lets go", released},
          {"act-switched", "a stiffness that changes in the middle", switched}};
}

}  // namespace taut::hunt
