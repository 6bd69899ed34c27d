// Dry friction by `friction:` at constraints and joints: slopes, pins, guides, belts, stacks. Reduced equations, from
// stick to slip and back.
#include <algorithm>
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/motion.hpp"
#include "hunt/stick_slip.hpp"

namespace taut::hunt {
namespace {

constexpr Real g = 9.81L;

/// What may stand in `friction:`.
struct Law {
  double coefficient, at_rest = 0, stribeck = 0, viscous = 0;

  static Law draw(Dice& dice, double least, double most) {
    Law law{dice.between(least, most)};
    if (dice.chance(0.5)) law.at_rest = std::stod(fmt::format("{:.5g}", law.coefficient * dice.between(1.05, 1.8)));
    if (law.at_rest > 0 && dice.chance(0.5)) law.stribeck = dice.between(0.05, 0.5);
    if (dice.chance(0.5)) law.viscous = dice.between(0.01, 0.5);
    return law;
  }
  std::string text() const {
    std::string words = fmt::format("coefficient: {}", text_of(coefficient));
    if (at_rest > 0) words += fmt::format(", static: {}", text_of(at_rest));
    if (stribeck > 0) words += fmt::format(", stribeck: {}", text_of(stribeck));
    if (viscous > 0) words += fmt::format(", viscous: {}", text_of(viscous));
    return words;
  }
  /// In motion; with a Stribeck speed that at rest, too.
  Real at(Real slip) const {
    if (!(stribeck > 0)) return coefficient;
    const Real share = slip / stribeck;
    return coefficient + (Real(at_rest) - coefficient) * std::exp(-share * share);
  }
  Real reach() const { return at_rest > 0 && !(stribeck > 0) ? Real(at_rest) / coefficient : 1; }
};

/// F₀ + A sin(ω t).
struct Push {
  double constant, size, rate;

