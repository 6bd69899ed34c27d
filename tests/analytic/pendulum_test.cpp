#include <gtest/gtest.h>

#include "analytic/reference.hpp"

namespace taut::test {
namespace {

/// x, y of the pendulum of Braun & Goldfarb 5.1, from quadruple precision: two step sizes agree to 22 digits.
struct Reference {
  double until, x, y;
};
constexpr Reference at_10{10, 0.2750874625761158015128, -0.9614192050991253671419};
constexpr Reference at_100{100, 0.1815133514270204342323, -0.9833884803340595258855};
constexpr Reference at_1000{1000, -0.6832301885523849209558, -0.7302030604226967692591};

double error(const Run& run, const Reference& reference) {
  return std::hypot(coordinate(run, "x") - reference.x, coordinate(run, "y") - reference.y);
}

Run simulate_pendulum(Options options) {
  options.record = false;
  return simulate(load_model("pendulum"), options);
}

TEST(Pendulum, UnderBraunGoldfarbIsWithinOneInTenMillionAfterAMillionSteps) {
  const auto run = simulate_pendulum({.until = 1000, .step = 1e-3, .method = BraunGoldfarb{}, .integrator = Rk4{}});
  EXPECT_LE(error(run, at_1000), 1e-7);
  EXPECT_LE(*run.summary.max_position_violation, 1e-13);
  EXPECT_LE(*run.summary.max_velocity_violation, 1e-11);
  EXPECT_EQ(run.summary.steps, 1'000'000);
}

TEST(Pendulum, UnderAutoKeepsItsRodAndItsPhaseForAThousandSeconds) {
  const auto run = simulate_pendulum({.until = 1000, .rtol = 1e-12, .atol = 1e-14});
  EXPECT_LE(error(run, at_1000), 1e-7);
  EXPECT_LE(*run.summary.max_position_violation, 1e-13);
  EXPECT_LE(*run.summary.max_velocity_violation, 1e-13);
}

TEST(Pendulum, AtShorterTimesAgreesWithTheReferenceUnderEveryCorrectingMethod) {
  // RK4 with h = 1e-3 has an error of 5e-11 after 10 s in an independent rebuild of the step-size study
  // of Braun & Goldfarb. The error is one of phase and grows at most with the square of time.
  for (const char* method : {"auto", "braun-goldfarb", "perturbation"}) {
    EXPECT_LE(error(simulate_pendulum({.until = 10, .step = 1e-3, .method = method}), at_10), 2e-10) << method;
    EXPECT_LE(error(simulate_pendulum({.until = 100, .step = 1e-3, .method = method}), at_100), 5e-9) << method;
  }
}

TEST(Pendulum, ConstraintUnderBraunGoldfarbIsOfOrderFiveInTheStep) {
  const auto violation = [](double h) {
    return *simulate_pendulum({.until = 10, .step = h, .method = BraunGoldfarb{}}).summary.max_position_violation;
  };
  const double order = std::log2(violation(2e-2) / violation(1e-2));
  EXPECT_NEAR(order, 5, 0.3);
}

TEST(Pendulum, CorrectionsHeldThroughTheStepBeatCorrectionsInEveryStage) {
  // A stage lies O(h²) off the constraint by construction; "correcting" that with a gain of 1/h costs decades.
  const auto violation = [](const char* control) {
    return *simulate_pendulum({.until = 10, .step = 1e-2, .method = BraunGoldfarb{}, .control = control})
                .summary.max_position_violation;
  };
  EXPECT_GT(violation("stages"), 100 * violation("euler"));
}

TEST(Pendulum, WithoutCorrectionDriftsAsPublished) {
  // Max |Phi| of Eq. (17) with RK4, h = 1e-3, after 1000 s: 7.2e-5 in an independent rebuild of the example.
  const auto run = simulate_pendulum({.until = 1000, .step = 1e-3, .method = UdwadiaKalaba{}});
  EXPECT_NEAR(*run.summary.max_position_violation, 7.2e-5, 0.05e-5);
}

TEST(Pendulum, TensionIsWeightPlusCentripetalForce) {
  // T = 3 m g sin(angle below the level) for a pendulum released from the level, from energy and Newton.
  const auto run = simulate_pendulum({.until = 10, .rtol = 1e-12});
  EXPECT_NEAR(value_of(run.summary.final_outputs, "tension"), -3 * 9.81 * at_10.y, 1e-8);
}

}  // namespace
}  // namespace taut::test
