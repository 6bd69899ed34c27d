#include "simulation/run_log.hpp"

#include <gtest/gtest.h>

namespace taut {
namespace {

TEST(RunLog, KeepsTheFirstReasonToEnd) {
  RunLog log;
  EXPECT_TRUE(log.goes_on());
  log.stop(Outcome::stopped, "first");
  log.stop(Outcome::failed, "second");
  EXPECT_FALSE(log.goes_on());
  EXPECT_EQ(log.summary().outcome, Outcome::stopped);
  EXPECT_EQ(log.summary().reason, "first");
}

TEST(RunLog, ListsAThousandEventsAndCountsTheRest) {
  RunLog log;
  for (int k = 0; k < 1234; ++k) log.event(k, "crossing", "e", "passes");
  EXPECT_EQ(log.summary().events.size(), 1000U);
  EXPECT_EQ(log.summary().events.back().t, 999);
  EXPECT_EQ(log.unlisted_events(), 234);
}

}  // namespace
}  // namespace taut
