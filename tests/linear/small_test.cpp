#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <random>

#include "linear/list.hpp"
#include "linear/mass_factor.hpp"
#include "sparse_values.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double rank_tolerance = 1e-10;

Matrix random_matrix(int rows, int columns, unsigned seed) {
  std::mt19937 random(seed);
  Matrix A(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) A(i, j) = 2 * (static_cast<double>(random()) / 4294967296.0) - 1;
  return A;
}

SparseValues sparse(const Matrix& A) { return test::sparse(A, test::Pattern::nonzero); }

/// A chain: each unknown is coupled to its neighbours, and all to the first. Eigenvalues lie between 2 and 6 + √n
/// (Gershgorin for the chain, the norm of the arrow's row for the rest).
Matrix arrow(int n) {
  Matrix M = 4 * Matrix::Identity(n, n);
  for (int i = 1; i < n; ++i) {
    M(i, i - 1) = M(i - 1, i) = 1;
    M(i, 0) = M(0, i) = 1 / std::sqrt(n);
  }
  return M;
}

/// In the factor's own order and back.
Vector divide(const MassFactor& mass, const Vector& x) {
  Vector y(x.size()), out(x.size());
  for (int i = 0; i < x.size(); ++i) y[mass.place(i)] = x[i];
  mass.lower(y.data());
  mass.upper(y.data());
  for (int i = 0; i < x.size(); ++i) out[i] = y[mass.place(i)];
  return out;
}

// Cholesky's factor of a matrix of condition below 10 solves to about 10·n·ε (Higham, Th. 10.4).
TEST(MassFactor, DividesAsEigenDoesWhateverThePattern) {
  for (const int n : {1, 2, 5, 12, 40}) {
    const Matrix full = random_matrix(n, n, 3u + static_cast<unsigned>(n));
    for (const Matrix& M :
         {Matrix(Matrix::Identity(n, n) * 3), arrow(n), Matrix(full * full.transpose() / n + Matrix::Identity(n, n))}) {
      MassFactor mass;
      mass.resize(n);
      ASSERT_TRUE(mass.factor(sparse(M)));
      const Vector x = random_matrix(n, 1, 5).col(0);
      EXPECT_LE((divide(mass, x) - M.llt().solve(x)).cwiseAbs().maxCoeff(), 100 * n * epsilon) << n;
    }
  }
}

TEST(MassFactor, FollowsNewValuesAndNewPatterns) {
  MassFactor mass;
  mass.resize(6);
  const Vector x = random_matrix(6, 1, 7).col(0);
  Matrix M = arrow(6);
  for (const Matrix& next : {M, Matrix(2 * M), M, Matrix(Matrix::Identity(6, 6)), M}) {
    ASSERT_TRUE(mass.factor(sparse(next)));
    EXPECT_LE((divide(mass, x) - next.llt().solve(x)).cwiseAbs().maxCoeff(), 600 * epsilon);
  }
}

