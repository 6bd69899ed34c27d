#pragma once

#include <memory>

#include "taut/vector.hpp"

namespace taut {

/// A P = Q (T 0; 0 0) Z with a triangular T: the rank of A, its pseudo-inverse, and the shortest least-squares
/// solution. Pivots below `threshold`, relative to the largest, count as zero. It is Eigen's, in one file for the same
/// reason as PivotedQr.
class OrthogonalDecomposition {
 public:
  OrthogonalDecomposition(const Matrix& A, double threshold);
  ~OrthogonalDecomposition();

  Eigen::Index rank() const;
  Matrix pseudo_inverse() const;
  /// The shortest x that makes |A x − b| least.
  Vector solve(const Vector& b) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace taut
