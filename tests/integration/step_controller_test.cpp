#include "integration/step_controller.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace taut;

Tableau formula(int order) {
  Tableau tableau;
  tableau.order = order;
  tableau.error_order = order;
  return tableau;
}

/// Where the error is exactly c hᵏ, steps settle at the fixed point of the controller.
/// There h does not change: 0.9 e^−(q − 0.75 d) e^d = 1, so e = 0.9^(1 / (q − 1.75 d)).
TEST(StepController, SettlesWhereErrorsAreAlmostWhatIsAllowed) {
  for (const int order : {5, 8}) {
    StepController controller(formula(order));
    controller.start(1e-3);
    double error = 0;
    for (int k = 0; k < 200; ++k) {
      const double h = controller.step();
      controller.plan(h);
      error = 7 * std::pow(h, order);
      error <= 1 ? controller.accept(h, error) : controller.refuse(h, error);
    }
    const double q = 1.0 / order, damping = order < 8 ? 0.04 : 0.03;
    EXPECT_NEAR(error, std::pow(0.9, 1 / (q - 1.75 * damping)), 1e-6);
  }
}

TEST(StepController, GrowsAtMostSixfoldAndNotAfterAFailure) {
  StepController controller(formula(5));
  controller.start(1);
  controller.plan(1);
  controller.accept(1, 1e-12);
  EXPECT_DOUBLE_EQ(controller.step(), 6);
  controller.refuse(6, 4);
  const double h = controller.step();
  EXPECT_DOUBLE_EQ(h, 6 * 0.9 * std::pow(4, -0.2));
  controller.plan(h);
  controller.accept(h, 1e-12);
  EXPECT_DOUBLE_EQ(controller.step(), h);
  controller.plan(h);
  controller.accept(h, 1e-12);
  EXPECT_DOUBLE_EQ(controller.step(), 6 * h);
}

TEST(StepController, AStepCutShortSaysNothingAgainstALongerOne) {
  StepController controller(formula(5));
  controller.start(1);
  controller.plan(1);
  controller.accept(0.01, 0.5);
  EXPECT_DOUBLE_EQ(controller.step(), 1);
}

TEST(StepController, ShrinksToAQuarterWhereNoErrorIsKnownAndRemembersThoseThatAre) {
  StepController controller(formula(5));
  controller.start(1);
  controller.refuse(1);
  EXPECT_DOUBLE_EQ(controller.step(), 0.25);
  EXPECT_EQ(controller.failed_step(), 0);
  controller.refuse(0.25, 1e30);
  EXPECT_DOUBLE_EQ(controller.step(), 0.05);
  EXPECT_EQ(controller.failed_step(), 0.25);
  EXPECT_EQ(controller.failed_error(), 1e30);
  controller.accept();
  EXPECT_EQ(controller.failed_step(), 0);
}

}  // namespace
