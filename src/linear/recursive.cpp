#include <algorithm>
#include <cmath>
#include <limits>

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
///
/// Over the hierarchy of parts the rows inside a part come before those that join it to others. What one part has of
/// the speeds another has not, so that the rows of two parts leave each other alone: each row is looked at only between
/// its first entry and its last.
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
    given_.assign(m_, {0, n_});
    left_.assign(m_, {0, n_ + soft()});
  }

  /// Entries of a column, all others of which are zero.
  struct Span {
    int first, end;
    int size() const { return std::max(0, end - first); }
  };
  static Span common(Span a, Span b) { return {std::max(a.first, b.first), std::min(a.end, b.end)}; }
  static Span hull(Span a, Span b) { return {std::min(a.first, b.first), std::max(a.end, b.end)}; }
  static auto over(auto column, Span span) { return column.segment(span.first, span.size()); }

  bool by_parts() const { return row_order_ == RowOrder::hierarchy && has_blocks(); }

  void find_spans() {
    for (int row = 0; row < m_; ++row) {
      Span& span = given_[row] = {0, n_};
      while (span.end > 0 && Ct_(span.end - 1, row) == 0) --span.end;
      while (span.first < span.end && Ct_(span.first, row) == 0) ++span.first;
      left_[row] = span;
    }
    for (int k = 0; k < soft(); ++k) left_[soft_rows_[k]].end = n_ + k + 1;
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
    if (by_parts()) find_spans();
    smallest_pivot_ = rank_ == 0 && m_ > soft() ? 0 : 1;
  }

  /// Brings the row that comes next to place k. False if all that remain are redundant.
  bool bring_next(int k) { return by_parts() ? bring(next_of_part(k), k) : bring(next_of_all(k), k); }

  int next_of_all(int k) const {
    int largest = k;
    for (int j = k + 1; j < hard(); ++j)
      if (remainder(j) > remainder(largest)) largest = j;
    int best = largest;
    if (row_order_ == RowOrder::natural) best = first_from(k, tolerance_ * tolerance_, largest);
    if (row_order_ == RowOrder::threshold || row_order_ == RowOrder::hierarchy)
      best = first_from(k, 0.1 * remainder(largest), largest);
    return best;
  }

  /// Among the rows that are not redundant, one of the first part, which is not much smaller than its largest.
  int next_of_part(int k) const {
    int part = std::numeric_limits<int>::max();
    double largest = 0;
    for (int j = k; j < hard(); ++j) {
      const int own = block_of(order_[j]);
      const double size = remainder(j);
      if (own > part || size <= tolerance_ * tolerance_) continue;
      largest = own < part ? size : std::max(largest, size);
      part = own;
    }
    for (int j = k; j < hard(); ++j)
      if (block_of(order_[j]) == part && remainder(j) > 0.1 * largest) return j;
    return k;
  }

  bool bring(int best, int k) {
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

  double remainder(int k) const { return over(Z_.col(order_[k]), left_[order_[k]]).squaredNorm(); }
  bool redundant(int k) const { return remainder(k) <= tolerance_ * tolerance_; }

  void deflate(int k, int columns) {
    const Span own = left_[order_[k]];
    const auto z = over(Z_.col(order_[k]), own);
    s_[k] = z.squaredNorm();
    if (!is_soft(order_[k])) smallest_pivot_ = std::min(smallest_pivot_, std::sqrt(s_[k]));
    if (s_[k] <= noise * noise) {
      s_[k] = 0;
      return;
    }
    for (int j = k + 1; j < columns; ++j) {
      Span& other = left_[order_[j]];
      const Span both = common(own, other);
      U_(k, j) = 0;
      if (both.size() == 0) continue;
      U_(k, j) = over(Z_.col(order_[k]), both).dot(over(Z_.col(order_[j]), both)) / s_[k];
      over(Z_.col(order_[j]), own) -= U_(k, j) * z;
      other = hull(own, other);
    }
  }

  void solve_rows(const Vector& r, Vector& y, Vector& lambda) override {
    y.setZero();
    lambda.setZero();
    for (int k = 0; k < rank_; ++k) {  // a soft row's own unknown stays at zero until its turn comes
      const Span given = given_[order_[k]], left = common(left_[order_[k]], {0, n_});
      const double met = over(Ct_.col(order_[k]), given).dot(over(y.head(n_), given));
      gamma_[k] = s_[k] > 0 ? (r[order_[k]] - met) / s_[k] : 0;
      over(y.head(n_), left) += gamma_[k] * over(Z_.col(order_[k]), left);
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
  std::vector<Span> given_,
      left_;  ///< where a row of C and what is left of it has entries; everywhere, unless by parts
};

}  // namespace

std::unique_ptr<LinearKernel> make_recursive() { return std::make_unique<Recursive>(RowOrder::greedy); }

std::unique_ptr<LinearKernel> make_recursive(RowOrder order, int block) {
  if (block > 1) return make_recursive_blocks(order, block);
  return std::make_unique<Recursive>(order);
}

}  // namespace taut
