// A bead on Cassini's oval, near the lemniscate and on it: constant speed, the arc by quadrature.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/motion.hpp"
#include "hunt/quadrature.hpp"

namespace taut::hunt {
namespace {

/// ((x − 1)² + y²)((x + 1)² + y²) = b⁴. One loop for b > 1, by the polar angle; two for b < 1, by the angle ψ with
/// sin 2θ = b² sin ψ, which goes around the right one. Differences near the waist are written by b⁴ − 1.
struct Oval {
  Real b2;      ///< b²
  Real excess;  ///< b⁴ − 1

  bool one_loop() const { return excess > 0; }
  Real theta(Real u) const { return one_loop() ? u : std::asin(b2 * std::sin(u)) / 2; }
  Real radius2(Real u) const {
    const Real c = one_loop() ? std::cos(2 * u) : b2 * std::cos(u);
    const Real root = one_loop() ? std::sqrt(std::cos(2 * u) * std::cos(2 * u) + excess)
                                 : std::sqrt(b2 * b2 * std::cos(u) * std::cos(u) - excess);
    return c > 0 ? c + root : std::abs(excess) / (root - c);
  }
  /// d(arc)/du.
  Real arc(Real u) const {
    const Real r = std::sqrt(radius2(u));
    const Real root = one_loop() ? std::sqrt(std::cos(2 * u) * std::cos(2 * u) + excess)
                                 : 2 * std::sqrt(b2 * b2 * std::cos(u) * std::cos(u) - excess);
    return b2 * r / root;
  }
  std::array<Real, 2> place(Real u) const {
    const Real r = std::sqrt(radius2(u)), a = theta(u);
    return {r * std::cos(a), r * std::sin(a)};
  }
  /// The unit tangent along growing u: square to the gradient of the equation.
  std::array<Real, 2> tangent(Real u) const {
    const auto [x, y] = place(u);
    const Real s = x * x + y * y, gx = x * (s - 1), gy = y * (s + 1), size = std::hypot(gx, gy);
    return {-gy / size, gx / size};
  }
};

Case near_oval(Dice& dice) {
  const double product = 1 + dice.sign() * std::pow(10.0, -dice.whole(2, 14));  // b⁴
  const Oval oval{std::sqrt(Real(product)), Real(product) - 1};
  const Real start = dice.between(0.3, 1), speed = dice.between(0.5, 3);
  const Real bend = oval.one_loop() ? pi / 4 : pi / 2, width = std::sqrt(std::abs(oval.excess));
  const auto along = [=](Real u0, Real v) {
    return OneWay{.pace = [=](Real u) { return oval.arc(u) / v; },
                  .start = u0,
                  .bend = bend,
                  .period = oval.one_loop() ? pi / 2 : pi,
                  .width = width};
  };
  Motion motion;
  motion.start = {start, speed};
  motion.names = {"x", "y", "x'", "y'"};
  motion.solve = [=](const State& s, Real until, Real) -> State { return {along(s[0], s[1]).at(until), s[1]}; };
  motion.figures = [=](Real, const State& s) -> State {
    const auto p = oval.place(s[0]), d = oval.tangent(s[0]);
    return {p[0], p[1], d[0] * s[1], d[1] * s[1]};
  };
  const State p = motion.figures(0, motion.start);
  Case out;
  out.until = static_cast<double>(dice.between(2, 6) / speed);
  out.model = fmt::format(
      "coordinates:\n  x: [{}, {}]\n  y: [{}, {}]\nkinetic_energy: (x'^2 + y'^2)/2\n"
      "constraints: {{oval: \"((x - 1)^2 + y^2)*((x + 1)^2 + y^2) = {}\"}}\n",
      text_of(p[0]), text_of(p[2]), text_of(p[1]), text_of(p[3]), text_of(product));
  out.plan = draw_plan(dice, {.tightest = 1e-12, .loosest = 1e-5, .drifting = false});
  out.expected = expected_of(motion, out.until);
  for (Expected& expected : out.expected) expected.sensitivity += 0.3L;
  out.least_share = 1e-3;
  return out;
}

}  // namespace

std::vector<Family> cassini_families() { return {{"near-cassini", "Cassini's ovals near the lemniscate", near_oval}}; }

}  // namespace taut::hunt
