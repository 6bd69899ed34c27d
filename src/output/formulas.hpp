#pragma once

#include <string>
#include <vector>

#include "expression/program.hpp"
#include "taut/model.hpp"

namespace taut {

/// Formulas of a model, evaluated at recorded rows. A symbol that is not recorded (an acceleration, a multiplier) is
/// not a number, and so is what depends on it.
class Formulas {
 public:
  /// `parameters` are the values the run was made with.
  Formulas(const Model& model, const std::vector<double>& parameters, const std::vector<Expression>& formulas);

  /// States the columns of the rows to come: t, NAME, NAME', lambda(CONSTRAINT).
  void bind(const std::vector<std::string>& columns);
  void evaluate(const std::vector<double>& row, std::vector<double>& out);

 private:
  struct Binding {
    std::size_t column;
    SymbolId symbol;
  };
  const Model* model_;
  Program program_;
  Program::Workspace workspace_;
  std::vector<Binding> bindings_;
};

}  // namespace taut
