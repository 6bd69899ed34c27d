#include "output/formulas.hpp"

#include <limits>
#include <unordered_map>

namespace taut {
namespace {

/// Every symbol as an input, so that any formula can be evaluated.
Program compile(const Model& model, const std::vector<Expression>& formulas) {
  std::vector<Program::Input> inputs;
  for (SymbolId id = 0; id < model.graph->symbols(); ++id) inputs.push_back({id, 0});
  return Program(*model.graph, inputs, formulas);
}

}  // namespace

Formulas::Formulas(const Model& model, const std::vector<double>& parameters, const std::vector<Expression>& formulas)
    : model_(&model), program_(compile(model, formulas)), workspace_(program_.workspace()) {
  for (SymbolId id = 0; id < model.graph->symbols(); ++id)
    *workspace_.input(static_cast<int>(id)) = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    *workspace_.input(static_cast<int>(model.parameters[i].symbol)) = parameters[i];
}

void Formulas::bind(const std::vector<std::string>& columns) {
  std::unordered_map<std::string, SymbolId> symbols{{"t", model_->time}};
  for (const Coordinate& c : model_->coordinates) {
    symbols.emplace(c.name, c.symbol);
    symbols.emplace(c.name + "'", c.rate);
  }
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

void Formulas::evaluate(const std::vector<double>& row, std::vector<double>& out) {
  for (const auto& [column, symbol] : bindings_) *workspace_.input(static_cast<int>(symbol)) = row[column];
  for (int level = 0; level < program_.levels(); ++level) program_.run(level, workspace_);
  out.resize(static_cast<std::size_t>(program_.outputs()));
  program_.copy(0, program_.outputs(), workspace_, out.data());
}

}  // namespace taut
