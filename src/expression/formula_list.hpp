#pragma once

#include <vector>

#include "expression/program.hpp"
#include "taut/expression.hpp"

namespace taut {

/// Formulas of one graph, compiled together and evaluated at values of its symbols: what is asked of a model beside its
/// equations, such as the places that a page draws or the forces of joints at the end. Owns the program and the values;
/// a symbol that was given none is not a number, and so is what depends on it.
class FormulaList {
 public:
  FormulaList(const Graph& graph, const std::vector<Expression>& formulas);

  double& operator[](SymbolId symbol) { return *workspace_.input(static_cast<int>(symbol)); }
  /// One value each, in their order; `out` is made as long as they are many.
  void evaluate(std::vector<double>& out);

 private:
  Program program_;
  Program::Workspace workspace_;
};

}  // namespace taut
