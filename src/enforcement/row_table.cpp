#include "enforcement/row_table.hpp"

#include <algorithm>
#include <numeric>

namespace taut {

RowTable::RowTable(const Pattern& pattern) {
  starts_.assign(static_cast<std::size_t>(pattern.rows) + 1, 0);
  for (const auto& [row, column] : pattern.entries) ++starts_[row + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  entries_.resize(pattern.entries.size());
  std::iota(entries_.begin(), entries_.end(), 0);
  std::ranges::stable_sort(entries_, {}, [&](int k) { return pattern.entries[k].first; });
}

}  // namespace taut
