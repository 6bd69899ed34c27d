#include "output/row_formulas.hpp"

#include <unordered_map>

namespace taut {

RowFormulas::RowFormulas(const Model& model, const std::vector<double>& parameters,
                         const std::vector<Expression>& formulas)
    : model_(&model), formulas_(*model.graph, formulas) {
  for (std::size_t i = 0; i < parameters.size(); ++i) formulas_[model.parameters[i].symbol] = parameters[i];
}

void RowFormulas::bind(const std::vector<std::string>& columns) {
  std::unordered_map<std::string, SymbolId> symbols{{"t", model_->time}};
  for (const Coordinate& c : model_->coordinates) {
    symbols.emplace(c.name, c.symbol);
    symbols.emplace(c.name + "'", c.rate);
  }
  for (const Input& input : model_->inputs)
    if (input.is_held())
      symbols.emplace(input.name, model_->parameters[static_cast<std::size_t>(input.parameter)].symbol);
  for (const Speed& u : model_->speeds) symbols.emplace(u.name, u.symbol);
  for (const Constraint& constraint : model_->constraints)
    symbols.emplace("lambda(" + constraint.name + ")", constraint.multiplier);
  bindings_.clear();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto found = symbols.find(columns[k]);
    if (found == symbols.end()) continue;
    bindings_.push_back({k, found->second});
    symbols.erase(found);  // an output of the same name comes later and means something else
  }
}

void RowFormulas::evaluate(const std::vector<double>& row, std::vector<double>& out) {
  for (const auto& [column, symbol] : bindings_) formulas_[symbol] = row[column];
  formulas_.evaluate(out);
}

}  // namespace taut
