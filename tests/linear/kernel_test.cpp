#include "linear/kernel.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "linear/list.hpp"
#include "sparse_values.hpp"

namespace taut {

void PrintTo(const KernelEntry& entry, std::ostream* out) { *out << entry.name; }

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double rank_tolerance = 1e-10;

using test::sparse;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()() { return 2 * (static_cast<double>(engine_()) / 4294967296.0) - 1; }
  Matrix matrix(int rows, int columns) {
    Matrix A(rows, columns);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) A(i, j) = (*this)();
    return A;
  }
  Vector vector(int n) { return matrix(n, 1).col(0); }

 private:
  std::mt19937 engine_;
};

struct Problem {
  Matrix M, H;
  Vector f, c;
  int rank = 0;

  int n() const { return static_cast<int>(M.rows()); }
  int m() const { return static_cast<int>(H.rows()); }
  Vector free() const { return M.llt().solve(f); }
  /// L⁻¹Hᵀ transposed, its rows made of length one.
  Matrix scaled_rows() const {
    Matrix C = M.llt().matrixL().solve(H.transpose()).transpose();
    C.rowwise().normalize();
    return C;
  }
  Vector row_sizes() const { return M.llt().matrixL().solve(H.transpose()).colwise().norm().transpose(); }
};

/// Independent rows first, then: one repeated, one repeated 1e6 times as large, one the sum of others.
Problem random_problem(int n, int independent, bool redundant, unsigned seed) {
  Random random(seed);
  Problem p;
  const Matrix A = random.matrix(n, n);
  p.M = A * A.transpose() + Matrix::Identity(n, n);
  p.H = Matrix::Zero(independent + (redundant ? 3 : 0), n);
  p.H.topRows(independent) = random.matrix(independent, n);
  if (redundant) {
    p.H.row(independent) = p.H.row(0);
    p.H.row(independent + 1) = 1e6 * p.H.row(independent - 1);
    p.H.row(independent + 2) = p.H.topRows(independent).colwise().sum();
  }
  p.f = random.vector(n);
  p.c = p.H * random.vector(n);  // consistent
  p.rank = independent;
  return p;
}

/// The answer by Eigen's complete orthogonal decomposition: x = a + L⁻ᵀ(D C)⁺D(c − H a), D making rows of length one.
Vector reference(const Problem& p) {
  const Vector a = p.free();
  if (p.m() == 0) return a;
  const Vector residual = (p.c - p.H * a).cwiseQuotient(p.row_sizes());
  Eigen::CompleteOrthogonalDecomposition<Matrix> cod;
  cod.setThreshold(1e-9);
  cod.compute(p.scaled_rows());
  Vector y = cod.solve(residual);
  p.M.llt().matrixU().solveInPlace(y);
  return a + y;
}

double condition_of_rows(const Problem& p) {
  if (p.m() == 0) return 1;
  const Eigen::JacobiSVD<Matrix> svd(p.scaled_rows());
  return svd.singularValues()[0] / svd.singularValues()[p.rank - 1];
}

/// Backward stable solves of size n leave relative errors of n·ε times the condition of what is solved: κ(M) for the
/// mass matrix, κ(C)² for the rows (the Cholesky kernel solves with C Cᵀ; for the others it is an upper bound). Ten
/// such operations follow one another.
double tolerance(const Problem& p) {
  const Eigen::JacobiSVD<Matrix> svd(p.M);
  const double mass = svd.singularValues()[0] / svd.singularValues()[p.n() - 1];
  const double rows = condition_of_rows(p);
  const double size = 1 + reference(p).cwiseAbs().maxCoeff() + p.free().cwiseAbs().maxCoeff();
  return 10 * (p.n() + p.m()) * epsilon * mass * rows * rows * size;
}

struct Answer {
  Vector x, lambda;
};

Answer accelerate(LinearKernel& kernel, const Problem& p) {
  Answer answer{Vector::Zero(p.n()), Vector::Zero(p.m())};
  kernel.accelerate(p.f, p.c, answer.x, answer.lambda);
  return answer;
}

std::unique_ptr<LinearKernel> decided(const KernelEntry& entry, const Problem& p) {
  auto kernel = entry.make();
  kernel->start(p.n(), p.m(), rank_tolerance);
  EXPECT_TRUE(kernel->determine_rank(sparse(p.M), sparse(p.H))) << entry.name;
  return kernel;
}

