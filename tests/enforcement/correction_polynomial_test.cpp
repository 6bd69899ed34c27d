#include "enforcement/correction_polynomial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace taut {
namespace {

/// Adds `count` points of a function of x to a polynomial for it.
template <class Function>
CorrectionPolynomial interpolated(int count, Function&& function) {
  CorrectionPolynomial polynomial(1);
  for (int k = 0; k < count; ++k) {
    Vector value = Vector::Constant(1, function(polynomial.next_point()));
    polynomial.add(value);
  }
  return polynomial;
}

double value(CorrectionPolynomial& polynomial, double x) {
  Vector y = Vector::Zero(1);
  polynomial.add_to(x, y);
  return y[0];
}

TEST(CorrectionPolynomial, IsExactForPolynomialsThatVanishAtBothEnds) {
  const auto function = [](double x) { return x * (x - 1) * (3 - 2 * x + 5 * x * x * x); };
  CorrectionPolynomial polynomial = interpolated(4, function);
  // Four terms of some units each, with a few operations: some tens of ε.
  for (int k = 0; k <= 20; ++k) EXPECT_NEAR(value(polynomial, k / 20.0), function(k / 20.0), 1e-14);
}

TEST(CorrectionPolynomial, AddsToWhatIsThere) {
  CorrectionPolynomial polynomial = interpolated(1, [](double) { return 0.25; });
  Vector y = Vector::Constant(1, 2);
  polynomial.add_to(0.5, y);
  EXPECT_DOUBLE_EQ(y[0], 2.25);
}

TEST(CorrectionPolynomial, BeginsAnewWithNothing) {
  CorrectionPolynomial polynomial = interpolated(3, [](double x) { return std::sin(x); });
  polynomial.begin();
  EXPECT_EQ(value(polynomial, 0.3), 0);
}

/// The remainder of interpolation at n points and both ends: the largest derivative of order n + 2, here πⁿ⁺², over
/// (n + 2)!, times the product of the distances from the points. Rounding beside it: Lebesgue's constant of so many of
/// Leja's points is below 10.
TEST(CorrectionPolynomial, MissesSmoothFunctionsByTheRemainderOfInterpolation) {
  const auto function = [](double x) { return std::sin(M_PI * x); };
  for (const int count : {2, 4, 8, 12}) {
    std::vector<double> points;
    CorrectionPolynomial polynomial = interpolated(count, [&](double x) { return function(points.emplace_back(x)); });
    for (int k = 0; k <= 100; ++k) {
      const double x = k / 100.0;
      double remainder = M_PI * x * M_PI * (1 - x) / 2;
      for (int n = 0; n < count; ++n) remainder *= M_PI * std::abs(x - points[n]) / (n + 3);
      EXPECT_NEAR(value(polynomial, x), function(x), remainder + 10 * 2.3e-16) << count << " points at " << x;
    }
  }
}

}  // namespace
}  // namespace taut
