#pragma once

#include "taut/system.hpp"

/// Matrices for tests of what works on patterns.
namespace taut::test {

/// A matrix with a pattern of all its entries, or only of those that differ from zero.
enum class Pattern { full, nonzero };

inline SparseValues sparse(const Matrix& A, Pattern pattern = Pattern::full) {
  SparseValues out{{static_cast<int>(A.rows()), static_cast<int>(A.cols()), {}}, Vector::Zero(A.size())};
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j) {
      if (pattern == Pattern::nonzero && A(i, j) == 0) continue;
      out.values[static_cast<Eigen::Index>(out.pattern.entries.size())] = A(i, j);
      out.pattern.entries.emplace_back(i, j);
    }
  out.values.conservativeResize(static_cast<Eigen::Index>(out.pattern.entries.size()));
  return out;
}

}  // namespace taut::test
