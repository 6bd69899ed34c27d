// Sampled controllers: loops that go on between samples by their own equations, integrated sample by sample.
#include <algorithm>
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

Case finished(Dice& dice, std::string model, double until, const Motion& motion) {
  Case out;
  out.model = std::move(model);
  out.plan = draw_plan(dice, {.tightest = 1e-11, .loosest = 1e-5, .step = 2e-3});
  out.until = until;
  out.expected = expected_of(motion, until);
  out.least_share = 1e-9;
  return out;
}

/// What is held from one instant to the next: `hold(t, y)` at each of them, in order, then y goes on by its rates.
struct Sampled {
  Rhs rates;
  std::function<void(Real t, State& y)> hold;
  std::vector<Real> instants;

  State operator()(State y, Real until, Real tolerance) const {
    Real t = 0;
    for (const Real at : instants) {
      if (at >= until) break;
      if (at > t) y = integrate(rates, t, at, y, tolerance);
      t = at;
      hold(t, y);
    }
    return integrate(rates, t, until, y, tolerance);
  }
};

std::vector<Real> multiples(double sample_time, double offset, double until) {
  std::vector<Real> list;
  for (int k = 0; offset + Real(k) * sample_time < until; ++k) list.push_back(offset + Real(k) * sample_time);
  return list;
}

/// A pendulum on a rod constraint under a limited PID of its angle. y = (angle, rate, sum, push).
Case pid(Dice& dice) {
  const double l = dice.between(0.4, 1.5), m = dice.between(0.5, 2), start = dice.between(-1, 1);
  const double wish = dice.between(-0.8, 0.8), kp = dice.between(5, 40), kd = dice.between(1, 8),
               ki = dice.between(0, 10), most = dice.between(3, 60);
  const double h = dice.scaled(0.004, 0.15), offset = dice.chance(0.5) ? 0 : h * dice.between(0.1, 2.5);
  const double until = dice.between(0.5, 3);
  const std::string model = fmt::format(
      "parameters: {{m: {}, l: {}, a: {}, g: 9.81, kp: {}, kd: {}, ki: {}, wish: {}, most: {}}}\n"
      "coordinates: {{x: l*sin(a), y: -l*cos(a)}}\nkinetic_energy: m/2*(x'^2 + y'^2)\npotential_energy: m*g*y\n"
      "definitions: {{angle: atan2(x, -y), omega: (x*y' - y*x')/l^2}}\n"
      "forces: {{x: -push*y/l^2, y: push*x/l^2}}\nconstraints: {{rod: x^2 + y^2 = l^2}}\n"
      "controllers:\n  pid:\n    sample_time: {}\n    offset: {}\n    measure: {{error: wish - angle}}\n"
      "    set: {{push: {{value: kp*error - kd*omega + sum, min: -most, max: most}}}}\n"
      "    states: {{sum: {{value: 0, next: sum + ki*sample_time*error}}}}\n"
      "outputs: {{turn: angle, spin: omega, torque: push}}\n",
      text_of(m), text_of(l), text_of(start), text_of(kp), text_of(kd), text_of(ki), text_of(wish), text_of(most),
      text_of(h), text_of(offset));
  Motion motion;
  motion.start = {start, 0, 0, 0};
  motion.names = {"turn", "spin", "pid.sum", "torque"};
  motion.rates = [=](Real, const State& s) -> State {
    return {s[1], -9.81 / Real(l) * std::sin(s[0]) + s[3] / (Real(m) * l * l), 0, 0};
  };
  motion.solve = Sampled{motion.rates,
                         [=](Real, State& s) {
                           const Real error = wish - s[0];
                           s[3] = std::clamp<Real>(kp * error - kd * s[1] + s[2], -most, most);
                           s[2] += Real(ki) * h * error;
                         },
                         multiples(h, offset, until)};
  motion.figures = [](Real, const State& s) { return s; };
  return finished(dice, model, until, motion);
}

