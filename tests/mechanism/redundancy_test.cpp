#include "simulation/redundancy.hpp"
#include "sparse_values.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

/// Dependencies among the rows of H: a basis of { w : Hᵀ w = 0 }.
namespace taut {
namespace {

SparseValues sparse(const Matrix& dense) { return test::sparse(dense, test::Pattern::nonzero); }

Vector weights(const Dependency& dependency, Eigen::Index rows) {
  Vector w = Vector::Zero(rows);
  for (const auto& [row, weight] : dependency.terms) w[row] = weight;
  return w;
}

/// Two groups of rows that share no column, of rank 3 and 2, their rows of very different size.
Matrix two_groups() {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Matrix H = Matrix::Zero(9, 12);
  const auto fill = [&](int row, int rows, int column, int columns, int rank) {
    const auto some = [&](int r, int c) { return Matrix(Matrix::NullaryExpr(r, c, [&] { return normal(random); })); };
    H.block(row, column, rows, columns) = some(rows, rank) * some(rank, columns);
  };
  fill(0, 5, 0, 7, 3);
  fill(5, 4, 7, 5, 2);
  for (int i = 0; i < 9; ++i) H.row(i) *= std::pow(10.0, i - 4);
  return H;
}

TEST(Redundancy, FindsABasisOfTheDependencies) {
  const Matrix H = two_groups();
  for (const std::optional<int> rank : {std::optional<int>(), std::optional<int>(5)}) {
    const Redundancy found = find_redundancy(sparse(H), {}, rank);
    ASSERT_EQ(found.dependencies.size(), 4U);
    Matrix W(9, 4);
    for (Eigen::Index k = 0; k < 4; ++k) {
      W.col(k) = weights(found.dependencies[static_cast<std::size_t>(k)], 9);
      // Each product is a sum of rows of unit length times weights of order one: rounding of some 1e-14.
      EXPECT_LT((H.transpose() * W.col(k)).norm(), 1e-12);
      EXPECT_LE(found.dependencies[static_cast<std::size_t>(k)].terms.size(), 4U) << "no more than rank + 1 rows";
    }
    for (Eigen::Index i = 0; i < 9; ++i) W.row(i) *= H.row(i).norm();
    EXPECT_EQ(Eigen::FullPivLU<Matrix>(W).rank(), 4);
  }
}

TEST(Redundancy, IsNoneWhereRowsAreIndependent) {
  EXPECT_TRUE(find_redundancy(sparse(Matrix::Identity(3, 5)), {}, std::nullopt).dependencies.empty());
}

TEST(Redundancy, LeavesSoftRowsOut) {
  Matrix H(3, 2);
  H << 1, 0, 1, 0, 0, 1;
  EXPECT_EQ(find_redundancy(sparse(H), {}, std::nullopt).dependencies.size(), 1U);
  EXPECT_TRUE(find_redundancy(sparse(H), {0, 1e-4, 0}, std::nullopt).dependencies.empty());
}

TEST(Redundancy, FindsARowThatSaysNothing) {
  Matrix H(2, 2);
  H << 1, 1, 0, 0;
  SparseValues values = sparse(H);
  const Redundancy found = find_redundancy(values, {}, std::nullopt);
  ASSERT_EQ(found.dependencies.size(), 1U);
  ASSERT_EQ(found.dependencies[0].terms.size(), 1U);
  EXPECT_EQ(found.dependencies[0].terms[0].first, 1);
}

/// A chain of so many rows, each over two neighbouring columns, without values.
SparseValues chain(int rows) {
  SparseValues H;
  H.pattern = {rows, rows + 1, {}};
  for (int i = 0; i < rows; ++i) H.pattern.entries.insert(H.pattern.entries.end(), {{i, i}, {i, i + 1}});
  H.values = Vector::Ones(2 * rows);
  return H;
}

TEST(Redundancy, IsFoundAmongThousandsOfRows) {
  constexpr int rows = 3000;
  SparseValues H = chain(rows);
  for (Eigen::Index k = 0; k < H.values.size(); ++k) H.values[k] = k % 2 == 0 ? 1 : -1.5;
  const auto add_row = [&](std::initializer_list<std::pair<int, double>> terms) {
    for (const auto& [column, value] : terms) {
      H.pattern.entries.emplace_back(H.pattern.rows, column);
      H.values.conservativeResize(H.values.size() + 1);
      H.values[H.values.size() - 1] = value;
    }
    ++H.pattern.rows;
  };
  add_row({{100, 2}, {101, -3}});                  // twice row 100
  add_row({{2000, 1}, {2001, 0}, {2002, -2.25}});  // row 2000 and 1.5 times row 2001
  const Redundancy found = find_redundancy(H, {}, std::nullopt);
  ASSERT_EQ(found.dependencies.size(), 2U);
  Vector sum = Vector::Zero(rows + 1);
  for (const Dependency& dependency : found.dependencies) {
    H.multiply_transposed(weights(dependency, H.pattern.rows), sum);
    // Weights of order one times entries of order one; left out are weights below 1e-8 of the largest.
    EXPECT_LT(sum.cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_LE(dependency.terms.size(), 3U);
    EXPECT_GE(dependency.terms.size(), 2U);
  }
}

TEST(Redundancy, SaysWhereItIsTooLargeToTell) {
  constexpr int rows = 20000;
  SparseValues H = chain(rows);
  for (int i = 0; i < rows; ++i) H.pattern.entries.insert(H.pattern.entries.end(), {{rows + i, i}, {rows + i, i + 1}});
  H.pattern.rows = 2 * rows;
  H.values = Vector::Ones(4 * rows);
  EXPECT_TRUE(find_redundancy(H, {}, std::nullopt).too_large);
  // As many rows that have nothing to do with one another are no matter.
  H.pattern = {rows, rows, {}};
  for (int i = 0; i < rows; ++i) H.pattern.entries.emplace_back(i, i);
  H.values = Vector::Ones(rows);
  EXPECT_FALSE(find_redundancy(H, {}, std::nullopt).too_large);
}

}  // namespace
}  // namespace taut
