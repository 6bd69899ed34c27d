#include "hunt/plan.hpp"

#include <algorithm>
#include <array>

#include "hunt/real.hpp"
#include "taut/simulation.hpp"

namespace taut::hunt {
namespace {

constexpr std::array drifting = {"udwadia-kalaba", "braun-goldfarb", "baumgarte", "gradient-feedback"};
constexpr std::array fixed_integrators = {"euler", "rk4", "ab2", "ab3"};

bool is_fixed(const std::string& integrator) {
  return std::find(fixed_integrators.begin(), fixed_integrators.end(), integrator) != fixed_integrators.end();
}

/// With its options or without.
bool drifts(const std::string& method) {
  return std::find(drifting.begin(), drifting.end(), method.substr(0, method.find('('))) != drifting.end();
}

/// Do the method's coordinates of its own need rates as speeds?
bool needs_rates(const std::string& method) {
  return method == "parametrization" || method == "coordinate-partitioning";
}

const std::vector<Compatibility>& combinations() {
  static const std::vector<Compatibility> list = list_combinations();
  return list;
}

bool suits(const Compatibility& pair, const Wish& wish, bool fixed) {
  // Corrections of the size 1/h belong to fixed steps: with chosen ones the method is no choice of a user's.
  if (!pair.works() || is_fixed(pair.integrator) != fixed) return false;
  if (!fixed && pair.method == "braun-goldfarb") return false;
  if (!wish.drifting && drifts(pair.method)) return false;
  if (!wish.rates_are_speeds && needs_rates(pair.method)) return false;
  return !wish.stiff || pair.integrator == "cvode-bdf" || pair.integrator == "ida";
}

const Compatibility& draw_pair(Dice& dice, const Wish& wish, bool fixed) {
  std::vector<const Compatibility*> list;
  for (const Compatibility& pair : combinations())
    if (suits(pair, wish, fixed)) list.push_back(&pair);
  return *dice.one_of(list);
}

void draw_choices(Dice& dice, const Wish& wish, bool fixed, Plan& plan) {
  const Compatibility& pair = draw_pair(dice, wish, fixed);
  plan.method = pair.method;
  plan.integrator = pair.integrator;
  // A method with a kernel of its own takes no other, and that one has no name on the command line.
  if (dice.chance(0.5) && pair.kernels.size() > 1) plan.linear = dice.one_of(pair.kernels);
  if (wish.energy_law && dice.chance(0.3)) plan.energy = dice.one_of(pair.energies);
}

/// What most users run: nothing chosen, or the kernel or the law alone.
void draw_defaults(Dice& dice, const Wish& wish, Plan& plan) {
  if (dice.chance(0.3)) plan.linear = dice.one_of({"cholesky", "qr", "cod", "svd", "recursive"});
  if (wish.energy_law && dice.chance(0.2)) plan.energy = "project";
}

/// 1 or 3 of some power of ten.
double draw_tolerance(Dice& dice, const Wish& wish) {
  const double exponent = std::log10(dice.scaled(wish.tightest, wish.loosest));
  const std::string digits = exponent - std::floor(exponent) < 0.5 ? "1e" : "3e";
  return std::stod(digits + std::to_string(static_cast<int>(std::floor(exponent))));
}

}  // namespace

bool Plan::drifts() const { return hunt::drifts(method); }

Plan draw_plan(Dice& dice, const Wish& wish) {
  Plan plan;
  const bool fixed = wish.step && dice.chance(0.15);
  if (fixed) plan.step = *wish.step;
  if (!fixed && dice.chance(0.7)) plan.rtol = draw_tolerance(dice, wish);
  if (fixed || dice.chance(0.55))
    draw_choices(dice, wish, fixed, plan);
  else
    draw_defaults(dice, wish, plan);
  return plan;
}

OptionTexts options_of(const Plan& plan, double until) {
  OptionTexts values{{"until", text_of(until)}, {"method", plan.method}, {"integrator", plan.integrator}};
  values.emplace_back("linear", plan.linear);
  values.emplace_back("energy", plan.energy);
  if (plan.rtol) values.emplace_back("rtol", text_of(*plan.rtol));
  if (plan.step) values.emplace_back("step", text_of(*plan.step));
  values.emplace_back("native", plan.native);
  values.insert(values.end(), plan.more.begin(), plan.more.end());
  return values;
}

}  // namespace taut::hunt
