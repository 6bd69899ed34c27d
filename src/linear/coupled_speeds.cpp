#include "linear/coupled_speeds.hpp"

#include <algorithm>
#include <numeric>

namespace taut {

void CoupledSpeeds::find(int n, int rows, const Pattern& M, const Pattern& H) {
  std::vector<int> group(n);
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  for (const auto& [i, j] : M.entries) group[root(std::max(i, j))] = root(std::min(i, j));
  std::vector<std::vector<char>> has(rows, std::vector<char>(n, 0));  // of each row, the groups it touches
  for (const auto& [row, speed] : H.entries)
    if (row < rows) has[row][root(speed)] = 1;
  speeds_.assign(rows, {});
  std::size_t total = 0;
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < n; ++i)
      if (has[row][root(i)]) speeds_[row].push_back(i);
    total += speeds_[row].size();
  }
  if (2 * total > static_cast<std::size_t>(rows) * n) speeds_.clear();
}

void CoupledSpeeds::divide(const Matrix& L, Matrix& Ht) const {
  for (std::size_t row = 0; row < speeds_.size(); ++row) {
    const std::vector<int>& speeds = speeds_[row];
    auto column = Ht.col(static_cast<Eigen::Index>(row));
    for (auto k = speeds.begin(); k != speeds.end(); ++k) {
      const double x = column[*k] /= L(*k, *k);
      if (x == 0) continue;
      for (auto i = k + 1; i != speeds.end(); ++i) column[*i] -= L(*i, *k) * x;
    }
  }
}

}  // namespace taut
