#include "exporting/fixed_parameters.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "expression/derivative.hpp"

namespace taut {

std::vector<std::size_t> varying_parameters(const Model& model, const std::vector<std::string>& varied) {
  std::set<SymbolId> symbols;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < model.parameters.size(); ++k) {
    const Parameter& parameter = model.parameters[k];
    const auto used = symbols_of(parameter.value);
    const bool follows = std::ranges::any_of(used, [&](SymbolId s) { return symbols.contains(s); });
    if (!follows && std::ranges::find(varied, parameter.name) == varied.end()) continue;
    symbols.insert(parameter.symbol);
    places.push_back(k);
  }
  return places;
}

void fix_parameters(Equations& eq, const std::vector<std::size_t>& varying, const std::vector<double>& values) {
  std::unordered_map<SymbolId, double> fixed;
  std::vector<SymbolId> left;
  for (std::size_t k = 0; k < eq.parameters.size(); ++k) {
    if (std::ranges::find(varying, k) == varying.end())
      fixed[eq.parameters[k]] = values[k];
    else
      left.push_back(eq.parameters[k]);
  }
  Substitution put(*eq.graph, [&](SymbolId s) {
    const auto value = fixed.find(s);
    return value == fixed.end() ? Expression(*eq.graph, eq.graph->symbol(s)) : Expression(value->second);
  });
  for (auto* formulas :
       {&eq.retractions, &eq.rates, &eq.N.entries, &eq.M.entries, &eq.f, &eq.reactions, &eq.reaction_slopes.entries,
        &eq.Phi, &eq.chi, &eq.H.entries, &eq.softness, &eq.b, &eq.energy_gradient, &eq.energy_slope, &eq.outputs,
        &eq.following, &eq.switching, &eq.switching_rates, &eq.reach})
    for (Expression& formula : *formulas) formula = put(formula);
  for (Expression* formula : {&eq.energy_rate, &eq.power}) *formula = put(*formula);
  if (eq.energy) eq.energy = put(*eq.energy);
  eq.parameters = left;
}

}  // namespace taut
