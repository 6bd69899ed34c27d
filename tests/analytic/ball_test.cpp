#include <gtest/gtest.h>

#include "analytic/reference.hpp"

namespace taut::test {
namespace {

/// What the ball of Braun & Goldfarb, Part II, 3.1, did in 100 s of steps of 10 ms.
struct Roll {
  double violation, speed_violation, energy_error, integral_error, position_error;
};

Roll roll(const Choice& method, const Choice& energy) {
  const Model model = load_model("papers/braun-ball");
  // β' cos²α + 2r/(7(R − r)) ω_ρ sin α is constant.
  const Run start = simulate(model, {.until = 0});
  const double integral = value_of(start.summary.final_outputs, "first_integral");
  EXPECT_NEAR(integral, 0.528861501272920, 1e-14);
  std::size_t column = 0;
  for (std::size_t k = 0; k < start.trajectory.columns.size(); ++k)
    if (start.trajectory.columns[k] == "first_integral") column = k;
  LargestError largest([&](const std::vector<double>& row) { return row[column] - integral; });
  const Run run = simulate(
      model, {.until = 100, .step = 1e-2, .method = method, .integrator = Rk4{}, .energy = energy, .record = false},
      &largest);
  EXPECT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  // The direction of the centre after 100 s, from the reduced rolling equations of six unknowns in long double.
  const auto out = [&](const char* name) { return value_of(run.summary.final_outputs, name) / 7; };
  const double position = 7 * std::hypot(out("centre_x") + 0.6735034131690, out("centre_y") + 0.5387716891539,
                                         out("centre_z") + 0.5060812379607);
  return {*run.summary.max_position_violation, *run.summary.max_velocity_violation, *run.summary.max_energy_error,
          largest.largest(), position};
}

ProjectEnergy in_terms() {
  ProjectEnergy law;
  law.form = "terms";
  return law;
}

TEST(BallInABowl, StartsWithTheEnergyOfTheReference) {
  const Check found = check(load_model("papers/braun-ball"));
  ASSERT_TRUE(found.energy);
  EXPECT_NEAR(*found.energy, -22.632022664080210, 1e-13);
  for (const Violation& violation : found.initial) EXPECT_LE(*violation.velocity, 1e-14) << violation.name;
}

TEST(BallInABowl, UnderBraunGoldfarbKeepsItsConstraintsAndNearlyItsEnergy) {
  const Roll ball = roll(BraunGoldfarb{}, "none");
  EXPECT_LE(ball.violation, 3e-9);
  EXPECT_LE(ball.speed_violation, 3e-7);
  EXPECT_LE(ball.energy_error, 1e-4);
  EXPECT_LE(ball.integral_error, 1e-6);
  EXPECT_LE(ball.position_error, 1e-4);
}

TEST(BallInABowl, WithTheEnergyTermAsPrintedKeepsItsEnergyToo) {
  const Roll ball = roll(BraunGoldfarb{}, in_terms());
  EXPECT_LE(ball.violation, 3e-9);
  EXPECT_LE(ball.energy_error, 1.5e-7);
  EXPECT_LE(ball.integral_error, 5e-8);
  EXPECT_LE(ball.position_error, 1e-4);
}

TEST(BallInABowl, WithTheEnergyCorrectedAfterEachStepKeepsItToRounding) {
  const Roll ball = roll(BraunGoldfarb{}, ProjectEnergy{});
  EXPECT_LE(ball.violation, 3e-9);
  EXPECT_LE(ball.energy_error, 1e-12);
  EXPECT_LE(ball.integral_error, 5e-8);
}

TEST(BallInABowl, UnderPostStabilizationKeepsItsConstraintsToRounding) {
  const Roll ball = roll(PostStabilization{}, "none");
  EXPECT_LE(ball.violation, 1e-14);
  EXPECT_LE(ball.speed_violation, 1e-13);
  EXPECT_LE(ball.energy_error, 1e-4);
  EXPECT_LE(ball.integral_error, 1e-6);
}

}  // namespace
}  // namespace taut::test
