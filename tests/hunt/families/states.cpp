// First-order states: alone, on invariants, stiff, beside mechanics, driving it. Closed forms and reduced equations.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

/// With states, methods that have coordinates of their own are refused.
Wish wish_of(bool stiff = false) {
  return {.tightest = 1e-12, .loosest = 1e-5, .drifting = true, .rates_are_speeds = false, .stiff = stiff};
}

Case finished(Dice& dice, std::string model, double until, std::vector<Expected> expected, const Wish& wish) {
  Case out;
  out.model = std::move(model);
  out.plan = draw_plan(dice, wish);
  out.until = until;
  out.expected = std::move(expected);
  out.least_share = 1e-10;
  return out;
}

/// Euler's equations of a free body: two quadratic invariants, one of them or both as constraints.
Case top(Dice& dice) {
  const double a = dice.between(0.5, 1), b = dice.between(1.2, 2), c = dice.between(2.2, 3),
               until = dice.between(2, 15);
  const double x = dice.between(0.3, 2), y = dice.between(-1, 1), z = dice.between(0.3, 2);
  std::string constraints;
  const int which = dice.whole(0, 3);
  if (which & 1) constraints += "  size: x^2 + y^2 + z^2 = size0\n";
  if (which & 2) constraints += "  energy: x^2/a + y^2/b + z^2/c = energy0\n";
  const std::string model = fmt::format(
      "parameters: {{a: {}, b: {}, c: {}, x0: {}, y0: {}, z0: {}, size0: x0^2 + y0^2 + z0^2, "
      "energy0: x0^2/a + y0^2/b + z0^2/c}}\n"
      "states:\n  x: {{value: x0, rate: y*z*(1/c - 1/b)}}\n  y: {{value: y0, rate: z*x*(1/a - 1/c)}}\n"
      "  z: {{value: z0, rate: x*y*(1/b - 1/a)}}\n{}",
      text_of(a), text_of(b), text_of(c), text_of(x), text_of(y), text_of(z),
      constraints.empty() ? "" : "constraints:\n" + constraints);
  Motion motion;
  motion.start = {x, y, z};
  motion.names = {"x", "y", "z"};
  motion.rates = [=](Real, const State& s) -> State {
    const Real p = 1 / Real(a), q = 1 / Real(b), r = 1 / Real(c);
    return {s[1] * s[2] * (r - q), s[2] * s[0] * (p - r), s[0] * s[1] * (q - p)};
  };
  motion.figures = [](Real, const State& s) { return s; };
  return finished(dice, model, until, expected_of(motion, until), wish_of());
}

/// Prey and predators: the invariant is transcendental, x and y reach small values.
Case volterra(Dice& dice) {
  const double a = dice.between(0.5, 2), b = dice.between(0.5, 2), c = dice.between(0.5, 2), d = dice.between(0.5, 2);
  const double x = dice.between(0.2, 3), y = dice.between(0.2, 3), until = dice.between(2, 12);
  const std::string model = fmt::format(
      "parameters: {{a: {}, b: {}, c: {}, d: {}, x0: {}, y0: {}, V: d*x0 - c*log(x0) + b*y0 - a*log(y0)}}\n"
      "states:\n  x: {{value: x0, rate: a*x - b*x*y}}\n  y: {{value: y0, rate: d*x*y - c*y}}\n{}",
      text_of(a), text_of(b), text_of(c), text_of(d), text_of(x), text_of(y),
      dice.chance(0.6) ? "constraints: {cycle: d*x - c*log(x) + b*y - a*log(y) = V}\n" : "");
  Motion motion;
  motion.start = {x, y};
  motion.names = {"x", "y"};
  motion.rates = [=](Real, const State& s) -> State {
    return {a * s[0] - b * s[0] * s[1], d * s[0] * s[1] - c * s[1]};
  };
  motion.figures = [](Real, const State& s) { return s; };
  return finished(dice, model, until, expected_of(motion, until), wish_of());
}

