#include "expression/formula_list.hpp"

#include <limits>

namespace taut {
namespace {

/// Every symbol as an input, so that any formula can be evaluated.
Program with_all_symbols(const Graph& graph, const std::vector<Expression>& formulas) {
  std::vector<Program::Input> inputs;
  for (SymbolId id = 0; id < graph.symbols(); ++id) inputs.push_back({id, 0});
  return Program(graph, inputs, formulas);
}

}  // namespace

FormulaList::FormulaList(const Graph& graph, const std::vector<Expression>& formulas)
    : program_(with_all_symbols(graph, formulas)), workspace_(program_.workspace()) {
  for (SymbolId id = 0; id < graph.symbols(); ++id) (*this)[id] = std::numeric_limits<double>::quiet_NaN();
}

void FormulaList::evaluate(std::vector<double>& out) {
  for (int level = 0; level < program_.levels(); ++level) program_.run(level, workspace_);
  out.resize(static_cast<std::size_t>(program_.outputs()));
  program_.copy(0, program_.outputs(), workspace_, out.data());
}

}  // namespace taut
