#include "integration/root.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

template <class Function>
double root(Function g, double a, double b) {
  return find_root(g, a, b, g(a), g(b));
}

// The bracket ends when it is 4e-16 (|a| + |b|) wide; a zero of a function evaluated with rounding errors of a few ε is
// uncertain by as much divided by the slope. All functions here have slopes of at least 0.1 at their zeros and values
// and zeros of order one, so 1e-14 covers both.
constexpr double rounding = 1e-14;

TEST(FindRoot, FindsTheZeroOfALine) {
  EXPECT_NEAR(root([](double x) { return x - 0.3; }, 0, 1), 0.3, rounding);
  EXPECT_NEAR(root([](double x) { return 0.7 - x; }, 0, 1), 0.7, rounding);
  EXPECT_NEAR(root([](double x) { return 3 * x - 0.1; }, -2, 5), 0.1 / 3, rounding);
}

TEST(FindRoot, FindsTheZerosOfCurvedFunctions) {
  EXPECT_NEAR(root([](double x) { return std::cos(x); }, 1, 2), std::acos(0.0), rounding);
  EXPECT_NEAR(root([](double x) { return x * x - 2; }, 0, 2), std::sqrt(2.0), rounding);
  EXPECT_NEAR(root([](double x) { return std::exp(x) - 2; }, -3, 3), std::log(2.0), rounding);
  EXPECT_NEAR(root([](double x) { return std::pow(x, 9) - 0.5; }, 0, 1.5), std::pow(0.5, 1.0 / 9), rounding);
  EXPECT_NEAR(root([](double x) { return std::atan(50 * (x - 0.9)); }, 0, 1), 0.9, rounding);
}

TEST(FindRoot, FindsAZeroWhereverInTheBracketItLies) {
  for (int k = 1; k < 200; ++k) {
    const double zero = k / 200.0;
    EXPECT_NEAR(root([&](double x) { return (x - zero) * (2 + x); }, 0, 1), zero, rounding) << zero;
    EXPECT_NEAR(root([&](double x) { return std::sin(x - zero); }, 0, 1), zero, rounding) << zero;
    EXPECT_NEAR(root([&](double x) { return std::expm1(zero - x); }, 0, 1), zero, rounding) << zero;
  }
}

TEST(FindRoot, TakesAnEndWhereTheFunctionIsZeroThere) {
  EXPECT_EQ(root([](double x) { return x - 1; }, 0, 1), 1);
  EXPECT_EQ(root([](double x) { return x; }, 0, 1), 0);
}

TEST(FindRoot, FindsAZeroNextToAnEndOfTheBracket) {
  // A value that is a rounding error says that the zero is here, not in the middle.
  EXPECT_NEAR(find_root([](double x) { return x - 1 + 1e-17; }, 0.0, 1.0, -1.0, 1e-17), 1, rounding);
  EXPECT_NEAR(find_root([](double x) { return x + 1e-17; }, 0.0, 1.0, -1e-17, 1.0), 0, rounding);
  EXPECT_NEAR(root([](double x) { return x - 1e-9; }, 0, 1), 1e-9, rounding);
  EXPECT_NEAR(root([](double x) { return x - (1 - 1e-12); }, 0, 1), 1 - 1e-12, rounding);
}

TEST(FindRoot, FindsWhereADiscontinuousFunctionChangesItsSign) {
  EXPECT_NEAR(root([](double x) { return x < 0.6180339887 ? -1.0 : 1.0; }, 0, 1), 0.6180339887, rounding);
}

TEST(FindRoot, EvaluatesAtMostTwiceForEachHalvingOfTheBracket) {
  int calls = 0;
  const auto g = [&](double x) {
    ++calls;
    return std::cos(x) - x;
  };
  find_root(g, 0.0, 1.0, 1.0, std::cos(1.0) - 1);
  // Each pass costs two evaluations at most and at least halves the bracket, of which 53 halvings are left nothing.
  EXPECT_LE(calls, 2 * 53);
}

TEST(FindRoot, EndsAtAZeroOfHigherOrder) {
  // The sign of x³ is right down to |x| = 1e-108, so a hundred halvings of a bracket of 3 are not spoilt by rounding.
  EXPECT_NEAR(root([](double x) { return x * x * x; }, -1, 2), 0, rounding);
}

}  // namespace
}  // namespace taut
