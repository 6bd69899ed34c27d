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

std::size_t count(const std::string& text, const std::string& words) {
  std::size_t n = 0;
  for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++n;
  return n;
}

Plot line_of(const std::string& y_label, std::vector<double> x, std::vector<double> y) {
  Plot plot{"panels", "t in s", y_label};
  plot.curves.push_back({"a", std::move(x), std::move(y)});
  return plot;
}

TEST(ToSvg, PutsPanelsBelowOneAnotherOverOneAxis) {
  const std::string svg = to_svg({line_of("up", {0, 1}, {0, 1}), line_of("down", {0, 10}, {1, 0})});
  EXPECT_EQ(count(svg, "t in s"), 1u);
  EXPECT_EQ(count(svg, ">panels</text>"), 1u);
  EXPECT_THAT(svg, HasSubstr(">up<"));
  EXPECT_THAT(svg, HasSubstr(">down<"));
  // The numbers of the axis stand below the last panel only, and are those of the longer curve.
  EXPECT_EQ(count(svg, "text-anchor='middle'>10</text>"), 1u);
  EXPECT_EQ(count(svg, ">a</text>"), 1u) << "one legend serves both";
}

TEST(ToSvg, PutsALegendBelowWhereCurvesLeaveItNoRoom) {
  Plot plot{"full", "x", "y"};
  Curve curve{"all over"};
  for (int k = 0; k < 2000; ++k) {
    curve.x.push_back(k % 45);
    curve.y.push_back(k / 45);
  }
  plot.curves = {curve};
  EXPECT_THAT(to_svg(plot), Not(HasSubstr("height='420'")));
  EXPECT_THAT(to_svg(line_of("y", {0, 1}, {0, 1})), HasSubstr("height='420'"));
}

TEST(ToSvg, DrawsMarksAndDashes) {
  Plot plot{"marks", "x", "y"};
  plot.curves = {{"o", {0, 1}, {0, 1}, Mark::circle, Line::none}, {"+", {0, 1}, {1, 0}, Mark::plus, Line::dashed}};
  const std::string svg = to_svg(plot);
  EXPECT_EQ(count(svg, "<polyline"), 1u);
  EXPECT_EQ(count(svg, "<circle"), 3u) << "two, and one in the legend";
  EXPECT_EQ(count(svg, "<path"), 3u);
  EXPECT_EQ(count(svg, "stroke-dasharray"), 2u);
}

TEST(ToSvg, DrawsOnceWhatAMotionDrawsAgainAndAgain) {
  Plot once{"circle", "x", "y"}, often{"circle", "x", "y"};
  once.curves.resize(1);
  often.curves.resize(1);
  for (int k = 0; k <= 200 * 50; ++k) {
    const double angle = 2 * M_PI * k / 200;
    if (k <= 200) once.curves[0].x.push_back(std::cos(angle)), once.curves[0].y.push_back(std::sin(angle));
    often.curves[0].x.push_back(std::cos(angle)), often.curves[0].y.push_back(std::sin(angle));
  }
  EXPECT_LE(to_svg(often).size(), to_svg(once).size() + 100);
}

TEST(ToSvg, StaysSmallHoweverManyCurvesThereAre) {
  Plot plot{"many", "x", "y"};
  for (int c = 0; c < 12; ++c) {
    plot.curves.push_back({std::to_string(c)});
    for (int k = 0; k < 100000; ++k) {
      plot.curves.back().x.push_back(k);
      plot.curves.back().y.push_back(std::sin(0.01 * k + c));
    }
  }
  EXPECT_LT(to_svg(plot).size(), 60000u);
}

}  // namespace
}  // namespace taut
