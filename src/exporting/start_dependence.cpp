#include "exporting/start_dependence.hpp"

#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"
#include "model/assignments.hpp"
#include "model/tree/other_parameters.hpp"
#include "simulation/coordinates.hpp"

namespace taut {
namespace {

/// A value that is not the one at hand, and not by so much another that nothing fits together.
double another(double value) { return value == 0 ? 0.1 : 1.1 * value; }

/// x = (q, v)
double entry_of(const InitialValues& initial, std::size_t k) {
  const std::size_t n = initial.coordinates.size();
  return k < n ? initial.coordinates[k] : initial.speeds[k - n];
}

/// Formulas of the initial values, in the order of x = (q, v), with the names under which they may be set.
struct InitialFormula {
  Expression formula;
  std::string name, other_name;
};

std::vector<InitialFormula> initial_formulas(const Model& model) {
  const auto at_start = [](const std::string& name) { return name.empty() ? "" : name + "(0)"; };
  std::vector<InitialFormula> list;
  for (const Coordinate& x : model.coordinates) list.push_back({x.initial, at_start(x.name), ""});
  for (const Coordinate& x : model.coordinates)
    if (!x.kinematics) list.push_back({x.initial_rate, at_start(x.name + "'"), at_start(x.rate_name())});
  for (const Speed& u : model.speeds) list.push_back({u.initial, at_start(u.name), at_start(u.other_name)});
  return list;
}

}  // namespace

std::vector<ExportedStart> starts_by_formulas(const Model& used, const InitialValues& initial,
                                              const std::vector<Assignment>& set) {
  std::vector<double> values(used.graph->symbols(), 0.0);
  for (std::size_t k = 0; k < initial.parameters.size(); ++k) values[used.parameters[k].symbol] = initial.parameters[k];
  std::vector<ExportedStart> starts;
  const std::vector<InitialFormula> formulas = initial_formulas(used);
  for (std::size_t k = 0; k < formulas.size(); ++k) {
    const auto& [formula, name, other_name] = formulas[k];
    if (formula.is_constant() || find_assignment(set, name) || find_assignment(set, other_name)) continue;
    const double value = evaluate(formula, values);
    if (value == entry_of(initial, k)) starts.push_back({static_cast<int>(k), formula, value});
  }
  return starts;
}

std::vector<bool> decides_start(const Model& given, const Model& used, const Options& options,
                                const InitialValues& initial, const std::vector<ExportedStart>& starts) {
  const std::size_t entries = initial.coordinates.size() + initial.speeds.size();
  std::vector<bool> by_formula(entries, false), decides(given.parameters.size(), false);
  for (const ExportedStart& start : starts) by_formula[static_cast<std::size_t>(start.entry)] = true;
  const auto has_same_start = [&](const Assignment& other) {
    Options changed = options;
    changed.coordinates = used.joint_form ? Coordinates::joints : Coordinates::bodies;
    changed.set.push_back(other);
    InitialValues found = initial_values(given, values_of(given, changed));
    choose_coordinates(given, changed, found);
    if (found.coordinates.size() + found.speeds.size() != entries) return false;
    if (used.joint_form && !has_same_formulas(used, found.parameters)) return false;
    for (std::size_t k = 0; k < entries; ++k) {
      const double size = std::max(1.0, std::abs(entry_of(initial, k)));
      // What is found by least squares has the rounding of their terms.
      if (!by_formula[k] && !(std::abs(entry_of(found, k) - entry_of(initial, k)) <= 1e-12 * size)) return false;
    }
    return true;
  };
  for (std::size_t k = 0; k < given.parameters.size(); ++k) {
    const Parameter& parameter = given.parameters[k];
    const bool follows = !parameter.value.is_constant() && !find_assignment(options.set, parameter.name);
    if (parameter.structural || follows) continue;
    try {
      decides[k] = !has_same_start({parameter.name, another(initial.parameters[k])});
    } catch (const InputError&) {
      decides[k] = true;
    }
  }
  return decides;
}

}  // namespace taut
