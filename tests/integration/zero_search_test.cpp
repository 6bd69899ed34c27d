#include "integration/zero_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace taut {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pointwise;

/// Rates are those of differences, as of functions along a motion.
template <class Function>
std::vector<double> zeros(Function g, double from, double to, int* looks = nullptr) {
  const auto look = [&](double t) {
    if (looks) ++*looks;
    constexpr double offset = 1e-5;
    return Sample{t, g(t), (g(t + offset) - g(t - offset)) / (2 * offset)};
  };
  ZeroSearch search(look, g);
  return search.find(look(from), look(to));
}

MATCHER_P(NearTo, distance, "") { return std::abs(std::get<0>(arg) - std::get<1>(arg)) <= distance; }

TEST(ZeroSearch, FindsTwoZerosWhoseStepHasEqualSignsAtItsEnds) {
  const auto found = zeros([](double t) { return (t - 5) * (t - 5.5); }, 0, 10);
  EXPECT_THAT(found, Pointwise(NearTo(1e-13), std::vector<double>{5, 5.5}));
}

TEST(ZeroSearch, FindsZerosThatLieATenMillionthOfTheStepApart) {
  const auto found = zeros([](double t) { return (t - 5) * (t - 5.000001); }, 0, 10);
  // What two zeros at this distance make of a rounding: 1e-15 · 25 / 1e-6.
  EXPECT_THAT(found, Pointwise(NearTo(1e-8), std::vector<double>{5, 5.000001}));
}

TEST(ZeroSearch, FindsEveryZeroOfAPolynomialInTheirOrder) {
  const auto g = [](double t) { return (t - 1) * (t - 2) * (t - 3.5) * (t - 4) * (t - 8); };
  EXPECT_THAT(zeros(g, 0, 10), Pointwise(NearTo(1e-10), std::vector<double>{1, 2, 3.5, 4, 8}));
}

TEST(ZeroSearch, FindsEveryZeroOfAnOscillation) {
  const auto found = zeros([](double t) { return std::sin(2 * std::numbers::pi * t); }, 0.1, 10.1);
  ASSERT_EQ(found.size(), 20U);
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], 0.5 * static_cast<double>(k + 1), 1e-10);
}

TEST(ZeroSearch, CountsATouchWithinRoundingOnce) {
  const auto found = zeros([](double t) { return (t - 5) * (t - 5); }, 0.3, 10);
  // A square is below a rounding of its size within the root of that.
  EXPECT_THAT(found, Pointwise(NearTo(1e-6), std::vector<double>{5}));
}

TEST(ZeroSearch, DoesNotTakeANearMissForATouch) {
  EXPECT_THAT(zeros([](double t) { return (t - 5) * (t - 5) + 1e-10; }, 0.3, 10), IsEmpty());
}

TEST(ZeroSearch, FindsBothZerosBesideAKink) {
  const auto found = zeros([](double t) { return std::abs(t - 2) - 0.001; }, 0.3, 3.1);
  EXPECT_THAT(found, Pointwise(NearTo(1e-13), std::vector<double>{1.999, 2.001}));
}

TEST(ZeroSearch, FindsWhereAFunctionComesToRestAtZeroAndNotWhereItLeavesIt) {
  const auto down = zeros([](double t) { return std::max(0.0, 3 - t); }, 0, 10);
  EXPECT_THAT(down, Pointwise(NearTo(1e-10), std::vector<double>{3}));
  EXPECT_THAT(zeros([](double t) { return std::max(0.0, t - 3); }, 0, 10), IsEmpty());
}

TEST(ZeroSearch, LeavesAZeroAtTheBeginningToTheStepBefore) {
  EXPECT_THAT(zeros([](double t) { return t; }, 0, 1), IsEmpty());
  EXPECT_THAT(zeros([](double t) { return t; }, -1, 0), ElementsAre(0));
}

TEST(ZeroSearch, LooksSeldomWhereNothingComesNear) {
  int looks = 0;
  EXPECT_THAT(zeros([](double t) { return 3 + std::sin(t); }, 0, 0.5, &looks), IsEmpty());
  EXPECT_EQ(looks, 5);  // both ends, and three that part the step in four
}

TEST(ZeroSearch, SeesNoZerosWhereThereIsNoValue) {
  EXPECT_THAT(zeros([](double t) { return std::sqrt(t - 2) - 1; }, 0, 1), IsEmpty());
}

}  // namespace
}  // namespace taut
