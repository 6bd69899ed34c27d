#include "integration/error_scale.hpp"

#include <gtest/gtest.h>

#include "integration/problems.hpp"

namespace taut::test {
namespace {

StepControl follows(std::vector<int> group) {
  StepControl control;
  control.rtol = 1e-8;
  control.until = 1;
  control.groups.group = std::move(group);
  return control;
}

TEST(ErrorScale, TakesAnAbsoluteToleranceAtItsWord) {
  StepControl control = follows({0, 1});
  control.atol = 1e-3;
  ErrorScale scale(control, Vector{{1e-9, 1e9}});
  scale.begin(0.1);
  EXPECT_DOUBLE_EQ(scale.allowed(0, 1e-9, 1e-9), 1e-3 + 1e-17);
  EXPECT_FALSE(scale.relax());
}

TEST(ErrorScale, FollowsTheLargestOfAKindSoFar) {
  ErrorScale scale(follows({0, 0, 1, 1}), Vector{{2e-9, 0, 3e-9, 0}});
  scale.begin(1e6);
  EXPECT_DOUBLE_EQ(scale.allowed(1, 0, 0), 1e-10 * 2e-9);
  EXPECT_DOUBLE_EQ(scale.allowed(3, 0, 0), 1e-10 * 3e-9);
  scale.accept(Vector{{0, 7e-9, 0, 0}});
  scale.begin(1e6);
  EXPECT_DOUBLE_EQ(scale.allowed(0, 0, 0), 1e-10 * 7e-9);
}

TEST(ErrorScale, KeepsPartsApartThatDoNotActOnEachOther) {
  ErrorScale scale(follows({0, 2, 1, 3}), Vector{{1, 1e-12, 1, 1e-12}});
  scale.begin(1e6);
  EXPECT_DOUBLE_EQ(scale.allowed(1, 0, 0), 1e-22);
  EXPECT_DOUBLE_EQ(scale.allowed(0, 0, 0), 1e-10);
}

TEST(ErrorScale, ScalesWithTheUnitInAllThatItAllows) {
  for (const double unit : {1e-12, 1e-3, 1e6}) {
    ErrorScale one(follows({0, 1}), Vector{{1, 0}}), other(follows({0, 1}), Vector{{unit, 0}});
    one.start(Vector{{0, -4}});
    other.start(Vector{{0, -4 * unit}});
    one.begin(0.1);
    other.begin(0.1);
    for (const int i : {0, 1}) {
      EXPECT_NEAR(other.allowed(i, 0.3 * unit, 0.2 * unit) / one.allowed(i, 0.3, 0.2), unit, 1e-12 * unit);
      EXPECT_NEAR(other.allowed_at_start(i, unit) / one.allowed_at_start(i, 1), unit, 1e-12 * unit);
    }
  }
}

TEST(ErrorScale, DoesNotResolveSpeedsBelowRoundingOfTheCoordinates) {
  ErrorScale scale(follows({0, 1}), Vector{{1, 1e-18}});
  scale.begin(0.1);
  EXPECT_GT(scale.allowed(1, 1e-18, 1e-18), 1e-15);
}

TEST(ErrorScale, IsRelaxedByNoiseAtMostToWhatSizeOneHas) {
  ErrorScale scale(follows({0, 1}), Vector{{1e-20, 0}});
  int times = 0;
  while (scale.relax()) ++times;
  EXPECT_LT(times, 20);
  scale.begin(0.1);
  EXPECT_NEAR(scale.allowed(0, 0, 0), 1e-10, 1e-22);
}

}  // namespace
}  // namespace taut::test
