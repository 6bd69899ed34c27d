#include "base/finite.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

using namespace taut;

TEST(IsFinite, SaysWhatEigenSaysWhereverABadNumberStands) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (int size = 0; size < 9; ++size) {
    const Vector good = Vector::Constant(size, -std::numeric_limits<double>::max());
    EXPECT_TRUE(is_finite(good));
    for (int at = 0; at < size; ++at)
      for (const double bad : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
        Vector x = good;
        x[at] = bad;
        EXPECT_EQ(is_finite(x), x.allFinite()) << size << ", " << at;
        EXPECT_FALSE(is_finite(x));
        Vector copy = good;
        EXPECT_FALSE(copy_finite(x.data(), copy));
        EXPECT_TRUE(copy_finite(good.data(), copy));
        EXPECT_EQ(copy, good);
      }
  }
}

}  // namespace
