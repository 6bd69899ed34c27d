#include "output/sparkline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(DriftHistory, IsEmptyWithoutSteps) { EXPECT_EQ(DriftHistory().text(), ""); }

TEST(DriftHistory, RisesWithTheDecades) {
  DriftHistory history;
  for (const double violation : {0.0, 1e-16, 1e-12, 1e-8, 1e-4, 1.0}) history.add(violation);
  EXPECT_EQ(history.text(), "▁▁▃▅▇█ from 0e+00 to 1e+00");
}

TEST(DriftHistory, StaysShortAndKeepsASpikeOfALongRun) {
  DriftHistory history;
  for (int k = 0; k < 100'000; ++k) history.add(k == 70'001 ? 1.0 : 1e-16);
  EXPECT_THAT(history.text(), HasSubstr("▁█▁"));
  EXPECT_LT(history.text().size(), 64 * 3 + 40u);
}

TEST(DriftHistory, ShowsWhereThereIsNoNumber) {
  DriftHistory history;
  history.add(NAN);
  EXPECT_THAT(history.text(), StartsWith("?"));
}

}  // namespace
}  // namespace taut
