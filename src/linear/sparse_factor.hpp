#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "taut/vector.hpp"

namespace taut {

/// Where the factor L of a symmetric matrix A = LDLᵀ has entries, for one order of elimination. Found once, shared by
/// all factors of matrices of that pattern.
class FactorPattern {
 public:
  /// Numbers of entries: half as long as std::size_t, since large systems are slow for want of memory, not of work.
  using Slot = std::uint32_t;

  /// `entries` are places off the diagonal, each once or several times, from either triangle; order[k] is eliminated
  /// as the k-th.
  FactorPattern(std::span<const std::pair<int, int>> entries, std::vector<int> order);

  int size() const { return static_cast<int>(order_.size()); }
  std::size_t entries() const { return columns_.size(); }
  /// What is eliminated as the k-th, and as which something is eliminated.
  int at(int k) const { return order_[k]; }
  int position(int i) const { return position_[i]; }
  /// Where the value of an entry of A belongs: where L will have one.
  Slot slot(int i, int j) const;

 private:
  friend class SparseFactor;
  void find_rows(std::span<const std::pair<int, int>> entries);

  std::vector<int> order_, position_;
  std::vector<Slot> row_starts_;  ///< L below the diagonal, row by row, columns ascending
  std::vector<int> columns_;
  std::vector<Slot> column_starts_;  ///< the same column by column, rows ascending
  std::vector<int> rows_;
};

/// What factoring needs only while it goes on: factors of one pattern, of which one is made at a time, may share it.
struct FactorRoom {
  explicit FactorRoom(const FactorPattern& pattern);

  std::vector<double> diagonal;             ///< of A
  std::vector<double> work;                 ///< the row at hand
  std::vector<FactorPattern::Slot> filled;  ///< how far each column of L has been found
};

/// A = LDLᵀ with the pivots as they come: no search, so that the order, the work and the memory are fixed beforehand.
/// Whether a pivot will do is for the caller to say, who may also leave an unknown out.
class SparseFactor {
 public:
  SparseFactor() = default;
  SparseFactor(std::shared_ptr<const FactorPattern> pattern, std::shared_ptr<FactorRoom> room);

  const FactorPattern& pattern() const { return *pattern_; }

  using Slot = FactorPattern::Slot;
  // ---- the values of A, which stand where L will until it is factored -----------------------------
  void clear();
  void add(Slot slot, double value) { L_[slot] += value; }
  void add_diagonal(int position, double value) { room_->diagonal[position] += value; }
  double diagonal(int position) const { return room_->diagonal[position]; }

  /// What the caller says of a pivot.
  enum class Pivot { use, leave_out, stop };

  /// Factors. judge(k, d, size) is asked about each pivot d in turn; it was found as a sum of terms of `size`
  /// altogether, of which rounding leaves a few ε. False if it said stop.
  template <class Judge>
  bool factor(Judge&& judge) {
    const int n = pattern_->size();
    for (int k = 0; k < n; ++k) {
      double size = 0;
      const double d = eliminate(k, size);
      const Pivot pivot = judge(k, d, size);
      inverse_[k] = pivot == Pivot::use ? 1 / d : 0;
      if (pivot != Pivot::stop) continue;
      failed_at_ = k;
      return false;
    }
    return true;
  }

  /// x := A⁻¹x in the order of elimination; what was left out becomes zero.
  void solve(Vector& x) const;
  /// The pivot at which factor() stopped; -1: at none.
  int failed_at() const { return failed_at_; }
  /// x with xᵀA x the k-th pivot, and A x = 0 over what was eliminated before.
  void null_vector(int k, Vector& x) const;

 private:
  /// Row k of L by up-looking elimination: L₁ D₁ l = a over the rows before it. Returns the pivot.
  double eliminate(int k, double& size) {
    const FactorPattern& pattern = *pattern_;
    const Slot first = pattern.row_starts_[k], last = pattern.row_starts_[k + 1];
    const int *columns = pattern.columns_.data(), *rows = pattern.rows_.data();
    const Slot* starts = pattern.column_starts_.data();
    double *L = L_.data(), *work = room_->work.data();
    Slot* filled = room_->filled.data();
    for (Slot r = first; r < last; ++r) work[columns[r]] = L[filled[columns[r]]];
    double d = room_->diagonal[k];
    size = std::abs(d);
    for (Slot r = first; r < last; ++r) {
      const int j = columns[r];
      const double y = work[j], l = y * inverse_[j];
      const Slot begin = starts[j], end = filled[j];
      for (Slot p = begin; p < end; ++p) work[rows[p]] -= L[p] * y;
      L[end] = l;
      filled[j] = end + 1;
      d -= l * y;
      size += std::abs(l * y);
    }
    filled[k] = starts[k];
    return d;
  }

  std::shared_ptr<const FactorPattern> pattern_;
  std::shared_ptr<FactorRoom> room_;
  std::vector<double> L_, inverse_;
  int failed_at_ = -1;
};

}  // namespace taut
