#include "linear/dense_kernel.hpp"

#include <algorithm>
#include <cassert>

#include "linear/eigenvalues.hpp"

namespace taut {
namespace {

/// What rounding leaves of a pivot of M that is nought, relative to its entry: n of them add up to some ε each.
constexpr double singular = 1e-14;
/// Above this a pivot of M + HᵀWH is not rounding, whatever growth made of that; the square of 1e-5.
constexpr double clear = 1e-10;

}  // namespace

void DenseKernel::resize() {
  M_.setZero(n_, n_);
  H_.setZero(m_ + further_, n_);
  Ct_.setZero(n_, m_);
  mass_.compute(Matrix::Identity(n_, n_));
  scaled_.setZero(m_);
  residual_.setZero(m_);
  y_.setZero(n_);
  free_.setZero(n_);
  takes_part_.resize(m_ + further_);
  for (int i = 0; i < m_ + further_; ++i) takes_part_[i] = !is_soft(i);
  completion_.resize(n_, m_ + further_);
  plain_mass_.setZero(n_, n_);
  mass_is_plain_ = false;
  take_weights();
  resize_rows();
}

void DenseKernel::take_weights() {
  W_ = given_weights();
  WH_.setZero(W_.rows(), n_);
  assert(W_.size() == 0 || W_.rows() == m_ + further_);
  for (Eigen::Index i = 0; i < W_.rows(); ++i) {
    if (takes_part_[static_cast<std::size_t>(i)]) continue;
    W_.row(i).setZero();
    W_.col(i).setZero();
  }
}

bool DenseKernel::determine_rank(const SparseValues& M, const SparseValues& H) {
  if (!prepare(M, H, true)) return false;
  factor_rows(true);
  if (m_ == 0 || adds_rows_to_mass() ||
      !completion_.hides_rows({M.pattern, M.values}, {H.pattern, H.values}, takes_part_))
    return true;
  mass_completed_ = true;
  scale_.setZero();  // with next to no mass rows seem huge: they are measured anew
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
  if (!factor_mass(M, H)) return false;
  if (m_ == 0) return true;
  divide_rows(H_.topRows(m_));
  for (int i = 0; i < m_; ++i) {
    const double size = Ct_.col(i).norm();
    if (deciding) measure_row(i, size);
    Ct_.col(i) *= scale_[i];
  }
  return true;
}

void DenseKernel::divide_rows(const Eigen::Ref<const Matrix>& rows) {
  Ct_ = rows.transpose();
  mass_.matrixL().solveInPlace(Ct_);
}

/// The least pivot of M = LLᵀ, relative to its own entry of M: no unit changes it.
double DenseKernel::least_mass_pivot() const {
  double least = 1;
  for (int i = 0; i < n_; ++i) {
    const double pivot = mass_.matrixLLT()(i, i);
    least = std::min(least, pivot * pivot / M_(i, i));
  }
  return mass_.info() == Eigen::Success ? least : 0;
}

/// M = LLᵀ. Where M is singular, the constraints complete it, or nothing does.
bool DenseKernel::factor_mass(const SparseValues& M, const SparseValues& H) {
  if (W_.size() > 0) return factor_weighted_mass(M, H);
  M.to_dense(M_);
  if (!mass_completed_) {
    if (mass_is_plain_ && M_ == plain_mass_) return true;
    mass_.compute(M_);
    plain_mass_ = M_;
    mass_is_plain_ = least_mass_pivot() > singular;
    if (mass_is_plain_) return true;
    mass_completed_ = true;
  }
  mass_is_plain_ = false;
  const MatrixView mass{M.pattern, M.values}, rows{H.pattern, H.values};
  completion_.find(mass, rows, takes_part_);
  for (int i = 0; i < static_cast<int>(H_.rows()); ++i)
    M_.noalias() += completion_.weights()[i] * H_.row(i).transpose() * H_.row(i);
  mass_.compute(M_);
  const double least = least_mass_pivot();
  return least > clear || (least > 0 && completes(mass, rows, takes_part_, completion_.units()));
}

/// M + HᵀWH with the weights given.
bool DenseKernel::factor_weighted_mass(const SparseValues& M, const SparseValues& H) {
  M.to_dense(M_);
  WH_.noalias() = W_ * H_;
  M_.noalias() += H_.transpose() * WH_;
  mass_.compute(M_);
  if (least_mass_pivot() > singular) return true;
  completion_.find({M.pattern, M.values}, {H.pattern, H.values}, takes_part_);  // the units of missing_direction()
  return false;
}

void DenseKernel::accelerate(const Vector& f, const Vector& c, Vector& x, Vector& lambda) {
  free_ = f;
  assert(!adds_rows_to_mass() || H_.rows() == m_);  // what the further rows add to M does not cancel
  if (W_.size() > 0) {
    free_.noalias() += WH_.transpose() * c.head(m_);
  } else if (mass_completed_) {
    scaled_.array() = completion_.weights().array() * c.head(m_).array();
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

/// In the units of Completion, where all that resists is of size 1.
Vector DenseKernel::missing_direction() const {
  if (!M_.allFinite() || !H_.allFinite() || !adds_rows_to_mass()) return Vector::Zero(n_);
  const Vector& units = completion_.units();
  SymmetricEigenvalues eigen(n_);
  eigen.compute(units.asDiagonal() * M_ * units.asDiagonal());
  return eigen.vectors().col(0);
}

}  // namespace taut
