#include "linear/householder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace taut {
namespace {

// Householder reflections are backward stable: Q R differs from A by about n·m·ε·‖A‖ (Higham, Accuracy and
// Stability, Th. 19.4). Sizes here stay below 12, entries below 1: 12·12·2.2e-16·12 < 4e-13.
constexpr double rounding = 4e-13;

Matrix random_matrix(int n, int m, unsigned seed) {
  std::mt19937 random(seed);
  Matrix A(n, m);
  for (Eigen::Index j = 0; j < m; ++j)
    for (Eigen::Index i = 0; i < n; ++i) A(i, j) = 2 * (static_cast<double>(random()) / 4294967296.0) - 1;
  return A;
}

std::vector<int> in_order(int m) {
  std::vector<int> order(m);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Q R, with the columns back in their places.
Matrix product(const Householder& qr, const std::vector<int>& order, int rank, int n, int m) {
  Matrix A(n, m);
  for (int j = 0; j < m; ++j) {
    Vector column = Vector::Zero(n);
    for (int i = 0; i <= std::min(j, rank - 1); ++i) column[i] = qr.matrix()(i, j);
    qr.apply(column);
    A.col(order[j]) = column;
  }
  return A;
}

TEST(Householder, GivesBackTheMatrixItFactoredWhateverItsShape) {
  for (const auto& [n, m] : {std::pair{6, 6}, std::pair{9, 4}, std::pair{4, 9}, std::pair{1, 3}, std::pair{5, 1}}) {
    const Matrix A = random_matrix(n, m, 7u + static_cast<unsigned>(10 * n + m));
    Householder qr;
    qr.resize(n, m);
    auto order = in_order(m);
    int rank = -1;
    qr.factor_revealing_rank(A, 1e-10, order, rank);
    EXPECT_EQ(rank, std::min(n, m));
    EXPECT_LE((product(qr, order, rank, n, m) - A).cwiseAbs().maxCoeff(), rounding) << n << " x " << m;
  }
}

TEST(Householder, TakesTheColumnWithTheLargestRemainderNext) {
  const int n = 8, m = 5;
  const Matrix A = random_matrix(n, m, 3);
  Householder qr;
  qr.resize(n, m);
  auto order = in_order(m);
  int rank = 0;
  qr.factor_revealing_rank(A, 1e-10, order, rank);
  // |R(k,k)| is the remainder of the column taken, the rest of row k and below of each later one was no larger.
  for (int k = 0; k < rank; ++k)
    for (int j = k + 1; j < m; ++j) {
      const int last = std::min(j, rank - 1);
      const double remainder = qr.matrix().col(j).segment(k, last - k + 1).norm();
      EXPECT_LE(remainder, std::abs(qr.pivot(k)) + rounding);
    }
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, in_order(m));
}

TEST(Householder, StopsWhereTheRemainderFallsBelowTheTolerance) {
  Matrix A = random_matrix(7, 5, 11);
  A.col(1) = 2 * A.col(3) - A.col(0);
  A.col(4) = A.col(2);
  Householder qr;
  qr.resize(7, 5);
  auto order = in_order(5);
  int rank = 0;
  qr.factor_revealing_rank(A, 1e-10, order, rank);
  EXPECT_EQ(rank, 3);
  EXPECT_LE((product(qr, order, rank, 7, 5) - A).cwiseAbs().maxCoeff(), rounding);
}

TEST(Householder, FindsNoPivotInZeros) {
  Householder qr;
  qr.resize(3, 2);
  auto order = in_order(2);
  int rank = -1;
  qr.factor_revealing_rank(Matrix::Zero(3, 2), 1e-10, order, rank);
  EXPECT_EQ(rank, 0);
  Vector x = Vector::LinSpaced(3, 1, 3);
  qr.apply(x);
  EXPECT_EQ(x, Vector(Vector::LinSpaced(3, 1, 3)));
}

TEST(Householder, RepeatsADecisionToTheLastBit) {
  const Matrix A = random_matrix(6, 4, 5);
  Householder decided, repeated;
  decided.resize(6, 4);
  repeated.resize(6, 4);
  auto order = in_order(4);
  int rank = 0;
  decided.factor_revealing_rank(A, 1e-10, order, rank);
  repeated.factor(A, order, rank, 4);
  EXPECT_EQ(decided.matrix(), repeated.matrix());
}

TEST(Householder, KeepsAGivenOrderWhereItWouldChooseAnother) {
  Matrix A = Matrix::Zero(3, 2);
  A.col(0) << 0.1, 0, 0;
  A.col(1) << 1, 1, 1;
  Householder qr;
  qr.resize(3, 2);
  auto order = in_order(2);
  int rank = 0;
  qr.factor_revealing_rank(A, 1e-10, order, rank);
  EXPECT_EQ(order, (std::vector<int>{1, 0}));
  qr.factor(A, {0, 1}, 2, 2);
  EXPECT_NEAR(std::abs(qr.pivot(0)), 0.1, rounding);
  EXPECT_NEAR(std::abs(qr.pivot(1)), std::sqrt(2.0), rounding);
}

TEST(Householder, TurnsVectorsWithoutStretchingThemAndBack) {
  const Matrix A = random_matrix(8, 5, 23);
  Householder qr;
  qr.resize(8, 5);
  auto order = in_order(5);
  int rank = 0;
  qr.factor_revealing_rank(A, 1e-10, order, rank);
  const Vector x = random_matrix(8, 1, 29).col(0);
  Vector y = x;
  qr.apply_transposed(y);
  EXPECT_NEAR(y.norm(), x.norm(), rounding);
  qr.apply(y);
  EXPECT_LE((y - x).cwiseAbs().maxCoeff(), rounding);
}

TEST(Householder, LeavesNothingOfAPivotColumnBelowItsPlace) {
  const Matrix A = random_matrix(6, 3, 31);
  Householder qr;
  qr.resize(6, 3);
  auto order = in_order(3);
  int rank = 0;
  qr.factor_revealing_rank(A, 1e-10, order, rank);
  for (int k = 0; k < 3; ++k) {
    Vector column = A.col(order[k]);
    qr.apply_transposed(column);
    EXPECT_LE(column.tail(5 - k).cwiseAbs().maxCoeff(), rounding);
    EXPECT_NEAR(column[k], qr.pivot(k), rounding);
  }
}

}  // namespace
}  // namespace taut