std::vector<Problem> problems() {
  std::vector<Problem> list;
  unsigned seed = 1;
  for (const int n : {3, 6, 11})
    for (const int independent : {2, n / 2 + 1, n})
      for (const bool redundant : {false, true}) list.push_back(random_problem(n, independent, redundant, ++seed));
  return list;
}

class EveryKernel : public testing::TestWithParam<KernelEntry> {};

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernel, testing::ValuesIn(kernels()),
                         [](const auto& info) { return info.param.name; });

TEST_P(EveryKernel, MeetsTheConstraints) {
  for (const Problem& p : problems()) {
    const auto kernel = decided(GetParam(), p);
    const Vector miss = (p.H * accelerate(*kernel, p).x - p.c).cwiseQuotient(p.row_sizes());
    // A row of length one in the metric of M⁻¹ is at most √‖M‖ long: errors of x grow by no more.
    EXPECT_LE(miss.cwiseAbs().maxCoeff(), tolerance(p) * std::sqrt(p.M.norm())) << p.n() << " x " << p.m();
  }
}

TEST_P(EveryKernel, BalancesForcesWithMultipliers) {
  for (const Problem& p : problems()) {
    const auto kernel = decided(GetParam(), p);
    const Answer answer = accelerate(*kernel, p);
    const Vector miss = p.M * answer.x - p.f - p.H.transpose() * answer.lambda;
    EXPECT_LE(miss.cwiseAbs().maxCoeff(), tolerance(p) * p.M.norm()) << p.n() << " x " << p.m();
  }
}

TEST_P(EveryKernel, AgreesWithADenseReference) {
  for (const Problem& p : problems()) {
    const auto kernel = decided(GetParam(), p);
    EXPECT_LE((accelerate(*kernel, p).x - reference(p)).cwiseAbs().maxCoeff(), tolerance(p)) << p.n() << " x " << p.m();
  }
}

TEST_P(EveryKernel, StaysNearestToTheFreeMotionAmongAllMotionsAllowed) {
  Random random(99);
  for (const Problem& p : problems()) {
    if (p.rank == p.n()) continue;
    const auto kernel = decided(GetParam(), p);
    const Vector x = accelerate(*kernel, p).x, a = p.free();
    const auto cost = [&](const Vector& at) { return (at - a).dot(p.M * (at - a)); };
    Matrix rows = p.H;
    rows.rowwise().normalize();
    Eigen::FullPivLU<Matrix> lu(rows);
    lu.setThreshold(1e-9);
    const Matrix allowed = lu.kernel();
    for (int k = 0; k < 10; ++k) {
      const Vector d = (allowed * random.vector(static_cast<int>(allowed.cols()))).normalized();
      // The cost has no slope at its minimum: a step of 1e-3 raises it by 1e-6 dᵀM d ≥ 1e-6, far above rounding.
      EXPECT_GT(cost(x + 1e-3 * d), cost(x));
      EXPECT_GT(cost(x - 1e-3 * d), cost(x));
      EXPECT_LE(std::abs(d.dot(p.M * (x - a))), tolerance(p) * p.M.norm() * d.norm() * p.n());
    }
  }
}

TEST_P(EveryKernel, FindsTheRankExactlyAndCountsDependentRows) {
  for (const Problem& p : problems()) {
    const auto kernel = decided(GetParam(), p);
    EXPECT_EQ(kernel->rank(), p.rank) << p.n() << " x " << p.m();
    EXPECT_EQ(kernel->rows(), p.m());
    // The rows said to count must span what all rows span; each row is listed once.
    const auto& order = kernel->order();
    EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), static_cast<std::size_t>(p.m()));
    Matrix counted(p.rank, p.n());
    for (int k = 0; k < p.rank; ++k) counted.row(k) = p.scaled_rows().row(order[k]);
    Eigen::FullPivLU<Matrix> lu(counted);
    lu.setThreshold(1e-9);
    EXPECT_EQ(lu.rank(), p.rank);
  }
}

TEST_P(EveryKernel, FindsTheRankExactlyAmongManyRows) {
  for (unsigned seed = 100; seed < 110; ++seed) {
    Problem p = random_problem(40, 20, false, seed);
    Random random(seed);
    Matrix all(50, 40);
    all.topRows(20) = p.H;
    for (int i = 20; i < 50; ++i) all.row(i) = random.vector(20).transpose() * p.H;
    p.H = all;
    p.c = p.H * random.vector(40);
    const auto kernel = decided(GetParam(), p);
    EXPECT_EQ(kernel->rank(), 20);
    EXPECT_LE((accelerate(*kernel, p).x - reference(p)).cwiseAbs().maxCoeff(), tolerance(p));
  }
}

