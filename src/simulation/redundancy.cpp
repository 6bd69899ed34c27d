#include "simulation/redundancy.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace taut {
namespace {

/// Above this a dense decomposition takes longer than most runs.
constexpr std::size_t most_rows = 1500;
/// A row is dependent if less than this of it, scaled to unit length, stands out of the others.
constexpr double pivot_tolerance = 1e-9;
/// Weights below this, beside the largest, are rounding.
constexpr double weight_tolerance = 1e-8;

/// Rows that share columns, and their decomposition: (D⁻¹ H)ᵀ P = Q R, each row scaled to unit length by D.
struct Group {
  std::vector<int> rows;
  Eigen::ColPivHouseholderQR<Matrix> qr;
  Vector lengths;
  int rank = 0;

  int size() const { return static_cast<int>(rows.size()); }
  double pivot(int k) const { return k < qr.matrixQR().diagonalSize() ? std::abs(qr.matrixQR()(k, k)) : 0; }
};

class Rows {
 public:
  explicit Rows(int count) : parent_(static_cast<std::size_t>(count)) { std::iota(parent_.begin(), parent_.end(), 0); }
  int root(int row) {
    while (parent_[static_cast<std::size_t>(row)] != row)
      row = parent_[static_cast<std::size_t>(row)] =
          parent_[static_cast<std::size_t>(parent_[static_cast<std::size_t>(row)])];
    return row;
  }
  void join(int a, int b) { parent_[static_cast<std::size_t>(root(a))] = root(b); }

 private:
  std::vector<int> parent_;
};

std::vector<std::vector<int>> groups_of(const SparseValues& H, const std::vector<bool>& hard) {
  const Pattern& pattern = H.pattern;
  Rows rows(pattern.rows);
  std::vector<int> user(static_cast<std::size_t>(pattern.columns), -1);
  for (const auto& [row, column] : pattern.entries) {
    if (!hard[static_cast<std::size_t>(row)]) continue;
    int& first = user[static_cast<std::size_t>(column)];
    if (first >= 0) rows.join(row, first);
    first = row;
  }
  std::map<int, std::vector<int>> groups;
  for (int row = 0; row < pattern.rows; ++row)
    if (hard[static_cast<std::size_t>(row)]) groups[rows.root(row)].push_back(row);
  std::vector<std::vector<int>> list;
  for (auto& [root, group] : groups) list.push_back(std::move(group));
  return list;
}

Group decompose(const SparseValues& H, const std::vector<int>& rows) {
  std::map<int, int> row_index, column_index;
  for (const int row : rows) row_index.emplace(row, static_cast<int>(row_index.size()));
  for (const auto& [row, column] : H.pattern.entries)
    if (row_index.contains(row)) column_index.emplace(column, static_cast<int>(column_index.size()));
  Matrix A = Matrix::Zero(std::max<Eigen::Index>(1, static_cast<Eigen::Index>(column_index.size())),
                          static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < H.pattern.entries.size(); ++k) {
    const auto [row, column] = H.pattern.entries[k];
    if (const auto at = row_index.find(row); at != row_index.end())
      A(column_index.at(column), at->second) = H.values[static_cast<Eigen::Index>(k)];
  }
  Group group;
  group.rows = rows;
  group.lengths = A.colwise().norm().transpose();
  for (double& length : group.lengths)
    if (length == 0) length = 1;
  A = A * group.lengths.cwiseInverse().asDiagonal();
  group.qr.compute(A);
  return group;
}

/// The largest `rank` pivots of all count; where the rank is not known, those that stand out.
void decide(std::vector<Group>& groups, std::optional<int> rank) {
  std::vector<double> pivots;
  for (const Group& group : groups)
    for (int k = 0; k < group.size(); ++k) pivots.push_back(group.pivot(k));
  std::ranges::sort(pivots, std::greater<>());
  double least = pivot_tolerance;
  if (rank && *rank > 0 && *rank <= static_cast<int>(pivots.size()))
    least = pivots[static_cast<std::size_t>(*rank) - 1];
  for (Group& group : groups)
    while (group.rank < group.size() && group.pivot(group.rank) >= std::max(least, 1e-14)) ++group.rank;
}

/// Each dependent row as the combination of independent ones: R₁₁ C = R₁₂.
void add_dependencies(const Group& group, std::vector<Dependency>& list) {
  const int r = group.rank;
  const auto R = group.qr.matrixQR().topLeftCorner(r, group.size());
  const Matrix C = R.leftCols(r).template triangularView<Eigen::Upper>().solve(R.rightCols(group.size() - r));
  const auto& order = group.qr.colsPermutation().indices();
  for (int k = 0; k < group.size() - r; ++k) {
    const double largest = std::max(1.0, r > 0 ? C.col(k).cwiseAbs().maxCoeff() : 0.0);
    Dependency dependency;
    const auto add = [&](int at, double weight) {
      if (std::abs(weight) < weight_tolerance * largest) return;
      const int row = order[at];
      dependency.terms.emplace_back(group.rows[static_cast<std::size_t>(row)], weight / group.lengths[row]);
    };
    add(r + k, 1);
    for (int i = 0; i < r; ++i) add(i, -C(i, k));
    list.push_back(std::move(dependency));
  }
}

}  // namespace

Redundancy find_redundancy(const SparseValues& H, const std::vector<double>& softness, std::optional<int> rank) {
  Redundancy result;
  std::vector<bool> hard(static_cast<std::size_t>(H.pattern.rows), true);
  for (std::size_t i = 0; i < softness.size(); ++i) hard[i] = !(softness[i] > 0);
  std::vector<Group> groups;
  for (const std::vector<int>& rows : groups_of(H, hard)) {
    if (rows.size() > most_rows) return {{}, true};
    groups.push_back(decompose(H, rows));
  }
  decide(groups, rank);
  for (const Group& group : groups) add_dependencies(group, result.dependencies);
  return result;
}

}  // namespace taut
