#include "integration/singular_crossing.hpp"

#include <gtest/gtest.h>

namespace taut {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double gap = 0.5;

Passage at(double time, bool near = false, bool at_floor = false) {
  Passage passage;
  passage.time = time;
  passage.near = near;
  passage.at_floor = at_floor;
  return passage;
}

TEST(SingularCrossing, LeavesStepsAloneThatAreFarFromAMoment) {
  SingularCrossing crossing(gap);
  EXPECT_EQ(crossing.plan(0, 0.1, at(infinity), infinity), 0.1);
  EXPECT_EQ(crossing.plan(0, 0.1, at(0.3), infinity), 0.1);
  EXPECT_EQ(crossing.plan(1, 0.1, at(0.9), infinity), 0.1) << "it lies behind";
  EXPECT_FALSE(crossing.is_engaged());
}

TEST(SingularCrossing, HasTheMomentInTheWidestGap) {
  SingularCrossing crossing(gap);
  EXPECT_DOUBLE_EQ(crossing.plan(0, 0.1, at(0.04), infinity), 0.04 / gap);
  EXPECT_TRUE(crossing.is_crossing());
}

TEST(SingularCrossing, ApproachesToTheDistanceFromWhichItCrosses) {
  SingularCrossing crossing(gap);
  EXPECT_DOUBLE_EQ(crossing.plan(0, 0.1, at(0.15, true), infinity), 0.15 - 1.2 * 0.1 * gap);
  EXPECT_FALSE(crossing.is_crossing());
  EXPECT_TRUE(crossing.is_engaged());
  // A step that fails on the way says that going nearer does not help: across from here.
  EXPECT_TRUE(crossing.retry(0.1, 5, 1e-12));
  EXPECT_DOUBLE_EQ(crossing.plan(0, 0.1, at(0.15, true), infinity), 0.15 / gap);
  EXPECT_TRUE(crossing.accepts(1e6)) << "there is no nearer one to compare with";
}

TEST(SingularCrossing, IsTriedAgainFromHalfTheDistanceAsLongAsThatHelps) {
  SingularCrossing crossing(gap);
  const double h = crossing.plan(0, 0.1, at(0.04), infinity);
  EXPECT_FALSE(crossing.accepts(8)) << "none was tried before";
  ASSERT_TRUE(crossing.retry(h, 8, 1e-12));
  EXPECT_DOUBLE_EQ(crossing.plan(0, 0.1, at(0.04), infinity), 0.02);
  EXPECT_FALSE(crossing.is_crossing()) << "it goes to half the distance first";
  EXPECT_DOUBLE_EQ(crossing.plan(0.02, 0.1, at(0.04), infinity), 0.02 / gap);
  EXPECT_TRUE(crossing.is_crossing());
  EXPECT_FALSE(crossing.accepts(2));
  EXPECT_TRUE(crossing.accepts(6)) << "coming nearer has hardly changed the error";
}

TEST(SingularCrossing, GoesNoNearerThanTheFloorAndNotBeyondAStop) {
  SingularCrossing crossing(gap);
  crossing.plan(0, 0.1, at(0.15, false, true), infinity);
  EXPECT_TRUE(crossing.is_crossing());
  EXPECT_TRUE(crossing.accepts(100));
  EXPECT_FALSE(crossing.retry(0.3, 100, 1e-12));
  EXPECT_EQ(crossing.plan(0, 0.1, at(0.04), 0.05), 0.1) << "the step across would end at 0.08";
  EXPECT_FALSE(crossing.is_crossing());
}

}  // namespace
}  // namespace taut