  static Push draw(Dice& dice, double scale) {
    return {dice.chance(0.5) ? 0 : dice.between(-scale, scale) / 2, dice.chance(0.7) ? dice.between(0, 1.5 * scale) : 0,
            dice.between(0.5, 4)};
  }
  std::string text() const { return fmt::format("{} + {}*sin({}*t)", text_of(constant), text_of(size), text_of(rate)); }
  Real at(Real t) const { return constant + size * std::sin(rate * t); }
};

Case finished(Dice& dice, std::string model, double until, const Contacts& contacts, const Motion& asked,
              const Wish& wish = {.tightest = 1e-11, .loosest = 1e-6, .drifting = false}) {
  Case out;
  out.model = std::move(model);
  out.plan = draw_plan(dice, wish);
  if (out.plan.method == "stabilized-index-2") out.plan.method = out.plan.integrator = "auto";  // refused
  out.until = until;
  Motion motion = asked;
  motion.solve = [&contacts](const State& start, Real end, Real) { return stick_and_slip(contacts, start, end); };
  out.expected = expected_of(motion, until);
  for (Expected& figure : out.expected) figure.sensitivity = std::max<Real>(figure.sensitivity, 1);
  out.least_share = 1e-9;
  return out;
}

State as_they_are(Real, const State& y) { return y; }

// ---- one contact ----------------------------------------------------------------------------------

/// A block on a slope, as equations or as a body on a rail, pushed along it.
Case slope(Dice& dice) {
  const Law law = Law::draw(dice, 0.1, 0.8);
  const double a = dice.chance(0.3) ? 0 : dice.between(-0.6, 0.6), m = dice.between(0.3, 3);
  const double u0 = dice.chance(0.4) ? 0 : dice.between(-3, 3), until = dice.between(0.5, 4);
  const Push push = Push::draw(dice, m * 9.81 * law.coefficient * 2);
  const std::string c = text_of(std::cos(a)), s = text_of(std::sin(a));
  std::string model;
  if (dice.chance(0.5)) {
    model = fmt::format(
        "parameters: {{a: {0}, m: {1}, u: {2}}}\ncoordinates: {{x: [0, u*cos(a)], y: [0, u*sin(a)]}}\n"
        "kinetic_energy: m/2*(x'^2 + y'^2)\npotential_energy: 9.81*m*y\ndefinitions: {{push: \"{3}\"}}\n"
        "forces: {{x: push*cos(a), y: push*sin(a)}}\n"
        "constraints: {{slope: {{equation: y*cos(a) = x*sin(a), friction: {{{4}}}}}}}\n"
        "outputs: {{s: x*cos(a) + y*sin(a), u: x'*cos(a) + y'*sin(a)}}\n",
        text_of(a), text_of(m), text_of(u0), push.text(), law.text());
  } else {
    model = fmt::format(
        "parameters: {{a: {0}, m: {1}, w: {2}}}\ngravity: [0, -9.81, 0]\n"
        "bodies:\n  block: {{mass: m, inertia: [1, 1, 1], planar: {5}, velocity: [w*cos(a), w*sin(a), 0]}}\n"
        "joints:\n  rail: {{type: prismatic, bodies: [ground, block], at: [0, 0, 0], axis: [cos(a), sin(a), 0], "
        "friction: {{{4}}}}}\n"
        "forces:\n  push: {{type: force, body: block, value: [\"({3})*cos(a)\", \"({3})*sin(a)\", 0]}}\n"
        "outputs: {{s: rail.travel, u: rail.rate}}\n",
        text_of(a), text_of(m), text_of(u0), push.text(), law.text(), dice.chance(0.5));
  }
  Contacts one{.slip = {{1}}, .reach = {law.reach()}};
  one.accelerations = [=](Real t, const State& y, const State& sigma) -> State {
    const Real u = y[1], normal = m * g * std::cos(Real(a));
    return {(push.at(t) - m * g * std::sin(Real(a)) - law.viscous * u - sigma[0] * law.at(u) * normal) / m};
  };
  return finished(dice, model, until, one, {.start = {0, u0}, .names = {"s", "u"}, .figures = as_they_are},
                  {.tightest = 1e-11, .loosest = 1e-6, .drifting = false, .rates_are_speeds = false});
}

/// A pendulum whose pin is pressed by what it carries: friction depends on the acceleration that it changes.
Case pin(Dice& dice) {
  const Law law = Law::draw(dice, 0.1, 0.6);
  const double m = dice.between(0.3, 3), l = dice.between(0.2, 1.5), radius = dice.between(0.02, 0.3) * l;
  const double moment = m * l * l * dice.between(0.1, 1), until = dice.between(0.5, 4);
  const double angle = dice.between(-1.5, 1.5), w0 = dice.chance(0.5) ? 0 : dice.between(-4, 4);
  const Push torque = Push::draw(dice, m * 9.81 * l);
  const std::string model = fmt::format(
      "parameters: {{m: {0}, l: {1}, J: {2}, a: {3}, w: {4}}}\ngravity: [0, -9.81, 0]\n"
      "bodies:\n  rod: {{mass: m, inertia: [J, J, J], planar: {8}, position: [l*sin(a), -l*cos(a), 0], "
      "velocity: [w*l*cos(a), w*l*sin(a), 0], angular_velocity: [0, 0, w]}}\n"
      "joints:\n  pin: {{type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1], "
      "friction: {{radius: {5}, {6}}}}}\n"
      "forces:\n  drive: {{type: torque, body: rod, axis: [0, 0, 1], value: \"{7}\"}}\n"
      "outputs: {{turn: a + pin.angle, spin: pin.rate}}\n",
      text_of(m), text_of(l), text_of(moment), text_of(angle), text_of(w0), text_of(radius), law.text(), torque.text(),
      dice.chance(0.5));
  Contacts one{.slip = {{1}}, .reach = {law.reach()}};
  one.accelerations = [=](Real t, const State& y, const State& sigma) -> State {
    const Real sine = std::sin(y[0]), w = y[1], about = Real(moment) + Real(m) * l * l;
    const Real free = torque.at(t) - m * g * l * sine - law.viscous * w;
    const Real across = m * (l * w * w + g * std::cos(y[0]));
    Real a = free / about;
    for (int k = 0; k < 200; ++k) {  // contracts: radius · m l / J is well below 1
      const Real along = m * (l * a + g * sine);
      const Real press = std::hypot(along, across);
      const Real next = (free - sigma[0] * law.at(radius * w) * radius * press) / about;
      const bool found = std::abs(next - a) <= 1e-19L * (1 + std::abs(a));
      a = next;
      if (found) break;
    }
    return {a};
  };
  return finished(dice, model, until, one, {.start = {angle, w0}, .names = {"turn", "spin"}, .figures = as_they_are},
                  {.tightest = 1e-11, .loosest = 1e-6, .drifting = false, .rates_are_speeds = false});
}

/// A sleeve on a level rail, pushed and twisted: its two ends bear the torque.
Case guide(Dice& dice) {
  const Law law = Law::draw(dice, 0.1, 0.5);
  const double m = dice.between(0.3, 3), length = dice.between(0.1, 1), u0 = dice.chance(0.4) ? 0 : dice.between(-3, 3);
  const double until = dice.between(0.5, 4), twist = dice.between(-1, 1) * m * 9.81 * length;
  const Push push = Push::draw(dice, 2 * m * 9.81 * law.coefficient);
  const std::string model = fmt::format(
      "gravity: [0, -9.81, 0]\nbodies:\n"
      "  sleeve: {{mass: {0}, inertia: [1, 1, 1], planar: {6}, velocity: [{1}, 0, 0]}}\n"
      "joints:\n  rail: {{type: prismatic, bodies: [ground, sleeve], at: [0, 0, 0], axis: [1, 0, 0], "
      "friction: {{length: {2}, {3}}}}}\n"
      "forces:\n  push: {{type: force, body: sleeve, value: [\"{4}\", 0, 0]}}\n"
      "  twist: {{type: torque, body: sleeve, axis: [0, 0, 1], value: {5}}}\n"
      "outputs: {{s: rail.travel, u: rail.rate}}\n",
      text_of(m), text_of(u0), text_of(length), law.text(), push.text(), text_of(twist), dice.chance(0.5));
  Contacts one{.slip = {{1}}, .reach = {law.reach()}};
  one.accelerations = [=](Real t, const State& y, const State& sigma) -> State {
    const Real half = m * g / 2, couple = Real(twist) / length;
    const Real press = std::abs(half + couple) + std::abs(half - couple);
    return {(push.at(t) - law.viscous * y[1] - sigma[0] * law.at(y[1]) * press) / m};
  };
  return finished(dice, model, until, one, {.start = {0, u0}, .names = {"s", "u"}, .figures = as_they_are},
                  {.tightest = 1e-11, .loosest = 1e-6, .drifting = false, .rates_are_speeds = false});
}

/// A mass on a spring, carried along by a belt until the spring is stronger.
Case belt(Dice& dice) {
  Law law = Law::draw(dice, 0.1, 0.6);
  law.viscous = 0;
  const double m = dice.between(0.5, 2), k = dice.between(5, 60), speed = dice.between(0.1, 1.5);
  const double x0 = dice.between(-0.3, 0.3), until = dice.between(1, 5);
  const double v0 = dice.chance(0.5) ? speed : dice.between(-1, 1);
  const std::string model = fmt::format(
      "coordinates: {{x: [{0}, {1}], y: 0}}\nkinetic_energy: {2}/2*(x'^2 + y'^2)\n"
      "potential_energy: {2}*9.81*y + {3}/2*x^2\n"
      "constraints: {{floor: {{equation: y = 0, friction: {{{4}, along: \"x - {5}*t\"}}}}}}\n",
      text_of(x0), text_of(v0), text_of(m), text_of(k), law.text(), text_of(speed));
  Contacts one{.slip = {{1}}, .reach = {law.reach()}};
  one.belt = [=](Real) -> State { return {speed}; };
  one.belt_rate = [](Real) -> State { return {0}; };
  one.accelerations = [=](Real, const State& y, const State& sigma) -> State {
    return {-Real(k) / m * y[0] - sigma[0] * law.at(y[1] - speed) * g};
  };
  return finished(dice, model, until, one, {.start = {x0, v0}, .names = {"x", "x'"}, .figures = as_they_are});
}

// ---- several contacts -----------------------------------------------------------------------------

/// Blocks on one another on a floor, tied to walls by springs, one of them pushed: each contact bears all above it.
Case stack(Dice& dice) {
  const int n = dice.whole(2, 3);
  const double until = dice.between(0.5, 3);
  std::vector<double> m, k, x0, v0;
  std::vector<Law> laws;
  for (int i = 0; i < n; ++i) {
    m.push_back(dice.between(0.3, 3));
    k.push_back(dice.chance(0.5) ? 0 : dice.between(2, 40));
    x0.push_back(dice.between(-0.3, 0.3));
    v0.push_back(dice.chance(0.5) ? 0 : dice.between(-1.5, 1.5));
    laws.push_back({dice.between(0.1, 0.6)});
    if (dice.chance(0.4)) laws.back().at_rest = std::stod(fmt::format("{:.5g}", 1.3 * laws.back().coefficient));
  }
  const int pushed = dice.whole(0, n - 1);
  const Push push = Push::draw(dice, 12);
  std::string coordinates, kinetic = "0", potential = "0", constraints;
  for (int i = 0; i < n; ++i) {
    coordinates += fmt::format("  x{0}: [{1}, {2}]\n  y{0}: 0\n", i, text_of(x0[i]), text_of(v0[i]));
    kinetic += fmt::format(" + {0}/2*(x{1}'^2 + y{1}'^2)", text_of(m[i]), i);
    potential += fmt::format(" + {0}*9.81*y{1} + {2}/2*x{1}^2", text_of(m[i]), i, text_of(k[i]));
    const std::string gap = i == 0 ? "y0 = 0" : fmt::format("y{} = y{}", i, i - 1);
    const std::string along = i == 0 ? "x0" : fmt::format("x{} - x{}", i, i - 1);
    constraints += fmt::format("  c{0}: {{equation: {1}, friction: {{{2}, along: {3}, normal: lambda(c{0})}}}}\n", i,
                               gap, laws[i].text(), along);
  }
  const std::string model =
      fmt::format("coordinates:\n{}kinetic_energy: {}\npotential_energy: {}\nforces: {{x{}: \"{}\"}}\nconstraints:\n{}",
                  coordinates, kinetic, potential, pushed, push.text(), constraints);
  Contacts all{.freedoms = n};
  for (int i = 0; i < n; ++i) {
    State row(n, 0);
    row[i] = 1;
    if (i > 0) row[i - 1] = -1;
    all.slip.push_back(row);
    all.reach.push_back(laws[i].reach());
  }
  all.accelerations = [=](Real t, const State& y, const State& sigma) -> State {
    State force(n, 0);
    Real above = 0;
    for (int i = n - 1; i >= 0; --i) {
      above += m[i] * g;
      const Real rub = sigma[i] * laws[i].coefficient * above;
      force[i] += -Real(k[i]) * y[i] - rub;
      if (i > 0) force[i - 1] += rub;
    }
    force[pushed] += push.at(t);
    for (int i = 0; i < n; ++i) force[i] /= m[i];
    return force;
  };
  Motion motion;
  for (const auto& list : {x0, v0}) motion.start.insert(motion.start.end(), list.begin(), list.end());
  for (const char* const mark : {"", "'"})
    for (int i = 0; i < n; ++i) motion.names.push_back(fmt::format("x{}{}", i, mark));
  motion.figures = as_they_are;
  return finished(dice, model, until, all, motion);
}

}  // namespace

std::vector<Family> contact_families() {
  return {{"contact-slope", "a block on a slope that is pushed: rest, breakaway, Stribeck, viscous", slope},
          {"contact-pin", "a pendulum whose pin is pressed by what it carries", pin},
          {"contact-guide", "a sleeve that is twisted on its rail", guide},
          {"contact-belt", "a mass on a spring and a belt", belt},
          {"contact-stack", "blocks on one another, tied to walls", stack}};
}

}  // namespace taut::hunt
