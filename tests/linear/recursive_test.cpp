#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "decide_and_keep.hpp"
#include "linear/list.hpp"

namespace taut {
namespace {

constexpr double rank_tolerance = 1e-3;

using test::Answer;
using test::sparse;

/// A random mass matrix, well conditioned, rows, and right-hand sides.
struct Problem {
  Matrix M, H;
  Vector f, c;
  std::vector<double> softness;

  Problem(int n, int m, unsigned seed) : engine(seed) {
    const Matrix A = matrix(n, n);
    M = A * A.transpose() / n + Matrix::Identity(n, n);
    H = matrix(m, n);
    f = matrix(n, 1).col(0);
    c = matrix(m, 1).col(0);
    softness.assign(m, 0);
  }
  int n() const { return static_cast<int>(M.rows()); }
  int m() const { return static_cast<int>(H.rows()); }
  double uniform() { return 2 * (static_cast<double>(engine()) / 4294967296.0) - 1; }
  Matrix matrix(int rows, int columns) {
    return Matrix::NullaryExpr(rows, columns, [this] { return uniform(); });
  }

  std::mt19937 engine;
};

Answer solve(const Problem& p, bool greedy = true, int block = 1) {
  const auto kernel = make_recursive(greedy ? RowOrder::greedy : RowOrder::natural, block);
  kernel->set_softness(p.softness);
  kernel->start(p.n(), p.m(), rank_tolerance);
  return test::decide_and_keep(*kernel, p.M, p.H, p.f, p.c);
}

TEST(SoftRows, EqualAMassMatrixWithTheirPenaltyAdded) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Problem p(3 + static_cast<int>(seed % 8), 1 + static_cast<int>(seed % 11), seed);
    // More rows than speeds, and rows repeated: soft rows are never redundant.
    if (p.m() > 2) p.H.row(1) = p.H.row(0);
    for (double& square : p.softness) square = std::pow(10.0, p.uniform());
    Vector weights(p.m());
    for (int i = 0; i < p.m(); ++i) weights[i] = 1 / p.softness[i];
    const Matrix penalised = p.M + p.H.transpose() * weights.asDiagonal() * p.H;
    const Vector x = penalised.llt().solve(p.f + p.H.transpose() * weights.cwiseProduct(p.c));
    const Answer answer = solve(p, seed % 2 == 0);
    EXPECT_LE((answer.x - x).norm(), 1e-12 * (1 + x.norm())) << seed;
    EXPECT_EQ(answer.rank, p.m());
    // H x = c − σ²λ.
    for (int i = 0; i < p.m(); ++i)
      EXPECT_NEAR(answer.lambda[i], (p.c[i] - p.H.row(i).dot(x)) / p.softness[i], 1e-11 * (1 + p.c.norm())) << seed;
  }
}

TEST(SoftRows, GiveWayBesideRowsThatHoldExactly) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Problem p(8, 6, 1000 + seed);
    for (int i = 0; i < p.m(); ++i) p.softness[i] = (i + seed) % 3 == 0 ? std::pow(10.0, p.uniform()) : 0;
    // [M −Hᵀ; H Σ] [x; λ] = [f; c]
    Matrix all = Matrix::Zero(14, 14);
    all << p.M, -p.H.transpose(), p.H, Matrix::Zero(6, 6);
    for (int i = 0; i < 6; ++i) all(8 + i, 8 + i) = p.softness[i];
    Vector right(14);
    right << p.f, p.c;
    const Vector reference = all.fullPivLu().solve(right);
    const Answer answer = solve(p, seed % 2 == 0);
    const double condition =
        Eigen::JacobiSVD<Matrix>(all).singularValues()[0] / Eigen::JacobiSVD<Matrix>(all).singularValues()[13];
    EXPECT_LE((answer.x - reference.head(8)).norm(), 1e-14 * condition * (1 + reference.norm())) << seed;
    EXPECT_LE((answer.lambda - reference.tail(6)).norm(), 1e-14 * condition * (1 + reference.norm())) << seed;
    EXPECT_EQ(answer.rank, 6);
  }
}