/// A pendulum as four states on three invariants.
Case pendulum(Dice& dice) {
  const double l = dice.between(0.3, 2), angle = dice.between(-2.5, 2.5), w = dice.between(-3, 3);
  const double until = dice.between(1, 6);
  const std::string model = fmt::format(
      "parameters: {{l: {}, g: 9.81, a: {}, w: {}}}\nstates:\n"
      "  x: {{value: l*sin(a), rate: u}}\n  y: {{value: -l*cos(a), rate: v}}\n"
      "  u: {{value: l*w*cos(a), rate: -T*x}}\n  v: {{value: l*w*sin(a), rate: -T*y - g}}\n"
      "definitions: {{T: (u^2 + v^2 - g*y)/l^2}}\n"
      "constraints: {{rod: x^2 + y^2 = l^2, rate: x*u + y*v = 0}}\n",
      text_of(l), text_of(angle), text_of(w));
  Motion motion;
  motion.start = {angle, w};
  motion.names = {"x", "y", "u", "v"};
  motion.rates = [=](Real, const State& s) -> State { return {s[1], -9.81 / Real(l) * std::sin(s[0])}; };
  motion.figures = [=](Real, const State& s) -> State {
    const Real sine = std::sin(s[0]), cosine = std::cos(s[0]);
    return {l * sine, -l * cosine, l * s[1] * cosine, l * s[1] * sine};
  };
  return finished(dice, model, until, expected_of(motion, until), wish_of());
}

/// x' = −k (x − cos ωt): a fast transient, then a slow motion; beside it a state that gathers x.
Case relaxation(Dice& dice) {
  const double k = dice.scaled(1, 1e7), w = dice.between(0.3, 3), x0 = dice.between(-2, 2), until = dice.between(1, 6);
  const std::string model =
      fmt::format("states:\n  x: {{value: {}, rate: \"-{}*(x - cos({}*t))\"}}\n  sum: {{value: 0, rate: x}}\n",
                  text_of(x0), text_of(k), text_of(w));
  // x = c e^(−kt) + (k² cos ωt + kω sin ωt)/(k² + ω²)
  const Real square = Real(k) * k + Real(w) * w, phase = Real(w) * until;
  const Real c = x0 - Real(k) * k / square, fade = std::exp(-Real(k) * until);
  const Real x = c * fade + (Real(k) * k * std::cos(phase) + Real(k) * w * std::sin(phase)) / square;
  const Real sum = c * (1 - fade) / k + (Real(k) * k * std::sin(phase) / w + Real(k) * (1 - std::cos(phase))) / square;
  return finished(dice, model, until, {{"x", x, 3}, {"sum", sum, 3 + until}}, wish_of(k > 1e3));
}

/// Kinetics A → B → C with rates far apart, whose mass is kept; closed form.
Case decay_chain(Dice& dice) {
  const double p = dice.scaled(0.1, 1e5), q = p * (dice.chance(0.5) ? dice.scaled(1e-4, 0.5) : dice.scaled(2, 1e4));
  const double until = dice.between(0.3, 3) / std::min(p, q);
  const std::string model = fmt::format(
      "states:\n  a: {{value: 1, rate: \"-{0}*a\"}}\n  b: {{value: 0, rate: \"{0}*a - {1}*b\"}}\n"
      "  c: {{value: 0, rate: \"{1}*b\"}}\nconstraints: {{mass: a + b + c = 1}}\n",
      text_of(p), text_of(q));
  const Real ep = std::exp(-Real(p) * until), eq = std::exp(-Real(q) * until);
  const Real b = Real(p) / (Real(q) - p) * (ep - eq);
  return finished(dice, model, until, {{"a", ep, 1}, {"b", b, 1}, {"c", 1 - ep - b, 1}},
                  wish_of(std::max(p, q) * until > 1e3));
}

