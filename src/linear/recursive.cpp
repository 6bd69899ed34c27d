#include <algorithm>
#include <cmath>
#include <numeric>

#include "linear/list.hpp"

namespace taut {
namespace {

/// The recursion of Orsino & de Oliveira, Eq. (16)-(21), row by row, with P₀ = M⁻¹:
///   z = P h,  s = hᵀz,  skip the row if s ≤ tol · hᵀP₀h,  P −= z zᵀ/s,  x += (r − hᵀx)/s · z.
/// In the coordinates of C = H R⁻¹ the start is P₀ = I. Instead of P itself every row's z is kept up
/// to date ("deflation"), which is the same arithmetic at a fraction of the cost.
class Recursive : public LinearKernel {
 public:
  explicit Recursive(bool greedy) : greedy_(greedy) {}

 private:
  void resize() override {
    Z_.setZero(n_, m_);
    U_.setZero(m_, m_);
    s_.setZero(m_);
    gamma_.setZero(m_);
  }

  void factor_rows(bool deciding) override {
    if (deciding) {
      std::iota(order_.begin(), order_.end(), 0);
      rank_ = std::min(n_, m_);
    }
    Z_ = Ct_;
    smallest_pivot_ = rank_ == 0 && m_ > 0 ? 0 : 1;
    for (int k = 0; k < rank_; ++k) {
      if (deciding && !bring_largest(k)) break;
      deflate(k, deciding ? m_ : rank_);
    }
  }

  /// Greedy order: the row with the largest s comes next; natural order: the next that is not redundant.
  /// False if all that remain are redundant.
  bool bring_largest(int k) {
    int best = k;
    for (int j = k + 1; j < m_; ++j)
      if (greedy_ ? remainder(j) > remainder(best) : redundant(best)) best = j;
    std::swap(order_[k], order_[best]);
    U_.col(k).head(k).swap(U_.col(best).head(k));
    if (!redundant(k)) return true;
    rank_ = k;
    if (k == 0) smallest_pivot_ = 0;
    return false;
  }

  double remainder(int k) const { return Z_.col(order_[k]).squaredNorm(); }
  bool redundant(int k) const { return remainder(k) <= tolerance_ * tolerance_; }

  void deflate(int k, int columns) {
    const auto z = Z_.col(order_[k]);
    s_[k] = z.squaredNorm();
    smallest_pivot_ = std::min(smallest_pivot_, std::sqrt(s_[k]));
    if (s_[k] <= noise * noise) {
      s_[k] = 0;
      return;
    }
    for (int j = k + 1; j < columns; ++j) {
      U_(k, j) = z.dot(Z_.col(order_[j])) / s_[k];
      Z_.col(order_[j]) -= U_(k, j) * z;
    }
  }

  void solve_rows(const Vector& r, Vector& y, Vector& lambda) override {
    y.setZero();
    lambda.setZero();
    for (int k = 0; k < rank_; ++k) {
      gamma_[k] = s_[k] > 0 ? (r[order_[k]] - Ct_.col(order_[k]).dot(y)) / s_[k] : 0;
      y += gamma_[k] * Z_.col(order_[k]);
    }
    for (int k = rank_ - 1; k >= 0; --k) {  // y = Z γ = Cᵀ U⁻¹ γ
      double sum = gamma_[k];
      for (int j = k + 1; j < rank_; ++j) sum -= U_(k, j) * lambda[order_[j]];
      lambda[order_[k]] = s_[k] > 0 ? sum : 0;
    }
  }

  bool greedy_;
  Matrix Z_, U_;
  Vector s_, gamma_;
};

}  // namespace

std::unique_ptr<LinearKernel> make_recursive() { return std::make_unique<Recursive>(true); }

std::unique_ptr<LinearKernel> make_recursive(bool greedy, int block) {
  if (block > 1) return make_recursive_blocks(block);
  return std::make_unique<Recursive>(greedy);
}

}  // namespace taut
