#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "taut/vector.hpp"

namespace taut {

/// Places of a column between the first entry and the last; all others are zero.
struct Span {
  int first, end;
  int size() const { return std::max(0, end - first); }
};
inline Span common(Span a, Span b) { return {std::max(a.first, b.first), std::min(a.end, b.end)}; }
inline Span hull(Span a, Span b) { return {std::min(a.first, b.first), std::max(a.end, b.end)}; }
/// A column there.
inline auto over(auto column, Span span) { return column.segment(span.first, span.size()); }

/// Rows of C as a recursion takes them one after the other: column i of Z is what is left of row i beside those taken
/// before it, U what was taken out of it. Places are those of an order that the caller keeps.
///
/// A soft row is the row (h, σ) with one more unknown of unit mass, its own, which stands behind the speeds in Z.
class Deflation {
 public:
  /// Soft rows in ascending order.
  void resize(int speeds, int rows, std::vector<int> soft_rows);
  int soft() const { return static_cast<int>(soft_rows_.size()); }
  const std::vector<int>& soft_rows() const { return soft_rows_; }

  /// Begins with rows as they are given, the columns of Cᵀ. sigma(row) is that of a soft one.
  template <class Sigma>
  void begin(const Matrix& Ct, Sigma&& sigma) {
    Z_.topRows(n_) = Ct;
    for (int k = 0; k < soft(); ++k) {
      Z_.row(n_ + k).setZero();
      Z_(n_ + k, soft_rows_[k]) = sigma(soft_rows_[k]);
    }
  }
  /// The same for one row, whose span is found.
  template <class Sigma>
  void begin_row(const Matrix& Ct, int row, Sigma&& sigma) {
    Z_.col(row).head(n_) = Ct.col(row);
    find_span(Ct, row);
    for (int k = 0; k < soft(); ++k) Z_(n_ + k, row) = soft_rows_[k] == row ? sigma(row) : 0;
  }
  /// Finds where a row has entries; without this, it may have them everywhere.
  void find_span(const Matrix& Ct, int row);
  /// Where something may be left of a row.
  Span left(int row) const { return left_[row]; }

  /// The square of what is left of a row.
  double remainder(int row) const { return over(Z_.col(row), left_[row]).squaredNorm(); }
  /// Takes s of the k-th row: nought if nothing above `noise` is left of it.
  void measure(int k, int row, double noise);
  double s(int k) const { return s_[k]; }
  /// s, rounding errors and all.
  double square(int k) const { return squares_[k]; }
  /// Takes out of a row, the j-th, what it has of the k-th.
  void take_out(int k, int row_k, int j, int row_j);
  void swap_places(int k, int other) { U_.col(k).head(k).swap(U_.col(other).head(k)); }

  /// y = C⁺ r and λ with Cᵀλ = y, over the first `rank` rows of an order.
  void solve(const Matrix& Ct, const std::vector<int>& order, int rank, const Vector& r, Vector& y, Vector& lambda);

 private:
  int n_ = 0;
  std::vector<int> soft_rows_;
  Matrix Z_, U_;
  Vector s_, squares_, gamma_;
  std::vector<Span> given_, left_;  ///< where a row of C and what is left of it has entries
};

}  // namespace taut
