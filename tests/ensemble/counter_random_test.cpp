#include "ensemble/counter_random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace taut {
namespace {

using Words = std::array<std::uint32_t, 4>;

TEST(CounterRandom, PhiloxGivesThePublishedAnswers) {
  // The known answers that Salmon et al. publish with Random123.
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t all = 0xffffffff;
  EXPECT_EQ(philox({all, all, all, all}, {all, all}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(CounterRandom, UnitNumbersHaveTheMomentsOfTheUniformDistribution) {
  // Mean 1/2 and variance 1/12; of n numbers their standard errors are √(1/12n) and √(1/180n). Four of them.
  const int n = 100'000;
  double sum = 0, squares = 0;
  for (std::uint64_t k = 0; k < n; ++k) {
    const double x = random_unit({7, 1, k, 0});
    ASSERT_TRUE(x > 0 && x < 1);
    sum += x;
    squares += (x - 0.5) * (x - 0.5);
  }
  EXPECT_NEAR(sum / n, 0.5, 4 * std::sqrt(1.0 / (12 * n)));
  EXPECT_NEAR(squares / n, 1.0 / 12, 4 * std::sqrt(1.0 / (180 * n)));
}

TEST(CounterRandom, OtherSeedsStreamsAndIndicesGiveOtherNumbers) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (std::uint32_t stream = 0; stream < 10; ++stream)
      for (std::uint64_t index = 0; index < 10; ++index) seen.insert(random_bits({seed, stream, index, 0}));
  EXPECT_EQ(seen.size(), 1000u);
}

TEST(CounterRandom, APermutationMeetsEveryPlaceOnce) {
  for (const std::uint64_t count : {1u, 2u, 3u, 7u, 64u, 1000u}) {
    std::set<std::uint64_t> places;
    for (std::uint64_t k = 0; k < count; ++k) places.insert(permuted(k, count, {3, 1, 0, 0}));
    EXPECT_EQ(places.size(), count);
    EXPECT_EQ(*places.rbegin(), count - 1);
  }
}

TEST(CounterRandom, NormalQuantileInvertsTheErrorFunction) {
  // P(x) = erfc(−x/√2)/2; the error of P is that of x times the density, and P itself is good to a few ε.
  for (double p = 1e-15; p < 1; p += p < 1e-3 ? 9 * p : 0.0097) {
    const double x = normal_quantile(p);
    EXPECT_NEAR(0.5 * std::erfc(-x / std::sqrt(2.0)) / p, 1, 1e-14 * (1 + x * x)) << p;
  }
}

}  // namespace
}  // namespace taut
