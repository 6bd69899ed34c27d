#include "system/symbolic_row_factor.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <random>

#include "expression/derivative.hpp"
#include "taut/vector.hpp"

/// Both ways to factor rows as formulas, on formulas that are numbers, against Eigen's decompositions.
namespace taut {
namespace {

struct Numbers {
  Matrix M, H;
  Vector c, f, other;

  /// Rows that overlap with their neighbours, as those of a chain of bodies do, one that is implied, and a mass matrix
  /// of coupled threes.
  Numbers() : M(Matrix::Zero(9, 9)), H(Matrix::Zero(5, 9)), c(5), f(9), other(9) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> number(-1, 1);
    for (int k = 0; k < 5; ++k)
      for (int i = std::max(0, 2 * k - 2); i < std::min(9, 2 * k + 3); ++i) H(k, i) = number(random);
    for (double& value : c) value = number(random);
    for (double& value : f) value = number(random);
    other = H.transpose() * c;
    for (int i = 0; i < 9; ++i)
      for (int j = i - i % 3; j <= i; ++j) M(i, j) = M(j, i) = i == j ? 2 + i : number(random);
  }

  Matrix G() const { return H * M.llt().solve(Matrix(H.transpose())); }
};

Formulas formulas(const Vector& x) { return {x.begin(), x.end()}; }

std::vector<Formulas> formulas(const Matrix& C) {
  std::vector<Formulas> rows;
  for (int k = 0; k < C.rows(); ++k) rows.push_back(formulas(Vector(C.row(k))));
  return rows;
}

Vector values(const Formulas& x) {
  Vector numbers(static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) numbers[static_cast<Eigen::Index>(i)] = x[i].value();
  return numbers;
}

FormulaMatrix sparse(const Matrix& M) {
  FormulaMatrix formulas;
  formulas.pattern.rows = formulas.pattern.columns = static_cast<int>(M.rows());
  for (int i = 0; i < M.rows(); ++i)
    for (int j = 0; j < M.cols(); ++j)
      if (M(i, j) != 0) formulas.add(i, j, M(i, j));
  return formulas;
}

struct Written : ::testing::TestWithParam<bool> {
  std::unique_ptr<SymbolicRowFactor> factor(std::size_t leading) const {
    return GetParam() ? squared_rows(mass, formulas(n.H), leading) : orthonormal_rows(mass, formulas(n.H));
  }
  const Numbers n;
  const SymbolicMassFactor mass{sparse(n.M)};
  /// Rounding, amplified by the condition of H M⁻¹ Hᵀ, which is below 1e3 here.
  const double close = 1e-12;
};

TEST_P(Written, SolveTheEquationsOfMotion) {
  Formulas multipliers;
  const Vector a = values(factor(5)->accelerations(formulas(n.c), formulas(n.f), multipliers));
  Matrix whole = Matrix::Zero(14, 14);
  whole << n.M, -n.H.transpose(), n.H, Matrix::Zero(5, 5);
  Vector sides(14);
  sides << n.f, n.c;
  const Vector expected = whole.fullPivLu().solve(sides);
  EXPECT_LT((a - expected.head(9)).cwiseAbs().maxCoeff(), close);
  EXPECT_LT((values(multipliers) - expected.tail(5)).cwiseAbs().maxCoeff(), 10 * close);
}

TEST_P(Written, FindTheSmallestChangeOfTheLeadingRows) {
  for (const int leading : {0, 3, 5}) {
    const Matrix first = n.H.topRows(leading);
    const Vector r = n.c.head(leading);
    Formulas multipliers;
    const Vector x = values(factor(static_cast<std::size_t>(leading))->smallest(formulas(r), multipliers));
    Vector expected = Vector::Zero(9);
    if (leading > 0) {
      const Matrix root = n.M.llt().matrixL();
      const Matrix weighted = root.triangularView<Eigen::Lower>().solve(Matrix(first.transpose())).transpose();
      const Vector y = weighted.completeOrthogonalDecomposition().solve(r);
      expected = root.transpose().triangularView<Eigen::Upper>().solve(y);
    }
    EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), close) << leading;
    EXPECT_LT((n.M * x - first.transpose() * values(multipliers)).cwiseAbs().maxCoeff(), 10 * close) << leading;
  }
}

TEST_P(Written, SpanTheVolumeOfTheirProducts) {
  const auto rows = factor(2);
  EXPECT_NEAR(values(rows->pivots()).prod() / n.G().determinant(), 1, close);
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(rows->sizes()[static_cast<std::size_t>(k)].value(), n.G()(k, k), close);
}

