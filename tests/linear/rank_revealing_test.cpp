#include "linear/rank_revealing.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>
#include <vector>

#include "linear/orthogonal_decomposition.hpp"
#include "taut/vector.hpp"

namespace taut {
namespace {

// Entries are below 1 and sizes below 12, pivots that count above 1e-2: a backward stable solve errs by some
// n·m·ε/pivot² of the solution, 12·12·2.2e-16·1e4 < 4e-10, the square because M⁻¹ stands between.
constexpr double rounding = 4e-10;

Matrix random_matrix(int rows, int columns, std::mt19937& random) {
  Matrix A(rows, columns);
  for (double& entry : A.reshaped()) entry = 2 * (static_cast<double>(random()) / 4294967296.0) - 1;
  return A;
}

Matrix random_mass(int n, std::mt19937& random) {
  const Matrix A = random_matrix(n, n, random);
  return A * A.transpose() + Matrix::Identity(n, n);
}

/// The C with room of its own, and matrices as Eigen has them.
class Rows {
 public:
  Rows(int n, int m) : n_(n), m_(m), numbers_(n * n + n * m + m * m + 6 * m + n), order_(m) {
    double* next = numbers_.data();
    const auto take = [&](int count) {
      double* taken = next;
      next += count;
      return taken;
    };
    rows.speeds = n;
    rows.rows = m;
    rows.order = order_.data();
    rows.sizes = take(m);
    rows.L = take(n * n);
    rows.Q = take(n * m);
    rows.Z = take(m * m);
    rows.reflections = take(2 * m);
    rows.weights = take(m);
    rows.room = take(n + 2 * m);
  }
  Rows(const Rows&) = delete;

  bool factor(const Matrix& M, const Matrix& H, double tolerance) {
    H_ = H;
    const RowMajor mass = M;
    if (!taut_factor_mass(&rows, mass.data(), H_.data())) return false;
    taut_factor_rows(&rows, H_.data(), tolerance);
    return true;
  }
  Vector correct(const Vector& r) {
    Vector x(n_);
    taut_correct_rows(&rows, r.data(), x.data());
    return x;
  }
  std::pair<Vector, Vector> accelerate(const Vector& f, const Vector& c) {
    Vector x(n_), lambda(m_);
    taut_accelerate_rows(&rows, H_.data(), f.data(), c.data(), x.data(), lambda.data());
    return {x, lambda};
  }

  taut_rows rows = {};

