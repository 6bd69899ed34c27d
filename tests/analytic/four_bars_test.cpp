#include <gtest/gtest.h>

#include <fmt/format.h>

#include "analytic/reference.hpp"

namespace taut::test {
namespace {

using Real = IndependentMotion::Real;

/// N four-bar loops of equal bars (IFToMM A02): the bars stay parallel, so one angle describes all.
IndependentMotion bars(int N, Real step) {
  const Real ratio = ((N + 1) / 2.0L + N) / ((N + 1) / 3.0L + N) * static_cast<Real>(9.81);
  return {std::acos(0.0L), -1, step, [ratio](Real th, Real) { return -ratio * std::cos(th); }};
}

class TwoFourBars : public testing::TestWithParam<std::pair<double, double>> {};

TEST_P(TwoFourBars, UnderBraunGoldfarbStayWithinTheBoundForAHundredSeconds) {
  const auto [step, bound] = GetParam();
  IndependentMotion exact = bars(2, 1e-4L);
  // Columns: t, x1, y1, x2, y2, x3, …
  LargestError error([&](const std::vector<double>& row) {
    return static_cast<double>(row[5] - (2 + std::cos(exact.theta_at(row[0]))));
  });
  const auto run =
      simulate(load_model("two-four-bars"),
               {.until = 100, .step = step, .method = BraunGoldfarb{}, .integrator = Rk4{}, .record = false}, &error);
  EXPECT_LE(error.largest(), bound);
  EXPECT_GT(run.summary.passages, 0);
}

INSTANTIATE_TEST_SUITE_P(WithStep, TwoFourBars, testing::Values(std::pair{1e-2, 1.5e-2}, std::pair{1e-3, 3e-7}),
                         [](const auto& info) { return info.param.first == 1e-2 ? "10ms" : "1ms"; });

TEST(TwoFourBarsWithoutCorrection, LeaveTheirConstraintsWithinFiveSecondsAndTheSummarySaysSo) {
  const Model model = load_model("two-four-bars");
  Options options{.until = 100, .step = 1e-2, .method = UdwadiaKalaba{}, .integrator = Rk4{}};
  const auto ended = simulate(model, options);
  EXPECT_EQ(ended.summary.outcome, Outcome::failed);
  EXPECT_LT(ended.summary.t_end, 5);
  EXPECT_FALSE(ended.summary.reason.empty());
  EXPECT_GT(ended.trajectory.rows.size(), 400u) << "what was computed is kept";
  options.fail_above = 1e-3;
  const auto stopped = simulate(model, options);
  EXPECT_TRUE(stopped.summary.limit_broken);
  EXPECT_LT(stopped.summary.t_end, 5);
}

struct EndOfA02 {
  int loops;
  double x, y, bound;
};

class NFourBars : public testing::TestWithParam<EndOfA02> {};

/// Closed form by elliptic functions, 20 digits.
TEST_P(NFourBars, AgreeWithTheClosedFormThroughEverySingularPassage) {
  const auto& [loops, x, y, bound] = GetParam();
  const std::vector<Assignment> set{{"N", std::to_string(loops)}};
  const auto run = simulate(load_model("n-four-bar", set), {.until = 10, .rtol = 1e-10, .set = set, .record = false});
  EXPECT_NEAR(coordinate(run, "x1"), x, bound);
  EXPECT_NEAR(coordinate(run, "y1"), y, bound);
  EXPECT_EQ(run.summary.passages, 10);
  EXPECT_LE(*run.summary.max_position_violation, 1e-11);
}

INSTANTIATE_TEST_SUITE_P(With, NFourBars,
                         testing::Values(EndOfA02{2, 0.32845811154081537865, 0.94451853817860096216, 1e-8},
                                         EndOfA02{40, 0.1805122266867283901, 0.98357274058231157488, 1e-7}),
                         [](const auto& info) { return fmt::format("{}Loops", info.param.loops); });

class NFourBarsLadder : public testing::TestWithParam<int> {};

TEST_P(NFourBarsLadder, FollowsTheToleranceThroughEveryPassage) {
  const int loops = GetParam();
  IndependentMotion exact = bars(loops, 1e-5L);
  const Real end = exact.theta_at(10);
  const std::vector<Assignment> set{{"N", std::to_string(loops)}};
  const Model model = load_model("n-four-bar", set);
  double before = 10;
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const auto run = simulate(model, {.until = 10, .rtol = rtol, .set = set, .record = false});
    const std::string at = fmt::format("rtol {}", rtol);
    ASSERT_EQ(run.summary.outcome, Outcome::done) << at << ": " << run.summary.reason;
    const double error = std::hypot(coordinate(run, "x1") - static_cast<double>(std::cos(end)),
                                    coordinate(run, "y1") - static_cast<double>(std::sin(end)));
    EXPECT_LT(error, 0.5 * before) << at;
    EXPECT_EQ(run.summary.passages, 10) << at;
    before = error;
  }
  EXPECT_LE(before, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(With, NFourBarsLadder, testing::Values(1, 2, 10),
                         [](const auto& info) { return fmt::format("{}Loops", info.param); });

/// A hundred loops lose rank by a hundred at each passage; `auto` takes the sparse kernel for them.
TEST(AHundredFourBars, AgreeWithOneAngleThroughEverySingularPassage) {
  IndependentMotion exact = bars(100, 1e-4L);
  const Real end = exact.theta_at(10);
  const std::vector<Assignment> set{{"N", "100"}};
  const auto run = simulate(load_model("n-four-bar", set), {.until = 10, .rtol = 1e-10, .set = set, .record = false});
  EXPECT_EQ(run.summary.linear, "sparse");
  EXPECT_EQ(run.summary.passages, 10);
  // Positions are up to a hundred, so that the absolute error asked for in each step is 1e-8; two hundred such steps.
  EXPECT_NEAR(coordinate(run, "x1"), static_cast<double>(std::cos(end)), 200 * 1e-8);
  EXPECT_NEAR(coordinate(run, "y1"), static_cast<double>(std::sin(end)), 200 * 1e-8);
  // Rounding of a position of a hundred enters a coupler's length twice over a length of one: 4·100·ε, and near a
  // passage a hundred times that.
  EXPECT_LE(*run.summary.max_position_violation, 1e-11);
}

/// Far from the origin positions are rounded more coarsely, and next to a singular position that is felt in the speeds
/// of the couplers; but not in the motion, and so hardly in the number of steps.
TEST(AHundredFourBars, OfBodiesTakeHardlyMoreStepsThanOne) {
  std::vector<long> steps;
  for (const int loops : {1, 100}) {
    IndependentMotion exact = bars(loops, 1e-4L);
    const Real end = exact.theta_at(10);
    const std::vector<Assignment> set{{"N", std::to_string(loops)}};
    const Model model = load_model("mechanisms/a02-n-four-bar", set);
    const auto run = simulate(model, {.until = 10, .rtol = 1e-10, .set = set, .record = false});
    ASSERT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
    EXPECT_EQ(run.summary.passages, 10);
    // Each of the steps may be wrong by 1e-10 of a position and of a speed of at most six, and the latter counts for up
    // to ten seconds; most of them are far better.
    EXPECT_NEAR(value_of(run.summary.final_outputs, "B0_x"), static_cast<double>(std::cos(end)), 1e-8);
    EXPECT_NEAR(value_of(run.summary.final_outputs, "B0_y"), static_cast<double>(std::sin(end)), 1e-8);
    steps.push_back(run.summary.steps + run.summary.rejected_steps);
  }
  EXPECT_LE(steps[1], 1.25 * static_cast<double>(steps[0]));
}

}  // namespace
}  // namespace taut::test
