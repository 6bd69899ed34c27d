#include "system/written_rows.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <random>

#include "taut/vector.hpp"

/// Both ways to factor rows as formulas, on formulas that are numbers, against Eigen's decomposition.
namespace taut {
namespace {

struct Numbers {
  Matrix C;
  Vector c, w, other;

  /// Rows that overlap with their neighbours, as those of a chain of bodies do, and one that is implied.
  Numbers() : C(Matrix::Zero(5, 9)), c(5), w(9), other(9) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> number(-1, 1);
    for (int k = 0; k < 5; ++k)
      for (int i = std::max(0, 2 * k - 2); i < std::min(9, 2 * k + 3); ++i) C(k, i) = number(random);
    for (double& value : c) value = number(random);
    for (double& value : w) value = number(random);
    other = C.transpose() * c;
  }
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

struct Written : ::testing::TestWithParam<bool> {
  std::unique_ptr<WrittenRows> factor(const Matrix& C, std::size_t leading) const {
    return GetParam() ? squared_rows(formulas(C), leading) : orthonormal_rows(formulas(C));
  }
  const Numbers n;
  /// Rounding, amplified by the condition of C Cᵀ, which is below 1e3 here.
  const double close = 1e-12;
};

TEST_P(Written, FindTheNearestPoint) {
  Formulas multipliers;
  const Vector x = values(factor(n.C, 5)->nearest(formulas(n.c), formulas(n.w), multipliers));
  const Vector expected = n.w + n.C.completeOrthogonalDecomposition().solve(n.c - n.C * n.w);
  EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), close);
  EXPECT_LT((n.w + n.C.transpose() * values(multipliers) - x).cwiseAbs().maxCoeff(), close);
}

TEST_P(Written, FindTheSmallestPointOfTheLeadingRows) {
  for (const int leading : {0, 3, 5}) {
    const Matrix first = n.C.topRows(leading);
    const Vector r = n.c.head(leading);
    const Vector x = values(factor(n.C, static_cast<std::size_t>(leading))->smallest(formulas(r), 9));
    const Vector expected = leading > 0 ? Vector(first.completeOrthogonalDecomposition().solve(r)) : Vector::Zero(9);
    EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), close) << leading;
  }
}

TEST_P(Written, TellWhatAnotherRowHasOfItsOwn) {
  const auto rows = factor(n.C, 5);
  Formulas shares;
  EXPECT_LT(values(rows->remainder(formulas(n.other), shares)).cwiseAbs().maxCoeff(), close);
  EXPECT_LT((values(shares) - n.c).cwiseAbs().maxCoeff(), close);
  const Vector left = values(rows->remainder(formulas(n.w), shares));
  EXPECT_LT((n.C * left).cwiseAbs().maxCoeff(), close);
  EXPECT_LT((left + n.C.transpose() * values(shares) - n.w).cwiseAbs().maxCoeff(), close);
}

TEST_P(Written, SpanTheVolumeOfTheirProducts) {
  const auto rows = factor(n.C, 2);
  EXPECT_NEAR(values(rows->pivots()).prod() / (n.C * n.C.transpose()).determinant(), 1, close);
  for (int k = 0; k < 5; ++k)
    EXPECT_NEAR(rows->sizes()[static_cast<std::size_t>(k)].value(), n.C.row(k).squaredNorm(), close);
}

INSTANTIATE_TEST_SUITE_P(Rows, Written, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Squared" : "Orthonormal"; });

}  // namespace
}  // namespace taut
