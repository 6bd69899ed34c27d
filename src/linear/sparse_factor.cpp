#include "linear/sparse_factor.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace taut {

FactorPattern::FactorPattern(std::span<const std::pair<int, int>> entries, std::vector<int> order)
    : order_(std::move(order)), position_(order_.size()) {
  for (std::size_t k = 0; k < order_.size(); ++k) position_[order_[k]] = static_cast<int>(k);
  take_entries(entries);
  find_rows();
}

/// Sorts the entries given by row and column of the lower triangle, and counts those that fall together once.
void FactorPattern::take_entries(std::span<const std::pair<int, int>> entries) {
  const auto place = [&](std::size_t e) {
    const auto [a, b] = std::minmax(position_[entries[e].first], position_[entries[e].second]);
    return std::pair{b, a};
  };
  std::vector<std::size_t> sorted(entries.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::sort(sorted, {}, place);
  slots_.resize(entries.size());
  input_starts_.assign(order_.size() + 1, 0);
  std::pair<int, int> last{-1, -1};
  for (const std::size_t e : sorted) {
    const auto at = place(e);
    if (at != last) {
      input_columns_.push_back(at.second);
      ++input_starts_[at.first + 1];
      last = at;
    }
    slots_[e] = static_cast<Slot>(input_columns_.size() - 1);
  }
  std::partial_sum(input_starts_.begin(), input_starts_.end(), input_starts_.begin());
}

/// Row k of L has the columns on the paths from the columns of A's row k up the elimination tree, to k (Liu 1990).
void FactorPattern::find_rows() {
  const int n = size();
  std::vector<int> parent(n, -1), mark(n, -1);
  std::vector<Slot> counts(n + 1, 0);
  row_starts_.assign(1, 0);
  for (int k = 0; k < n; ++k) {
    mark[k] = k;
    for (Slot p = input_starts_[k]; p < input_starts_[k + 1]; ++p)
      for (int j = input_columns_[p]; mark[j] != k; j = parent[j]) {
        mark[j] = k;
        if (parent[j] < 0) parent[j] = k;
        columns_.push_back(j);
        ++counts[j + 1];
      }
    std::sort(columns_.begin() + static_cast<std::ptrdiff_t>(row_starts_.back()), columns_.end());
    row_starts_.push_back(static_cast<Slot>(columns_.size()));
  }
  assert(columns_.size() < std::numeric_limits<Slot>::max());
  column_starts_.resize(n + 1);
  std::partial_sum(counts.begin(), counts.end(), column_starts_.begin());
  rows_.resize(columns_.size());
  std::vector<Slot> next(column_starts_.begin(), column_starts_.end() - 1);
  for (int k = 0; k < n; ++k)
    for (Slot r = row_starts_[k]; r < row_starts_[k + 1]; ++r) rows_[next[columns_[r]]++] = k;
}

SparseFactor::SparseFactor(std::shared_ptr<const FactorPattern> pattern) : pattern_(std::move(pattern)) {
  const auto n = static_cast<std::size_t>(pattern_->size());
  input_.assign(pattern_->slots(), 0);
  diagonal_.assign(n, 0);
  L_.assign(pattern_->entries(), 0);
  inverse_.assign(n, 0);
  work_.assign(n, 0);
  filled_.assign(n, 0);
}

void SparseFactor::clear() {
  std::ranges::fill(input_, 0);
  std::ranges::fill(diagonal_, 0);
}

void SparseFactor::solve(Vector& x) const {
  const int n = pattern_->size();
  const auto& starts = pattern_->column_starts_;
  const int* rows = pattern_->rows_.data();
  for (int k = 0; k < n; ++k) {
    const double y = x[k];
    for (Slot p = starts[k]; p < starts[k + 1]; ++p) x[rows[p]] -= L_[p] * y;
  }
  for (int k = n - 1; k >= 0; --k) {
    double sum = x[k] * inverse_[k];
    for (Slot p = starts[k]; p < starts[k + 1]; ++p) sum -= L_[p] * x[rows[p]];
    x[k] = inverse_[k] == 0 ? 0 : sum;
  }
}

void SparseFactor::null_vector(Vector& x) const {
  x.setZero();
  if (failed_at_ < 0) return;
  x[failed_at_] = 1;  // Lᵀx = e over what was eliminated
  const FactorPattern& pattern = *pattern_;
  for (int k = failed_at_; k >= 0; --k)
    for (Slot r = pattern.row_starts_[k]; x[k] != 0 && r < pattern.row_starts_[k + 1]; ++r) {
      const int j = pattern.columns_[r];
      const auto begin = pattern.rows_.begin() + static_cast<std::ptrdiff_t>(pattern.column_starts_[j]);
      const auto end = pattern.rows_.begin() + static_cast<std::ptrdiff_t>(pattern.column_starts_[j + 1]);
      x[j] -= L_[static_cast<std::size_t>(std::lower_bound(begin, end, k) - pattern.rows_.begin())] * x[k];
    }
}

}  // namespace taut