TEST(SoftRows, LeaveARedundantRowThatHoldsExactlyRedundant) {
  Problem p(6, 5, 3);
  p.H.row(3) = p.H.row(0) + 2 * p.H.row(1);
  p.c[3] = p.c[0] + 2 * p.c[1];
  p.softness[2] = 0.1;
  const Answer answer = solve(p);
  EXPECT_EQ(answer.rank, 4);
  for (const int i : {0, 1, 3, 4}) EXPECT_NEAR(p.H.row(i).dot(answer.x), p.c[i], 1e-12);
  EXPECT_NEAR(p.H.row(2).dot(answer.x), p.c[2] - 0.1 * answer.lambda[2], 1e-12);
}

TEST(SoftRows, DoNotCareHowLargeTheyAreWrittenIfTheirSoftnessIsWrittenAlike) {
  Problem p(6, 4, 5);
  p.softness = {0.2, 0, 0.5, 0};
  const Vector x = solve(p).x;
  p.H.row(0) *= 1e6;
  p.c[0] *= 1e6;
  p.softness[0] *= 1e12;
  EXPECT_LE((solve(p).x - x).norm(), 1e-12 * x.norm());
}

TEST(RecursiveBlocks, EqualTheScalarFormOnRedundantSystems) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Problem p(10, 8, 2000 + seed);
    p.H.row(5) = p.H.row(0) - p.H.row(2);
    p.H.row(7) = 3 * p.H.row(4);
    p.c = p.H * p.matrix(10, 1).col(0);
    const Answer scalar = solve(p);
    const double size = 1 + scalar.x.norm();
    for (const int block : {2, 3, 10}) {
      const Answer blocks = solve(p, true, block);
      EXPECT_LE((blocks.x - scalar.x).norm(), 1e-12 * size) << seed << " in blocks of " << block;
      EXPECT_EQ(blocks.rank, 6) << seed << " in blocks of " << block;
    }
    EXPECT_EQ(scalar.rank, 6) << seed;
  }
}

TEST(RecursiveBlocks, CarrySoftRowsAsOneSystemDoes) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Problem p(8, 6, 3000 + seed);
    for (int i = 0; i < p.m(); ++i) p.softness[i] = (i + seed) % 3 == 0 ? std::pow(10.0, p.uniform()) : 0;
    // [M −Hᵀ; H Σ] [x; λ] = [f; c], Eq. (8)-(10) with σ² of each row
    Matrix all = Matrix::Zero(14, 14);
    all << p.M, -p.H.transpose(), p.H, Matrix::Zero(6, 6);
    for (int i = 0; i < 6; ++i) all(8 + i, 8 + i) = p.softness[i];
    Vector right(14);
    right << p.f, p.c;
    const Vector reference = all.fullPivLu().solve(right);
    const Vector sizes = Eigen::JacobiSVD<Matrix>(all).singularValues();
    for (const int block : {2, 3, 6}) {
      const Answer answer = solve(p, seed % 2 == 0, block);
      // Squares of rows are inverted in a block, so that the condition number counts twice.
      const double bound = 1e-15 * std::pow(sizes[0] / sizes[13], 2) * (1 + reference.norm());
      EXPECT_LE((answer.x - reference.head(8)).norm(), bound) << seed << " in blocks of " << block;
      EXPECT_LE((answer.lambda - reference.tail(6)).norm(), bound) << seed << " in blocks of " << block;
      EXPECT_EQ(answer.rank, 6);
    }
  }
}

TEST(RecursiveBlocks, LeaveARowThatHoldsExactlyRedundantBesideSoftOnes) {
  Problem p(6, 5, 3);
  p.H.row(3) = p.H.row(0) + 2 * p.H.row(1);
  p.c[3] = p.c[0] + 2 * p.c[1];
  p.softness[2] = 0.1;
  const Answer blocks = solve(p, true, 2), scalar = solve(p);
  EXPECT_EQ(blocks.rank, 4);
  EXPECT_LE((blocks.x - scalar.x).norm(), 1e-12 * (1 + scalar.x.norm()));
  EXPECT_NEAR(blocks.lambda[2], scalar.lambda[2], 1e-12 * (1 + scalar.lambda.norm()));
}

