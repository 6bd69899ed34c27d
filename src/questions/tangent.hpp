#pragma once

#include <vector>

#include "taut/vector.hpp"

namespace taut {

/// The x that rows A x = 0 leave free. Rows may depend on each other; they are measured by their own lengths.
class FreeDirections {
 public:
  /// Pivots below `tolerance`, relative to the largest, are of rows that others imply. On the constraints these are
  /// rounding errors, but for singular positions: there the constraints are met to rounding up to a distance of its
  /// root, 1e-8, at which rows stand out by as much.
  explicit FreeDirections(const Matrix& A, double tolerance = 1e-6);

  int rank() const { return rank_; }
  /// An orthonormal basis, by columns.
  const Matrix& basis() const { return basis_; }
  /// The shortest X with A X = B, as far as there is one.
  Matrix particular(const Matrix& B) const;
  /// The shortest Y (in rows of length 1) with Aᵀ Y = B, as far as there is one.
  Matrix weights(const Matrix& B) const;
  /// The smallest pivot that counts, and the largest that does not, relative to the largest of all.
  double smallest_kept() const { return smallest_kept_; }
  double largest_dropped() const { return largest_dropped_; }

 private:
  Vector scale_;    ///< of each row: 1 / length
  Matrix inverse_;  ///< pseudo-inverse of the scaled rows
  Matrix basis_;
  int rank_ = 0;
  double smallest_kept_ = 1, largest_dropped_ = 0;
};

/// Rows of a basis (by columns) that can stand for all: as many as it has columns, chosen so that the others follow
/// with small factors. Of `preferred` rows if they will do.
std::vector<int> independent_rows(const Matrix& basis, const std::vector<int>& preferred = {});

/// Of a matrix of any size; pivots below `threshold`, relative to the largest, count as zero.
Matrix pseudo_inverse(const Matrix& A, double threshold);

/// The basis with which the chosen rows are 1.
Matrix normalised(const Matrix& basis, const std::vector<int>& rows);

}  // namespace taut
