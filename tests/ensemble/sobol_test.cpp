#include "ensemble/sobol.hpp"

#include <gtest/gtest.h>

#include <set>

namespace taut {
namespace {

TEST(Sobol, IsTheSequenceThatScipyComputes) {
  // scipy.stats.qmc.Sobol(21, scramble=False), points 37 and 63, times 2^32.
  const std::uint32_t point37[] = {3959422976, 2751463424, 2483027968, 3959422976, 3288334336, 1275068416, 738197504,
                                   3422552064, 2617245696, 738197504,  67108864,   335544320,  2483027968, 3690987520,
                                   469762048,  2080374784, 3422552064, 1811939328, 201326592,  603979776,  4093640704};
  const std::uint32_t point63[] = {67108864,   3422552064, 1543503872, 1946157056, 3690987520, 603979776,  2483027968,
                                   603979776,  3556769792, 2483027968, 1811939328, 2885681152, 2348810240, 3288334336,
                                   1409286144, 3288334336, 335544320,  1677721600, 4093640704, 1006632960, 1006632960};
  for (int k = 0; k < most_sobol_dimensions; ++k) {
    EXPECT_EQ(sobol(37, k), point37[k]) << k;
    EXPECT_EQ(sobol(63, k), point63[k]) << k;
  }
}

TEST(Sobol, EveryDimensionMeetsEveryShareOfItsFirstPowerOfTwoOnce) {
  for (int k = 0; k < most_sobol_dimensions; ++k) {
    std::set<std::uint32_t> shares;
    for (std::uint64_t n = 0; n < 256; ++n) shares.insert(sobol(n, k) >> 24);
    EXPECT_EQ(shares.size(), 256u) << k;
  }
}

}  // namespace
}  // namespace taut
