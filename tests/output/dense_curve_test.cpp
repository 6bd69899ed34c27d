#include "output/dense_curve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

/// Hermite's cubic errs by h⁴/384 max |f''''| at most.
TEST(DenseCurve, FollowsTheMotionBetweenFewRows) {
  std::vector<double> t, y, rate;
  for (int k = 0; k <= 36; ++k) {
    t.push_back(6.0 * k / 36);
    y.push_back(std::sin(4 * t.back()));
    rate.push_back(4 * std::cos(4 * t.back()));
  }
  const DenseTimes times = dense_times(t, 600);
  EXPECT_GE(times.t.size(), 600U);
  const auto values = dense_values(times, t, y, rate);
  const double bound = std::pow(1.0 / 6, 4) / 384 * 256;
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(values[k], std::sin(4 * times.t[k]), 1.0001 * bound);
}

TEST(DenseCurve, KeepsEveryRow) {
  const std::vector<double> t{0, 0.1, 0.1, 2}, y{1, 5, -5, 0};
  const DenseTimes times = dense_times(t, 50);
  const auto values = dense_values(times, t, y, estimated_slopes(t, y));
  for (std::size_t row = 0; row < t.size(); ++row) {
    bool found = false;
    for (std::size_t k = 0; k < values.size(); ++k)
      found = found || (times.before[k] == row && times.t[k] == t[row] && values[k] == y[row]);
    EXPECT_TRUE(found) << row;
  }
}

TEST(DenseCurve, LeavesManyRowsAsTheyAre) {
  std::vector<double> t;
  for (int k = 0; k < 700; ++k) t.push_back(k);
  EXPECT_EQ(dense_times(t, 600).t, t);
}

/// A parabola has slopes that are straight in t, which Akima's weights leave as they are where steps are equal.
TEST(DenseCurve, EstimatesSlopes) {
  std::vector<double> t, y;
  for (int k = 0; k < 9; ++k) {
    t.push_back(0.5 * k);
    y.push_back(t.back() * t.back());
  }
  const auto slopes = estimated_slopes(t, y);
  for (std::size_t k = 1; k + 1 < t.size(); ++k) EXPECT_NEAR(slopes[k], 2 * t[k], 0.3) << k;
  const std::vector<double> step{0, 0, 0, 0, 1, 1, 1, 1, 1};
  const auto values = dense_values(dense_times(t, 100), t, step, estimated_slopes(t, step));
  EXPECT_GE(*std::ranges::min_element(values), -0.02) << "no ringing beside a jump";
  EXPECT_LE(*std::ranges::max_element(values), 1.02);
}

}  // namespace
}  // namespace taut
