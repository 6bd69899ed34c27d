// Near a singular position, but not at it: the motion turns a sharp corner there. And exactly at it: it goes through.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/linkage.hpp"
#include "hunt/motion.hpp"
#include "hunt/quadrature.hpp"

namespace taut::hunt {
namespace {

/// The bend of a near miss takes √offset of the way: an error there is worth a part of it, whatever the tolerance.
/// A branch that is left is worth all of it.
constexpr double share_of_a_bend = 1e-3;

Wish near_wish(bool in_space = false) {
  return {.tightest = 1e-12, .loosest = 1e-5, .drifting = false, .rates_are_speeds = !in_space};
}

/// ±10^-k, k = 2 … 14, but for a part drawn between.
double draw_offset(Dice& dice) {
  return dice.sign() * std::pow(10.0, -dice.whole(2, 14)) * (dice.chance(0.5) ? 1 : dice.between(0.3, 3));
}

SliderCrank near_slider_crank(Dice& dice) {
  SliderCrank s;
  s.crank = dice.chance(0.5) ? 1 : dice.between(0.5, 2);
  s.rod = s.crank * (1 + draw_offset(dice));
  if (dice.chance(0.5)) s.rod_mass = dice.between(0.3, 3), s.slider_mass = dice.between(0.3, 3);
  s.angle = dice.between(-0.8, 0.8);
  s.rate = dice.between(1, 5) * dice.sign();
  return s;
}

Case near_case(Dice& dice, std::string (SliderCrank::*write)() const, const std::vector<std::string>& names) {
  const SliderCrank s = near_slider_crank(dice);
  Case out;
  out.model = (s.*write)();
  out.plan = draw_plan(dice, near_wish(write == &SliderCrank::spatial_bodies));
  out.until = dice.between(1, 4);
  out.expected = s.expected_without_gravity(out.until, names);
  out.least_share = share_of_a_bend;
  return out;
}

Case near_equations(Dice& dice) { return near_case(dice, &SliderCrank::equations, {"a", "b", "s", "a'"}); }
Case near_planar(Dice& dice) {
  return near_case(dice, &SliderCrank::planar_bodies, {"angle", "tilt", "slider.x", "spin"});
}
Case near_spatial(Dice& dice) {
  return near_case(dice, &SliderCrank::spatial_bodies, {"angle", "", "slider.x", "spin"});
}

/// x y = offset without forces: the speed is constant, the arc √(2 offset cosh 2u) du with x = √offset e^u.
Case hyperbola(Dice& dice) {
  const Real offset = std::pow(10.0, -dice.whole(2, 14)), speed = dice.between(0.5, 3);
  const Real quadrant = dice.sign(), x0 = dice.between(0.5, 2);
  Case out;
  out.until = dice.between(0.5, 2) * 2 * static_cast<double>(x0 / speed);
  const double product = static_cast<double>(offset);
  const Real root = std::sqrt(Real(product));
  Motion motion;
  motion.start = {quadrant * x0, speed};
  motion.names = {"x", "y", "x'", "y'"};
  const auto at = [=](Real u, Real rate) -> State {
    const Real x = quadrant * root * std::exp(u), y = quadrant * root * std::exp(-u);
    return {x, y, x * rate, -y * rate};
  };
  motion.solve = [=](const State& start, Real until, Real) -> State {
    const Real v = start[1];
    OneWay way{.pace = [=](Real u) { return root * std::sqrt(2 * std::cosh(2 * u)) / v; },
               .start = std::log(std::abs(start[0]) / root),
               .direction = -1};
    const Real u = way.at(until);
    return {u, -1 / way.pace(u)};
  };
  const Real u0 = std::log(std::abs(motion.start[0]) / root);
  const Real rate0 = -speed / (root * std::sqrt(2 * std::cosh(2 * u0)));
  motion.figures = [=](Real t, const State& y) { return t == 0 ? at(u0, rate0) : at(y[0], y[1]); };
  const State p = motion.figures(0, motion.start);
  out.model = fmt::format(
      "coordinates:\n  x: [{}, {}]\n  y: [{}, {}]\nkinetic_energy: (x'^2 + y'^2)/2\nconstraints: {{c: x*y = {}}}\n",
      text_of(p[0]), text_of(p[2]), text_of(p[1]), text_of(p[3]), text_of(product));
  out.plan = draw_plan(dice, near_wish());
  out.expected = expected_of(motion, out.until);
  for (Expected& expected : out.expected) expected.sensitivity = std::max<Real>(expected.sensitivity, 0.1L);
  out.least_share = share_of_a_bend;
  return out;
}

/// Links of one length: the crank goes straight through the upright position, and b = −a throughout.
Case equal_links(Dice& dice, std::string (SliderCrank::*write)() const, const std::vector<std::string>& names) {
  SliderCrank s;
  s.crank = s.rod = dice.chance(0.5) ? 1 : dice.between(0.5, 2);
  s.rod_mass = dice.between(0.3, 3), s.slider_mass = dice.between(0.3, 3);
  s.angle = dice.between(-1.2, 1.2);
  s.rate = dice.between(1, 5) * dice.sign();
  Case out;
  out.model = (s.*write)();
  out.plan = draw_plan(dice, near_wish(write == &SliderCrank::spatial_bodies));
  out.until = dice.between(1, 4);
  Motion motion;
  const Real r = s.crank, m = Real(s.crank_mass) * r * r / 3 + Real(s.rod_mass) * r * r / 12;
  // x of the rod's middle is 3r/2 cos a, its height r/2 sin a, the slide 2r cos a.
  const auto inertia = [=](Real a) {
    const Real sine = r * std::sin(a), cosine = r * std::cos(a);
    return m + s.rod_mass * (9 * sine * sine + cosine * cosine) / 4 + s.slider_mass * 4 * sine * sine;
  };
  motion.start = {s.angle, s.rate};
  motion.names = names;
  motion.solve = [=](const State& start, Real until, Real) -> State {
    const Real twice = inertia(start[0]) * start[1] * start[1];
    OneWay way{.pace = [=](Real u) { return std::sqrt(inertia(u) / twice); },
               .start = start[0],
               .direction = start[1] > 0 ? 1.0L : -1.0L};
    const Real u = way.at(until);
    return {u, way.direction / way.pace(u)};
  };
  motion.figures = [=](Real, const State& y) -> State { return {y[0], -y[0], 2 * r * std::cos(y[0]), y[1]}; };
  out.expected = expected_of(motion, out.until);
  std::erase_if(out.expected, [](const Expected& expected) { return expected.name.empty(); });
  out.least_share = share_of_a_bend;
  return out;
}

Case equal_equations(Dice& dice) { return equal_links(dice, &SliderCrank::equations, {"a", "b", "s", "a'"}); }
Case equal_planar(Dice& dice) {
  return equal_links(dice, &SliderCrank::planar_bodies, {"angle", "tilt", "slider.x", "spin"});
}
Case equal_spatial(Dice& dice) {
  return equal_links(dice, &SliderCrank::spatial_bodies, {"angle", "", "slider.x", "spin"});
}

}  // namespace

std::vector<Family> near_miss_families() {
  return {{"near-slider-crank-equations", "rod/crank - 1 = ±1e-2 … 1e-14, angles", near_equations},
          {"near-slider-crank-planar", "the same of planar bodies", near_planar},
          {"near-slider-crank-spatial", "the same of spatial bodies", near_spatial},
          {"near-hyperbola", "x y = 1e-2 … 1e-14", hyperbola},
          {"equal-links-equations", "rod = crank: a true passage, angles", equal_equations},
          {"equal-links-planar", "the same of planar bodies", equal_planar},
          {"equal-links-spatial", "the same of spatial bodies", equal_spatial}};
}

}  // namespace taut::hunt
