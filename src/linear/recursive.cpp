#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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
/// its first entry and its last, and divided by the mass only of speeds that its own are coupled with.
///
/// What a row comes to is known beforehand where neither it nor anything that it was made with before has changed: a
/// part that stands still, or whose constraints are linear, is not solved anew. No digit depends on that.
class Recursive : public DenseKernel {
 public:
  explicit Recursive(RowOrder order) : row_order_(order) {}
  bool carries_soft_rows() const override { return true; }
  PartSolutions part_solutions() const override { return solutions_; }

  void reserve_patterns(const Pattern& M, const Pattern& H) override {
    if (by_parts()) find_coupled_speeds(M, H);
  }

 private:
  void resize_rows() override {
    soft_rows_.clear();
    for (int i = 0; i < m_; ++i)
      if (is_soft(i)) soft_rows_.push_back(i);
    Z_.setZero(n_ + soft(), m_);
    U_.setZero(m_, m_);
    s_.setZero(m_);
    squares_.setZero(m_);
    gamma_.setZero(m_);
    given_.assign(m_, {0, n_});
    left_.assign(m_, {0, n_ + soft()});
    coupled_.clear();
    eliminated_rank_ = -1;
    if (!by_parts()) return;
    eliminated_.setZero(n_, m_);
    eliminated_order_ = order_;
    changed_.assign(m_, 0);
    touched_ = left_;
    int blocks = 0;
    for (int row = 0; row < m_; ++row) blocks = std::max(blocks, block_of(row) + 1);
    found_.assign(blocks, Found::nothing);
  }

  /// For each row, the speeds that M couples with those it has entries for: L⁻¹h has no others. Empty where these are
  /// too many to be worth it.
  void find_coupled_speeds(const Pattern& M, const Pattern& H) {
    std::vector<int> group(n_);
    std::iota(group.begin(), group.end(), 0);
    const auto root = [&](int i) {
      while (group[i] != i) i = group[i] = group[group[i]];
      return i;
    };
    for (const auto& [i, j] : M.entries) group[root(std::max(i, j))] = root(std::min(i, j));
    std::vector<std::vector<char>> has(m_, std::vector<char>(n_, 0));  // of each row, the groups it touches
    for (const auto& [row, speed] : H.entries)
      if (row < m_) has[row][root(speed)] = 1;
    coupled_.assign(m_, {});
    std::size_t total = 0;
    for (int row = 0; row < m_; ++row) {
      for (int i = 0; i < n_; ++i)
        if (has[row][root(i)]) coupled_[row].push_back(i);
      total += coupled_[row].size();
    }
    if (2 * total > static_cast<std::size_t>(m_) * n_) coupled_.clear();
  }

