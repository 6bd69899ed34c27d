#include "linear/orthogonal_decomposition.hpp"

#include <Eigen/QR>

namespace taut {

struct OrthogonalDecomposition::Factor {
  Eigen::CompleteOrthogonalDecomposition<Matrix> factor;
};

OrthogonalDecomposition::OrthogonalDecomposition(const Matrix& A, double threshold)
    : factor_(std::make_unique<Factor>()) {
  factor_->factor.setThreshold(threshold);
  factor_->factor.compute(A);
}

OrthogonalDecomposition::~OrthogonalDecomposition() = default;

Eigen::Index OrthogonalDecomposition::rank() const { return factor_->factor.rank(); }

Matrix OrthogonalDecomposition::pseudo_inverse() const { return factor_->factor.pseudoInverse(); }

Vector OrthogonalDecomposition::solve(const Vector& b) const { return factor_->factor.solve(b); }

}  // namespace taut
