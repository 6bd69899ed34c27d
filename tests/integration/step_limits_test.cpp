#include "integration/step_limits.hpp"

#include <gtest/gtest.h>

#include "integration/list.hpp"
#include "integration/problems.hpp"

namespace taut::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

StepControl with(TimeSchedule schedule, double until = 10) {
  StepControl control = adaptive(1e-8, until);
  control.schedule = std::make_shared<const TimeSchedule>(std::move(schedule));
  return control;
}

/// y' = 1 before the jump, −1 after it, and no value at it: nobody may look there.
class Jump : public Ode {
 public:
  int size() const override { return 1; }
  bool derivative(double t, const Vector&, double, Vector& ydot) override {
    ydot[0] = t < 2 ? 1 : -1;
    return t != 2;
  }
};

TEST(StepLimits, EndStepsWhereAStretchBeginsThatAsksForShorterOnes) {
  StepLimits limits(with({{{0, infinity}, {5, 0.1}, {6, infinity}}, {}}));
  EXPECT_EQ(limits.end(0), 5);
  EXPECT_EQ(limits.end(4.95), 4.95 + 0.1);
  EXPECT_EQ(limits.end(5), 5.1);
  EXPECT_EQ(limits.end(5.95), 5.95 + 0.1);
  EXPECT_EQ(limits.end(6), 10);
}

TEST(StepLimits, EndStepsAtStopsAndGoOnBeyondThem) {
  StepLimits limits(with({{}, {{2, 2.5}, {9.5, 10}}}));
  EXPECT_EQ(limits.end(0), 2);
  EXPECT_EQ(limits.reached(2 * (1 + 1e-16)), 2);
  double t = 2;
  Vector y = Vector::Zero(1);
  EXPECT_TRUE(limits.leave_stop(nullptr, t, y));
  EXPECT_EQ(t, 2.5);
  EXPECT_FALSE(limits.leave_stop(nullptr, t, y));
  EXPECT_EQ(limits.stop(t), 9.5);
  EXPECT_DOUBLE_EQ(limits.end(t), 2.5 + 0.37 * 7) << "between two stops there are three steps at least";
  EXPECT_EQ(limits.end(8), 9.5);
  EXPECT_EQ(limits.reached(9.5), 10) << "beyond the last stop nothing is left of the run";
}

TEST(StepLimits, KeepStepsShorterThanTheLongestAllowed) {
  StepControl control = adaptive(1e-8, 10);
  control.max_step = 0.25;
  EXPECT_EQ(StepLimits(control).end(3), 3.25);
  EXPECT_EQ(StepLimits(control).end(9.9), 10);
}

TEST(StepLimits, DropABoundThatGainsNothing) {
  StepLimits limits(with({{{0, 0.01}, {5, 0.02}}, {}}));
  double t = 0;
  for (int k = 0; k < 30; ++k) {
    const double h = limits.end(t) - t;
    limits.judge(h, 1e-5);
    t += h;
  }
  EXPECT_GT(t, 1);
  EXPECT_EQ(limits.end(5), 5.02) << "another bound is another matter";
}

TEST(StepLimits, KeepABoundThatIsNeeded) {
  StepLimits limits(with({{{0, 0.01}}, {}}));
  double t = 0;
  for (int k = 0; k < 100; ++k) {
    const double h = limits.end(t) - t;
    limits.judge(h, 0.1);
    t += h;
  }
  EXPECT_NEAR(t, 1, 1e-12);
}

TEST(StepLimits, AreHonouredByEveryIntegratorThatChoosesItsSteps) {
  for (const IntegratorEntry& entry : integrators()) {
    if (!entry.adaptive()) continue;
    const auto integrator = entry.make();
    Jump jump;
    StepControl control = with({{{0, infinity}, {4, 0.05}}, {{2 - 1e-15, 2 + 1e-15}}}, 5);
    control.max_step = 0.5;
    integrator->start(jump, 0, Vector::Zero(1), control);
    double longest = 0, longest_late = 0, nearest = 10;
    while (integrator->t() < 5) {
      const Step& step = integrator->advance();
      ASSERT_TRUE(step.ok) << entry.name << ": " << step.reason;
      longest = std::max(longest, step.h);
      if (step.t0 >= 4) longest_late = std::max(longest_late, step.h);
      nearest = std::min(nearest, std::abs(integrator->t() - 2));
    }
    EXPECT_LE(longest, 0.5 * (1 + 1e-12)) << entry.name;
    EXPECT_LE(longest_late, 0.05 * (1 + 1e-12)) << entry.name;
    EXPECT_LE(nearest, 2e-15) << entry.name;
    EXPECT_NEAR(integrator->y()[0], -1, 1e-7) << entry.name;
    EXPECT_EQ(integrator->t(), 5) << entry.name;
  }
}

}  // namespace
}  // namespace taut::test
