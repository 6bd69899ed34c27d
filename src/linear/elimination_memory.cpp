#include "linear/elimination_memory.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace taut {

void EliminationMemory::resize(int speeds, std::vector<int> parts) {
  const auto rows = parts.size();
  Ct_.setZero(speeds, static_cast<Eigen::Index>(rows));
  order_.resize(rows);
  std::iota(order_.begin(), order_.end(), 0);
  rank_ = -1;
  changed_.assign(rows, 0);
  touched_.assign(rows, {0, 0});
  const int count = parts.empty() ? 0 : 1 + std::ranges::max(parts);
  found_.assign(static_cast<std::size_t>(count), Found::nothing);
  parts_ = std::move(parts);
}

void EliminationMemory::begin(const std::vector<int>& order, int rank) {
  known_ = rank_ == rank && std::equal(order.begin(), order.begin() + rank, order_.begin());
}

/// … because it has changed, or anything that it was made with, or would be.
bool EliminationMemory::is_changed(int j, int row, const Matrix& Ct, Span left) {
  changed_[j] = !known_ || Ct.col(row) != Ct_.col(row);
  for (int k = 0; k < j && !changed_[j]; ++k) changed_[j] = changed_[k] && common(touched_[k], left).size() > 0;
  return changed_[j];
}

void EliminationMemory::note(int j, int row, const Matrix& Ct, Span touched) {
  touched_[j] = touched;
  Ct_.col(row) = Ct.col(row);
}

void EliminationMemory::note_all(const Matrix& Ct) {
  std::ranges::fill(changed_, 1);
  Ct_ = Ct;
}

void EliminationMemory::end(const std::vector<int>& order, int rank) {
  rank_ = rank;
  std::ranges::copy(order, order_.begin());
  std::ranges::fill(found_, Found::nothing);
  for (int j = 0; j < rank; ++j) {
    Found& found = found_[parts_[order[j]]];
    if (found != Found::change) found = changed_[j] ? Found::change : Found::the_same;
  }
  for (const Found found : found_) {
    solutions_.asked += found != Found::nothing;
    solutions_.kept += found == Found::the_same;
  }
}

}  // namespace taut
