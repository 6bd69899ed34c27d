#include "output/thinning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

TEST(Extremes, KeepsEveryRowAsItIsWhileThereIsRoom) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Extremes extremes(2, 10);
  const std::vector<double> values{3, 1, nan, 2, 5};
  for (std::size_t k = 0; k < values.size(); ++k) extremes.add({static_cast<double>(k), values[k]});
  EXPECT_FALSE(extremes.is_thinned());
  EXPECT_EQ(extremes.column(0), (std::vector<double>{0, 1, 2, 3, 4}));
  const auto kept = extremes.column(1);
  ASSERT_EQ(kept.size(), values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isnan(values[k])) {
      EXPECT_TRUE(std::isnan(kept[k]));
    } else {
      EXPECT_EQ(kept[k], values[k]);
    }
  }
}

TEST(Extremes, LosesNoExtremeOfAnyColumnHoweverLongTheRun) {
  for (const int rows : {11, 100, 1001, 65536, 100'000}) {
    Extremes extremes(4, 100);
    for (int k = 0; k < rows; ++k)
      extremes.add({0.5 * k, std::sin(0.1 * k), k == rows / 3 ? 9.0 : 0.0, k == rows - 1 ? -7.0 : k == 0 ? 8.0 : 1.0});
    EXPECT_LE(extremes.size(), 102u);
    EXPECT_EQ(extremes.seen(), static_cast<std::size_t>(rows));
    const auto t = extremes.column(0), spike = extremes.column(2), ends = extremes.column(3);
    EXPECT_TRUE(std::is_sorted(t.begin(), t.end()));
    EXPECT_EQ(t.front(), 0);
    EXPECT_EQ(t.back(), 0.5 * (rows - 1));
    EXPECT_EQ(*std::max_element(spike.begin(), spike.end()), 9) << rows;
    EXPECT_EQ(*std::max_element(ends.begin(), ends.end()), 8) << rows;
    EXPECT_EQ(*std::min_element(ends.begin(), ends.end()), -7) << rows;
  }
}

TEST(Extremes, PutsASpikeWhereItWas) {
  const int rows = 10'000;
  Extremes extremes(2, 200);
  for (int k = 0; k < rows; ++k) extremes.add({static_cast<double>(k), k == 7777 ? 1.0 : 0.0});
  const auto t = extremes.column(0), spike = extremes.column(1);
  const auto at = static_cast<std::size_t>(std::max_element(spike.begin(), spike.end()) - spike.begin());
  // A pair holds at most 256 rows here: 200 rows are 100 pairs, of 2, 4, …, 128 rows, and the last doubling adds one.
  EXPECT_NEAR(t[at], 7777, 256);
}

TEST(Extremes, ANumberCountsMoreThanNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Extremes extremes(2, 4);
  for (int k = 0; k < 64; ++k) extremes.add({static_cast<double>(k), k == 20 ? 4.0 : nan});
  const auto kept = extremes.column(1);
  EXPECT_EQ(std::count(kept.begin(), kept.end(), 4.0), 2);
}

TEST(Frames, AreEvenlySpreadInTimeAndHaveBothEnds) {
  Frames frames(100);
  // Most rows lie in a small part of the time, as in a run that had to take small steps there.
  double t = 0, last = 0;
  for (int k = 0; k < 50'000; ++k) {
    last = t;
    if (frames.wants(t)) frames.add(t, {t});
    t += k < 40'000 ? 1e-6 : 1e-3;
  }
  frames.add(last, {last});
  const auto& times = frames.times();
  ASSERT_GE(times.size(), 25u);
  EXPECT_LE(times.size(), 101u);
  EXPECT_EQ(times.front(), 0);
  EXPECT_EQ(times.back(), last);
  double widest = 0;
  for (std::size_t k = 1; k < times.size(); ++k) {
    EXPECT_GT(times[k], times[k - 1]);
    EXPECT_EQ(frames.rows()[k][0], times[k]);
    widest = std::max(widest, times[k] - times[k - 1]);
  }
  // At most twice the doubled spacing of the last thinning.
  EXPECT_LE(widest, 8 * last / 100);
}

TEST(Frames, AreRefinedOnTheCubicOfValuesAndDerivatives) {
  // A cubic is met exactly, whatever the steps.
  const auto value = [](double t) { return 1 + t * (2 + t * (-3 + t)); };
  const auto slope = [](double t) { return 2 + t * (-6 + 3 * t); };
  Frames frames(100);
  for (const double t : {0.0, 0.1, 1.0, 3.0}) frames.add(t, {value(t), -value(t), slope(t), -slope(t)});
  frames.refine(30);
  const auto& times = frames.times();
  ASSERT_GT(times.size(), 25u);
  EXPECT_LE(times.size(), 34u);
  for (std::size_t k = 0; k < times.size(); ++k) {
    ASSERT_EQ(frames.rows()[k].size(), 2u);
    EXPECT_NEAR(frames.rows()[k][0], value(times[k]), 1e-14);
    EXPECT_NEAR(frames.rows()[k][1], -value(times[k]), 1e-14);
    EXPECT_LE(times[k] - times[k == 0 ? 0 : k - 1], 0.1 + 1e-12);
  }
}

TEST(Frames, GoStraightWhereADerivativeIsNotKnown) {
  Frames frames(100);
  frames.add(0, {0, std::numeric_limits<double>::quiet_NaN()});
  frames.add(1, {2, 0});
  frames.refine(1);
  ASSERT_EQ(frames.times().size(), 3u);
  EXPECT_EQ(frames.rows()[1][0], 1);
}

}  // namespace
}  // namespace taut
