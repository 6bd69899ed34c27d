#include "system/stage.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace taut {
namespace {

/// The verdicts on changes that come one after the other, for coordinates of size 1 that are to be found to 1e-14.
std::vector<int> verdicts(const std::vector<double>& changes, int cautious = 0) {
  taut_newton newton = {};
  newton.cautious = cautious;
  std::vector<int> list;
  for (const double change : changes) list.push_back(taut_judge(&newton, change, 1e-14, 1));
  return list;
}

TEST(NewtonsMethod, HasConvergedWhenAChangeIsSmallEnough) {
  EXPECT_EQ(verdicts({1e-15}), std::vector<int>{taut_converged});
  EXPECT_EQ(verdicts({1e-3, 1e-15}), (std::vector<int>{taut_go_on, taut_converged}));
}

/// With changes that contract by r, what is missing after a change c is c (r + r² + …) < 2 c r for r < ½.
TEST(NewtonsMethod, HasConvergedWhereTheContractionSeenLeavesLessThanTheTolerance) {
  EXPECT_EQ(verdicts({1e-3, 1e-9}), (std::vector<int>{taut_go_on, taut_converged}));  // 1e-9 · 1e-6 = 1e-15
  EXPECT_EQ(verdicts({1e-3, 1e-7}), (std::vector<int>{taut_go_on, taut_go_on}));      // 1e-7 · 1e-4 = 1e-11
  EXPECT_EQ(verdicts({1e-3, 1e-9}, 1), (std::vector<int>{taut_go_on, taut_go_on}));   // a thousand times as much
}

TEST(NewtonsMethod, GoesByTheWorstContractionSoFar) {
  // The last change alone would say 1e-8 · 1e-7; the one before it contracted by 0.4 only.
  EXPECT_EQ(verdicts({1, 0.4, 4e-8}), (std::vector<int>{taut_go_on, taut_go_on, taut_go_on}));
}

TEST(NewtonsMethod, ConvergesBadlyWhereAChangeIsNotHalfTheLast) {
  EXPECT_EQ(verdicts({1e-3, 6e-4}).back(), taut_converges_badly);
  EXPECT_EQ(verdicts({1e-3, 2e-3}).back(), taut_converges_badly);
}

TEST(NewtonsMethod, TakesChangesThatDoNotShrinkForRoundingErrorsWhereTheyAreSmall) {
  EXPECT_EQ(verdicts({1e-3, 2e-14, 1.9e-14}).back(), taut_converged);
  EXPECT_EQ(verdicts({1e-3, 2e-11, 1.9e-11}).back(), taut_converges_badly);
}

TEST(LargestValue, IsNotANumberWhereOneIsNot) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double x[] = {-3, 2}, y[] = {1, nan, 5};
  EXPECT_EQ(taut_largest(x, 2, 0), 3);
  EXPECT_EQ(taut_largest(x, 2, 4), 4);
  EXPECT_TRUE(std::isnan(taut_largest(y, 2, 0)));
}

}  // namespace
}  // namespace taut
