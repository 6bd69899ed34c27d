#include <algorithm>
#include <cmath>

#include "linear/dense_kernel.hpp"
#include "linear/list.hpp"

namespace taut {
namespace {

/// The recursion of Orsino & de Oliveira, Eq. (16)-(21), row by row, with P₀ = M⁻¹:
///   z = P h,  s = hᵀz,  skip the row if s ≤ tol · hᵀP₀h,  P −= z zᵀ/s,  x += (r − hᵀx)/s · z.
/// In the coordinates of C = H R⁻¹ the start is P₀ = I. Instead of P itself every row's z is kept up
/// to date ("deflation"), which is the same arithmetic at a fraction of the cost.
///
/// A soft row has s = hᵀP h + σ². That is the row (h, σ) with one more unknown of unit mass, its own, which takes up
/// what the row gives way: all rows can then be treated alike. Soft rows come last and are never redundant.
class Recursive : public DenseKernel {
 public:
  explicit Recursive(RowOrder order) : row_order_(order) {}
  bool carries_soft_rows() const override { return true; }

 private:
  void resize_rows() override {
    soft_rows_.clear();
    for (int i = 0; i < m_; ++i)
      if (is_soft(i)) soft_rows_.push_back(i);
    Z_.setZero(n_ + soft(), m_);
    U_.setZero(m_, m_);
    s_.setZero(m_);
    gamma_.setZero(m_);
  }

  int soft() const { return static_cast<int>(soft_rows_.size()); }
  int hard() const { return m_ - soft(); }

  void factor_rows(bool deciding) override {
    if (deciding) decide_order();
    if (deciding && soft() == 0) return;
    begin_elimination();
    for (int k = 0; k < rank_; ++k) deflate(k, rank_);
  }

  /// Which of the rows that hold exactly count, and in which order; the soft ones follow them.
  void decide_order() {
    int first = 0, last = hard();
    for (int row = 0; row < m_; ++row) order_[is_soft(row) ? last++ : first++] = row;
    rank_ = std::min(n_, hard());
    begin_elimination();
    for (int k = 0; k < rank_ && bring_next(k); ++k) deflate(k, hard());
    std::rotate(order_.begin() + rank_, order_.begin() + hard(), order_.end());
    rank_ += soft();
  }

  void begin_elimination() {
    Z_.topRows(n_) = Ct_;
    for (int k = 0; k < soft(); ++k) {
      Z_.row(n_ + k).setZero();
      Z_(n_ + k, soft_rows_[k]) = soft_size(soft_rows_[k]);
    }
    smallest_pivot_ = rank_ == 0 && m_ > soft() ? 0 : 1;
  }

  /// Brings the row that comes next to place k. False if all that remain are redundant.
  bool bring_next(int k) {
    int largest = k;
    for (int j = k + 1; j < hard(); ++j)
      if (remainder(j) > remainder(largest)) largest = j;
    int best = largest;
    if (row_order_ == RowOrder::natural) best = first_from(k, tolerance_ * tolerance_, largest);
    if (row_order_ == RowOrder::threshold) best = first_from(k, 0.1 * remainder(largest), largest);
    std::swap(order_[k], order_[best]);
    U_.col(k).head(k).swap(U_.col(best).head(k));
    if (!redundant(k)) return true;
    rank_ = k;
    if (k == 0) smallest_pivot_ = 0;
    return false;
  }

  /// The first place from k on whose remainder exceeds a limit, or `otherwise`.
  int first_from(int k, double limit, int otherwise) const {
    for (int j = k; j < hard(); ++j)
      if (remainder(j) > limit) return j;
    return otherwise;
  }

  double remainder(int k) const { return Z_.col(order_[k]).squaredNorm(); }
  bool redundant(int k) const { return remainder(k) <= tolerance_ * tolerance_; }

  void deflate(int k, int columns) {
    const auto z = Z_.col(order_[k]);
    s_[k] = z.squaredNorm();
    if (!is_soft(order_[k])) smallest_pivot_ = std::min(smallest_pivot_, std::sqrt(s_[k]));
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
    for (int k = 0; k < rank_; ++k) {  // a soft row's own unknown stays at zero until its turn comes
      gamma_[k] = s_[k] > 0 ? (r[order_[k]] - Ct_.col(order_[k]).dot(y)) / s_[k] : 0;
      y += gamma_[k] * Z_.col(order_[k]).head(n_);
    }
    for (int k = rank_ - 1; k >= 0; --k) {  // y = Z γ = Cᵀ U⁻¹ γ
      double sum = gamma_[k];
      for (int j = k + 1; j < rank_; ++j) sum -= U_(k, j) * lambda[order_[j]];
      lambda[order_[k]] = s_[k] > 0 ? sum : 0;
    }
  }

  RowOrder row_order_;
  std::vector<int> soft_rows_;
  Matrix Z_, U_;  ///< in Z, the soft rows' own unknowns come after the speeds
  Vector s_, gamma_;
};

}  // namespace

std::unique_ptr<LinearKernel> make_recursive() { return std::make_unique<Recursive>(RowOrder::greedy); }

std::unique_ptr<LinearKernel> make_recursive(RowOrder order, int block) {
  if (block > 1) return make_recursive_blocks(order, block);
  return std::make_unique<Recursive>(order);
}

}  // namespace taut
