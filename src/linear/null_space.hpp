#pragma once

#include "taut/vector.hpp"

namespace taut {

/// An orthonormal basis, by columns, of the x with xᵀA = 0, where A has this rank.
Matrix left_null_space(const Matrix& A, int rank);

}  // namespace taut
