#include "linear/dense_solve.hpp"

#include <Eigen/LU>
#include <complex>

namespace taut {

int sign_of_determinant(const Matrix& A) {
  if (A.size() == 0) return 1;
  const Eigen::PartialPivLU<Matrix> lu(A);
  int sign = lu.permutationP().determinant() > 0 ? 1 : -1;
  for (const double pivot : lu.matrixLU().diagonal()) sign = pivot == 0 ? 0 : pivot < 0 ? -sign : sign;
  return sign;
}

Eigen::MatrixXcd solve_shifted(const Matrix& A, double omega, const Matrix& B) {
  if (A.size() == 0) return Eigen::MatrixXcd(0, B.cols());
  Eigen::MatrixXcd shifted = -A.cast<std::complex<double>>();
  shifted.diagonal().array() += std::complex<double>(0, omega);
  return Eigen::PartialPivLU<Eigen::MatrixXcd>(shifted).solve(B.cast<std::complex<double>>());
}

}  // namespace taut