 private:
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  int n_, m_;
  std::vector<double> numbers_;
  std::vector<int> order_;
  RowMajor H_;
};

/// H R⁻¹.
Matrix over_root(const Eigen::LLT<Matrix>& mass, const Matrix& H) {
  return mass.matrixL().solve(H.transpose()).transpose();
}

/// P(r) by Eigen: x = R⁻¹ (D H R⁻¹)⁺ D r with M = RᵀR, and rows scaled to length 1 by D, as the C scales them.
Vector smallest_by_eigen(const Matrix& M, const Matrix& H, const Vector& r) {
  const Eigen::LLT<Matrix> mass(M);
  Matrix C = over_root(mass, H);
  Vector scaled = r;
  for (Eigen::Index i = 0; i < C.rows(); ++i) {
    const double size = C.row(i).norm();
    C.row(i) /= size;
    scaled[i] /= size;
  }
  return mass.matrixU().solve(OrthogonalDecomposition(C, 1e-9).solve(scaled));
}

struct Case {
  int n, m, rank;
};
const std::vector<Case> cases = {{6, 3, 3}, {7, 7, 7}, {9, 6, 4}, {4, 7, 3},
                                 {5, 9, 5}, {1, 2, 1}, {3, 1, 1}, {11, 11, 8}};

/// Rows of this rank, none of them zero.
Matrix rows_of(const Case& c, std::mt19937& random) {
  return random_matrix(c.m, c.rank, random) * random_matrix(c.rank, c.n, random);
}

TEST(RankRevealing, FindsTheRankAndTheSmallestCorrectionThatEigensDecompositionFinds) {
  std::mt19937 random(11);
  for (const Case& c : cases) {
    const Matrix M = random_mass(c.n, random), H = rows_of(c, random);
    const Vector r = random_matrix(c.m, 1, random);  // where rows depend on each other, it contradicts itself
    Rows rows(c.n, c.m);
    ASSERT_TRUE(rows.factor(M, H, 1e-9));
    EXPECT_EQ(rows.rows.rank, c.rank);
    const Vector x = rows.correct(r), expected = smallest_by_eigen(M, H, r);
    EXPECT_LE((x - expected).norm(), rounding * (1 + expected.norm())) << c.n << " x " << c.m << " of rank " << c.rank;
  }
}

TEST(RankRevealing, AcceleratesAsGaussSaysWithTheSmallestMultipliers) {
  std::mt19937 random(5);
  for (const Case& c : cases) {
    const Matrix M = random_mass(c.n, random), H = rows_of(c, random);
    const Vector f = random_matrix(c.n, 1, random), demanded = H * random_matrix(c.n, 1, random);
    Rows rows(c.n, c.m);
    ASSERT_TRUE(rows.factor(M, H, 1e-9));
    const auto [a, lambda] = rows.accelerate(f, demanded);
    EXPECT_LE((H * a - demanded).norm(), rounding) << "H a = c";
    EXPECT_LE((M * a - f - H.transpose() * lambda).norm(), rounding) << "M a = f + H'lambda";
    // Smallest, in rows of length 1: square to every self-stress of them.
    const Matrix C = over_root(Eigen::LLT<Matrix>(M), H);
    const Vector sizes = C.rowwise().norm();
    const Matrix unit = sizes.cwiseInverse().asDiagonal() * C;
    const Matrix onto = unit * OrthogonalDecomposition(unit, 1e-9).pseudo_inverse();
    const Vector scaled = sizes.cwiseProduct(lambda);
    EXPECT_LE((onto * scaled - scaled).norm(), rounding * (1 + scaled.norm()));
  }
}

TEST(RankRevealing, KeepsRankAndOrderWhereItIsNotToDecide) {
  std::mt19937 random(3);
  const Case c{6, 4, 4};
  const Matrix M = random_mass(c.n, random), H = rows_of(c, random);
  Rows rows(c.n, c.m);
  ASSERT_TRUE(rows.factor(M, H, 1e-9));
  Matrix singular = H;
  singular.row(2) = singular.row(0) + 1e-12 * singular.row(2);
  const std::vector<int> order(rows.rows.order, rows.rows.order + c.m);
  ASSERT_TRUE(rows.factor(M, singular, -1));
  EXPECT_EQ(rows.rows.rank, 4);
  EXPECT_EQ(std::vector<int>(rows.rows.order, rows.rows.order + c.m), order);
  EXPECT_LT(rows.rows.smallest_pivot, 1e-9);
  ASSERT_TRUE(rows.factor(M, singular, 1e-9));
  EXPECT_EQ(rows.rows.rank, 3);
}

TEST(RankRevealing, RemembersHowLargeARowHasBeen) {
  const Matrix M = Matrix::Identity(2, 2);
  Matrix H(2, 2);
  H << 1, 0, 0, 1;
  Rows rows(2, 2);
  ASSERT_TRUE(rows.factor(M, H, 1e-6));
  H(1, 1) = 1e-8;  // next to nothing of what it was
  ASSERT_TRUE(rows.factor(M, H, 1e-6));
  EXPECT_EQ(rows.rows.rank, 1);
}

TEST(RankRevealing, RowsCompleteAMassMatrixThatIsSingularAlone) {
  Matrix M(2, 2), H(1, 2);
  M << 2, 0, 0, 0;
  H << 1, -1;
  Rows rows(2, 1);
  ASSERT_TRUE(rows.factor(M, H, 1e-9));
  EXPECT_TRUE(rows.rows.completed);
  const auto [a, lambda] = rows.accelerate(Vector{{6.0, 2.0}}, Vector{{0.5}});
  // a0 − a1 = 1/2; 2 a0 = 6 + λ, 0 = 2 − λ: a0 = 4, a1 = 7/2.
  EXPECT_NEAR(a[0], 4, 1e-13);
  EXPECT_NEAR(a[1], 3.5, 1e-13);
  EXPECT_NEAR(lambda[0], 2, 1e-13);
}

TEST(RankRevealing, RefusesADirectionWithoutInertia) {
  Matrix M = Matrix::Zero(2, 2), H(1, 2);
  M(0, 0) = 1;
  H << 1, 0;
  Rows rows(2, 1);
  EXPECT_FALSE(rows.factor(M, H, 1e-9));
}

}  // namespace
}  // namespace taut
