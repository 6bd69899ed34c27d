// Forces with kinks in the state: truths go from kink to kink.
#include <algorithm>
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

/// x'' = f(x, v) by pieces. In each the formula of the piece is continued beyond its end, so that it is smooth there.
struct OneMass {
  std::string force;  ///< as the model says it, for a mass of 1
  /// Which piece: -1, 0 or 1.
  std::function<int(Real x, Real v)> piece;
  std::function<Real(int piece, Real x, Real v)> acceleration;
  /// Positive within the piece.
  std::function<Real(int piece, Real x, Real v)> inside;
  double x, v, until;

  /// The piece that the motion is about to enter, seen a moment later.
  int next_piece(const State& y, int last) const {
    constexpr Real moment = 1e-7L;
    return piece(y[0] + moment * y[1], y[1] + moment * acceleration(last, y[0], y[1]));
  }
  State solve(State y, Real end) const {
    int now = next_piece(y, piece(y[0], y[1]));
    for (Real t = 0; t < end; now = next_piece(y, now)) {
      const Rhs rates = [&](Real, const State& at) -> State { return {at[1], acceleration(now, at[0], at[1])}; };
      const Stop stop = integrate_until(
          rates, [&](Real, const State& at) { return inside(now, at[0], at[1]); }, 1, t, end, y);
      t = stop.t;
      y = stop.y;
    }
    return y;
  }
  Case make(Dice& dice, const Wish& wish = {.step = 1e-3}) const {
    Motion motion;
    motion.start = {x, v};
    motion.names = {"x", "x'"};
    motion.solve = [this](const State& start, Real end, Real) { return solve(start, end); };
    motion.figures = [](Real, const State& y) { return y; };
    Case out;
    out.model = fmt::format("coordinates: {{x: [{}, {}]}}\nkinetic_energy: x'^2/2\nforces: {{x: \"{}\"}}\n", text_of(x),
                            text_of(v), force);
    out.plan = draw_plan(dice, wish);
    out.until = until;
    out.expected = expected_of(motion, until);
    return out;
  }
};

int sign_of(Real value) { return value > 0 ? 1 : -1; }

/// Pieces by the sign of x.
void split_at_zero(OneMass& m) {
  m.piece = [](Real x, Real) { return sign_of(x); };
  m.inside = [](int piece, Real x, Real) { return piece * x; };
}
/// Pieces below, within and above ±limit.
void split_at(OneMass& m, Real limit) {
  m.piece = [=](Real x, Real) { return x > limit ? 1 : x < -limit ? -1 : 0; };
  m.inside = [=](int piece, Real x, Real) { return piece == 0 ? (limit - x) * (limit + x) : piece * x - limit; };
}

/// A ball on a spring that only pushes, under gravity.
Case bouncing(Dice& dice) {
  const double k = dice.scaled(50, 1e5), g = dice.between(2, 12);
  OneMass m;
  m.force = fmt::format("{}*max(0, -x) - {}", text_of(k), text_of(g));
  m.acceleration = [=](int piece, Real x, Real) { return (piece < 0 ? -k * x : 0) - g; };
  split_at_zero(m);
  m.x = dice.between(0.1, 2), m.v = dice.between(-2, 2), m.until = dice.between(1, 6);
  return m.make(dice);
}

/// Stiffer on one side than on the other.
Case two_stiffnesses(Dice& dice) {
  const double k = dice.between(1, 20), e = k * dice.between(0.1, 0.9);
  OneMass m;
  m.force = fmt::format("-{}*x - {}*abs(x)", text_of(k), text_of(e));
  m.acceleration = [=](int piece, Real x, Real) { return -(k + piece * e) * x; };
  split_at_zero(m);
  m.x = dice.between(0.1, 2), m.v = dice.between(-2, 2), m.until = dice.between(2, 20);
  return m.make(dice);
}

/// A relay: always the same force towards the middle.
Case relay(Dice& dice) {
  const double f = dice.between(0.5, 5);
  OneMass m;
  m.force = fmt::format("-{}*sign(x)", text_of(f));
  m.acceleration = [=](int piece, Real, Real) { return -piece * Real(f); };
  split_at_zero(m);
  m.x = dice.between(0.3, 2), m.v = dice.between(-2, 2), m.until = dice.between(2, 15);
  return m.make(dice);
}

