#pragma once

#include <string>
#include <vector>

#include "expression/formula_list.hpp"
#include "taut/model.hpp"

namespace taut {

/// Formulas of a model, evaluated at recorded rows. A symbol that is not recorded (an acceleration, a multiplier) is
/// not a number, and so is what depends on it.
class RowFormulas {
 public:
  /// `parameters` are the values the run was made with.
  RowFormulas(const Model& model, const std::vector<double>& parameters, const std::vector<Expression>& formulas);

  /// States the columns of the rows to come: t, NAME, NAME', lambda(CONSTRAINT).
  void bind(const std::vector<std::string>& columns);
  void evaluate(const std::vector<double>& row, std::vector<double>& out);

 private:
  struct Binding {
    std::size_t column;
    SymbolId symbol;
  };
  const Model* model_;
  FormulaList formulas_;
  std::vector<Binding> bindings_;
};

}  // namespace taut
