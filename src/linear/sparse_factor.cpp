#include "linear/sparse_factor.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace taut {

FactorPattern::FactorPattern(std::span<const std::pair<int, int>> entries, std::vector<int> order)
    : order_(std::move(order)), position_(order_.size()) {
  for (std::size_t k = 0; k < order_.size(); ++k) position_[order_[k]] = static_cast<int>(k);
  find_rows(entries);
}

namespace {

/// The entries given, row by row of the lower triangle; those that fall together stand there more than once.
struct LowerRows {
  LowerRows(std::span<const std::pair<int, int>> entries, const std::vector<int>& position)
      : starts(position.size() + 2, 0), columns(entries.size()) {
    const auto place = [&](const std::pair<int, int>& entry) {
      return std::minmax({position[entry.first], position[entry.second]});
    };
    for (const auto& entry : entries) ++starts[place(entry).second + 2];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    for (const auto& entry : entries) {
      const auto [column, row] = place(entry);
      columns[starts[row + 1]++] = column;
    }
  }

  std::span<const int> operator[](int row) const {
    return std::span(columns).subspan(starts[row], starts[row + 1] - starts[row]);
  }

  std::vector<FactorPattern::Slot> starts;
  std::vector<int> columns;
};

}  // namespace

/// Row k of L has the columns on the paths from the columns of A's row k up the elimination tree, to k (Liu 1990).
void FactorPattern::find_rows(std::span<const std::pair<int, int>> entries) {
  const LowerRows A(entries, position_);
  const int n = size();
  std::vector<int> parent(n, -1), mark(n, -1);
  std::vector<Slot> counts(n + 1, 0);
  row_starts_.reserve(n + 1);
  row_starts_.assign(1, 0);
  for (int k = 0; k < n; ++k) {
    mark[k] = k;
    for (const int column : A[k])
      for (int j = column; mark[j] != k; j = parent[j]) {
        mark[j] = k;
        if (parent[j] < 0) parent[j] = k;
        columns_.push_back(j);
        ++counts[j + 1];
      }
    std::sort(columns_.begin() + static_cast<std::ptrdiff_t>(row_starts_.back()), columns_.end());
    row_starts_.push_back(static_cast<Slot>(columns_.size()));
  }
  assert(columns_.size() < std::numeric_limits<Slot>::max());
  columns_.shrink_to_fit();
  column_starts_.resize(n + 1);
  std::partial_sum(counts.begin(), counts.end(), column_starts_.begin());
  rows_.resize(columns_.size());
  std::vector<Slot> next(column_starts_.begin(), column_starts_.end() - 1);
  for (int k = 0; k < n; ++k)
    for (Slot r = row_starts_[k]; r < row_starts_[k + 1]; ++r) rows_[next[columns_[r]]++] = k;
}

FactorPattern::Slot FactorPattern::slot(int i, int j) const {
  const auto [column, row] = std::minmax({position_[i], position_[j]});
  const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(column_starts_[column]);
  const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(column_starts_[column + 1]);
  return static_cast<Slot>(std::lower_bound(begin, end, row) - rows_.begin());
}

FactorRoom::FactorRoom(const FactorPattern& pattern)
    : diagonal(pattern.size(), 0), work(pattern.size(), 0), filled(pattern.size(), 0) {}

SparseFactor::SparseFactor(std::shared_ptr<const FactorPattern> pattern, std::shared_ptr<FactorRoom> room)
    : pattern_(std::move(pattern)),
      room_(std::move(room)),
      L_(pattern_->entries(), 0),
      inverse_(static_cast<std::size_t>(pattern_->size()), 0) {}

void SparseFactor::clear() {
  std::ranges::fill(L_, 0);
  std::ranges::fill(room_->diagonal, 0);
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

void SparseFactor::null_vector(int last, Vector& x) const {
  x.setZero();
  if (last < 0) return;
  x[last] = 1;  // Lᵀx = e over what was eliminated
  const FactorPattern& pattern = *pattern_;
  for (int k = last; k >= 0; --k)
    for (Slot r = pattern.row_starts_[k]; x[k] != 0 && r < pattern.row_starts_[k + 1]; ++r) {
      const int j = pattern.columns_[r];
      const auto begin = pattern.rows_.begin() + static_cast<std::ptrdiff_t>(pattern.column_starts_[j]);
      const auto end = pattern.rows_.begin() + static_cast<std::ptrdiff_t>(pattern.column_starts_[j + 1]);
      x[j] -= L_[static_cast<std::size_t>(std::lower_bound(begin, end, k) - pattern.rows_.begin())] * x[k];
    }
}

}  // namespace taut