/// Note 2 and Eq. (13)-(16) as they stand, with P as a matrix.
Vector by_hand(const Problem& p, const Matrix& W) {
  const Matrix M = p.M + p.H.transpose() * W * p.H;
  Matrix P = M.inverse();
  Vector a = P * (p.f + p.H.transpose() * W * p.c);
  for (int r = 0; r < p.m(); ++r) {
    const Vector h = p.H.row(r), z = P * h;
    const double s = h.dot(z);
    a -= (h.dot(a) - p.c[r]) / s * z;
    P -= z * z.transpose() / s;
  }
  return a;
}

Matrix random_weights(Problem& p) {
  const Matrix A = p.matrix(p.m(), p.m());
  return A * A.transpose() + 0.5 * Matrix::Identity(p.m(), p.m());
}

TEST(Weights, AreAddedToMassAndForcesAsTheNoteHasThem) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Problem p(7, 4, 4000 + seed);
    const bool singular = seed % 2 == 0;
    if (singular) {  // a speed without mass, which the rows hold
      p.M.row(2).setZero();
      p.M.col(2).setZero();
    }
    const Matrix W = random_weights(p);
    const Vector expected = by_hand(p, W);
    for (const int block : {1, 2}) {
      const auto kernel = make_recursive(RowOrder::natural, block);
      kernel->set_weights(W);
      kernel->start(p.n(), p.m(), rank_tolerance);
      const Answer answer = test::decide_and_keep(*kernel, p.M, p.H, p.f, p.c);
      EXPECT_LE((answer.x - expected).norm(), 1e-10 * (1 + expected.norm())) << seed;
      EXPECT_LE((p.M * answer.x - p.f - p.H.transpose() * answer.lambda).norm(), 1e-9 * (1 + expected.norm())) << seed;
      EXPECT_FALSE(kernel->mass_completed()) << "nothing was found that was given";
    }
  }
}

TEST(Weights, MakeTheMetricOfCorrectionsWhereFurtherRowsHaveAPartInThem) {
  Problem p(6, 5, 11);
  const Matrix W = random_weights(p), M = p.M + p.H.transpose() * W * p.H, H = p.H.topRows(3);
  const auto kernel = make_recursive(RowOrder::natural, 1);
  kernel->set_weights(W);
  kernel->start(6, 3, rank_tolerance, 2);
  ASSERT_TRUE(kernel->determine_rank(sparse(p.M), sparse(p.H)));
  Vector x = Vector::Zero(6);
  kernel->correct(p.c.head(3), x);
  const Matrix MinvHt = M.llt().solve(H.transpose());
  EXPECT_LE((x - MinvHt * (H * MinvHt).llt().solve(p.c.head(3))).norm(), 1e-12 * (1 + x.norm()));
}

TEST(Weights, OfSoftRowsAreLeftOut) {
  Problem p(6, 4, 12);
  p.softness = {0, 0.3, 0, 0};
  const Vector without = solve(p).x;
  const auto kernel = make_recursive(RowOrder::greedy, 1);
  kernel->set_softness(p.softness);
  kernel->set_weights(random_weights(p));
  kernel->start(p.n(), p.m(), rank_tolerance);
  const Answer answer = test::decide_and_keep(*kernel, p.M, p.H, p.f, p.c);
  EXPECT_LE((answer.x - without).norm(), 1e-12 * (1 + without.norm()));
}

TEST(Weights, ThatDoNotCompleteTheMassLeaveADirectionMissing) {
  Problem p(4, 2, 13);
  p.M.row(3).setZero();
  p.M.col(3).setZero();
  p.H.col(3).setZero();
  const auto kernel = make_recursive(RowOrder::natural, 1);
  kernel->set_weights(Matrix::Identity(2, 2));
  kernel->start(4, 2, rank_tolerance);
  EXPECT_FALSE(kernel->determine_rank(sparse(p.M), sparse(p.H)));
  EXPECT_NEAR(std::abs(kernel->missing_direction()[3]), 1, 1e-12);
}

TEST(Kernels, ThatCannotCarrySoftRowsSaySo) {
  for (const KernelEntry& entry : kernels())
    EXPECT_EQ(entry.make()->carries_soft_rows(), entry.name == "recursive" || entry.name == "sparse") << entry.name;
  EXPECT_TRUE(make_recursive(RowOrder::greedy, 2)->carries_soft_rows());
}

}  // namespace
}  // namespace taut
