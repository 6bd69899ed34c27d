#pragma once

#include <vector>

#include "taut/system.hpp"

namespace taut {

/// The entries of a matrix row by row: in its pattern they may stand in any order.
class RowTable {
 public:
  explicit RowTable(const Pattern& pattern);

  /// Calls use(column, value) for every entry of row i of a matrix of that pattern.
  template <class Use>
  void for_row(const SparseValues& matrix, int i, Use&& use) const {
    for (int k = starts_[i]; k < starts_[i + 1]; ++k)
      use(matrix.pattern.entries[entries_[k]].second, matrix.values[entries_[k]]);
  }

 private:
  std::vector<int> starts_;   ///< where in entries_ each row begins, and the end
  std::vector<int> entries_;  ///< row after row
};

}  // namespace taut
