#include "simulation/passage_time.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace taut {
namespace {

/// A pivot |s| with s = sin t, a step from 2.9 to 3.5 and a guess that is off by up to a tenth of it: the zero is π.
/// What is looked at last are 1e-7 of the step, over which a bent line errs by the square.
TEST(PassageTime, IsTheZeroOfAPivotSeenWithoutItsSign) {
  for (const double guess : {3.09, 3.12, 3.1415, 3.17, 3.2})
    EXPECT_NEAR(passage_time(guess, 2.9, 3.5, [](double t) { return std::abs(std::sin(t)); }), M_PI, 1e-12) << guess;
}

TEST(PassageTime, MayBeTheBeginningOfTheStepOrItsEnd) {
  const auto pivot = [](double t) { return std::abs(t - 1) * (2 + t); };
  EXPECT_NEAR(passage_time(1.03, 1, 2, pivot), 1, 1e-7);
  EXPECT_NEAR(passage_time(0.98, 0, 1, pivot), 1, 1e-7);
}

TEST(PassageTime, IsTheGuessWhereNothingIsKnown) {
  const auto nowhere = [](double) { return std::numeric_limits<double>::quiet_NaN(); };
  EXPECT_EQ(passage_time(1.3, 1, 2, nowhere), 1.3);
}

}  // namespace
}  // namespace taut