TEST_P(EveryKernel, GivesTheFreeMotionWithoutConstraints) {
  Problem p = random_problem(5, 2, false, 17);
  p.H = Matrix::Zero(0, 5);
  p.c = Vector::Zero(0);
  p.rank = 0;
  const auto kernel = decided(GetParam(), p);
  EXPECT_LE((accelerate(*kernel, p).x - p.free()).cwiseAbs().maxCoeff(), tolerance(p));
  EXPECT_EQ(kernel->rank(), 0);
  EXPECT_EQ(kernel->smallest_pivot(), 1);
  Vector x = Vector::Ones(5);
  kernel->correct(Vector::Zero(0), x);
  EXPECT_EQ(x, Vector(Vector::Zero(5)));
}

TEST_P(EveryKernel, CorrectsByTheSmallestChangeInTheMassMetric) {
  for (Problem p : problems()) {
    p.f.setZero();  // with no forces the acceleration is P(c) itself
    const auto kernel = decided(GetParam(), p);
    Vector longer(p.m() + 2), x = Vector::Zero(p.n());
    longer << p.c, 7, 8;  // entries beyond the rows mean nothing
    kernel->correct(longer, x);
    EXPECT_LE((x - reference(p)).cwiseAbs().maxCoeff(), tolerance(p));
  }
}

TEST_P(EveryKernel, DoesNotCareInWhichOrderRowsStand) {
  for (const Problem& p : problems()) {
    Problem turned = p;
    turned.H = p.H.colwise().reverse();
    turned.c = p.c.reverse();
    const Vector x = accelerate(*decided(GetParam(), p), p).x;
    EXPECT_LE((accelerate(*decided(GetParam(), turned), turned).x - x).cwiseAbs().maxCoeff(), 2 * tolerance(p));
  }
}

TEST_P(EveryKernel, DoesNotCareHowLargeRowsAreWritten) {
  for (const Problem& p : problems()) {
    Problem scaled = p;
    for (int i = 0; i < p.m(); ++i) {
      const double factor = i % 3 == 0 ? 1e6 : i % 3 == 1 ? 1e-6 : 1;
      scaled.H.row(i) *= factor;
      scaled.c[i] *= factor;
    }
    const auto kernel = decided(GetParam(), scaled);
    EXPECT_EQ(kernel->rank(), p.rank);
    const Vector x = accelerate(*decided(GetParam(), p), p).x;
    EXPECT_LE((accelerate(*kernel, scaled).x - x).cwiseAbs().maxCoeff(), 2 * tolerance(p));
  }
}

TEST_P(EveryKernel, KeepsALowerRankWhereAFreshDecisionWouldRaiseIt) {
  Problem here = random_problem(6, 2, false, 41);
  here.H.conservativeResize(3, 6);
  here.H.row(2) = here.H.row(0) + here.H.row(1);
  here.c = here.H * Random(42).vector(6);
  Problem near = here;
  near.H(2, 5) += 1e-3;
  const auto kernel = decided(GetParam(), here);
  const auto order = kernel->order();
  ASSERT_EQ(kernel->rank(), 2);
  ASSERT_TRUE(kernel->factor(sparse(near.M), sparse(near.H)));
  EXPECT_EQ(kernel->rank(), 2);
  EXPECT_EQ(kernel->order(), order);
  // The matrices differ by 1e-3, and so may the answers, times the condition of the rows; a third row that counted
  // would change the answer by as much as it contradicts the others, which is of order one.
  const Vector before = reference(here), after = accelerate(*kernel, near).x;
  EXPECT_LE((after - before).cwiseAbs().maxCoeff(), 1e-3 * 10 * condition_of_rows(here) * (1 + before.norm()));
  EXPECT_EQ(decided(GetParam(), near)->rank(), 3);
}

