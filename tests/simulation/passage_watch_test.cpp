#include "simulation/passage_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace taut {
namespace {

/// Walks over a pivot |g| with steps of about `step`, and gathers the passages told.
std::vector<double> passages(const std::function<double(double)>& g, double until, double step, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> length(0.5 * step, 1.5 * step);
  const PassageWatch::Probe probe = [&](double t) { return std::abs(g(t)); };
  PassageWatch watch;
  std::vector<double> found;
  for (double t = 0; t < until; t += length(random)) {
    if (const auto passed = watch.add(t, probe(t), probe)) found.push_back(*passed);
    watch.look_ahead(3 * step, probe);
  }
  return found;
}

TEST(PassageWatch, FindsEveryPassageOfASinusoidalPivotOnce) {
  // Zeros of sin(t + 0.5) at k pi - 0.5. A tenth of a radian and less: linear extrapolation is good to 1 %.
  for (const double step : {0.02, 0.05, 0.1, 0.2}) {
    for (unsigned seed = 0; seed < 5; ++seed) {
      const auto found = passages([](double t) { return std::sin(t + 0.5); }, 40, step, seed);
      ASSERT_EQ(found.size(), 12U) << "step " << step;
      for (std::size_t k = 0; k < found.size(); ++k) {
        // A zero counts as found where the pivot is below a twentieth of those at the ends of the step,
        // which are at most 1.5 steps away.
        EXPECT_NEAR(found[k], static_cast<double>(k + 1) * M_PI - 0.5, 0.05 * 1.5 * step + 1e-12) << "step " << step;
      }
    }
  }
}

/// The same with even steps; how many probes it took once five pivots were known is told in `probes`.
std::vector<double> even_passages(const std::function<double(double)>& g, int steps, double step,
                                  int* probes = nullptr) {
  int asked = 0;
  const PassageWatch::Probe probe = [&](double t) {
    ++asked;
    return std::abs(g(t));
  };
  PassageWatch watch;
  std::vector<double> found;
  for (int k = 0; k < steps; ++k) {
    if (k == 6) asked = 0;
    const double t = k * step;
    if (const auto passed = watch.add_evenly(t, std::abs(g(t)), probe)) found.push_back(*passed);
  }
  if (probes) *probes = asked;
  return found;
}

TEST(PassageWatch, FindsEveryPassageOfEvenStepsOnce) {
  for (const double step : {0.003, 0.02, 0.1, 0.2, 0.5}) {
    const auto found = even_passages([](double t) { return std::sin(t + 0.5); }, static_cast<int>(40 / step), step);
    ASSERT_EQ(found.size(), 12U) << "step " << step;
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_NEAR(found[k], static_cast<double>(k + 1) * M_PI - 0.5, 0.05 * step) << "step " << step;
  }
}

TEST(PassageWatch, NeedsNoProbesWhereStepsAreEvenAndSmall) {
  // Next to its shallowest zero g is x (0.2 + 4.5 x²) / 2.2: the quartic's last term is 0.37 h⁴, and what convinces is
  // the square of a twentieth of half the change in a step, (0.05 · 0.09 h / 2)² = 5e-6 h²; so h must be below 0.0037.
  int probes = 0;
  const auto g = [](double t) { return std::sin(t) * (1.2 + std::cos(3 * t)) / 2.2; };
  EXPECT_EQ(even_passages(g, 5000, 0.002, &probes).size(), 3U);
  EXPECT_EQ(probes, 0);
  EXPECT_TRUE(even_passages([](double t) { return 0.5 + 0.3 * std::sin(t); }, 2000, 0.01, &probes).empty());
  EXPECT_EQ(probes, 0);
  EXPECT_TRUE(even_passages([](double) { return 0.7; }, 100, 0.01, &probes).empty());
  EXPECT_EQ(probes, 0);
}

TEST(PassageWatch, TellsNothingOfAnAvoidedCrossingInEvenSteps) {
  // What convinces is a twentieth of the pivots at both ends, which are at most 0.1 and the nearest away.
  for (const double d : {0.01, 0.05, 0.1, 0.3}) {
    const auto g = [d](double t) { return std::sqrt(std::pow(std::sin(t + 0.5), 2) + d * d); };
    for (const double step : {0.01, 0.03, 0.1}) {
      EXPECT_TRUE(even_passages(g, static_cast<int>(40 / step), step).empty()) << "nearest " << d << " step " << step;
    }
  }
}

TEST(PassageWatch, SeesAStepThatEndsOnAPassageOnce) {
  const auto found = even_passages([](double t) { return std::sin(M_PI * t); }, 450, 0.01);
  ASSERT_EQ(found.size(), 4U);
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], static_cast<double>(k + 1), 0.05 * 0.01);
}

TEST(PassageWatch, FindsPassagesOfDifferentSteepness) {
  // sin t (1.2 + cos 3t) / 2.2 has the zeros of sin t alone, with slopes from 0.1 to 1.
  const auto found = passages([](double t) { return std::sin(t) * (1.2 + std::cos(3 * t)) / 2.2; }, 20, 0.03, 1);
  ASSERT_EQ(found.size(), 6U);
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], static_cast<double>(k + 1) * M_PI, 0.01);
}

TEST(PassageWatch, TellsNothingOfAPivotThatStaysAway) {
  EXPECT_TRUE(passages([](double t) { return 0.5 + 0.3 * std::sin(t); }, 40, 0.1, 1).empty());
  EXPECT_TRUE(passages([](double) { return 0.7; }, 40, 0.1, 1).empty());
}

