#include "linear/dense_kernel.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>

namespace taut {

void DenseKernel::resize() {
  M_.setZero(n_, n_);
  H_.setZero(m_ + further_, n_);
  Ct_.setZero(n_, m_);
  mass_.compute(Matrix::Identity(n_, n_));
  scaled_.setZero(m_);
  residual_.setZero(m_);
  y_.setZero(n_);
  free_.setZero(n_);
  weights_.setZero(m_ + further_);
  resize_rows();
}

bool DenseKernel::decide(const SparseValues& M, const SparseValues& H) {
  if (!prepare(M, H, true)) return false;
  factor_rows(true);
  return true;
}

bool DenseKernel::factor(const SparseValues& M, const SparseValues& H) {
  if (!prepare(M, H, false)) return false;
  factor_rows(false);
  return true;
}

bool DenseKernel::prepare(const SparseValues& M, const SparseValues& H, bool deciding) {
  if (!M.values.allFinite() || !H.values.allFinite()) return false;
  H_.setZero();
  const MatrixPlaces::List& places = H.pattern.entries;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto [row, column] = places[k];
    if (row < H_.rows()) H_(row, column) = H.values[static_cast<Eigen::Index>(k)];
  }
  if (!factor_mass(M)) return false;
  if (m_ == 0) return true;
  Ct_ = H_.topRows(m_).transpose();
  mass_.matrixL().solveInPlace(Ct_);
  for (int i = 0; i < m_; ++i) {
    const double size = Ct_.col(i).norm();
    if (deciding) measure_row(i, size);
    Ct_.col(i) *= scale_[i];
  }
  return true;
}

/// M = LLᵀ. Where M is singular, the constraints complete it: with M + HᵀWH and f + HᵀWc in place of
/// M and f the solution is the same, since H x = c (Orsino & de Oliveira; docs/theory/notation.md).
bool DenseKernel::factor_mass(const SparseValues& M) {
  M.to_dense(M_);
  const double largest = M_.diagonal().cwiseAbs().maxCoeff();
  if (!mass_completed_) {
    mass_.compute(M_);
    const auto pivots = mass_.matrixLLT().diagonal();
    if (mass_.info() == Eigen::Success && pivots.minCoeff() > 1e-8 * std::sqrt(largest)) return true;
    mass_completed_ = true;
  }
  // Each row is weighed against its own size, so that scaling a row changes nothing. A soft row is not met, so that
  // what it adds would not cancel.
  for (int i = 0; i < static_cast<int>(H_.rows()); ++i) {
    const double size = is_soft(i) ? 0 : H_.row(i).squaredNorm();
    weights_[i] = size > 0 ? (largest > 0 ? largest : 1) / size : 0;
    M_.noalias() += weights_[i] * H_.row(i).transpose() * H_.row(i);
  }
  mass_.compute(M_);
  const double largest_completed = M_.diagonal().cwiseAbs().maxCoeff();
  return mass_.info() == Eigen::Success &&
         mass_.matrixLLT().diagonal().minCoeff() > 1e-8 * std::sqrt(largest_completed);
}

void DenseKernel::accelerate(const Vector& f, const Vector& c, Vector& x, Vector& lambda) {
  free_ = f;
  if (mass_completed_) {
    assert(H_.rows() == m_);  // what the further rows add to M does not cancel
    scaled_.array() = weights_.array() * c.head(m_).array();
    free_.noalias() += H_.transpose() * scaled_;
  }
  mass_.matrixL().solveInPlace(free_);
  if (m_ == 0) {
    mass_.matrixU().solveInPlace(free_);
    x = free_;
    return;
  }
  // C a_R − c in scaled rows, with a_R = L⁻¹f.
  residual_.noalias() = Ct_.transpose() * free_;
  residual_.array() = c.head(m_).array() * scale_.array() - residual_.array();
  solve_rows(residual_, y_, scaled_);
  x = free_ + y_;
  mass_.matrixU().solveInPlace(x);
  lambda.head(m_).array() = scaled_.array() * scale_.array();
}

void DenseKernel::correct(const Vector& r, Vector& x) {
  if (m_ == 0) {
    x.setZero();
    return;
  }
  residual_.array() = r.head(m_).array() * scale_.array();
  solve_rows(residual_, y_, scaled_);
  x = y_;
  mass_.matrixU().solveInPlace(x);
}

void DenseKernel::divide_by_mass(const Vector& x, Vector& out) const {
  out = x;
  mass_.matrixL().solveInPlace(out);
  mass_.matrixU().solveInPlace(out);
}

Vector DenseKernel::missing_direction() const {
  Matrix both = M_;
  if (!both.allFinite()) return Vector::Zero(n_);
  const double size = std::max(1e-300, both.cwiseAbs().maxCoeff());
  both /= size;
  both += H_.transpose() * H_ / std::max(1.0, H_.squaredNorm());
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(both);
  return eigen.eigenvectors().col(0);
}

}  // namespace taut
