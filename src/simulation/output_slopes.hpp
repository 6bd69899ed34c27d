#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expression/formula_list.hpp"
#include "system/derivation.hpp"
#include "taut/stepping.hpp"

namespace taut {

/// Outputs of a model and their derivatives with respect to coordinates and speeds, as formulas. The model outlives it.
class OutputSlopes {
 public:
  /// Of the outputs of these names, or of all. Throws InputError, naming the nearest, for one that there is not, and
  /// for one that states alone do not tell.
  OutputSlopes(const Model& model, const std::vector<std::string>& names);

  OutputJacobian evaluate(double t, const Vector& q, const Vector& v, const std::vector<double>& parameters);

 private:
  /// Where the derivative of one output by one symbol goes.
  struct Entry {
    Eigen::Index row, column;
    bool by_speed;
  };
  void add(const Output& output);

  const Model& model_;
  Derivation derivation_;
  std::vector<Expression> values_, slopes_;
  std::vector<Entry> entries_;
  std::optional<FormulaList> compiled_;
  std::vector<double> found_;
};

}  // namespace taut
