#include <gtest/gtest.h>

#include <fmt/format.h>

#include "analytic/reference.hpp"

namespace taut::test {
namespace {

/// P2 of the Bricard mechanism as Orsino & de Oliveira model it, from DOP853 with exact projection at
/// three tolerances that agree to 1e-12.
struct Place2 {
  double t, x, y, z;
};
constexpr Place2 reference[] = {
    {1, 0.27445986034708, -0.88670486774309, -0.46233589252913},
    {2, -0.77823336021241, -0.98036802272267, -0.19717641852625},
    {5, 0.99992896204233, -0.99999999747698, -0.00007103543447},
    {10, 0.99971586835606, -0.99999995964607, -0.00028409127855},
};

TEST(Bricard, FollowsTheReferenceInFewSteps) {
  const Model model = load_model("bricard");
  for (const auto& at : reference) {
    const auto run = simulate(model, {.until = at.t, .rtol = 1e-12, .record = false});
    EXPECT_NEAR(coordinate(run, "x2"), at.x, 1e-10) << at.t;
    EXPECT_NEAR(coordinate(run, "y2"), at.y, 1e-10) << at.t;
    EXPECT_NEAR(coordinate(run, "z2"), at.z, 1e-10) << at.t;
    EXPECT_LE(run.summary.steps, 400) << at.t;
  }
}

TEST(Bricard, HasOneRedundantConstraintAndNamesIt) {
  const auto run = simulate(load_model("bricard"), {.until = 10, .rtol = 1e-12, .record = false});
  EXPECT_EQ(run.summary.rank_min, 9);
  EXPECT_EQ(run.summary.rank_max, 9);
  EXPECT_EQ(run.summary.constraints, 10);
  EXPECT_EQ(run.summary.degrees_of_freedom, 1);
  EXPECT_EQ(run.summary.dependent.size(), 1u);
  EXPECT_FALSE(run.summary.multipliers_unique);
}

TEST(Bricard, StartsWithTheAccelerationOfTheReference) {
  // x2'' at the start, from the independent rebuild of the example.
  const auto run = simulate(load_model("bricard"), {.until = 0});
  EXPECT_NEAR(value_of(run.summary.final_accelerations, "x2"), -1.958041958042, 1e-12);
}

TEST(Bricard, FollowsTheToleranceWithoutStalling) {
  const Model model = load_model("bricard");
  double before = 1;
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const auto run = simulate(model, {.until = 10, .rtol = rtol, .record = false});
    ASSERT_EQ(run.summary.outcome, Outcome::done) << fmt::format("rtol {}", rtol);
    const double error = std::abs(coordinate(run, "x2") - reference[3].x);
    // Below 1e-11 the reference's own digits end.
    EXPECT_LT(error, std::max(0.5 * before, 1e-11)) << fmt::format("rtol {}", rtol);
    EXPECT_EQ(run.summary.passages, 0);
    before = error;
  }
  EXPECT_LE(before, 1e-8);
}

}  // namespace
}  // namespace taut::test
