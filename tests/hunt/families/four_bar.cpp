// Four-bar linkages whose crank turns: the crank's angle, by quadrature, is the truth.
#include <algorithm>
#include <cmath>

#include "hunt/families.hpp"
#include "hunt/four_bar.hpp"

namespace taut::hunt {
namespace {

/// The crank turns where it is the shortest and crank + longest < the other two (Grashof).
FourBar draw_grashof(Dice& dice) {
  FourBar f;
  for (;;) {
    f.crank = dice.between(0.3, 1), f.coupler = dice.between(0.8, 3), f.rocker = dice.between(0.8, 3);
    f.ground = dice.between(0.8, 3);
    double longest = std::max({f.coupler, f.rocker, f.ground});
    double others = f.coupler + f.rocker + f.ground - longest;
    if (f.crank + longest < 0.9 * others && f.crank < 0.9 * std::min({f.coupler, f.rocker, f.ground})) break;
  }
  f.branch = dice.sign();
  f.crank_mass = dice.between(0.3, 3), f.coupler_mass = dice.between(0.3, 3), f.rocker_mass = dice.between(0.3, 3);
  f.angle = dice.between(-3, 3);
  f.rate = dice.between(1, 6) * dice.sign();
  return f;
}

const std::vector<std::string> names = {"crank_angle", "px", "py", "spin"};

Case finished(Dice& dice, const FourBar& f, std::string model, const Wish& wish) {
  Case out;
  out.model = std::move(model);
  out.plan = draw_plan(dice, wish);
  out.until = dice.between(0.5, 4);
  out.expected = f.expected(out.until, names);
  return out;
}

Case equations(Dice& dice) {
  const FourBar f = draw_grashof(dice);
  return finished(dice, f, f.equations(""), {.step = 0.002, .energy_law = true});
}

Case redundant(Dice& dice) {
  const FourBar f = draw_grashof(dice);
  const std::string scale = text_of(dice.scaled(1e-3, 1e3));
  const std::string rows = fmt::format(
      "  tip: (p*cos(a) - d - r*cos(c))^2 + (p*sin(a) - r*sin(c))^2 = q^2\n"
      "  again: {0}*(p*cos(a) + q*cos(b)) = {0}*(d + r*cos(c))\n",
      scale);
  return finished(dice, f, f.equations(rows), {.step = 0.002, .energy_law = true});
}

Case planar(Dice& dice) {
  const FourBar f = draw_grashof(dice);
  return finished(dice, f, f.bodies(", planar: true"), {.step = 0.002, .energy_law = true});
}

Case spatial(Dice& dice) {
  const FourBar f = draw_grashof(dice);
  return finished(dice, f, f.bodies(""), {.step = 0.002, .energy_law = true, .rates_are_speeds = false});
}

/// A parallelogram but for the crank, which is shorter by 10^-k: bends where it would be flat.
Case near_parallelogram(Dice& dice, bool bodies) {
  FourBar f;
  f.crank = 1, f.rocker = 1, f.coupler = f.ground = dice.chance(0.5) ? 2 : dice.between(1.3, 3);
  f.crank -= std::pow(10.0, -dice.whole(2, 14)) * (dice.chance(0.5) ? 1 : dice.between(0.3, 3));
  f.branch = 1;
  f.angle = dice.between(0.3, 2.8);
  f.rate = dice.between(1, 4) * dice.sign();
  Case out = finished(dice, f, bodies ? f.bodies(", planar: true") : f.equations(""),
                      {.tightest = 1e-12, .loosest = 1e-5, .drifting = false});
  out.least_share = 1e-3;
  return out;
}
Case near_parallelogram_equations(Dice& dice) { return near_parallelogram(dice, false); }
Case near_parallelogram_bodies(Dice& dice) { return near_parallelogram(dice, true); }

/// Exactly one: rocker and crank stay parallel through the flat positions, and the rate is constant.
Case parallelogram(Dice& dice, bool bodies) {
  FourBar f;
  f.crank = f.rocker = dice.chance(0.5) ? 1 : dice.between(0.5, 2);
  f.coupler = f.ground = f.crank * 2;
  f.branch = 1;
  f.angle = dice.between(0.3, 2.8);
  f.rate = dice.between(1, 4) * dice.sign();
  Case out;
  out.model = bodies ? f.bodies(", planar: true") : f.equations("");
  out.plan = draw_plan(dice, {.tightest = 1e-12, .loosest = 1e-5, .drifting = false});
  out.until = dice.between(1, 4);
  const Real a = Real(f.angle) + Real(f.rate) * out.until, r = f.crank;
  out.expected = {{"crank_angle", a, 10},
                  {"px", f.ground + r * std::cos(a), 10},
                  {"py", r * std::sin(a), 10},
                  {"spin", f.rate, 10}};
  out.least_share = 1e-3;
  return out;
}
Case parallelogram_equations(Dice& dice) { return parallelogram(dice, false); }
Case parallelogram_bodies(Dice& dice) { return parallelogram(dice, true); }

}  // namespace

std::vector<Family> four_bar_families() {
  return {{"four-bar-equations", "random Grashof lengths, three angles", equations},
          {"four-bar-redundant", "rows that repeat others, scaled", redundant},
          {"four-bar-planar", "planar bodies", planar},
          {"four-bar-spatial", "spatial bodies: three rows too many", spatial},
          {"near-parallelogram-equations", "a parallelogram but for 1e-2 … 1e-14", near_parallelogram_equations},
          {"near-parallelogram-bodies", "the same of planar bodies", near_parallelogram_bodies},
          {"parallelogram-equations", "a true passage twice a turn", parallelogram_equations},
          {"parallelogram-bodies", "the same of planar bodies", parallelogram_bodies}};
}

}  // namespace taut::hunt
