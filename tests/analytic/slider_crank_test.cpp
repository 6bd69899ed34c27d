#include <gtest/gtest.h>

#include <fmt/format.h>

#include "analytic/reference.hpp"

namespace taut::test {
namespace {

using Real = IndependentMotion::Real;

/// Braun & Goldfarb 5.2 with th2 = -th1: one equation for the crank's angle. The step of 1e-4 s leaves
/// an error of (1e-4/1e-3)^4 times 4e-8, the error of RK4 with 1e-3 s.
IndependentMotion crank(Real theta) {
  return {theta, 0, 1e-4L, [](Real th, Real w) {
            const Real s = std::sin(th), c = std::cos(th);
            const Real M = 1 / 3.0L + 2.25L * s * s + 0.25L * c * c + 1 / 12.0L + 4 * s * s;
            return (20 - 5 * w - static_cast<Real>(9.81) * c - 6 * s * c * w * w) / M;
          }};
}

int column(const std::vector<std::string>& columns, const std::string& name) {
  return static_cast<int>(std::find(columns.begin(), columns.end(), name) - columns.begin());
}

/// The largest error of the slider's position over a run.
class SliderError : public Observer {
 public:
  explicit SliderError(Real theta) : crank_(crank(theta)) {}
  void start(const std::vector<std::string>& columns) override { x_s_ = column(columns, "x_s"); }
  void row(const std::vector<double>& values) override {
    const Real exact = 2 * std::cos(crank_.theta_at(values[0]));
    largest = std::max(largest, static_cast<double>(std::abs(values[x_s_] - exact)));
  }
  double largest = 0;

 private:
  IndependentMotion crank_;
  int x_s_ = 0;
};

class SliderCrank : public testing::TestWithParam<const char*> {};

TEST_P(SliderCrank, CrossesItsSingularPositionsForAHundredSeconds) {
  SliderError error(0);
  const auto run =
      simulate(load_model("slider-crank"),
               {.until = 100, .step = 1e-3, .method = GetParam(), .integrator = Rk4{}, .record = false}, &error);
  EXPECT_LE(error.largest, 4.5e-8);
  EXPECT_LE(*run.summary.max_position_violation, 1e-12);
  // The crank ends at 334.946 rad and is singular at every odd multiple of pi/2.
  EXPECT_EQ(run.summary.passages, static_cast<long>(334.9465093 / M_PI + 0.5));
  ASSERT_FALSE(run.summary.events.empty());
  EXPECT_EQ(run.summary.events.front().kind, "passage");
  EXPECT_NEAR(value_of(run.summary.final_outputs, "x_s"), -0.7174314863831451224248, 4.5e-8);
}

INSTANTIATE_TEST_SUITE_P(Under, SliderCrank, testing::Values("braun-goldfarb", "auto"),
                         [](const auto& info) { return std::string(info.param) == "auto" ? "Auto" : "BraunGoldfarb"; });

TEST(SliderCrankLadder, FollowsTheToleranceThroughEveryPassage) {
  const double end = static_cast<double>(crank(M_PI / 4).theta_at(100));
  // Singular at the odd multiples of pi/2, from pi/4 on.
  const long passages = static_cast<long>(end / M_PI + 0.5);
  const Model model = load_model("slider-crank");
  double before = 10;
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const auto run = simulate(
        model, {.until = 100, .rtol = rtol, .set = {{"th1(0)", "pi/4"}, {"th2(0)", "-pi/4"}}, .record = false});
    const std::string at = fmt::format("rtol {}", rtol);
    ASSERT_EQ(run.summary.outcome, Outcome::done) << at << ": " << run.summary.reason;
    const double error = std::abs(coordinate(run, "th1") - end);
    EXPECT_LT(error, 0.5 * before) << at;
    EXPECT_LE(*run.summary.max_position_violation, 1e-11) << at;
    EXPECT_EQ(run.summary.passages, passages) << at;
    before = error;
  }
  EXPECT_LE(before, 1e-8);
}

}  // namespace
}  // namespace taut::test
