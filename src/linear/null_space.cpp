#include "linear/null_space.hpp"

#include "linear/pivoted_qr.hpp"

namespace taut {

Matrix left_null_space(const Matrix& A, int rank) {
  if (rank >= A.rows()) return Matrix(A.rows(), 0);
  return PivotedQr(A).Q().rightCols(A.rows() - rank);
}

}  // namespace taut
