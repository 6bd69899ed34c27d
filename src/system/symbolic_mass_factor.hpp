#pragma once

#include <vector>

#include "system/equations.hpp"

namespace taut {

using Formulas = std::vector<Expression>;

Expression inner(const Formulas& a, const Formulas& b);
/// a += factor b
void add(Formulas& a, const Expression& factor, const Formulas& b);
/// 1 / x, computed once and multiplied with from then on.
Expression inverse_of(const Expression& x);

/// Cholesky's factor of a mass matrix as formulas, M = LLᵀ with L = U√D, the diagonal of U being 1: unknowns in an
/// order that keeps it sparse.
class SymbolicMassFactor {
 public:
  explicit SymbolicMassFactor(const FormulaMatrix& M);

  /// L⁻¹x, in the factor's order.
  Formulas lower(const Formulas& x) const;
  /// L⁻ᵀy, back in the order of the unknowns.
  Formulas upper(const Formulas& y) const;
  /// M⁻¹x
  Formulas solve(const Formulas& x) const;

  /// D
  const Formulas& pivots() const { return pivots_; }

 private:
  void find_order(const std::vector<Formulas>& entries);
  Formulas divide_by_unit(const Formulas& x) const;
  Formulas divide_by_transpose(Formulas y) const;

  int n_;
  std::vector<int> place_;
  std::vector<Formulas> U_;
  Formulas pivots_, inverse_, root_;  ///< D, 1/D, 1/√D
};

}  // namespace taut
