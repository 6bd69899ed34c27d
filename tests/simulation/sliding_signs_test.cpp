#include "simulation/sliding_signs.hpp"

#include <gtest/gtest.h>

namespace taut {
namespace {

Vector vector(double a, double b) {
  Vector x(2);
  x << a, b;
  return x;
}

TEST(SlidingSigns, MakeRatesZero) {
  Matrix slopes(2, 2);
  slopes << -2, 0.5, 0.25, -1;
  SlidingSigns solver;
  ASSERT_TRUE(solver.set_slopes(slopes));
  const Vector load = vector(1, -0.5);
  Vector signs = vector(0.3, 0.1);
  solver.keep(load + slopes * signs, signs);
  EXPECT_LT((load + slopes * signs).norm(), 1e-14);
  EXPECT_NEAR(solver.room()[0], 1 - std::abs(signs[0]), 1e-15);
}

TEST(SlidingSigns, BeyondTheirBoundsTellByHowMuch) {
  SlidingSigns solver;
  ASSERT_TRUE(solver.set_slopes(Matrix::Constant(1, 1, -2)));
  Vector signs = Vector::Zero(1);
  solver.keep(Vector::Constant(1, 3), signs);
  EXPECT_DOUBLE_EQ(signs[0], 1.5);
  EXPECT_DOUBLE_EQ(solver.room()[0], -0.5);
}

/// One surface told twice, with friction of 1 and of 3: a load of 3.5 takes both, a load of 4.5 is more than they bear.
TEST(SlidingSigns, OfOneSurfaceBearALoadTogether) {
  Matrix slopes(2, 2);
  slopes << -1, -3, -1, -3;
  SlidingSigns solver;
  ASSERT_TRUE(solver.set_slopes(slopes));
  for (const double load : {0.5, 3.2, 3.5, 3.9}) {
    Vector signs = Vector::Zero(2);
    solver.keep(vector(load, load), signs);
    EXPECT_NEAR(signs[0] + 3 * signs[1], load, 1e-12);
    EXPECT_LE(signs.cwiseAbs().maxCoeff(), 1 + 1e-12) << load;
    EXPECT_GE(solver.room().minCoeff(), 0) << load;
  }
  Vector signs = Vector::Zero(2);
  solver.keep(vector(4.5, 4.5), signs);
  EXPECT_LT(solver.room().minCoeff(), 0);
}

/// Coulomb's law at two contacts, one of which lets go: σ = 1 and ṡ > 0 there, ṡ = 0 at the other.
TEST(SlidingSigns, SettleOnTheBoundThatTheRateLeadsTo) {
  Matrix slopes(2, 2);
  slopes << -1, 0.2, 0.2, -1;
  SlidingSigns solver;
  ASSERT_TRUE(solver.set_slopes(slopes));
  Vector signs = Vector::Zero(2);
  solver.settle(vector(3, 0.1), signs);
  EXPECT_EQ(signs[0], 1);
  EXPECT_NEAR(signs[1], 0.3, 1e-12);
  EXPECT_FALSE(solver.is_kept(0));
  EXPECT_TRUE(solver.is_kept(1));
  EXPECT_NEAR(solver.rate(0), 2 + 0.06, 1e-12);
}

TEST(SlidingSigns, OfOneSurfaceAreSharedAndAnotherIsNot) {
  Matrix slopes = Matrix::Zero(4, 4);
  slopes(0, 0) = slopes(1, 0) = -1;
  slopes(0, 1) = slopes(1, 1) = -3;
  slopes(2, 2) = -2;  // the fourth acts on nothing
  SlidingSigns solver;
  ASSERT_TRUE(solver.set_slopes(slopes));
  EXPECT_TRUE(solver.is_shared(0));
  EXPECT_TRUE(solver.is_shared(1));
  EXPECT_FALSE(solver.is_shared(2));
  EXPECT_FALSE(solver.is_shared(3));
}

}  // namespace
}  // namespace taut
