// Links of one length that turn shortly before their dead point, or cross it slowly: b = −a is the truth.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/lagrange.hpp"
#include "hunt/motion.hpp"

namespace taut::hunt {
namespace {

struct Links {
  double length, mass, slider, pull;

  /// x1 = l/2 cos a, x2 = 3l/2 cos a, s = 2 l cos a; both middles at height l/2 sin a; the pull is on x1.
  template <class Angle, class Rate>
  auto lagrangian(const Angle& a, const Rate& da) const {
    const Real l = length, moment = mass * l * l / 12;
    const auto s = l * sin(a) * da, c = l * cos(a) * da;
    return mass / 2 * (10.0L / 4 * s * s + c * c / 2) + moment * da * da + slider / 2 * 4 * s * s +
           pull * l / 2 * cos(a);
  }
  /// Twice the kinetic energy at rate 1.
  Real inertia(Real a) const {
    const Real l = length, s = l * std::sin(a), c = l * std::cos(a);
    return mass * (2.5L * s * s + c * c / 2) + mass * l * l / 6 + slider * 4 * s * s;
  }
  /// The rate at `a` with which the links come to rest at `turn`.
  Real rate_for(Real a, Real turn) const {
    return std::sqrt(2 * Real(pull) * length / 2 * (std::cos(a) - std::cos(turn)) / inertia(a));
  }
  std::string model(Real a, Real da) const {
    const Real l = length, c = l * std::cos(a), s = l * std::sin(a), dc = -s * da, ds = c * da;
    const auto pair = [](Real x, Real v) { return fmt::format("[{}, {}]", text_of(x), text_of(v)); };
    return fmt::format("parameters: {{l: {}, m: {}, ms: {}, c: {}}}\n", text_of(length), text_of(mass), text_of(slider),
                       text_of(pull)) +
           "coordinates:\n  x1: " + pair(c / 2, dc / 2) + "\n  y1: " + pair(s / 2, ds / 2) + "\n  a: " + pair(a, da) +
           "\n  x2: " + pair(3 * c / 2, 3 * dc / 2) + "\n  y2: " + pair(s / 2, ds / 2) + "\n  b: " + pair(-a, -da) +
           "\n  s: " + pair(2 * c, 2 * dc) +
           "\nkinetic_energy: m/2*(x1'^2 + y1'^2 + x2'^2 + y2'^2) + m*l^2/24*(a'^2 + b'^2) + ms/2*s'^2\n"
           "potential_energy: -c*x1\nconstraints:\n  c0: x1 = l/2*cos(a)\n  c1: y1 = l/2*sin(a)\n"
           "  c2: x1 + l/2*cos(a) = x2 - l/2*cos(b)\n  c3: y1 + l/2*sin(a) = y2 - l/2*sin(b)\n"
           "  c4: x2 + l/2*cos(b) = s\n  c5: y2 + l/2*sin(b) = 0\n";
  }
};

Case near_dead_point(Dice& dice, Real side) {
  const Links links{dice.between(0.5, 1.5), dice.between(0.5, 2), dice.between(0.5, 2), dice.between(1, 5)};
  const Real a = dice.between(0.2, 0.9), turn = pi / 2 + side * Real(dice.scaled(1e-4, 0.3));
  Motion motion;
  motion.rates =
      ReducedEquations(1, [links](const auto&, const auto& q, const auto& v) { return links.lagrangian(q[0], v[0]); });
  motion.start = {a, links.rate_for(a, turn)};
  motion.names = {"a", "b", "s", "a'"};
  motion.figures = [l = links.length](Real, const State& y) -> State {
    return {y[0], -y[0], 2 * l * std::cos(y[0]), y[1]};
  };
  Case out;
  out.model = links.model(a, motion.start[1]);
  out.plan = draw_plan(dice, {.tightest = 1e-11, .loosest = 1e-5, .drifting = false});
  out.until = dice.between(1, 4);
  out.expected = expected_of(motion, out.until);
  // Near the dead point the rows are nearly dependent: what is left of the digits there is not the tolerance.
  out.least_share = 1e-3;
  return out;
}
Case turns_before(Dice& dice) { return near_dead_point(dice, -1); }
Case turns_behind(Dice& dice) { return near_dead_point(dice, 1); }

}  // namespace

std::vector<Family> dead_point_families() {
  return {{"dead-point-turns", "equal links turn shortly before their dead point", turns_before},
          {"dead-point-crosses", "they cross it slowly, turn, and cross it again", turns_behind}};
}

}  // namespace taut::hunt
