#include "output/plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace taut {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Thinned, KeepsTheExtremesOfALongCurve) {
  Curve curve;
  for (int k = 0; k < 100000; ++k) {
    curve.x.push_back(k);
    curve.y.push_back(k == 54321 ? 7 : k == 1234 ? -3 : std::sin(k * 1e-3));
  }
  const Curve thin = thinned(curve, 1000);
  EXPECT_LE(thin.x.size(), 1100u);
  EXPECT_EQ(*std::max_element(thin.y.begin(), thin.y.end()), 7);
  EXPECT_EQ(*std::min_element(thin.y.begin(), thin.y.end()), -3);
  EXPECT_TRUE(std::is_sorted(thin.x.begin(), thin.x.end()));
}

TEST(ToSvg, LeavesOutWhatHasNoPlace) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Plot plot{"t", "x", "y", false, true, false, {{"a", {0, 1, 2, 3, 4}, {1, 0, -1, nan, 10}}}};
  const std::string svg = to_svg(plot);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(ToSvg, DrawsAnEmptyPlotAndAConstantOne) {
  EXPECT_THAT(to_svg({"empty", "x", "y"}), Not(HasSubstr("nan")));
  EXPECT_THAT(to_svg({"flat", "x", "y", false, false, false, {{"a", {0, 1}, {2, 2}}}}), Not(HasSubstr("nan")));
}

TEST(ToSvg, MakesHostileNamesInert) {
  const std::string svg =
      to_svg({"<script>alert(1)</script>", "x", "y", false, false, false, {{"a&b", {0, 1}, {0, 1}}}});
  EXPECT_THAT(svg, Not(HasSubstr("<script>")));
  EXPECT_THAT(svg, HasSubstr("a&amp;b"));
}

}  // namespace
}  // namespace taut
