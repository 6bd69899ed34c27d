#pragma once

#include <cmath>
#include <vector>

#include "taut/vector.hpp"

namespace taut {

/// Which rows count, in which order, and what that was decided by: rows are measured against the largest size they have
/// had, so that scaling a row changes nothing, and a row that vanishes for a moment is recognised.
class RowDecision {
 public:
  int rank() const { return rank_; }
  int rows() const { return m_; }
  /// Rows in the order of the decision: the first rank() count, the others are implied by them.
  const std::vector<int>& order() const { return order_; }
  /// The smallest pivot that counts, relative to its row's largest size; 1 without constraints.
  double smallest_pivot() const { return smallest_pivot_; }

  /// Takes a decision made earlier.
  void keep(const std::vector<int>& order, int rank) {
    order_ = order;
    rank_ = rank;
  }
  /// Takes note of sizes that rows have had elsewhere, given as squares.
  void remember_sizes(const Vector& squares) {
    for (int i = 0; i < m_; ++i) measure_row(i, std::sqrt(squares[i]));
  }
  /// Changes how small a pivot may be before the next decision drops its row.
  void set_rank_tolerance(double tolerance) { tolerance_ = tolerance; }

 protected:
  /// Remembers how large a row is, if it has never been larger.
  void measure_row(int row, double size) {
    if (size * scale_[row] > 1 || (scale_[row] == 0 && size > 0)) scale_[row] = 1 / size;
  }

  int m_ = 0;  ///< rows
  double tolerance_ = 1e-10;
  int rank_ = 0;
  std::vector<int> order_;
  double smallest_pivot_ = 1;
  Vector scale_;  ///< 1 / largest size of each row so far
};

}  // namespace taut
