// The same mechanism said by equations and said by bodies and joints: the same motion.
#include <gtest/gtest.h>

#include "mechanism/motions.hpp"

namespace taut::test {
namespace {

Run run(const std::string& name, double until, std::vector<Assignment> set = {}) {
  const auto result =
      simulate(load_model(name, set), {.until = until, .rtol = 1e-12, .atol = 1e-14, .every = until / 50, .set = set});
  EXPECT_EQ(result.summary.outcome, Outcome::done) << name << ": " << result.summary.reason;
  return result;
}

void expect_same(const Run& equations, const std::string& there, const Run& bodies, const std::string& here,
                 double sign = 1) {
  EXPECT_LE(apart(column(equations, there), column(bodies, here), sign), 1e-9) << there << " and " << here;
}

TEST(EquationsAndBodies, AgreeOnThePendulum) {
  // The one starts to the right, the other to the left.
  const auto equations = run("pendulum", 10), bodies = run("mechanisms/a01-pendulum", 10);
  expect_same(equations, "x", bodies, "mass.x", -1);
  expect_same(equations, "y", bodies, "mass.y");
  expect_same(equations, "x'", bodies, "mass.x'", -1);
  expect_same(equations, "y'", bodies, "mass.y'");
}

TEST(EquationsAndBodies, AgreeOnTheSliderCrank) {
  const auto equations = run("slider-crank", 10), bodies = run("mechanisms/slider-crank", 10);
  expect_same(equations, "x_s", bodies, "x_s");
  expect_same(equations, "v_s", bodies, "v_s");
  expect_same(equations, "th1", bodies, "crank.angle");
  EXPECT_EQ(bodies.summary.passages, equations.summary.passages);
}

TEST(EquationsAndBodies, AgreeOnTheFourBars) {
  const auto equations = run("two-four-bars", 10), bodies = run("mechanisms/a02-n-four-bar", 10);
  expect_same(equations, "x1", bodies, "B0_x");
  expect_same(equations, "y1", bodies, "B0_y");
  expect_same(equations, "x1'", bodies, "B0_vx");
  expect_same(equations, "y1'", bodies, "B0_vy");
}

TEST(EquationsAndBodies, AgreeOnBricardsChain) {
  // The equations know no spin of the bars, and another gravity.
  const auto equations = run("bricard", 10), bodies = run("mechanisms/a04-bricard", 10, {{"J", "0"}, {"g", "9.8"}});
  expect_same(equations, "P2_x", bodies, "P3_x");
  expect_same(equations, "P2_y", bodies, "P3_y");
  expect_same(equations, "P2_z", bodies, "P3_z");
}

TEST(EquationsAndBodies, ThinBarsStartAlikeUnderEveryKernel) {
  // A bar without spin, turned by 1e-18 from its axes, shows inertia about all three of them; two are one. P3 falls
  // with the same acceleration from the first nanosecond on, whichever kernel completes the mass matrix.
  const std::vector<Assignment> thin{{"J", "0"}, {"g", "9.8"}};
  const auto fall = [&](const std::string& linear, double step) {
    const auto result = simulate(load_model("mechanisms/a04-bricard", thin),
                                 {.until = 3 * step, .step = step, .integrator = "rk4", .linear = linear, .set = thin});
    return column(result, "rod2.z'").back() / (3 * step);
  };
  const double expected = fall("qr", 1e-4);
  for (const char* linear : {"auto", "cholesky", "qr", "cod", "small", "svd", "recursive", "sparse", "mixed"})
    for (const double step : {1e-9, 1e-7}) EXPECT_NEAR(fall(linear, step), expected, 1e-6) << linear << ' ' << step;
}

TEST(EquationsAndBodies, AgreeOnTheRollingCoin) {
  const auto equations = run("rolling-disk", 5), bodies = run("mechanisms/rolling-coin", 5);
  expect_same(equations, "x", bodies, "x");
  expect_same(equations, "y", bodies, "y");
  expect_same(equations, "z", bodies, "z");
  // The multiplier of z = r cos(theta) is the upright force, less what the rolling rows take of it: none.
  EXPECT_LE(apart(column(equations, "normal_force"), column(bodies, "normal_force")), 1e-7);
}

}  // namespace
}  // namespace taut::test
