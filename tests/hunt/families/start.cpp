// Starts that do not satisfy the constraints: by typed digits, by much, and by velocities alone.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

/// A pendulum that starts at (x, y) with (vx, vy); what is assembled is the nearest point of the circle, and of the
/// velocities there the nearest along it.
struct OffPendulum {
  double l, g, x, y, vx, vy;

  std::vector<Expected> assembled(double until) const {
    const Real r = std::hypot(Real(x), Real(y)), angle = std::atan2(Real(x), -Real(y));
    // Assembled positions first, then velocities in their tangent (cos, sin).
    const Real rate = (vx * -Real(y) / r + vy * Real(x) / r) / l;
    Motion motion;
    motion.rates = [p = *this](Real, const State& s) -> State { return {s[1], -Real(p.g) / p.l * std::sin(s[0])}; };
    motion.start = {angle, rate};
    motion.names = {"x", "y", "x'", "y'"};
    motion.figures = [p = *this](Real, const State& s) -> State {
      const Real a = p.l * std::sin(s[0]), b = p.l * std::cos(s[0]);
      return {a, -b, b * s[1], a * s[1]};
    };
    return expected_of(motion, until);
  }
  std::string model() const {
    return fmt::format(
        "coordinates:\n  x: [{}, {}]\n  y: [{}, {}]\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: {}*y\n"
        "constraints: {{rod: x^2 + y^2 = {}^2}}\n",
        text_of(x), text_of(vx), text_of(y), text_of(vy), text_of(g), text_of(l));
  }
};

/// Off by `share` of the length and of the speed.
OffPendulum draw(Dice& dice, double share) {
  OffPendulum p;
  p.l = dice.between(0.5, 2), p.g = dice.between(2, 12);
  const double a = dice.between(-2, 2), w = dice.between(0.5, 3) * dice.sign(),
               out = 1 + share * dice.between(0.3, 1) * dice.sign();
  p.x = p.l * std::sin(a) * out, p.y = -p.l * std::cos(a) * out;
  const double along = p.l * w, across = share * std::abs(along) * dice.between(-1, 1);
  p.vx = along * std::cos(a) + across * std::sin(a), p.vy = along * std::sin(a) - across * std::cos(a);
  return p;
}

/// As many digits as people type: the motion is that of the assembled start, as near as the digits are.
Case typed_digits(Dice& dice) {
  const double share = std::pow(10.0, -dice.whole(4, 9));
  const OffPendulum p = draw(dice, share);
  Case out;
  out.model = p.model();
  out.plan = draw_plan(dice, {.drifting = false});
  out.until = dice.between(0.3, 3);
  out.expected = p.assembled(out.until);
  out.least_share = 20 * share;
  return out;
}

/// Far off, and assembled: the same truth to all digits.
Case assembled(Dice& dice) {
  const OffPendulum p = draw(dice, dice.between(0.01, 0.3));
  Case out;
  out.model = p.model();
  out.plan = draw_plan(dice, {.drifting = false});
  out.plan.more = {{"assemble", "on"}};
  out.until = dice.between(0.3, 3);
  out.expected = p.assembled(out.until);
  return out;
}

/// Far off, and not assembled: there is no motion of these constraints from there.
Case far_off(Dice& dice) {
  const OffPendulum p = draw(dice, dice.between(0.05, 0.3));
  Case out;
  out.model = p.model();
  out.plan = draw_plan(dice, {.drifting = false});
  out.until = dice.between(0.3, 3);
  out.truth = Truth::no_solution;
  return out;
}

/// A hinged body that is given a spin but no velocity of its centre.
Case hinge(Dice& dice, bool assemble) {
  const double mass = dice.between(0.3, 3), moment = dice.between(0.05, 1), arm = dice.between(0.2, 1),
               w = dice.between(1, 10);
  Case out;
  out.model = fmt::format(
      "bodies:\n  b: {{mass: {0}, inertia: [{1}, {1}, {1}], position: [{2}, 0, 0], angular_velocity: [0, 0, {3}], "
      "planar: true}}\n"
      "joints:\n  pin: {{type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
      "outputs: {{angle: b.angle, spin: b.omega_z}}\n",
      text_of(mass), text_of(moment), text_of(arm), text_of(w));
  out.plan = draw_plan(dice, {.drifting = false});
  out.until = dice.chance(0.3) ? 0 : dice.between(0.2, 3);
  if (!assemble) {
    out.truth = Truth::no_solution;
    return out;
  }
  out.plan.more = {{"assemble", "on"}};
  const Real spin = Real(moment) * w / (moment + mass * Real(arm) * arm);
  out.expected = {{"angle", spin * out.until, 1 + spin * out.until}, {"spin", spin, spin}};
  return out;
}
Case hinge_assembled(Dice& dice) { return hinge(dice, true); }
Case hinge_refused(Dice& dice) { return hinge(dice, false); }

}  // namespace

std::vector<Family> start_families() {
  return {{"start-typed-digits", "off by typed digits: assembled and right", typed_digits},
          {"start-assembled", "far off, with --assemble", assembled},
          {"start-far-off", "far off, without: must not run as if it were not", far_off},
          {"start-hinge-assembled", "spin without a velocity of the centre, with --assemble", hinge_assembled},
          {"start-hinge", "the same without: must not change it silently", hinge_refused}};
}

}  // namespace taut::hunt
