#pragma once

#include <vector>

#include "taut/vector.hpp"

/// Matrices put together and taken apart.
namespace taut {

inline Matrix rows_of(const Matrix& A, const std::vector<int>& which) {
  Matrix out(static_cast<Eigen::Index>(which.size()), A.cols());
  for (std::size_t k = 0; k < which.size(); ++k) out.row(static_cast<Eigen::Index>(k)) = A.row(which[k]);
  return out;
}

inline Matrix columns_of(const Matrix& A, const std::vector<int>& which) {
  Matrix out(A.rows(), static_cast<Eigen::Index>(which.size()));
  for (std::size_t k = 0; k < which.size(); ++k) out.col(static_cast<Eigen::Index>(k)) = A.col(which[k]);
  return out;
}

/// Beside the largest entry, what rounding leaves between the two halves of a matrix that is symmetric.
inline constexpr double rounding_asymmetry = 1e-9;

inline bool is_symmetric(const Matrix& A) {
  return (A - A.transpose()).lpNorm<Eigen::Infinity>() <= rounding_asymmetry * A.lpNorm<Eigen::Infinity>();
}

inline Matrix stacked(const Matrix& above, const Matrix& below) {
  Matrix all(above.rows() + below.rows(), above.cols());
  all << above, below;
  return all;
}

inline Matrix beside(const Matrix& left, const Matrix& right) {
  Matrix all(left.rows(), left.cols() + right.cols());
  all << left, right;
  return all;
}

}  // namespace taut
