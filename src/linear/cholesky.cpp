#include <algorithm>
#include <cmath>
#include <numeric>

#include "linear/dense_kernel.hpp"
#include "linear/householder.hpp"
#include "linear/list.hpp"

namespace taut {
namespace {

/// S = C Cᵀ = H M⁻¹Hᵀ over the rows that count, S = GGᵀ with symmetric pivoting: the cheapest kernel.
/// It works with squares, so it cannot tell a dependent row from one whose pivot is below about 1e-7: where a row does
/// not stand out clearly, QR of Cᵀ decides, and serves where a row that counts is as small as that.
class Cholesky : public DenseKernel {
  /// Squares of pivots: below the first QR decides, below the second it serves.
  static constexpr double doubtful_square = 1e-8, least_square = 1e-10;

  long hand_overs() const override { return hand_overs_; }

  void resize_rows() override {
    qr_.resize(n_, m_);
    S_.setZero(m_, m_);
    sorted_.setZero(m_);
  }

  void factor_rows(bool deciding) override {
    by_qr_ = false;
    if (deciding && (decide_by_squares() || decide_by_qr())) return;
    factor_squares();
    if (smallest_pivot_ * smallest_pivot_ > least_square || rank_ == 0) return;
    ++hand_overs_;
    by_qr_ = true;
    qr_.factor(Ct_, order_, rank_, rank_);
    take_pivots();
  }

  /// False where a row that is left does not stand out.
  bool decide_by_squares() {
    std::iota(order_.begin(), order_.end(), 0);
    rank_ = std::min(n_, m_);
    find_squares(m_);
    smallest_pivot_ = 1;
    for (int k = 0; k < rank_; ++k) {
      if (!bring_largest(k)) return false;
      eliminate(k, m_);
    }
    return true;
  }

  /// True if QR is to serve, too.
  bool decide_by_qr() {
    qr_.factor_revealing_rank(Ct_, tolerance_, order_, rank_);
    take_pivots();
    by_qr_ = rank_ > 0 && smallest_pivot_ * smallest_pivot_ <= least_square;
    hand_overs_ += by_qr_;
    return by_qr_;
  }

  void take_pivots() {
    smallest_pivot_ = rank_ == 0 && m_ > 0 ? 0 : 1;
    for (int k = 0; k < rank_; ++k) smallest_pivot_ = std::min(smallest_pivot_, std::abs(qr_.pivot(k)));
  }

  void factor_squares() {
    find_squares(rank_);
    smallest_pivot_ = rank_ == 0 && m_ > 0 ? 0 : 1;
    for (int k = 0; k < rank_; ++k) eliminate(k, rank_);
  }

  void find_squares(int columns) {
    for (int j = 0; j < columns; ++j)
      for (int i = j; i < columns; ++i) S_(i, j) = Ct_.col(order_[i]).dot(Ct_.col(order_[j]));
  }

  /// Moves the largest remaining pivot to place k; false if it does not stand out.
  bool bring_largest(int k) {
    int best = k;
    for (int j = k + 1; j < m_; ++j)
      if (S_(j, j) > S_(best, best)) best = j;
    if (!(S_(best, best) > std::max(doubtful_square, tolerance_ * tolerance_))) return false;
    if (best == k) return true;
    std::swap(order_[best], order_[k]);
    std::swap(S_(best, best), S_(k, k));
    for (int j = 0; j < k; ++j) std::swap(S_(best, j), S_(k, j));
    for (int j = k + 1; j < best; ++j) std::swap(S_(j, k), S_(best, j));
    for (int j = best + 1; j < m_; ++j) std::swap(S_(j, k), S_(j, best));
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
    if (by_qr_) return qr_.solve(order_, noise, r, y, lambda);
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

  Householder qr_;
  bool by_qr_ = false;
  long hand_overs_ = 0;
  Matrix S_;
  Vector sorted_;
};

}  // namespace

std::unique_ptr<LinearKernel> make_cholesky() { return std::make_unique<Cholesky>(); }

}  // namespace taut
