#pragma once

#include <vector>

#include "taut/vector.hpp"

namespace taut {

/// QR with column pivoting that can be repeated with the pivots of an earlier one. Columns of
/// `A` (n × m) are taken in `order`; after factoring, R stands in the upper triangle.
class Householder {
 public:
  void resize(int n, int m);

  /// Factors, choosing at each step the column with the largest remainder, until that is ≤ tolerance: this makes the
  /// order and the rank.
  /// With a share below 1 it takes the first column whose remainder is at least that share of the largest.
  void factor_revealing_rank(const Matrix& A, double tolerance, std::vector<int>& order, int& rank, double share = 1);
  /// Factors the first `columns` columns in the given order, of which `rank` are pivots.
  void factor(const Matrix& A, const std::vector<int>& order, int rank, int columns);

  const Matrix& matrix() const { return QR_; }
  double pivot(int k) const { return QR_(k, k); }
  void apply_transposed(Vector& x) const;  ///< x := Qᵀx
  void apply(Vector& x) const;             ///< x := Q x

  /// The smallest y with aᵀy = r for each pivot column a of A, and λ with Aλ = y over these columns, zero for the
  /// others. Pivots up to `noise` are not divided by.
  void solve(const std::vector<int>& order, double noise, const Vector& r, Vector& y, Vector& lambda) const;

 private:
  void reflect(int k, int columns);

  Matrix QR_;
  Vector tau_, norms_, workspace_;
  int rank_ = 0;
};

}  // namespace taut
