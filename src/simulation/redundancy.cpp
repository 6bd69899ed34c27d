#include "simulation/redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "linear/list.hpp"
#include "linear/pivoted_qr.hpp"

namespace taut {
namespace {

/// Above this the sparse kernel decides, where a dense decomposition would take longer than most runs.
constexpr std::size_t many_rows = 400;
/// So many numbers may be solved for, all dependencies together, before that takes longer than most runs.
constexpr double most_numbers = 1e9;
/// A row is dependent if less than this of it, scaled to unit length, stands out of the others.
constexpr double pivot_tolerance = 1e-9;
/// Weights below this, beside the largest, are rounding.
constexpr double weight_tolerance = 1e-8;

/// Rows that share columns, and their decomposition: (D⁻¹ H)ᵀ P = Q R, each row scaled to unit length by D.
struct Group {
  std::vector<int> rows;
  PivotedQr qr;
  Vector lengths;
  int rank = 0;

  int size() const { return static_cast<int>(rows.size()); }
  double pivot(int k) const { return k < qr.R().diagonalSize() ? std::abs(qr.R()(k, k)) : 0; }
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

/// The entries of H, by number, of each row.
std::vector<std::vector<int>> entries_of_rows(const Pattern& pattern) {
  std::vector<std::vector<int>> entries(static_cast<std::size_t>(pattern.rows));
  for (std::size_t k = 0; k < pattern.entries.size(); ++k)
    entries[static_cast<std::size_t>(pattern.entries[k].first)].push_back(static_cast<int>(k));
  return entries;
}

/// Some rows of H by themselves, without the columns that none of them uses.
SparseValues part_of(const SparseValues& H, const std::vector<std::vector<int>>& entries,
                     const std::vector<int>& rows) {
  std::map<int, int> column_index;
  std::vector<double> values;
  SparseValues part;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const int k : entries[static_cast<std::size_t>(rows[i])]) {
      const int column = H.pattern.entries[static_cast<std::size_t>(k)].second;
      const int at = column_index.emplace(column, static_cast<int>(column_index.size())).first->second;
      part.pattern.entries.emplace_back(static_cast<int>(i), at);
      values.push_back(H.values[k]);
    }
  part.pattern.rows = static_cast<int>(rows.size());
  part.pattern.columns = static_cast<int>(column_index.size());
  part.values = Eigen::Map<Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
  return part;
}

Group decompose(const SparseValues& H, const std::vector<int>& rows) {
  Matrix A = Matrix::Zero(std::max(1, H.pattern.columns), H.pattern.rows);
  for (std::size_t k = 0; k < H.pattern.entries.size(); ++k) {
    const auto [row, column] = H.pattern.entries[k];
    A(column, row) = H.values[static_cast<Eigen::Index>(k)];
  }
  Group group;
  group.rows = rows;
  group.lengths = A.colwise().norm().transpose();
  for (double& length : group.lengths)
    if (length == 0) length = 1;
  A = A * group.lengths.cwiseInverse().asDiagonal();
  group.qr = PivotedQr(A);
  return group;
}

/// The largest `rank` pivots of all count; where the rank is not known, those that stand out.
void count_pivots(std::vector<Group>& groups, std::optional<int> rank) {
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
  const auto R = group.qr.R().topLeftCorner(r, group.size());
  const Matrix C = R.leftCols(r).template triangularView<Eigen::Upper>().solve(R.rightCols(group.size() - r));
  const auto& order = group.qr.order();
  for (int k = 0; k < group.size() - r; ++k) {
    const double largest = std::max(1.0, r > 0 ? C.col(k).lpNorm<Eigen::Infinity>() : 0.0);
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

SparseValues identity(int n) {
  SparseValues matrix{{n, n, {}}, Vector::Ones(n)};
  for (int i = 0; i < n; ++i) matrix.pattern.entries.emplace_back(i, i);
  return matrix;
}

/// A row h that others imply is none of the directions they leave free: x = h + Hᵀλ with H x = 0 is zero, and λ
/// holds the weights, zero for every row that is implied. False if there are too many such rows.
bool add_sparse_dependencies(const SparseValues& H, const std::vector<int>& rows, std::vector<Dependency>& list) {
  const int n = H.pattern.columns, m = H.pattern.rows;
  const auto kernel = make_sparse();
  kernel->start(n, m, pivot_tolerance);
  if (!kernel->determine_rank(identity(n), H)) return true;
  if (static_cast<double>(m - kernel->rank()) * (n + m) > most_numbers) return false;
  Vector unit = Vector::Zero(m), h = Vector::Zero(n), x = h, zero = unit, lambda = unit;
  for (int k = kernel->rank(); k < m; ++k) {
    const int row = kernel->order()[static_cast<std::size_t>(k)];
    unit[row] = 1;
    H.multiply_transposed(unit, h);
    kernel->accelerate(h, zero, x, lambda);
    unit[row] = 0;
    const double largest = std::max(1.0, lambda.lpNorm<Eigen::Infinity>());
    Dependency dependency;
    dependency.terms.emplace_back(rows[static_cast<std::size_t>(row)], 1);
    for (int i = 0; i < m; ++i)
      if (std::abs(lambda[i]) >= weight_tolerance * largest)
        dependency.terms.emplace_back(rows[static_cast<std::size_t>(i)], lambda[i]);
    list.push_back(std::move(dependency));
  }
  return true;
}

}  // namespace

Redundancy find_redundancy(const SparseValues& H, const std::vector<double>& softness, std::optional<int> rank) {
  Redundancy result;
  std::vector<bool> hard(static_cast<std::size_t>(H.pattern.rows), true);
  for (std::size_t i = 0; i < softness.size(); ++i) hard[i] = !(softness[i] > 0);
  const auto entries = entries_of_rows(H.pattern);
  std::vector<Group> groups;
  bool decided_apart = false;
  for (const std::vector<int>& rows : groups_of(H, hard)) {
    const SparseValues part = part_of(H, entries, rows);
    if (rows.size() <= many_rows) {
      groups.push_back(decompose(part, rows));
    } else if (add_sparse_dependencies(part, rows, result.dependencies)) {
      decided_apart = true;
    } else {
      return {{}, true};
    }
  }
  count_pivots(groups, decided_apart ? std::nullopt : rank);
  for (const Group& group : groups) add_dependencies(group, result.dependencies);
  return result;
}

}  // namespace taut
