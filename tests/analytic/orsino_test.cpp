#include <gtest/gtest.h>

#include <fmt/format.h>

#include "analytic/reference.hpp"

namespace taut::test {
namespace {

/// The examples of Orsino & de Oliveira under their own method, recursive least squares.
RecursiveLeastSquares in_blocks(int block) {
  RecursiveLeastSquares method;
  method.block = block;
  return method;
}

RecursiveLeastSquares in_natural_order() {
  RecursiveLeastSquares method;
  method.order = "natural";
  return method;
}

Run bricard(const RecursiveLeastSquares& method, double until = 10, const Model& model = load_model("bricard")) {
  return simulate(model, {.until = until, .step = 0.004, .method = method, .integrator = Rk4{}, .record = false});
}

TEST(BricardByRecursiveLeastSquares, KeepsItsEnergyAsWellAsTheAuthorsDid) {
  // They publish 4e-10 J, in 18 939 steps; an independent rebuild has 3.2e-10 J in these 2500.
  const auto run = bricard(in_natural_order());
  EXPECT_LT(*run.summary.max_energy_error, 4e-10);
  EXPECT_LE(*run.summary.max_position_violation, 1e-14);
  // The references are those of bricard_test.cpp. RK4 errs by 6e-10 with this step, in the rebuild.
  EXPECT_NEAR(coordinate(run, "x2"), 0.99971586835606, 1e-9);
  EXPECT_NEAR(coordinate(run, "y2"), -0.99999995964607, 1e-9);
  EXPECT_NEAR(coordinate(run, "z2"), -0.00028409127855, 1e-9);
}

TEST(BricardByRecursiveLeastSquares, InGreedyOrderKeepsItsConstraintsAsWellAndItsEnergyNearlyAsWell) {
  const auto run = bricard({});
  EXPECT_LT(*run.summary.max_energy_error, 6e-10);
  EXPECT_LE(*run.summary.max_position_violation, 1e-14);
  EXPECT_NEAR(coordinate(run, "x2"), 0.99971586835606, 1e-9);
}

TEST(BricardByRecursiveLeastSquares, FindsTheOneRedundantRow) {
  for (const RecursiveLeastSquares& method : {RecursiveLeastSquares{}, in_natural_order(), in_blocks(3)}) {
    const auto run = bricard(method);
    EXPECT_EQ(run.summary.rank_min, 9);
    EXPECT_EQ(run.summary.rank_max, 9);
    EXPECT_EQ(run.summary.dependent.size(), 1U);
  }
}

TEST(BricardByRecursiveLeastSquares, DoesNotCareHowLargeARowIsWritten) {
  const auto plain = bricard({});
  const std::string text = load_model("bricard").text;
  for (const std::string row : {"rod1", "hinge2", "twist"})
    for (const std::string factor : {"1e6", "1e-6"}) {
      std::string scaled = text;
      const std::size_t at = scaled.find("\n  " + row + ": ") + row.size() + 5;
      scaled.insert(scaled.find('\n', at), ")");
      scaled.insert(at, factor + "*(");
      const auto run = bricard({}, 10, read_model(scaled, "bricard.yaml"));
      for (const char* name : {"x1", "z1", "x2", "y2", "z2", "x3", "y3", "z3", "y4", "z4"})
        EXPECT_NEAR(coordinate(run, name), coordinate(plain, name), 1e-10) << factor << " times " << row;
      EXPECT_EQ(run.summary.rank_max, 9) << factor << " times " << row;
    }
}

TEST(BricardByRecursiveLeastSquares, HasTheSameAccelerationsInBlocksAsRowByRow) {
  // On the constraints a redundant row asks for nothing new, whichever it is taken to be.
  const auto accelerations = [](const RecursiveLeastSquares& method, double until) {
    const Model model = load_model("bricard");
    // The last step is projected: q and v are those of the scalar form, on the constraints.
    const auto there = simulate(model, {.until = until, .rtol = 1e-12, .record = false});
    std::vector<Assignment> set;
    for (const auto& [name, value] : there.summary.final_coordinates)
      set.push_back({name + "(0)", fmt::format("{:.17g}", value)});
    for (const auto& [name, value] : there.summary.final_rates)
      set.push_back({name + "'(0)", fmt::format("{:.17g}", value)});
    return simulate(model, {.until = 0, .method = method, .set = set}).summary.final_accelerations;
  };
  for (const double t : {0.0, 0.3, 0.7, 1.6, 2.0}) {
    const auto scalar = accelerations({}, t);
    for (const int block : {2, 3, 10}) {
      const auto blocks = accelerations(in_blocks(block), t);
      for (std::size_t i = 0; i < scalar.size(); ++i)
        EXPECT_NEAR(blocks[i].value, scalar[i].value, 1e-12 * std::max(1.0, std::abs(scalar[i].value)))
            << scalar[i].name << " at " << t << " s in blocks of " << block;
    }
  }
}

TEST(BricardByRecursiveLeastSquares, MovesInBlocksAsRowByRow) {
  // Also at the stages of RK4, which lie off the constraints: both leave out the same row.
  const auto scalar = bricard({});
  for (const int block : {2, 3, 10}) {
    const auto blocks = bricard(in_blocks(block));
    for (const char* name : {"x2", "y2", "z2"})
      EXPECT_NEAR(coordinate(blocks, name), coordinate(scalar, name), 1e-12) << name << " in blocks of " << block;
    EXPECT_LE(*blocks.summary.max_position_violation, 1e-14);
  }
}

TEST(SpinningTop, InQuasiVelocitiesFollowsTheReducedEquations) {
  // From the equations of a top in θ alone with its two conserved momenta.
  struct End {
    double t, theta, phi, psi;
  };
  constexpr End ends[] = {{10, 0.529071483568, 1.078477124006, 9.090050475480},
                          {100, 0.523894460644, 10.449212219878, 91.183133933721}};
  const Model model = load_model("papers/orsino-top");
  for (const End& end : ends)
    for (const char* method : {"auto", "recursive-least-squares"}) {
      const auto run = simulate(
          model,
          {.until = end.t, .rtol = 1e-13, .atol = 1e-14, .method = method, .integrator = Dop853{}, .record = false});
      const std::string where = fmt::format("{} at {} s", method, end.t);
      ASSERT_EQ(run.summary.outcome, Outcome::done) << where;
      EXPECT_NEAR(coordinate(run, "theta"), end.theta, 1e-9) << where;
      EXPECT_NEAR(coordinate(run, "phi"), end.phi, 1e-9) << where;
      EXPECT_NEAR(coordinate(run, "psi"), end.psi, 1e-9) << where;
      EXPECT_LE(*run.summary.max_position_violation, 1e-14) << where;
      EXPECT_LE(*run.summary.max_energy_error, 1e-12) << where;
      // (I sin²θ φ' + J w3 cos θ) is conserved; it is J cos(π/6) at the start.
      EXPECT_NEAR(value_of(run.summary.final_outputs, "K3"), std::sqrt(3), 1e-12) << where;
    }
}

TEST(SpinningTop, WithTheSweepKeepsItsCentreOnTheAxisAtALargeStep) {
  const auto run =
      simulate(load_model("papers/orsino-top"),
               {.until = 100, .step = 0.05, .method = RecursiveLeastSquares{}, .integrator = Rk4{}, .record = false});
  EXPECT_LE(*run.summary.max_position_violation, 1e-14);
  EXPECT_LE(*run.summary.max_energy_error, 1e-7);  // 2.3e-8 in the rebuild
}

}  // namespace
}  // namespace taut::test
