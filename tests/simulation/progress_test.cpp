#include "simulation/progress.hpp"

#include <gtest/gtest.h>

namespace taut {
namespace {

/// Steps of one length, all of them accepted at once.
bool stuck_after(Progress& progress, long steps, double h, double& t, double failing = 0) {
  static long rejected;
  for (long k = 0; k < steps; ++k) {
    t += h;
    rejected += failing > 0 && k % static_cast<long>(1 / failing) == 0 ? 1 : 0;
    if (progress.step(t, rejected) && progress.is_stuck()) return true;
  }
  return false;
}

TEST(Progress, LetsALongRunOfEvenStepsGoOn) {
  Progress progress(1e4, 100'000'000);  // ten million steps
  double t = 0;
  EXPECT_FALSE(stuck_after(progress, 200'000, 1e-3, t));
}

TEST(Progress, NoticesStepsThatShrinkByOrdersOfMagnitude) {
  Progress progress(10, 100'000'000);
  double t = 0;
  EXPECT_FALSE(stuck_after(progress, 20'000, 1e-4, t));
  EXPECT_TRUE(stuck_after(progress, 20'000, 1e-9, t));
}

TEST(Progress, BearsAPassageThatIsSlowForAWhile) {
  Progress progress(10, 100'000'000);
  double t = 0;
  EXPECT_FALSE(stuck_after(progress, 20'000, 1e-4, t));
  EXPECT_FALSE(stuck_after(progress, 100'000, 2e-5, t));
  EXPECT_FALSE(stuck_after(progress, 20'000, 1e-4, t));
}

TEST(Progress, NoticesThatMostAttemptsFailWithNoEndInSight) {
  Progress progress(10, 100'000'000);
  double t = 0;
  EXPECT_TRUE(stuck_after(progress, 20'000, 1e-6, t, 0.5));
}

TEST(Progress, NoticesEarlyThatTheLargestNumberOfStepsWillNotDo) {
  Progress progress(1, 100'000'000);
  double t = 0;
  EXPECT_TRUE(stuck_after(progress, 60'000, 1e-10, t));
}

}  // namespace
}  // namespace taut