TEST(PassageWatch, TellsNothingOfAnAvoidedCrossing) {
  // sqrt(sin^2 + d^2) comes as near as d and turns back. The pivots a step away are at most 0.15, and what
  // convinces is a twentieth of them: none of these is a zero.
  for (const double d : {0.05, 0.1, 0.3}) {
    const auto g = [d](double t) { return std::sqrt(std::pow(std::sin(t + 0.5), 2) + d * d); };
    EXPECT_TRUE(passages(g, 40, 0.1, 1).empty()) << "nearest " << d;
  }
}

TEST(PassageWatch, ForeseesAPassageWithinAFewPerCentOfItsDistance) {
  const PassageWatch::Probe probe = [](double t) { return std::abs(std::sin(2 - t)); };
  PassageWatch watch;
  int foreseen = 0;
  for (double t = 1; t < 1.98; t += 0.07) {
    watch.add(t, probe(t), probe);
    watch.look_ahead(0.5, probe);
    const double time = watch.ahead().time;
    if (2 - t <= 0.45 && t > 1.1) {
      EXPECT_NEAR(time, 2, 0.05 * (2 - t)) << "from " << t;
      ++foreseen;
    }
  }
  EXPECT_GE(foreseen, 5);
}

TEST(PassageWatch, LooksNoFartherThanItsHorizon) {
  const PassageWatch::Probe probe = [](double t) { return std::abs(2 - t); };
  PassageWatch watch;
  for (const double t : {0.0, 0.1, 0.2}) watch.add(t, probe(t), probe);
  watch.look_ahead(1.7, probe);
  EXPECT_TRUE(std::isinf(watch.ahead().time));
  watch.look_ahead(1.9, probe);
  EXPECT_NEAR(watch.ahead().time, 2, 1e-12);
}

TEST(PassageWatch, IsNotLedFarAwayByAPivotThatHardlyChanges) {
  // The pivot has fallen so that its zero lies just ahead; there, however, it seems to fall by 1e-5 in unit time.
  const PassageWatch::Probe fell = [](double t) { return 0.35 + (0.2 - t); };
  const PassageWatch::Probe flat = [](double t) { return std::abs(0.35 - 1e-5 * (t - 0.2)); };
  PassageWatch watch;
  for (const double t : {0.0, 0.1, 0.2}) watch.add(t, fell(t), fell);
  watch.look_ahead(0.4, flat);
  EXPECT_TRUE(std::isinf(watch.ahead().time)) << "its zero at 35,000 is no matter of these steps";
}

TEST(PassageWatch, SeesAPassageInFrontOfAnotherThatItHasForeseen) {
  const PassageWatch::Probe one = [](double t) { return 0.12 * std::abs(2 - t); };
  const PassageWatch::Probe two = [](double t) { return std::abs((1.7 - t) * (2 - t)); };
  PassageWatch watch;
  for (const double t : {1.4, 1.5, 1.6}) watch.add(t, one(t), one);
  watch.look_ahead(1, one);
  ASSERT_NEAR(watch.ahead().time, 2, 0.02);
  for (const double t : {1.61, 1.62}) watch.add(t, two(t), two);
  watch.look_ahead(0.2, two);
  EXPECT_NEAR(watch.ahead().time, 1.7, 0.05 * (1.7 - 1.62));
}

TEST(PassageWatch, KeepsInSightWhatItHasForeseenHoweverSmallTheSteps) {
  const PassageWatch::Probe probe = [](double t) { return std::abs(std::sin(2 - t)); };
  PassageWatch watch;
  for (const double t : {1.4, 1.5, 1.6}) watch.add(t, probe(t), probe);
  watch.look_ahead(1, probe);
  ASSERT_NEAR(watch.ahead().time, 2, 0.02);
  for (double t = 1.61; t < 1.65; t += 1e-4) {
    watch.add(t, probe(t), probe);
    watch.look_ahead(3e-4, probe);
    ASSERT_NEAR(watch.ahead().time, 2, 0.05 * (2 - t)) << "from " << t;
  }
}

TEST(PassageWatch, SaysWhenAPassageIsNearAndWhenItIsNotWorthComingNearer) {
  const PassageWatch::Probe probe = [](double t) { return std::abs(2 - t); };
  for (const double distance : {0.1, 0.02, 5e-4}) {
    PassageWatch watch;
    watch.add(2 - 2 * distance, probe(2 - 2 * distance), probe);
    watch.add(2 - distance, probe(2 - distance), probe);
    watch.look_ahead(1, probe);
    EXPECT_NEAR(watch.ahead().time, 2, 1e-12);
    EXPECT_EQ(watch.ahead().near, distance <= 0.03);
    EXPECT_EQ(watch.ahead().at_floor, distance <= 1e-3);
  }
}

TEST(PassageWatch, ForgetsWhatLiesAheadOnceItIsBehind) {
  const PassageWatch::Probe probe = [](double t) { return std::abs(2 - t); };
  PassageWatch watch;
  for (const double t : {1.7, 1.8, 1.9}) watch.add(t, probe(t), probe);
  watch.look_ahead(1, probe);
  ASSERT_NEAR(watch.ahead().time, 2, 1e-12);
  EXPECT_TRUE(watch.add(2.1, probe(2.1), probe).has_value());
  EXPECT_TRUE(std::isinf(watch.ahead().time));
}

TEST(PassageWatch, ForgetsThePastWhenReset) {
  const PassageWatch::Probe probe = [](double t) { return std::abs(2 - t); };
  PassageWatch watch;
  for (const double t : {1.7, 1.8, 1.9}) watch.add(t, probe(t), probe);
  watch.look_ahead(1, probe);
  watch.reset();
  EXPECT_TRUE(std::isinf(watch.ahead().time));
  EXPECT_FALSE(watch.add(2.1, probe(2.1), probe).has_value());
}

}  // namespace
}  // namespace taut