/// Two masses and a spring; an outer loop that samples slowly gives the inner one, fast, what it is to follow.
/// y = (a, b, a', b', wish, push).
Case cascade(Dice& dice) {
  const double k = dice.between(5, 60), c = dice.between(0, 1), m = dice.between(0.5, 2), p = dice.between(0.5, 4),
               q = dice.between(3, 20), goal = dice.between(-1, 1);
  const double inner = dice.scaled(0.01, 0.05);
  const int ratio = dice.whole(2, 5);
  const double until = dice.between(0.5, 3);
  const std::string model = fmt::format(
      "parameters: {{k: {}, c: {}, m: {}, p: {}, q: {}, goal: {}, h: {}}}\ncoordinates: {{a: 0, b: 0}}\n"
      "kinetic_energy: a'^2/2 + m/2*b'^2\npotential_energy: k/2*(a - b)^2\n"
      "forces: {{a: push - c*(a' - b'), b: c*(a' - b')}}\n"
      "controllers:\n  outer: {{sample_time: {}*h, set: {{wish: p*(goal - b)}}}}\n"
      "  inner: {{sample_time: h, set: {{push: q*(wish - a')}}}}\n",
      text_of(k), text_of(c), text_of(m), text_of(p), text_of(q), text_of(goal), text_of(inner), ratio);
  Motion motion;
  motion.start = {0, 0, 0, 0, 0, 0};
  motion.names = {"a", "b", "a'", "b'", "wish", "push"};
  motion.rates = [=](Real, const State& s) -> State {
    const Real pull = k * (s[0] - s[1]) + c * (s[2] - s[3]);
    return {s[2], s[3], s[5] - pull, pull / m, 0, 0};
  };
  motion.solve = Sampled{motion.rates,
                         [=](Real t, State& s) {
                           if (std::lround(t / inner) % ratio == 0) s[4] = p * (goal - s[1]);
                           s[5] = q * (s[4] - s[2]);
                         },
                         multiples(inner, 0, until)};
  motion.figures = [](Real, const State& s) { return s; };
  return finished(dice, model, until, motion);
}

/// An oscillator whose damping comes late, by samples and parts of one. y = (x, x', found, in force).
Case delayed(Dice& dice) {
  const double k = dice.between(2, 30), d = dice.between(0.2, 2), h = dice.scaled(0.02, 0.2);
  const int whole = dice.whole(0, 3);
  const double part = dice.chance(0.4) ? 0 : dice.between(0.1, 0.9);
  const double late = whole + part, until = dice.between(1, 4), x0 = dice.between(0.5, 2);
  const std::string model = fmt::format(
      "coordinates: {{x: {}}}\nkinetic_energy: x'^2/2\npotential_energy: {}/2*x^2\nforces: {{x: push}}\n"
      "controllers:\n  damper: {{sample_time: {}, delay: {}, set: {{push: \"-{}*x'\"}}}}\n",
      text_of(x0), text_of(k), text_of(h), text_of(late), text_of(d));
  Motion motion;
  motion.start = {x0, 0};
  motion.names = {"x", "x'"};
  motion.rates = [=](Real, const State& s) -> State { return {s[1], -k * s[0]}; };
  motion.solve = [=](const State& start, Real end, Real tolerance) {
    State y = {start[0], start[1]};
    std::vector<Real> found;
    Real push = 0, t = 0;
    const Rhs rates = [&](Real, const State& s) -> State { return {s[1], -k * s[0] + push}; };
    // Moments: samples at k h, and what they found in force at (k + late) h; at one moment the sample is first.
    int sample = 0, force = 0;
    while (true) {
      const Real next_sample = Real(sample) * h, next_force = (force + Real(late)) * h;
      const bool samples = part > 0 ? next_sample < next_force : sample <= force + whole;
      const Real at = samples ? next_sample : next_force;
      if (at >= end) break;
      if (at > t) y = integrate(rates, t, at, y, tolerance);
      t = at;
      if (samples)
        found.push_back(-d * y[1]), ++sample;
      else
        push = found[static_cast<std::size_t>(force++)];
    }
    return integrate(rates, t, end, y, tolerance);
  };
  motion.figures = [](Real, const State& s) { return s; };
  return finished(dice, model, until, motion);
}

}  // namespace

std::vector<Family> control_families() {
  return {{"control-pid", "a pendulum on a rod under a limited PID", pid},
          {"control-cascade", "a slow loop gives a fast one its wish", cascade},
          {"control-delayed", "a damper that comes late by parts of a sample", delayed}};
}

}  // namespace taut::hunt