/// A motor's current drives a pendulum of x and y, and is braked by it; a filter listens.
Case motor(Dice& dice) {
  const double m = dice.between(0.3, 2), l = dice.between(0.3, 1.5), angle = dice.between(-1.5, 1.5);
  const double R = dice.between(0.3, 3), L = dice.scaled(0.003, 1), k = dice.between(0.1, 2), U = dice.between(-8, 8);
  const double w = dice.between(0.5, 5), T = dice.between(0.02, 1), until = dice.between(0.5, 4);
  const std::string model = fmt::format(
      "parameters: {{m: {}, l: {}, a: {}, R: {}, L: {}, k: {}, U: {}, w: {}, T: {}}}\n"
      "coordinates: {{x: l*sin(a), y: -l*cos(a)}}\nkinetic_energy: m/2*(x'^2 + y'^2)\npotential_energy: 9.81*m*y\n"
      "definitions: {{omega: (x*y' - y*x')/l^2}}\n"
      "states:\n  i: {{value: 0, rate: (U*sin(w*t) - R*i - k*omega)/L}}\n  f: {{value: 0, rate: (omega - f)/T}}\n"
      "forces: {{x: -k*i*y/l^2, y: k*i*x/l^2}}\nconstraints: {{rod: x^2 + y^2 = l^2}}\n",
      text_of(m), text_of(l), text_of(angle), text_of(R), text_of(L), text_of(k), text_of(U), text_of(w), text_of(T));
  Motion motion;
  motion.start = {angle, 0, 0, 0};
  motion.names = {"x", "y", "i", "f"};
  motion.rates = [=](Real t, const State& s) -> State {
    return {s[1], -9.81 / Real(l) * std::sin(s[0]) + Real(k) * s[2] / (Real(m) * l * l),
            (U * std::sin(w * t) - R * s[2] - k * s[1]) / L, (s[1] - s[3]) / T};
  };
  motion.figures = [=](Real, const State& s) -> State { return {l * std::sin(s[0]), -l * std::cos(s[0]), s[2], s[3]}; };
  return finished(dice, model, until, expected_of(motion, until), wish_of(R / L > 200));
}

/// A state that an oscillator of states moves drives a cart, from which a pendulum hangs; nothing acts back on it.
Case servo(Dice& dice) {
  const double w = dice.between(0.5, 4), size = dice.between(0.1, 0.8), l = dice.between(0.3, 1.5);
  const double angle = dice.between(-1, 1), until = dice.between(1, 5);
  const std::string model = fmt::format(
      "parameters: {{w: {}, A: {}, l: {}, a: {}}}\n"
      "states:\n  p: {{value: 0, rate: w*q}}\n  q: {{value: A, rate: -w*p}}\n"
      "coordinates: {{s: [0, w*A], x: [l*sin(a), w*A], y: -l*cos(a)}}\n"
      "kinetic_energy: s'^2 + (x'^2 + y'^2)/2\npotential_energy: 9.81*y\n"
      "constraints: {{servo: s = p, rod: (x - s)^2 + y^2 = l^2}}\n",
      text_of(w), text_of(size), text_of(l), text_of(angle));
  Motion motion;
  motion.start = {angle, 0};
  motion.names = {"s", "x", "y", "p", "s'"};
  motion.rates = [=](Real t, const State& s) -> State {
    const Real cart = -Real(size) * w * w * std::sin(w * t);
    return {s[1], (-9.81L * std::sin(s[0]) - cart * std::cos(s[0])) / l};
  };
  motion.figures = [=](Real t, const State& s) -> State {
    const Real p = size * std::sin(w * t);
    return {p, p + l * std::sin(s[0]), -l * std::cos(s[0]), p, size * w * std::cos(w * t)};
  };
  return finished(dice, model, until, expected_of(motion, until), wish_of());
}

}  // namespace

std::vector<Family> state_families() {
  return {{"states-top", "Euler's equations on their invariants", top},
          {"states-volterra", "prey and predators on their cycle", volterra},
          {"states-pendulum", "a pendulum as four states", pendulum},
          {"states-relaxation", "a state that follows a slow one, stiffly", relaxation},
          {"states-decay", "kinetics with rates far apart, on their mass", decay_chain},
          {"states-motor", "a current that drives a pendulum, and a filter", motor},
          {"states-servo", "an oscillator of states that drives a cart", servo}};
}

}  // namespace taut::hunt
