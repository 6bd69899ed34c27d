#include "linear/null_space.hpp"

#include <Eigen/QR>

namespace taut {

Matrix left_null_space(const Matrix& A, int rank) {
  if (rank >= A.rows()) return Matrix(A.rows(), 0);
  const Eigen::ColPivHouseholderQR<Matrix> factor(A);
  const Matrix Q = factor.householderQ();
  return Q.rightCols(A.rows() - rank);
}

}  // namespace taut