TEST(SymbolicMassFactor, IsWhatCholeskyFinds) {
  const Numbers n;
  const SymbolicMassFactor mass(sparse(n.M));
  EXPECT_LT((values(mass.solve(formulas(n.f))) - n.M.llt().solve(n.f)).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(values(mass.pivots()).prod() / n.M.determinant(), 1, 1e-14);
  const Vector y = values(mass.lower(formulas(n.f)));
  EXPECT_NEAR(y.squaredNorm(), n.f.dot(n.M.llt().solve(n.f)), 1e-14);
  EXPECT_LT((values(mass.upper(mass.lower(formulas(n.f)))) - n.M.llt().solve(n.f)).cwiseAbs().maxCoeff(), 1e-14);
}

/// One row more, which the others imply: the self-stress is what it is made of, and −1.
/// A pivot is divided by once, however many entries stand under it.
TEST(SymbolicMassFactor, DividesOnceForEachPivot) {
  Graph graph;
  FormulaMatrix M;
  M.pattern.rows = M.pattern.columns = 5;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j <= i; ++j) {
      const SymbolId s = graph.declare(std::to_string(10 * i + j), SymbolKind::parameter);
      M.add(i, j, Expression(graph, graph.symbol(s)));
      if (i != j) M.add(j, i, Expression(graph, graph.symbol(s)));
    }
  const SymbolicMassFactor mass(M);
  std::vector<NodeId> roots;
  for (const Expression& x : mass.solve(formulas(Vector(Vector::Ones(5))))) roots.push_back(x.in(graph));
  int divisions = 0;
  for (const NodeId id : reachable(graph, roots)) {
    const Op op = graph.node(id).op;
    divisions += op == Op::divide || op == Op::power;
    EXPECT_NE(op, Op::sqrt);
  }
  EXPECT_EQ(divisions, 5);
}

TEST(DependentRows, AreSolvedWhateverStandsInForTheSelfStress) {
  const Numbers n;
  const SymbolicMassFactor mass(sparse(n.M));
  Matrix H(6, 9);
  H << n.H, n.other.transpose();
  Vector exact(6), r(6);
  exact << n.c, -1;
  r.head(5) << 0.3, -0.2, 0.5, 0.1, -0.7;
  r[5] = n.c.dot(r.head(5));
  Formulas known;  // of V, given as numbers
  StressColumns V;
  const auto stand_in = [&](int count) {
    known.clear();
    for (int i = 0; i < count; ++i) known.emplace_back(0.2 + 0.1 * i);
    return known;
  };
  const auto rows = dependent_rows(mass, formulas(H), exact, stand_in, V);
  ASSERT_TRUE(rows);
  ASSERT_EQ(V.columns.size(), 1u);
  Formulas multipliers;
  const Vector x = values(rows->smallest(formulas(r), multipliers));
  EXPECT_LT((H * x - r).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((n.M * x - H.transpose() * values(multipliers)).cwiseAbs().maxCoeff(), 1e-11);
  Formulas column(6), stress;
  for (std::size_t i = 0; i < V.rows.size(); ++i) column[V.rows[i]] = known[i];
  const Vector forces = values(rows->smallest(formulas(values(column)), stress));
  EXPECT_LT(forces.cwiseAbs().maxCoeff(), 1e-11);
  const Vector found = values(stress);
  EXPECT_LT((found / found[5] + exact).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(DependentRows, HaveNoFactorIfNoRowsHoldTheirSelfStresses) {
  const int rows = 24;  // twelve pairs of equal rows, far apart
  Matrix H = Matrix::Zero(rows, rows), stress = Matrix::Zero(rows, rows / 2);
  for (int k = 0; k < rows / 2; ++k) {
    H(2 * k, 2 * k) = H(2 * k + 1, 2 * k) = 1;
    stress(2 * k, k) = std::sqrt(0.5);
    stress(2 * k + 1, k) = -std::sqrt(0.5);
  }
  const SymbolicMassFactor mass(sparse(Matrix::Identity(rows, rows)));
  StressColumns V;
  EXPECT_FALSE(dependent_rows(
      mass, formulas(H), stress, [](int count) { return Formulas(count); }, V));
}

TEST(Orthonormal, ColumnsTellTheLeastThatOneHasOfItsOwn) {
  Matrix columns(3, 2);
  columns << 1, 0.6, 0, 0.8, 0, 0;
  EXPECT_NEAR(make_orthonormal(columns), 0.8, 1e-15);
  EXPECT_LT((columns.transpose() * columns - Matrix::Identity(2, 2)).cwiseAbs().maxCoeff(), 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Rows, Written, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Squared" : "Orthonormal"; });

}  // namespace
}  // namespace taut
