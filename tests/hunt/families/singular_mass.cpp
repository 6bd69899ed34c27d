// Coordinates and bodies without inertia, which constraints complete, or do not.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

/// y has no mass and follows x by a constraint, or a relation that is not linear: y = n x + e x².
Case follower(Dice& dice) {
  const double m = dice.between(0.3, 3), n = dice.between(0.3, 2) * dice.sign(), e = dice.between(0, 0.2),
               k = dice.between(1, 20);
  Motion motion;
  motion.rates = [=](Real, const State& s) -> State {
    const Real y = n * s[0] + e * s[0] * s[0], slope = n + 2 * e * s[0];
    return {s[1], -k * y * slope / m};
  };
  motion.start = {dice.between(-1, 1), dice.between(-1, 1)};
  motion.names = {"x", "x'", "y"};
  motion.figures = [=](Real, const State& s) -> State { return {s[0], s[1], n * s[0] + e * s[0] * s[0]}; };
  const Real x = motion.start[0], v = motion.start[1];
  Case out;
  out.model = fmt::format(
      "coordinates:\n  x: [{}, {}]\n  y: [{}, {}]\nkinetic_energy: {}/2*x'^2\npotential_energy: {}/2*y^2\n"
      "constraints: {{follow: y = {}*x + {}*x^2}}\n",
      text_of(x), text_of(v), text_of(n * x + e * x * x), text_of((n + 2 * e * x) * v), text_of(m), text_of(k),
      text_of(n), text_of(e));
  out.plan = draw_plan(dice, {.step = 0.002});
  out.until = dice.between(0.5, 5);
  out.expected = expected_of(motion, out.until);
  return out;
}

/// A rod without mass, welded to a bob: a pendulum.
Case massless_rod(Dice& dice) {
  const double m = dice.between(0.3, 3), moment = dice.between(0.01, 0.3), l = dice.between(0.4, 2),
               g = dice.between(2, 12);
  const Real share = m * Real(l) / (moment + m * Real(l) * l);
  Motion motion;
  motion.rates = [=](Real, const State& y) -> State { return {y[1], -g * share * std::cos(y[0])}; };
  motion.start = {0, dice.between(-2, 2)};
  motion.names = {"angle", "spin"};
  motion.figures = [](Real, const State& y) { return y; };
  const bool planar = dice.chance(0.5);
  const Real w = motion.start[1];
  Case out;
  out.model = fmt::format(
      "gravity: [0, -{0}, 0]\nbodies:\n  rod: {{position: [{1}, 0, 0], velocity: [0, {2}, 0], angular_velocity: [0, 0, "
      "{3}]{4}}}\n"
      "  bob: {{mass: {5}, inertia: [{6}, {6}, {6}], position: [{7}, 0, 0], velocity: [0, {8}, 0], "
      "angular_velocity: [0, 0, {3}]{4}}}\n"
      "joints:\n  pin: {{type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
      "  weld: {{type: fixed, bodies: [rod, bob], at: [{7}, 0, 0]}}\noutputs: {{angle: pin.angle, spin: "
      "bob.omega_z}}\n",
      text_of(g), text_of(Real(l) / 2), text_of(Real(l) / 2 * w), text_of(w), planar ? ", planar: true" : "",
      text_of(m), text_of(moment), text_of(l), text_of(Real(l) * w));
  out.plan = draw_plan(dice, {.step = 0.002, .rates_are_speeds = planar});
  out.until = dice.between(0.5, 4);
  out.expected = expected_of(motion, out.until);
  for (Expected& expected : out.expected) expected.sensitivity += 1;
  return out;
}

/// A rod without mass between two balls in space: nothing determines its spin about itself. The bodies that it holds
/// have hinges with axes of their own.
Case undetermined_spin(Dice& dice) {
  const auto place = [&] { return std::array{dice.between(-1, 1), dice.between(-1, 1), dice.between(-1, 1)}; };
  const auto a = place(), b = place(), h1 = place(), h2 = place();
  const std::array axes = {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
  const auto text = [](const std::array<double, 3>& x) {
    return fmt::format("[{}, {}, {}]", text_of(x[0]), text_of(x[1]), text_of(x[2]));
  };
  std::array<double, 3> middle{};
  for (int i = 0; i < 3; ++i) middle[i] = (a[i] + b[i]) / 2;
  Case out;
  out.model = fmt::format(
      "gravity: [0, 0, -9.81]\nbodies:\n  b1: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: {0}}}\n"
      "  b2: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: {1}}}\n  rod: {{position: {2}}}\n"
      "joints:\n  h1: {{type: revolute, bodies: [ground, b1], at: {3}, axis: {4}}}\n"
      "  h2: {{type: revolute, bodies: [ground, b2], at: {5}, axis: {6}}}\n"
      "  s1: {{type: spherical, bodies: [b1, rod], at: {0}}}\n  s2: {{type: spherical, bodies: [b2, rod], at: {1}}}\n",
      text(a), text(b), text(middle), text(h1), axes[dice.whole(0, 2)], text(h2), axes[dice.whole(0, 2)]);
  out.plan = draw_plan(dice, {.drifting = false, .rates_are_speeds = false});
  out.until = 0.5;
  // No value of the spin is right: an answer would be one that nobody can check.
  out.truth = Truth::no_solution;
  return out;
}

}  // namespace

std::vector<Family> singular_mass_families() {
  return {{"massless-follower", "a coordinate without mass that follows another", follower},
          {"massless-rod", "a rod without mass welded to a bob", massless_rod},
          {"massless-spin", "a spin that nothing determines: refuse", undetermined_spin}};
}

}  // namespace taut::hunt