  void divide_rows(const Eigen::Ref<const Matrix>& rows) override {
    if (coupled_.empty() || adds_rows_to_mass()) return DenseKernel::divide_rows(rows);
    const Matrix& L = mass_factor();
    Ct_ = rows.transpose();
    for (int row = 0; row < m_; ++row) {
      const std::vector<int>& speeds = coupled_[row];
      for (auto k = speeds.begin(); k != speeds.end(); ++k) {
        const double x = Ct_(*k, row) /= L(*k, *k);
        if (x == 0) continue;
        for (auto i = k + 1; i != speeds.end(); ++i) Ct_(*i, row) -= L(*i, *k) * x;
      }
    }
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

  void find_span(int row) {
    Span& span = given_[row] = {0, n_};
    while (span.end > 0 && Ct_(span.end - 1, row) == 0) --span.end;
    while (span.first < span.end && Ct_(span.first, row) == 0) ++span.first;
    left_[row] = span;
    if (is_soft(row))
      left_[row].end = n_ + 1 + static_cast<int>(std::ranges::find(soft_rows_, row) - soft_rows_.begin());
  }

  int soft() const { return static_cast<int>(soft_rows_.size()); }
  int hard() const { return m_ - soft(); }

  void factor_rows(bool deciding) override {
    if (deciding) decide_order();
    if (by_parts() && !deciding) return factor_what_has_changed();
    if (!deciding || soft() > 0) {
      begin_elimination();
      for (int k = 0; k < rank_; ++k) deflate(k, rank_);
    }
    if (!by_parts()) return;
    std::ranges::fill(changed_, 1);
    eliminated_ = Ct_;
    note_elimination();
  }

  /// The same arithmetic column by column, and none where its result is known.
  void factor_what_has_changed() {
    const bool known =
        eliminated_rank_ == rank_ && std::equal(order_.begin(), order_.begin() + rank_, eliminated_order_.begin());
    smallest_pivot_ = rank_ == 0 && m_ > soft() ? 0 : 1;
    for (int j = 0; j < rank_; ++j) {
      const int row = order_[j];
      changed_[j] = !known || Ct_.col(row) != eliminated_.col(row) || rests_on_change(j);
      if (changed_[j]) {
        const Span before = left_[row];
        eliminate(j);
        touched_[j] = hull(before, left_[row]);
        eliminated_.col(row) = Ct_.col(row);
      }
      note_pivot(j);
    }
    note_elimination();
  }

  /// Has anything changed that this row was made with, or would be?
  bool rests_on_change(int j) const {
    for (int k = 0; k < j; ++k)
      if (changed_[k] && common(touched_[k], left_[order_[j]]).size() > 0) return true;
    return false;
  }

  void eliminate(int j) {
    const int row = order_[j];
    Z_.col(row).head(n_) = Ct_.col(row);
    find_span(row);
    for (int k = 0; k < soft(); ++k) Z_(n_ + k, row) = soft_rows_[k] == row ? soft_size(row) : 0;
    for (int k = 0; k < j; ++k)
      if (s_[k] > 0) take_out(k, j);
    measure(j);
  }

  void note_elimination() {
    eliminated_rank_ = rank_;
    std::ranges::copy(order_, eliminated_order_.begin());
    std::ranges::fill(found_, Found::nothing);
    for (int j = 0; j < rank_; ++j) {
      Found& found = found_[block_of(order_[j])];
      if (found != Found::change) found = changed_[j] ? Found::change : Found::the_same;
    }
    for (const Found found : found_) {
      solutions_.asked += found != Found::nothing;
      solutions_.kept += found == Found::the_same;
    }
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
    if (by_parts())
      for (int row = 0; row < m_; ++row) find_span(row);
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
    measure(k);
    note_pivot(k);
    if (s_[k] == 0) return;
    for (int j = k + 1; j < columns; ++j) take_out(k, j);
  }

  /// s of row k; nought if rounding is all that is left of it.
  void measure(int k) {
    squares_[k] = remainder(k);
    s_[k] = squares_[k] <= noise * noise ? 0 : squares_[k];
  }

  void note_pivot(int k) {
    if (!is_soft(order_[k])) smallest_pivot_ = std::min(smallest_pivot_, std::sqrt(squares_[k]));
  }

  /// Takes out of row j what it has of row k.
  void take_out(int k, int j) {
    const Span own = left_[order_[k]];
    Span& other = left_[order_[j]];
    const Span both = common(own, other);
    U_(k, j) = 0;
    if (both.size() == 0) return;
    U_(k, j) = over(Z_.col(order_[k]), both).dot(over(Z_.col(order_[j]), both)) / s_[k];
    over(Z_.col(order_[j]), own) -= U_(k, j) * over(Z_.col(order_[k]), own);
    other = hull(own, other);
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
  Vector squares_;  ///< s, rounding errors and all
  std::vector<Span> given_,
      left_;  ///< where a row of C and what is left of it has entries; everywhere, unless by parts

  // by parts
  std::vector<std::vector<int>> coupled_;  ///< of each row, the speeds of L⁻¹h
  Matrix eliminated_;                      ///< Ct_ of the rows as they were last eliminated
  std::vector<int> eliminated_order_;
  int eliminated_rank_ = -1;
  std::vector<char> changed_;  ///< of the rows in their order, since they were last eliminated
  std::vector<Span> touched_;  ///< of those that have changed, where they had or have entries
  enum class Found : char { nothing, the_same, change };
  std::vector<Found> found_;  ///< of each part
  PartSolutions solutions_;
};

}  // namespace

std::unique_ptr<LinearKernel> make_recursive() { return std::make_unique<Recursive>(RowOrder::greedy); }

std::unique_ptr<LinearKernel> make_recursive(RowOrder order, int block) {
  if (block > 1) return make_recursive_blocks(order, block);
  return std::make_unique<Recursive>(order);
}

}  // namespace taut
