#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include <limits>
#include <random>

#include "linear/list.hpp"
#include "sparse_values.hpp"

namespace taut {
namespace {

using test::sparse;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int n = 10, m = 4;

/// Four rows, the last of which is the sum of the others and s times a direction of its own, orthogonal to them: in
/// the metric of the unit mass matrix s is what the others leave of it.
struct Rows {
  Matrix M = Matrix::Identity(n, n), H = Matrix::Zero(m, n);
  Vector f, c;
  explicit Rows(double s) {
    std::mt19937 random(5);
    const auto number = [&] { return 2 * (static_cast<double>(random()) / 4294967296.0) - 1; };
    for (int i = 0; i < 3; ++i) H.block(i, 3 * i, 1, 3) << number(), number(), number();
    H.row(3) = H.row(0) + H.row(1) + H.row(2);
    H(3, 9) = s;
    f = Vector::NullaryExpr(n, number);
    c = H * Vector::NullaryExpr(n, number);
  }
  SparseValues mass() const { return sparse(M, test::Pattern::nonzero); }
  /// The entry of size s is there even where it is zero.
  SparseValues rows() const { return sparse(H, test::Pattern::full); }
};

TEST(Mixed, SolvesAsCodDoesHoweverNearlyRowsDependOnEachOther) {
  for (const double s : {1.0, 1e-2, 2e-4, 5e-5, 1e-6, 1e-9, 1e-12}) {
    const Rows given(s);
    const auto mixed = make_mixed(), cod = make_cod();
    Vector x[2] = {Vector::Zero(n), Vector::Zero(n)}, lambda[2] = {Vector::Zero(m), Vector::Zero(m)};
    for (const auto& [kernel, k] : {std::pair{mixed.get(), 0}, std::pair{cod.get(), 1}}) {
      kernel->start(n, m, 1e-10);
      ASSERT_TRUE(kernel->determine_rank(given.mass(), given.rows()));
      kernel->accelerate(given.f, given.c, x[k], lambda[k]);
    }
    EXPECT_EQ(mixed->rank(), s > 1e-10 ? m : m - 1);
    EXPECT_EQ(mixed->rank(), cod->rank()) << s;
    // Rows of condition 1/s: x is known to ε/s times a few operations for each of n + m unknowns; without the fourth
    // row, to ε.
    const double known = 100 * (n + m) * epsilon / (s > 1e-10 ? s : 1);
    EXPECT_LE((x[0] - x[1]).cwiseAbs().maxCoeff(), known * (1 + x[1].cwiseAbs().maxCoeff())) << s;
    // λ = (C Cᵀ)⁻¹ …: once more 1/s.
    EXPECT_LE((lambda[0] - lambda[1]).cwiseAbs().maxCoeff(), known * (1 + lambda[1].cwiseAbs().maxCoeff()) / s) << s;
  }
}

TEST(Mixed, WatchesAPivotThatDoesNotJumpWhereAnotherKernelTakesOver) {
  const auto kernel = make_mixed();
  kernel->start(n, m, 1e-10);
  const Rows first(1);
  ASSERT_TRUE(kernel->determine_rank(first.mass(), first.rows()));
  const double size = std::sqrt(first.H.row(3).squaredNorm());
  for (double s = 1e-2; s > 1e-5; s *= 0.9) {
    const Rows given(s);
    ASSERT_TRUE(kernel->factor(given.mass(), given.rows()));
    // A square of at least 1e-10 among terms of order one: known to a few ε/1e-10.
    EXPECT_NEAR(kernel->smallest_pivot() * size / s, 1, 1e-4) << s;
    ASSERT_TRUE(kernel->determine_rank(given.mass(), given.rows()));
    EXPECT_NEAR(kernel->smallest_pivot() * size / s, 1, 1e-4) << s;
  }
}

TEST(Mixed, ComesBackToFullRankAfterARowWasImplied) {
  const auto kernel = make_mixed();
  kernel->start(n, m, 1e-10);
  for (const double s : {1.0, 0.0, 1.0}) {
    const Rows given(s);
    ASSERT_TRUE(kernel->determine_rank(given.mass(), given.rows()));
    EXPECT_EQ(kernel->rank(), s > 0 ? m : m - 1);
    Vector x = Vector::Zero(n), lambda = Vector::Zero(m);
    kernel->accelerate(given.f, given.c, x, lambda);
    EXPECT_LE((given.H * x - given.c).cwiseAbs().maxCoeff(), 100 * (n + m) * epsilon);
    EXPECT_LE((x - given.f - given.H.transpose() * lambda).cwiseAbs().maxCoeff(), 100 * (n + m) * epsilon);
  }
}

/// Between decisions rows are left out; the answer is that of cod all the same, whether they agree with the others or
/// not.
TEST(Mixed, AnswersAsCodDoesBetweenDecisionsWhereARowIsImplied) {
  for (const double asked_otherwise : {0.0, 1e-3}) {
    Rows given(0);
    const auto mixed = make_mixed(), cod = make_cod();
    Vector x[2] = {Vector::Zero(n), Vector::Zero(n)}, lambda[2] = {Vector::Zero(m), Vector::Zero(m)};
    for (const auto& [kernel, k] : {std::pair{mixed.get(), 0}, std::pair{cod.get(), 1}}) {
      given = Rows(0);
      kernel->start(n, m, 1e-10);
      ASSERT_TRUE(kernel->determine_rank(given.mass(), given.rows()));
      ASSERT_EQ(kernel->rank(), m - 1);
      given.H.row(1) *= 0.7;  // the last row is still implied, now with other coefficients
      given.H(2, 7) += 0.2;
      given.H(3, 7) += 0.2;
      given.c[1] *= 0.3;
      given.c[3] = given.c[0] + given.c[1] / 0.7 + given.c[2] + asked_otherwise;
      ASSERT_TRUE(kernel->factor(given.mass(), given.rows()));
      kernel->accelerate(given.f, given.c, x[k], lambda[k]);
    }
    // Condition of the rows: less than ten.
    const double known = 1000 * (n + m) * epsilon;
    EXPECT_LE((x[0] - x[1]).cwiseAbs().maxCoeff(), known * (1 + x[1].cwiseAbs().maxCoeff()));
    EXPECT_LE((lambda[0] - lambda[1]).cwiseAbs().maxCoeff(), known * (1 + lambda[1].cwiseAbs().maxCoeff()));
    EXPECT_GT(std::abs(lambda[0][3]), 1e-3);
  }
}

TEST(MakeKernel, ChoosesBySize) {
  std::string chosen;
  make_kernel("auto", chosen, some_speeds - 1);
  EXPECT_EQ(chosen, "cod");
  make_kernel("auto", chosen, some_speeds);
  EXPECT_EQ(chosen, "mixed");
  make_kernel("auto", chosen, many_speeds);
  EXPECT_EQ(chosen, "sparse");
  make_kernel("qr", chosen, many_speeds);
  EXPECT_EQ(chosen, "qr");
}

}  // namespace
}  // namespace taut
