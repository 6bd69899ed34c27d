#include <algorithm>
#include <cmath>
#include <numeric>

#include "linear/dense_kernel.hpp"
#include "linear/list.hpp"

namespace taut {
namespace {

/// S = C Cᵀ = H M⁻¹Hᵀ over the rows that count, S = GGᵀ with symmetric pivoting: the cheapest kernel.
/// It works with squares, so it cannot tell a dependent row from one whose pivot is below about 1e-7.
class Cholesky : public DenseKernel {
  static constexpr double finest_square = 1e-14;

  void resize_rows() override {
    S_.setZero(m_, m_);
    sorted_.setZero(m_);
  }

  void factor_rows(bool deciding) override {
    if (deciding) {
      std::iota(order_.begin(), order_.end(), 0);
      rank_ = std::min(n_, m_);
    }
    const int columns = deciding ? m_ : rank_;
    for (int j = 0; j < columns; ++j)
      for (int i = j; i < columns; ++i) S_(i, j) = Ct_.col(order_[i]).dot(Ct_.col(order_[j]));
    const double limit = std::max(finest_square, tolerance_ * tolerance_);
    smallest_pivot_ = rank_ == 0 && m_ > 0 ? 0 : 1;
    for (int k = 0; k < rank_; ++k) {
      if (deciding && !bring_largest(k, columns, limit)) break;
      eliminate(k, columns);
    }
  }

  /// Moves the largest remaining pivot to place k; false, and the rank is k, if none is left.
  bool bring_largest(int k, int columns, double limit) {
    int best = k;
    for (int j = k + 1; j < columns; ++j)
      if (S_(j, j) > S_(best, best)) best = j;
    if (S_(best, best) <= limit) {
      rank_ = k;
      if (k == 0) smallest_pivot_ = 0;
      return false;
    }
    if (best == k) return true;
    std::swap(order_[best], order_[k]);
    std::swap(S_(best, best), S_(k, k));
    for (int j = 0; j < k; ++j) std::swap(S_(best, j), S_(k, j));
    for (int j = k + 1; j < best; ++j) std::swap(S_(j, k), S_(best, j));
    for (int j = best + 1; j < columns; ++j) std::swap(S_(j, k), S_(j, best));
    return true;
  }

  void eliminate(int k, int columns) {
    const double pivot = S_(k, k) > noise * noise ? std::sqrt(S_(k, k)) : 0;
    smallest_pivot_ = std::min(smallest_pivot_, pivot);
    S_(k, k) = pivot;
    for (int i = k + 1; i < columns; ++i) S_(i, k) = pivot > 0 ? S_(i, k) / pivot : 0;
    for (int j = k + 1; j < columns; ++j)
      for (int i = j; i < columns; ++i) S_(i, j) -= S_(i, k) * S_(j, k);
  }

  void solve_rows(const Vector& r, Vector& y, Vector& lambda) override {
    for (int k = 0; k < rank_; ++k) {  // G z = r
      double sum = r[order_[k]];
      for (int j = 0; j < k; ++j) sum -= S_(k, j) * sorted_[j];
      sorted_[k] = S_(k, k) > 0 ? sum / S_(k, k) : 0;
    }
    for (int k = rank_ - 1; k >= 0; --k) {  // Gᵀ λ = z
      double sum = sorted_[k];
      for (int j = k + 1; j < rank_; ++j) sum -= S_(j, k) * sorted_[j];
      sorted_[k] = S_(k, k) > 0 ? sum / S_(k, k) : 0;
    }
    lambda.setZero();
    y.setZero();
    for (int k = 0; k < rank_; ++k) {
      lambda[order_[k]] = sorted_[k];
      y += sorted_[k] * Ct_.col(order_[k]);
    }
  }

  Matrix S_;
  Vector sorted_;
};

}  // namespace

std::unique_ptr<LinearKernel> make_cholesky() { return std::make_unique<Cholesky>(); }

}  // namespace taut