/// A gap between two springs.
Case dead_zone(Dice& dice) {
  const double k = dice.scaled(5, 5000), gap = dice.between(0.1, 1);
  OneMass m;
  m.force = fmt::format("-{0}*max(0, x - {1}) + {0}*max(0, -x - {1})", text_of(k), text_of(gap));
  m.acceleration = [=](int piece, Real x, Real) { return piece == 0 ? 0 : -k * (x - piece * Real(gap)); };
  split_at(m, gap);
  m.x = dice.between(-gap, gap) * 0.9, m.v = dice.between(0.5, 3) * dice.sign(), m.until = dice.between(2, 15);
  return m.make(dice);
}

/// Drag that grows as v |v|, which has a kink in its curvature only, with a spring.
Case drag(Dice& dice) {
  const double k = dice.between(1, 30), c = dice.between(0.1, 3);
  OneMass m;
  m.force = fmt::format("-{}*x - {}*x'*abs(x')", text_of(k), text_of(c));
  m.acceleration = [=](int piece, Real x, Real v) { return -k * x - piece * c * v * v; };
  m.piece = [](Real, Real v) { return sign_of(v); };
  m.inside = [](int piece, Real, Real v) { return piece * v; };
  m.x = dice.between(0.3, 2), m.v = dice.between(-2, 2), m.until = dice.between(2, 10);
  return m.make(dice);
}

/// A force that saturates: min and max of a spring's.
Case saturated(Dice& dice) {
  const double k = dice.scaled(2, 500), f = dice.between(0.5, 3);
  OneMass m;
  m.force = fmt::format("max(-{0}, min({0}, -{1}*x))", text_of(f), text_of(k));
  m.acceleration = [=](int piece, Real x, Real) { return piece == 0 ? -k * x : -piece * Real(f); };
  split_at(m, f / Real(k));
  m.x = dice.between(0.3, 2), m.v = dice.between(-2, 2), m.until = dice.between(2, 12);
  return m.make(dice);
}

/// A pendulum in x and y that touches a one-sided spring: the kink lies on a constraint.
Case pendulum_at_a_stop(Dice& dice) {
  const double l = dice.between(0.5, 2), g = 9.81, k = dice.scaled(50, 1e4), stop = l * dice.between(-0.4, 0.4);
  const Real angle = dice.between(-1.2, 1.2);
  // The spring pushes along x with k max(0, x − stop).
  OneMass m;
  m.piece = [=](Real a, Real) { return l * std::sin(a) > stop ? 1 : 0; };
  m.acceleration = [=](int piece, Real a, Real) {
    return -g / l * std::sin(a) - piece * k * (l * std::sin(a) - stop) * std::cos(a) / l;
  };
  m.inside = [=](int piece, Real a, Real) { return (piece ? 1 : -1) * (l * std::sin(a) - stop); };
  Motion motion;
  motion.start = {angle, 0};
  motion.names = {"x", "y", "x'", "y'"};
  motion.solve = [&](const State& y, Real end, Real) { return m.solve(y, end); };
  motion.figures = [=](Real, const State& y) -> State {
    return {l * std::sin(y[0]), -l * std::cos(y[0]), l * std::cos(y[0]) * y[1], l * std::sin(y[0]) * y[1]};
  };
  const State p = motion.figures(0, motion.start);
  Case out;
  out.model = fmt::format(
      "coordinates: {{x: {}, y: {}}}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: {}*y\n"
      "forces: {{x: \"-{}*max(0, x - {})\"}}\nconstraints: {{rod: x^2 + y^2 = {}^2}}\n",
      text_of(p[0]), text_of(p[1]), text_of(g), text_of(k), text_of(stop), text_of(l));
  // Euler's errors grow with every bounce: with longer steps, halving them says nothing of the error.
  out.plan = draw_plan(dice, {.step = 1e-4});
  out.until = dice.between(1, 5);
  out.expected = expected_of(motion, out.until);
  return out;
}

}  // namespace

std::vector<Family> kink_families() {
  return {{"kink-bouncing", "a one-sided spring, by max", bouncing},
          {"kink-stiffnesses", "stiffer on one side, by abs", two_stiffnesses},
          {"kink-relay", "a force of constant size, by sign", relay},
          {"kink-dead-zone", "a gap between two springs", dead_zone},
          {"kink-drag", "drag as v |v|", drag},
          {"kink-saturated", "a force that saturates, by min and max", saturated},
          {"kink-pendulum", "a pendulum that touches a stop", pendulum_at_a_stop}};
}

}  // namespace taut::hunt
