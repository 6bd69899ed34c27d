// Slider-cranks with a rod longer than the crank, singular positions far away: the crank's angle is the truth.
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/linkage.hpp"

namespace taut::hunt {
namespace {

SliderCrank draw_geometry(Dice& dice) {
  SliderCrank s;
  s.crank = dice.between(0.3, 1);
  s.rod = s.crank * dice.between(1.2, 3);
  s.crank_mass = dice.between(0.3, 3);
  s.rod_mass = dice.between(0.3, 3);
  s.slider_mass = dice.between(0.3, 3);
  s.gravity = dice.chance(0.7) ? dice.between(1, 10) : 0;
  s.angle = dice.between(-3, 3);
  s.rate = dice.between(-6, 6);
  return s;
}

Case drawn(Dice& dice, std::string (SliderCrank::*write)() const, const std::vector<std::string>& names) {
  const SliderCrank s = draw_geometry(dice);
  Case out;
  out.model = (s.*write)();
  out.plan =
      draw_plan(dice, {.step = 0.002, .energy_law = true, .rates_are_speeds = write != &SliderCrank::spatial_bodies});
  out.until = dice.between(0.5, 4);
  out.expected = s.expected(out.until, names);
  return out;
}

Case equations(Dice& dice) { return drawn(dice, &SliderCrank::equations, {"a", "b", "s", "a'"}); }
Case planar(Dice& dice) { return drawn(dice, &SliderCrank::planar_bodies, {"angle", "tilt", "slider.x", "spin"}); }
Case spatial(Dice& dice) { return drawn(dice, &SliderCrank::spatial_bodies, {"angle", "", "slider.x", "spin"}); }

}  // namespace

std::vector<Family> slider_crank_families() {
  return {{"slider-crank-equations", "two angles and a slide", equations},
          {"slider-crank-planar", "planar bodies", planar},
          {"slider-crank-spatial", "spatial bodies, redundant rows", spatial}};
}

}  // namespace taut::hunt