TEST_P(EveryKernel, KeepsAHigherRankWhereAFreshDecisionWouldLowerIt) {
  Problem near = random_problem(6, 2, false, 43);
  near.H.conservativeResize(3, 6);
  near.H.row(2) = near.H.row(0) + near.H.row(1);
  near.c = near.H * Random(44).vector(6);
  Problem here = near;
  here.H(2, 5) += 1e-3;
  const auto kernel = decided(GetParam(), here);
  const auto order = kernel->order();
  ASSERT_EQ(kernel->rank(), 3);
  ASSERT_TRUE(kernel->factor(sparse(near.M), sparse(near.H)));
  EXPECT_EQ(kernel->rank(), 3);
  EXPECT_EQ(kernel->order(), order);
  // The pivot that is left over is a rounding error; of Cholesky's squares, the root of one.
  EXPECT_LE(kernel->smallest_pivot(), std::sqrt(100 * epsilon));
  EXPECT_EQ(decided(GetParam(), near)->rank(), 2);
}

TEST_P(EveryKernel, TakesADecisionFromAnotherKernel) {
  const Problem p = random_problem(7, 4, true, 45);
  const auto first = decided(GetParam(), p);
  const auto second = GetParam().make();
  second->start(p.n(), p.m(), rank_tolerance);
  second->follow(*first);
  ASSERT_TRUE(second->factor(sparse(p.M), sparse(p.H)));
  EXPECT_EQ(second->rank(), first->rank());
  EXPECT_EQ(second->order(), first->order());
  // `small` decides by one factorisation and repeats by another; all others do the same operations again.
  const double apart = (accelerate(*second, p).x - accelerate(*first, p).x).cwiseAbs().maxCoeff();
  EXPECT_LE(apart, GetParam().name == "small" ? tolerance(p) : 0);
}

TEST_P(EveryKernel, ResolvesContradictionsAsItSays) {
  Problem p = random_problem(6, 3, true, 47);
  p.c[3] += 1;  // row 3 repeats row 0, and now asks for something else
  const auto kernel = decided(GetParam(), p);
  const Vector x = accelerate(*kernel, p).x;
  const std::string& name = GetParam().name;
  if (name == "cod" || name == "small" || name == "formulas" || name == "svd" || name == "mixed") {
    EXPECT_LE((x - reference(p)).cwiseAbs().maxCoeff(), tolerance(p));
    return;
  }
  for (int k = 0; k < kernel->rank(); ++k) {
    const int i = kernel->order()[k];
    EXPECT_LE(std::abs(p.H.row(i).dot(x) - p.c[i]) / p.row_sizes()[i], tolerance(p) * std::sqrt(p.M.norm()));
  }
}

TEST_P(EveryKernel, LetsConstraintsCompleteASingularMassMatrix) {
  // The third coordinate carries no mass and is tied to the second: 0 = 5 − λ, 2 x₂ = 4 + λ, x₂ − x₃ = 0.7.
  Problem p;
  p.M = Vector{{1, 2, 0}}.asDiagonal();
  p.H = Matrix{{0, 1, -1}};
  p.f = Vector{{3, 4, 5}};
  p.c = Vector{{0.7}};
  const auto kernel = decided(GetParam(), p);
  EXPECT_TRUE(kernel->mass_completed());
  const Answer answer = accelerate(*kernel, p);
  // Three unknowns of condition about 10: 3·10·ε times the size 5, with room for ten operations.
  const double rounding = 10 * 3 * 10 * 5 * epsilon;
  EXPECT_NEAR(answer.x[0], 3, rounding);
  EXPECT_NEAR(answer.x[1], 4.5, rounding);
  EXPECT_NEAR(answer.x[2], 3.8, rounding);
  EXPECT_NEAR(answer.lambda[0], 5, rounding);
}

TEST_P(EveryKernel, CompletesASingularMassMatrixHoweverLargeARowIsWritten) {
  // As above, with a second row x₁ = 2 written a million times as large.
  Problem p;
  p.M = Vector{{1, 2, 0}}.asDiagonal();
  p.H = Matrix{{0, 1, -1}, {1e6, 0, 0}};
  p.f = Vector{{3, 4, 5}};
  p.c = Vector{{0.7, 2e6}};
  const auto kernel = decided(GetParam(), p);
  const Answer answer = accelerate(*kernel, p);
  // As above; how a row is written must not show in the answer.
  const double rounding = 10 * 3 * 10 * 5 * epsilon;
  EXPECT_NEAR(answer.x[0], 2, rounding);
  EXPECT_NEAR(answer.x[1], 4.5, rounding);
  EXPECT_NEAR(answer.x[2], 3.8, rounding);
  EXPECT_NEAR(answer.lambda[0], 5, rounding);
}

