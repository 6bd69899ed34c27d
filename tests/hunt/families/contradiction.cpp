// Constraints that no motion satisfies: a run must not say "done".
#include "hunt/families.hpp"

namespace taut::hunt {
namespace {

Wish quiet() { return {.tightest = 1e-10, .loosest = 1e-5, .step = 0.01, .drifting = true}; }

Case impossible(Dice& dice, std::string model, double until) {
  Case out;
  out.model = std::move(model);
  out.plan = draw_plan(dice, quiet());
  out.until = until;
  out.truth = Truth::no_solution;
  return out;
}

/// A term that is zero at the start with its first derivative, and grows.
std::string growing(Dice& dice, const std::string& variable = "t") {
  const std::string size = text_of(dice.between(0.05, 1));
  return dice.one_of({(size + "*" + variable + "^3").c_str(), (size + "*(1 - cos(2*" + variable + "))").c_str(),
                      (size + "*max(0, " + variable + " - 0.5)^3").c_str()});
}

Case two_drives(Dice& dice) {
  const std::string rate = text_of(dice.between(0.3, 2));
  return impossible(dice,
                    fmt::format("coordinates: {{x: [0, {0}], y: [0.2, 0]}}\nkinetic_energy: x'^2 + x'*y' + y'^2\n"
                                "constraints:\n  one: x = {0}*t\n  two: x = {0}*t + {1}\n",
                                rate, growing(dice)),
                    dice.between(2, 4));
}

Case two_speeds(Dice& dice) {
  const std::string rate = text_of(dice.between(0.3, 2)), growth = text_of(dice.between(0.05, 0.5));
  return impossible(dice,
                    fmt::format("coordinates: {{x: [0, {0}], y: [0.2, 0]}}\nkinetic_energy: x'^2 + x'*y' + y'^2\n"
                                "constraints:\n  one: x' = {0}\n  two: x' = {0} + {1}*t\n",
                                rate, growth),
                    dice.between(2, 4));
}

/// Three rows of which any two are met: x, y and their sum.
Case three_rows(Dice& dice) {
  const std::string p = text_of(dice.between(0.5, 2)), q = text_of(dice.between(0.5, 2));
  return impossible(
      dice,
      fmt::format("coordinates: {{x: [0, {0}], y: [0, {1}], z: [0.3, 0]}}\n"
                  "kinetic_energy: (x'^2 + y'^2 + z'^2 + x'*z')/2\n"
                  "constraints:\n  one: x = {0}*t\n  two: y = {1}*t\n  sum: x + y = ({0} + {1})*t + {2}\n",
                  p, q, growing(dice)),
      dice.between(2, 4));
}

/// A pendulum whose rod is asked to have two lengths that part.
Case two_lengths(Dice& dice) {
  return impossible(dice,
                    fmt::format("coordinates: {{x: [1, 0], y: [0, 0]}}\nkinetic_energy: (x'^2 + y'^2)/2\n"
                                "potential_energy: 9.81*y\nconstraints:\n  rod: x^2 + y^2 = 1\n"
                                "  other: sqrt(x^2 + y^2) = 1 + {}\n",
                                growing(dice)),
                    dice.between(2, 4));
}

/// Two position motors on one freedom: a crank's angle and the slide that follows from it.
Case two_motors(Dice& dice) {
  const std::string w = text_of(dice.between(0.5, 1.5));
  return impossible(
      dice,
      fmt::format("bodies:\n  arm: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], planar: true, "
                  "velocity: [0, {1}, 0], angular_velocity: [0, 0, {0}]}}\n"
                  "  disk: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], planar: true, "
                  "velocity: [0, {1}, 0], angular_velocity: [0, 0, {0}]}}\n"
                  "joints:\n  a: {{type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1], "
                  "position: \"{0}*t\"}}\n"
                  "  b: {{type: revolute, bodies: [ground, disk], at: [0, 0, 0], axis: [0, 0, 1], "
                  "position: \"{0}*t + {2}\"}}\n"
                  "  weld: {{type: fixed, bodies: [arm, disk], at: [0.5, 0, 0]}}\n",
                  w, text_of(std::stod(w) / 2), growing(dice)),
      dice.between(2, 4));
}

/// A linkage that is driven beyond its reach: rods of 1 and `l` cannot span more than 1 + l.
Case out_of_reach(Dice& dice) {
  const double l = dice.between(0.5, 1.5);
  return impossible(dice,
                    fmt::format("parameters: {{l: {0}}}\ncoordinates: {{a: 0.8, b: -0.6}}\n"
                                "kinetic_energy: a'^2 + b'^2 + a'*b'*cos(a - b)\nconstraints:\n"
                                "  reach: cos(a) + l*cos(b) = cos(0.8) + l*cos(0.6) + 0.2*t^2\n",
                                text_of(l)),
                    dice.between(4, 6));
}

}  // namespace

std::vector<Family> contradiction_families() {
  return {{"contradiction-drives", "two drives of one coordinate that part", two_drives},
          {"contradiction-speeds", "two velocity constraints that part", two_speeds},
          {"contradiction-sum", "three rows, any two of which are met", three_rows},
          {"contradiction-lengths", "a rod of two lengths that part", two_lengths},
          {"contradiction-motors", "two position motors on one freedom", two_motors},
          {"contradiction-reach", "a drive beyond the reach of a linkage", out_of_reach}};
}

}  // namespace taut::hunt