TEST(MassFactor, RefusesWhatIsNotSafelyPositiveAndRecovers) {
  MassFactor mass;
  mass.resize(3);
  Matrix M = Matrix::Identity(3, 3);
  for (const double bad :
       {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    Matrix other = M;
    other(1, 1) = bad;
    SparseValues values = sparse(M);
    values.values[1] = bad;
    EXPECT_FALSE(mass.factor(values)) << bad;
    EXPECT_FALSE(mass.factor(values)) << "again, " << bad;
    EXPECT_TRUE(mass.factor(sparse(M)));
  }
  Matrix tied = M;  // a pivot of rounding
  tied(0, 1) = tied(1, 0) = 1 - 1e-15;
  EXPECT_FALSE(mass.factor(sparse(tied)));
}

struct Answer {
  Vector x, lambda, correction;
};

Answer answer(LinearKernel& kernel, const Vector& f, const Vector& c) {
  Answer out{Vector::Zero(f.size()), Vector::Zero(c.size()), Vector::Zero(f.size())};
  kernel.accelerate(f, c, out.x, out.lambda);
  kernel.correct(c, out.correction);
  return out;
}

double apart(const Answer& a, const Answer& b) {
  return std::max({(a.x - b.x).cwiseAbs().maxCoeff(), (a.lambda - b.lambda).cwiseAbs().maxCoeff(),
                   (a.correction - b.correction).cwiseAbs().maxCoeff()});
}

/// Of L⁻¹Hᵀ, its columns made of length one.
double smallest_singular_value(const Matrix& M, const Matrix& H) {
  Matrix Ct = M.llt().matrixL().solve(H.transpose());
  Ct.colwise().normalize();
  return Eigen::JacobiSVD<Matrix>(Ct).singularValues().minCoeff();
}

/// What `cod` and `small` have to agree on: rank, and answers to `tolerance` of their size.
void expect_agreement(const Matrix& M, const Matrix& H, double tolerance) {
  const int n = static_cast<int>(M.rows()), m = static_cast<int>(H.rows());
  const auto small = make_small(), cod = make_cod();
  const Vector f = random_matrix(n, 1, 11).col(0), c = random_matrix(m, 1, 13).col(0);  // contradictory where redundant
  for (LinearKernel* kernel : {small.get(), cod.get()}) {
    kernel->start(n, m, rank_tolerance);
    ASSERT_TRUE(kernel->determine_rank(sparse(M), sparse(H)));
  }
  EXPECT_EQ(small->rank(), cod->rank());
  for (int round = 0; round < 3; ++round) {  // decided, factored, confirmed
    const Answer one = answer(*small, f, c), other = answer(*cod, f, c);
    const double size = 1 + other.x.cwiseAbs().maxCoeff() + other.lambda.cwiseAbs().maxCoeff();
    EXPECT_LE(apart(one, other), tolerance * size) << n << " x " << m << ", round " << round;
    // A pivot is the distance of a row from the span of others: never less than the smallest singular value.
    const double least = small->rank() == m ? smallest_singular_value(M, H) : 0;
    EXPECT_GE(small->smallest_pivot(), least * (1 - 1e-6) - 1e-15);
    for (LinearKernel* kernel : {small.get(), cod.get()})
      ASSERT_TRUE(round == 0 ? kernel->factor(sparse(M), sparse(H)) : kernel->determine_rank(sparse(M), sparse(H)));
  }
}

// Pivots above 0.03 and ‖C₁⁺‖ below 100 lose at most ε·100² = 2e-12; multipliers, which solve twice, as much again.
constexpr double lost = 1e-11;

TEST(Small, GivesWhatCodGivesForRowsOfEveryLength) {
  for (const auto& [n, m] : {std::pair{2, 1}, {4, 3}, {6, 5}, {9, 9}, {12, 9}, {20, 14}, {30, 20}, {64, 40}, {70, 30}})
    expect_agreement(arrow(n), random_matrix(m, n, static_cast<unsigned>(17 * n + m)), lost);
}

TEST(Small, SpreadsMultipliersOverRowsThatImplyOneAnother) {
  for (const int n : {5, 10, 30}) {
    Matrix H(7, n);
    H.topRows(4) = random_matrix(4, n, 19u + static_cast<unsigned>(n));
    H.row(4) = H.row(1);
    H.row(5) = 1e6 * H.row(2);
    H.row(6) = H.topRows(4).colwise().sum();
    expect_agreement(arrow(n), H, lost);
  }
}

TEST(Small, KnowsMoreRowsThanUnknownsAndRowsThatVanish) {
  expect_agreement(arrow(3), random_matrix(6, 3, 23), lost);
  Matrix H = random_matrix(4, 6, 29);
  H.row(2).setZero();
  expect_agreement(arrow(6), H, lost);
}

/// Two rows at an angle: for every one between 1 and below the tolerance, rank and answers are those of `cod`, which
/// where doubt begins does the work itself. The condition of the rows is about 1/angle, and which of two near rows is
/// dropped, where one is, makes a difference of up to the tolerance.
TEST(Small, IsAsSafeAsCodHoweverNearTwoRowsAre) {
  for (double angle = 1; angle > 1e-13; angle /= 3) {
    Matrix H = random_matrix(3, 5, 31);
    H.row(2) = H.row(0) + angle * H.row(2);
    expect_agreement(Matrix::Identity(5, 5), H,
                     lost + (angle > rank_tolerance ? 100 * epsilon / angle : 0) + 10 * rank_tolerance);
  }
}

TEST(Small, KeepsARankThatAnotherPlaceWouldNotHave) {
  const Matrix M = arrow(5);
  const Matrix H = random_matrix(3, 5, 37);
  Matrix near = H;
  near.row(2) = H.row(0) + 1e-12 * H.row(2);
  const auto kernel = make_small();
  kernel->start(5, 3, rank_tolerance);
  ASSERT_TRUE(kernel->determine_rank(sparse(M), sparse(H)));
  ASSERT_TRUE(kernel->factor(sparse(M), sparse(near)));
  EXPECT_EQ(kernel->rank(), 3);
  EXPECT_LT(kernel->smallest_pivot(), 1e-11);
  ASSERT_TRUE(kernel->determine_rank(sparse(M), sparse(near)));
  EXPECT_EQ(kernel->rank(), 2);
  ASSERT_TRUE(kernel->determine_rank(sparse(M), sparse(H)));
  EXPECT_EQ(kernel->rank(), 3);
}

TEST(Small, MeasuresRowsThatHaveGrown) {
  const Matrix M = Matrix::Identity(4, 4);
  Matrix H = random_matrix(2, 4, 41);
  const auto kernel = make_small(), cod = make_cod();
  for (LinearKernel* each : {kernel.get(), cod.get()}) each->start(4, 2, rank_tolerance);
  for (const double size : {1.0, 1.0005, 3.0, 1e-3}) {
    for (LinearKernel* each : {kernel.get(), cod.get()})
      ASSERT_TRUE(each->determine_rank(sparse(M), sparse(Matrix(size * H))));
    // A row is measured anew once it has grown by a thousandth.
    EXPECT_NEAR(kernel->smallest_pivot(), cod->smallest_pivot(), 1e-3);
  }
}

TEST(Small, RefusesWhatIsNotFiniteAndGoesOn) {
  const Matrix M = arrow(4), H = random_matrix(2, 4, 43);
  const auto kernel = make_small();
  kernel->start(4, 2, rank_tolerance);
  ASSERT_TRUE(kernel->determine_rank(sparse(M), sparse(H)));
  for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    SparseValues broken = sparse(H);
    broken.values[5] = bad;
    EXPECT_FALSE(kernel->factor(sparse(M), broken));
    EXPECT_FALSE(kernel->determine_rank(sparse(M), broken));
    EXPECT_TRUE(kernel->determine_rank(sparse(M), sparse(H)));
    EXPECT_EQ(kernel->rank(), 2);
  }
}

}  // namespace
}  // namespace taut
