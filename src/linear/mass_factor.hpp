#pragma once

#include <utility>
#include <vector>

#include "taut/system.hpp"

namespace taut {

/// M = LLᵀ for a small M of known pattern: in an order that keeps L sparse, and only where M has changed since it was
/// last factored. Vectors that L is applied to stand in the factor's own order, see place().
class MassFactor {
 public:
  void resize(int n);
  /// False unless M is safely positive definite.
  bool factor(const SparseValues& M);
  /// Finds order and fill, unless they are known for this pattern.
  void reserve_pattern(const Pattern& M);

  /// Where an unknown stands in the factor's order.
  int place(int unknown) const { return place_[unknown]; }
  /// x := L⁻¹x and x := L⁻ᵀx.
  void lower(double* x) const;
  void upper(double* x) const;
  /// X := L⁻¹X, where X has rows of `width` numbers, which may be known to the compiler.
  template <class Width>
  [[gnu::always_inline]] void lower_rows(double* X, Width width) const {
    const int* k = columns_.data();
    for (int i = 0; i < n_; ++i) {
      const double* row = &L_[i * n_];
      double* __restrict target = X + i * width;
      for (const int* end = columns_.data() + row_end_[i]; k != end; ++k) {
        const double* source = X + *k * width;
        const double factor = row[*k];
        for (int j = 0; j < width; ++j) target[j] -= factor * source[j];
      }
      const double factor = inverse_[i];
      for (int j = 0; j < width; ++j) target[j] *= factor;
    }
  }

 private:
  void find_order();
  void fill_in();
  bool factor_values();
  bool is_changed(const Vector& values);

  int n_ = 0;
  std::vector<std::pair<int, int>> entries_;  ///< the pattern of M
  std::vector<std::pair<int, int>> used_;     ///< entries of the lower triangle: which value, and where in M_
  std::vector<int> place_;
  std::vector<char> linked_;            ///< n × n, room for finding the order; then where L has entries
  std::vector<int> columns_, row_end_;  ///< of L without its diagonal, row after row
  std::vector<double> M_, L_;           ///< n × n, lower triangles, rows
  std::vector<double> inverse_;         ///< of the diagonal of L
  Vector last_;                         ///< the values last factored
  bool factored_ = false;
};

}  // namespace taut
