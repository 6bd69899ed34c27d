#include "model/bodies/present.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"
#include "expression/program.hpp"

namespace taut {

void mark_structural(Model& model, SymbolId symbol) {
  const auto parameter = std::ranges::find(model.parameters, symbol, &Parameter::symbol);
  if (parameter == model.parameters.end() || parameter->structural) return;
  parameter->structural = true;
  for (const SymbolId used : symbols_of(parameter->value)) mark_structural(model, used);
}

double present_value(Model& model, const Expression& formula) {
  if (formula.is_constant()) return formula.value();
  for (const SymbolId used : symbols_of(formula)) mark_structural(model, used);
  return value_now(model, formula);
}

double value_now(const Model& model, const Expression& formula) {
  if (formula.is_constant()) return formula.value();
  // Parameters are declared first, and mostly a formula has no other symbols.
  std::size_t symbols = model.parameters.empty() ? 0 : std::size_t{model.parameters.back().symbol} + 1;
  for (const SymbolId used : symbols_of(formula)) symbols = std::max(symbols, std::size_t{used} + 1);
  std::vector<double> values(symbols, 0.0);
  for (const Parameter& parameter : model.parameters) values[parameter.symbol] = evaluate(parameter.value, values);
  return evaluate(formula, values);
}

Vector3 unit_along(const Model& model, const Vector3& direction, const std::string& what, const Place& place) {
  const double length = value_now(model, norm(direction));
  if (!(length > 0) || !std::isfinite(length))
    throw InputError(place, fmt::format("{} has no direction", what),
                     "give a vector that is not zero, such as [0, 0, 1]");
  return normalized(direction);
}

}  // namespace taut