TEST_P(EveryKernel, RefusesADirectionThatNothingResistsAndNamesIt) {
  const Matrix M = Vector{{1, 2, 0}}.asDiagonal();
  const Matrix H{{1, -1, 0}};
  const auto kernel = GetParam().make();
  kernel->start(3, 1, rank_tolerance);
  EXPECT_FALSE(kernel->determine_rank(sparse(M), sparse(H)));
  // The direction is an eigenvector for the eigenvalue zero, separated from the others by about one.
  const Vector direction = kernel->missing_direction();
  EXPECT_NEAR(std::abs(direction[2]), 1, 100 * epsilon);
  const auto alone = GetParam().make();
  alone->start(3, 0, rank_tolerance);
  EXPECT_FALSE(alone->determine_rank(sparse(M), sparse(Matrix::Zero(0, 3))));
  EXPECT_NEAR(std::abs(alone->missing_direction()[2]), 1, 100 * epsilon);
}

TEST_P(EveryKernel, RefusesNumbersThatAreNotFinite) {
  const Problem p = random_problem(4, 2, false, 53);
  const auto kernel = decided(GetParam(), p);
  Matrix bad = p.H;
  bad(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(kernel->factor(sparse(p.M), sparse(bad)));
  bad = p.M;
  bad(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(kernel->determine_rank(sparse(bad), sparse(p.H)));
  EXPECT_TRUE(kernel->factor(sparse(p.M), sparse(p.H)));
}

TEST_P(EveryKernel, SeesARowVanishForAMoment) {
  const Problem p = random_problem(5, 3, false, 59);
  const auto kernel = decided(GetParam(), p);
  const double before = kernel->smallest_pivot();
  EXPECT_GT(before, 0.01);
  Matrix H = p.H;
  H.row(1) *= 1e-6;
  ASSERT_TRUE(kernel->factor(sparse(p.M), sparse(H)));
  // Sizes are measured against the largest that a row has had, so its remainder is now at most 1e-6, and not less
  // than 1e-6 times what the others leave of it. The smallest singular value lies within √m of the smallest pivot.
  EXPECT_LE(kernel->smallest_pivot(), 1e-6 * (1 + 1e-6));
  EXPECT_GE(kernel->smallest_pivot(), 1e-6 * before / 3);
  EXPECT_EQ(kernel->rank(), 3);
  H.row(1) *= 1e-6;  // 1e-12 is below the rank tolerance
  ASSERT_TRUE(kernel->determine_rank(sparse(p.M), sparse(H)));
  EXPECT_EQ(kernel->rank(), 2);
  EXPECT_EQ(kernel->order().back(), 1);
  ASSERT_TRUE(kernel->determine_rank(sparse(p.M), sparse(p.H)));
  EXPECT_EQ(kernel->rank(), 3);
}

TEST_P(EveryKernel, IgnoresRowsBeyondThoseItWasStartedWith) {
  const Problem p = random_problem(6, 4, false, 61);
  Problem first = p;
  first.H = p.H.topRows(2);
  first.c = p.c.head(2);
  first.rank = 2;
  const auto kernel = GetParam().make();
  kernel->start(6, 2, rank_tolerance);
  ASSERT_TRUE(kernel->determine_rank(sparse(p.M), sparse(p.H)));
  Vector x = Vector::Zero(6), lambda = Vector::Zero(4);
  kernel->accelerate(p.f, p.c, x, lambda);
  EXPECT_LE((x - reference(first)).cwiseAbs().maxCoeff(), tolerance(first));
}

TEST_P(EveryKernel, SpreadsMultipliersEvenlyOverEqualRowsIfItSaysSo) {
  Problem p = random_problem(5, 1, false, 67);
  p.H.conservativeResize(2, 5);
  p.H.row(1) = p.H.row(0);
  p.c = Vector{{0.3, 0.3}};
  const auto kernel = decided(GetParam(), p);
  const Answer answer = accelerate(*kernel, p);
  if (kernel->gives_smallest_multipliers()) {
    EXPECT_NEAR(answer.lambda[0], answer.lambda[1], tolerance(p) * p.M.norm());
  } else {
    EXPECT_EQ(answer.lambda[kernel->order()[1]], 0);
  }
}

}  // namespace
}  // namespace taut
