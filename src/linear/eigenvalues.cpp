#include "linear/eigenvalues.hpp"

#include <Eigen/Eigenvalues>

namespace taut {

std::optional<double> least_real_part_of_eigenvalues(const Matrix& A) {
  const Eigen::EigenSolver<Matrix> solver(A, false);
  if (solver.info() != Eigen::Success) return std::nullopt;
  return solver.eigenvalues().real().minCoeff();
}

struct SymmetricEigenvalues::Solver {
  explicit Solver(Eigen::Index size) : eigen(size) {}
  Eigen::SelfAdjointEigenSolver<Matrix> eigen;
};

SymmetricEigenvalues::SymmetricEigenvalues(Eigen::Index size) : solver_(std::make_unique<Solver>(size)) {}

SymmetricEigenvalues::~SymmetricEigenvalues() = default;

void SymmetricEigenvalues::compute(const Matrix& A) { solver_->eigen.compute(A); }

const Vector& SymmetricEigenvalues::values() const { return solver_->eigen.eigenvalues(); }

const Matrix& SymmetricEigenvalues::vectors() const { return solver_->eigen.eigenvectors(); }

}  // namespace taut
