#include "linear/dense_kernel.hpp"
#include "linear/householder.hpp"
#include "linear/list.hpp"

namespace taut {
namespace {

/// Complete orthogonal decomposition: CᵀΠ = Q [R₁₁ R₁₂], then [R₁₁ R₁₂]ᵀ = Z T. C⁺ = Q T⁻¹ Zᵀ Πᵀ is the
/// true pseudoinverse: rows that contradict each other are met in the least-squares sense, and the
/// multipliers are the smallest ones.
class Cod : public DenseKernel {
  bool gives_smallest_multipliers() const override { return true; }

  void resize_rows() override {
    qr_.resize(n_, m_);
    z_.resize(m_, std::min(n_, m_));
    wide_.setZero(m_, std::min(n_, m_));
    identity_.resize(m_);
    for (int k = 0; k < m_; ++k) identity_[k] = k;
    sorted_.setZero(m_);
  }

  void factor_rows(bool deciding) override {
    if (deciding) {
      qr_.factor_revealing_rank(Ct_, tolerance_, order_, rank_);
    } else {
      qr_.factor(Ct_, order_, rank_, m_);
    }
    smallest_pivot_ = rank_ == 0 && m_ > 0 ? 0 : 1;
    for (int k = 0; k < rank_; ++k) smallest_pivot_ = std::min(smallest_pivot_, std::abs(qr_.pivot(k)));
    for (int k = 0; k < rank_; ++k)
      for (int j = 0; j < m_; ++j) wide_(j, k) = j < k ? 0 : qr_.matrix()(k, j);
    z_.factor(wide_, identity_, rank_, rank_);
  }

  void solve_rows(const Vector& r, Vector& y, Vector& lambda) override {
    const Matrix& T = z_.matrix();
    for (int k = 0; k < m_; ++k) sorted_[k] = r[order_[k]];
    z_.apply_transposed(sorted_);
    y.setZero();
    for (int k = rank_ - 1; k >= 0; --k) {  // T y = (Zᵀ r)₁
      if (std::abs(T(k, k)) <= noise) continue;
      double sum = sorted_[k];
      for (int j = k + 1; j < rank_; ++j) sum -= T(k, j) * y[j];
      y[k] = sum / T(k, k);
    }
    sorted_.setZero();
    for (int k = 0; k < rank_; ++k) {  // λ = Z T⁻ᵀ y
      if (std::abs(T(k, k)) <= noise) continue;
      sorted_[k] = (y[k] - T.col(k).head(k).dot(sorted_.head(k))) / T(k, k);
    }
    z_.apply(sorted_);
    for (int k = 0; k < m_; ++k) lambda[order_[k]] = sorted_[k];
    qr_.apply(y);
  }

  Householder qr_, z_;
  Matrix wide_;
  std::vector<int> identity_;
  Vector sorted_;
};

}  // namespace

std::unique_ptr<LinearKernel> make_cod() { return std::make_unique<Cod>(); }

}  // namespace taut
