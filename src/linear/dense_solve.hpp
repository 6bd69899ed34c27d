#pragma once

#include <Eigen/Core>

#include "taut/vector.hpp"

/// Small dense solves by elimination, in one file because Eigen's take seconds to compile wherever they are included.
namespace taut {

/// −1, 0 or 1.
int sign_of_determinant(const Matrix& A);

/// (i ω − A)⁻¹ B
Eigen::MatrixXcd solve_shifted(const Matrix& A, double omega, const Matrix& B);

}  // namespace taut
