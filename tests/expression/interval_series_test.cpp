#include "expression/interval_series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "enclosure.hpp"
#include "random_formula.hpp"

namespace taut {
namespace {

struct IntervalSeriesTest : ::testing::Test, FourSymbols {
  std::vector<double> values = {0, 0.7, -1.3, 0.4};

  IntervalSeries over(const Expression& formula, const Interval& x) {
    return EnclosedFormula(graph, formula.in(graph), ids[0], values).over(x);
  }
  long double value(const Expression& formula, double x) {
    const std::array<long double, 4> point{x, values[1], values[2], values[3]};
    return evaluate_precisely(formula, point);
  }
};

TEST_F(IntervalSeriesTest, EnclosesEveryValueOfRandomFormulas) {
  Nodes reader = nodes();
  int looked_at = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const Expression formula = random_formula(reader, seed);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-2, 2);
    const double a = uniform(random), b = a + std::pow(10, -2 - uniform(random));
    const Interval enclosed = over(formula, {a, b})[0];
    for (int k = 0; k <= 10; ++k) {
      const long double exact = value(formula, a + (b - a) * k / 10);
      if (!std::isfinite(exact) || std::abs(exact) > 1e6) continue;
      ++looked_at;
      EXPECT_TRUE(holds(enclosed, exact)) << to_string(formula) << " over [" << a << ", " << b << "]: " << enclosed.lo
                                          << " " << static_cast<double>(exact) << " " << enclosed.hi;
    }
  }
  EXPECT_GT(looked_at, 10'000);
}

/// Of smooth formulas: the derivatives that the graph derives, over factorials.
TEST_F(IntervalSeriesTest, EnclosesTheDerivativesOfEveryFunction) {
  const Expression x = expressions[0], u = x * 0.8 + 0.1;
  const std::vector<Expression> formulas = {
      sin(3 * u), cos(u * u),      tan(u),        asin(0.5 * u),    acos(0.5 * u), atan(4 * u), atan2(u, 2 - x),
      sinh(u),    cosh(2 * u),     tanh(5 * u),   exp(-10 * u * u), log(2 + u),    sqrt(2 + u), pow(u, 3),
      pow(u, -2), pow(2 + u, 1.7), pow(2 + x, x), u / (3 + x),      abs(u) * u,    max(u, -u),  pow(1 + u * u, -0.5)};
  for (const Expression& formula : formulas)
    for (const Interval where : {Interval(0.30, 0.31), Interval(0.3, 0.8), Interval(0.5, 0.5)}) {
      const IntervalSeries series = over(formula, where);
      Expression derivative_k = formula;
      double factorial = 1;
      for (int k = 0; k <= IntervalSeries::highest_order; ++k, factorial *= k) {
        for (const double share : {0.0, 0.3, 1.0}) {
          const double at = where.lo + share * where.width();
          const long double exact = value(derivative_k, at) / factorial;
          EXPECT_TRUE(holds(series[k], exact)) << to_string(formula) << " order " << k << " at " << at;
        }
        derivative_k = derivative(derivative_k, ids[0]);
      }
    }
}

TEST_F(IntervalSeriesTest, IsTightOverShortIntervals) {
  const Expression x = expressions[0];
  const IntervalSeries series = over(exp(-pow((x - 5) / 0.05, 2)), {5.02, 5.02 + 1e-9});
  EXPECT_LT(series[0].width(), 1e-6);
  EXPECT_LT(series[8].width(), 1e-5 * series[8].magnitude());
}

TEST_F(IntervalSeriesTest, SaysThatNothingHappensFarFromAPulseOrAStep) {
  const Expression x = expressions[0];
  EXPECT_TRUE(over(exp(-pow((x - 5) / 0.05, 2)), {0, 3})[0].is_zero());
  EXPECT_LT(over(tanh(100 * (x - 5)), {0, 4})[1].magnitude(), 1e-80);
}

TEST_F(IntervalSeriesTest, TakesBothSidesOfAKink) {
  const Expression x = expressions[0];
  const IntervalSeries series = over(abs(x - 1), {0, 3});
  EXPECT_TRUE(series[1].contains(-1) && series[1].contains(1));
  EXPECT_EQ(series[0].lo, 0);
  EXPECT_GE(over(sign(x), {-1, 1})[0].width(), 2);
  EXPECT_TRUE(over(sign(x), {-1, 1})[1].is_zero());
}

TEST_F(IntervalSeriesTest, KnowsNothingWhereAFormulaHasAPole) {
  const Expression x = expressions[0];
  EXPECT_FALSE(over(1 / x, {-1, 1})[0].is_finite());
  EXPECT_FALSE(over(tan(x), {0, 3})[0].is_finite());
  EXPECT_TRUE(over(1 / x, {1, 2})[0].is_finite());
}

}  // namespace
}  // namespace taut
