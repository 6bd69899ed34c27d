#include "simulation/known_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "taut/simulation.hpp"

namespace taut {
namespace {

KnownTimes known(const std::string& force, double until = 10) {
  const Model model = read_model("coordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: \"" + force + "\"}\n", "m");
  return find_known_times(model, {}, 0, until);
}

double longest_at(const KnownTimes& times, double t) {
  double longest = std::numeric_limits<double>::infinity();
  for (const StepBound& bound : times.schedule.bounds)
    if (bound.from <= t) longest = bound.longest;
  return longest;
}

double shortest(const KnownTimes& times) {
  double least = std::numeric_limits<double>::infinity();
  for (const StepBound& bound : times.schedule.bounds) least = std::min(least, bound.longest);
  return least;
}

TEST(KnownTimes, AreNoneWhereNothingDependsOnTime) {
  const KnownTimes times = known("-x + sign(x) + 3");
  EXPECT_TRUE(times.schedule.stops.empty());
  EXPECT_TRUE(times.schedule.bounds.empty());
}

TEST(KnownTimes, AskForNothingWherePolynomialsDescribeAForce) {
  EXPECT_TRUE(known("1 + 3*t - t^5*x").schedule.bounds.empty());
}

TEST(KnownTimes, FindAPulseOfAnyWidth) {
  for (const double width : {1.0, 1e-1, 1e-3, 1e-5, 1e-7, 1e-9}) {
    const KnownTimes times = known("exp(-((t-" + std::to_string(3.7) + ")/" + std::to_string(width * 1e9) + "e-9)^2)");
    EXPECT_LT(longest_at(times, 3.7), 2 * width);
    EXPECT_GT(longest_at(times, 3.7), 0.3 * width);
    EXPECT_GT(longest_at(times, 3.7 - std::max(20 * width, 0.1)), 3 * width);
    EXPECT_LT(times.schedule.bounds.size(), 60u);
  }
}

/// A square wave has 100 edges a second, and 100,000 before the run begins, which are none of its business.
TEST(KnownTimes, CountFromWhereARunBegins) {
  const Model model =
      read_model("coordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: sign(sin(100*pi*t))}\n", "m");
  const KnownTimes times = find_known_times(model, {}, 1000.005, 1001.005);
  ASSERT_EQ(times.schedule.stops.size(), 100U);
  for (std::size_t k = 0; k < 100; ++k)
    EXPECT_NEAR(times.schedule.stops[k].at, 1000.01 + 0.01 * static_cast<double>(k), 1e-11);
}

TEST(KnownTimes, FollowAnOscillationByOneBound) {
  const KnownTimes times = known("sin(1000*t)", 1000);
  EXPECT_EQ(times.schedule.bounds.size(), 1u);
  EXPECT_NEAR(shortest(times), 2.9e-3, 1e-4);
}

TEST(KnownTimes, SeeASmallPulseBesideALargeForce) {
  const KnownTimes times = known("1e6*t + 1e-3*exp(-((t-5)/1e-3)^2)");
  EXPECT_LT(longest_at(times, 5), 2e-3);
}

TEST(KnownTimes, FindEveryPulseOfATrain) {
  const KnownTimes times = known("exp(-(sin(pi*t)/0.01)^2)", 20);
  for (int k = 1; k < 20; ++k) {
    EXPECT_LT(longest_at(times, k), 0.01);
    EXPECT_GT(longest_at(times, k + 0.5), 0.1);
  }
}

TEST(KnownTimes, AreExactWhereAFormulaHasAKink) {
  const KnownTimes times = known("sign(sin(3*t)) + max(0, t - 2.2)^2");
  std::vector<double> expected{0, 2.2};
  for (int k = 1; k * std::numbers::pi / 3 < 10; ++k) expected.push_back(k * std::numbers::pi / 3);
  std::ranges::sort(expected);
  ASSERT_EQ(times.schedule.stops.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const Stop& stop = times.schedule.stops[k];
    EXPECT_LE(stop.at, expected[k]);
    EXPECT_GE(stop.resume, expected[k]);
    EXPECT_LT(stop.resume - stop.at, 1e-13) << expected[k];
  }
}

TEST(KnownTimes, HaveTheSignOfEitherSideWhereStepsEndAndBegin) {
  const KnownTimes times = known("sign(sin(7*t)*(t-4.9))", 50);
  for (const Stop& stop : times.schedule.stops) {
    if (stop.at == 0) continue;
    EXPECT_LT(std::sin(7 * stop.at) * (stop.at - 4.9) * std::sin(7 * stop.resume) * (stop.resume - 4.9), 0) << stop.at;
  }
  EXPECT_EQ(times.schedule.stops.size(), 1 + 1 + static_cast<std::size_t>(7 * 50 / std::numbers::pi));
}

TEST(KnownTimes, SeeTouchingZerosOfABranchPoint) {
  const KnownTimes times = known("asin(sin(t))");
  for (const double corner : {0.5, 1.5, 2.5})
    EXPECT_TRUE(std::ranges::any_of(times.schedule.stops, [&](const Stop& stop) {
      return std::abs(stop.at - corner * std::numbers::pi) < 1e-7;
    })) << corner;
}

TEST(KnownTimes, BoundStepsWhereKinksAreTooManyToBeListed) {
  const KnownTimes times = known("sign(sin(1e6*t))", 10);
  EXPECT_TRUE(times.schedule.stops.empty());
  EXPECT_LT(shortest(times), 1e-3);
}

TEST(KnownTimes, AreToldWhereFixedStepsMissSomething) {
  const Model model =
      read_model("coordinates: {x: 0}\nkinetic_energy: x'^2/2\nforces: {x: \"exp(-((t-5)/0.05)^2)/0.05\"}\n", "m");
  const auto says = [&](double step) {
    const auto run = simulate(model, {.until = 10, .step = step});
    return std::ranges::any_of(run.summary.notes, [](const std::string& note) {
      return note.find("the force on 'x' changes within") != std::string::npos;
    });
  };
  EXPECT_TRUE(says(0.5));
  EXPECT_FALSE(says(0.01));
}

}  // namespace
}  // namespace taut
