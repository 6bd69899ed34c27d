#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/coupled_speeds.hpp"
#include "linear/deflation.hpp"
#include "linear/dense_kernel.hpp"
#include "linear/elimination_memory.hpp"
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
  PartSolutions part_solutions() const override { return memory_.solutions(); }

  void reserve_patterns(const Pattern& M, const Pattern& H) override {
    if (by_parts()) coupled_.find(n_, m_, M, H);
  }

 private:
  void resize_rows() override {
    std::vector<int> soft_rows;
    for (int i = 0; i < m_; ++i)
      if (is_soft(i)) soft_rows.push_back(i);
    rows_.resize(n_, m_, std::move(soft_rows));
    coupled_.clear();
    memory_.forget();
    if (!by_parts()) return;
    std::vector<int> parts(m_);
    for (int row = 0; row < m_; ++row) parts[row] = block_of(row);
    memory_.resize(n_, std::move(parts));
  }

  void divide_rows(const Eigen::Ref<const Matrix>& rows) override {
    if (coupled_.empty() || adds_rows_to_mass()) return DenseKernel::divide_rows(rows);
    Ct_ = rows.transpose();
    coupled_.divide(mass_factor(), Ct_);
  }

  bool by_parts() const { return row_order_ == RowOrder::hierarchy && has_blocks(); }
  /// How many rows hold exactly.
  int hard() const { return m_ - rows_.soft(); }

  void factor_rows(bool deciding) override {
    if (deciding) decide_order();
    if (by_parts() && !deciding) return factor_what_has_changed();
    if (!deciding || rows_.soft() > 0) {
      begin_elimination();
      for (int k = 0; k < rank_; ++k) deflate(k, rank_);
    }
    if (!by_parts()) return;
    memory_.note_all(Ct_);
    memory_.end(order_, rank_);
  }

  /// The same arithmetic column by column, and none where its result is known.
  void factor_what_has_changed() {
    memory_.begin(order_, rank_);
    smallest_pivot_ = rank_ == 0 && hard() > 0 ? 0 : 1;
    for (int j = 0; j < rank_; ++j) {
      const int row = order_[j];
      const Span before = rows_.left(row);
      if (memory_.is_changed(j, row, Ct_, before)) {
        eliminate(j);
        memory_.note(j, row, Ct_, hull(before, rows_.left(row)));
      }
      note_pivot(j);
    }
    memory_.end(order_, rank_);
  }

  void eliminate(int j) {
    rows_.begin_row(Ct_, order_[j], [this](int row) { return soft_size(row); });
    for (int k = 0; k < j; ++k)
      if (rows_.s(k) > 0) rows_.take_out(k, order_[k], j, order_[j]);
    rows_.measure(j, order_[j], noise);
  }

  // ---- deciding -----------------------------------------------------------------------------------

  /// Which of the rows that hold exactly count, and in which order; the soft ones follow them.
  void decide_order() {
    int first = 0, last = hard();
    for (int row = 0; row < m_; ++row) order_[is_soft(row) ? last++ : first++] = row;
    rank_ = std::min(n_, hard());
    begin_elimination();
    for (int k = 0; k < rank_ && bring(by_parts() ? next_of_part(k) : next_of_all(k), k); ++k) deflate(k, hard());
    std::rotate(order_.begin() + rank_, order_.begin() + hard(), order_.end());
    rank_ += rows_.soft();
  }

  void begin_elimination() {
    rows_.begin(Ct_, [this](int row) { return soft_size(row); });
    if (by_parts())
      for (int row = 0; row < m_; ++row) rows_.find_span(Ct_, row);
    smallest_pivot_ = rank_ == 0 && hard() > 0 ? 0 : 1;
  }

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

  /// The first place from k on whose remainder exceeds a limit, or `otherwise`.
  int first_from(int k, double limit, int otherwise) const {
    for (int j = k; j < hard(); ++j)
      if (remainder(j) > limit) return j;
    return otherwise;
  }

  /// Brings the row that comes next to place k. False if it is redundant, and with it all that remain.
  bool bring(int best, int k) {
    std::swap(order_[k], order_[best]);
    rows_.swap_places(k, best);
    if (remainder(k) > tolerance_ * tolerance_) return true;
    rank_ = k;
    if (k == 0) smallest_pivot_ = 0;
    return false;
  }

  double remainder(int k) const { return rows_.remainder(order_[k]); }

  void deflate(int k, int columns) {
    rows_.measure(k, order_[k], noise);
    note_pivot(k);
    if (rows_.s(k) == 0) return;
    for (int j = k + 1; j < columns; ++j) rows_.take_out(k, order_[k], j, order_[j]);
  }

  void note_pivot(int k) {
    if (!is_soft(order_[k])) smallest_pivot_ = std::min(smallest_pivot_, std::sqrt(rows_.square(k)));
  }

  void solve_rows(const Vector& r, Vector& y, Vector& lambda) override {
    rows_.solve(Ct_, order_, rank_, r, y, lambda);
  }

  RowOrder row_order_;
  Deflation rows_;
  CoupledSpeeds coupled_;     ///< by parts
  EliminationMemory memory_;  ///< by parts
};

}  // namespace

std::unique_ptr<LinearKernel> make_recursive() { return std::make_unique<Recursive>(RowOrder::greedy); }

std::unique_ptr<LinearKernel> make_recursive(RowOrder order, int block) {
  if (block > 1) return make_recursive_blocks(order, block);
  return std::make_unique<Recursive>(order);
}

}  // namespace taut
