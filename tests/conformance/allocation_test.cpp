#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "allocation_counter.hpp"
#include "conformance/drive.hpp"

#if TAUT_COUNTS_ALLOCATIONS

namespace taut::test {
namespace {

TEST(Allocation, IsCountedAtAll) {
  const volatile std::size_t size = 100;  // not known to the compiler, so that it cannot leave anything out
  allocations = 0;
  counting = true;
  const std::vector<double> by_new(size, 1.0);
  const Vector by_malloc = Vector::Constant(static_cast<Eigen::Index>(size), by_new.back());
  counting = false;
  EXPECT_GE(allocations, 2);
  EXPECT_EQ(by_malloc.sum(), 100);
}

class EveryModel : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(model_names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// Allocations in so many steps of a run that is under way, or in as many as it can take. Where a critical point is
/// searched for, a few times in a run, dense matrices of the right sizes are made.
long allocations_in_steps(int watched, const Model& model, const Combination& by, const StepControl& control) {
  constexpr int warm_up = 20;
  Drive drive(model, by, control);
  EXPECT_TRUE(drive.started()) << by.name();
  for (int k = 0; k < warm_up; ++k) EXPECT_TRUE(drive.integrator().advance().ok) << by.name();
  long counted = allocations = 0;
  counting = true;
  for (int k = 0; k < watched; ++k) {
    const long searches = drive.motion().passages().approach().searches();
    if (!drive.integrator().advance().ok) break;  // and says why, which may allocate
    if (drive.motion().passages().approach().searches() > searches) allocations = counted;
    counted = allocations;
  }
  counting = false;
  return counted;
}

TEST(Allocation, IsNoneInJointCoordinates) {
  for (const char* name : {"mechanisms/chain", "mechanisms/four-bar-spatial", "mechanisms/jansen-linkage"}) {
    const Model model = in_joint_coordinates(load_model(name));
    for (const char* integrator : {"rk4", "dop853"}) {
      StepControl control;
      control.until = 1000;
      control.step = 1e-3;
      EXPECT_EQ(allocations_in_steps(40, model, {"auto", integrator}, control), 0) << name << ", " << integrator;
    }
  }
}

TEST_P(EveryModel, IsStepwiseSimulatedWithoutAllocating) {
  const Model model = model_of(GetParam());
  for (const Combination& by : combinations(energy_forms())) {
    if (is_unstable(by)) continue;
    StepControl control;
    control.until = 1000;
    control.step = 1e-3;
    EXPECT_EQ(allocations_in_steps(40, model, by, control), 0) << by.name() << ", fixed steps";
  }
}

TEST_P(EveryModel, IsSimulatedWithErrorControlWithoutAllocating) {
  const Model model = model_of(GetParam());
  for (const Combination& by : combinations(energy_forms(), Steps::chosen)) {
    if (is_unstable(by)) continue;
    StepControl control;
    control.until = 1000;
    control.rtol = 1e-9;
    control.atol = 1e-11;
    // Far enough for the linkage to pass a singular position, with all that is done to foresee and to cross it.
    EXPECT_EQ(allocations_in_steps(100, model, by, control), 0) << by.name() << ", error control";
  }
}

TEST_P(EveryModel, IsInterpolatedWithoutAllocating) {
  const Model model = model_of(GetParam());
  for (const Combination& by : combinations()) {
    StepControl control;
    control.until = 1000;
    control.step = 1e-3;
    Drive drive(model, by, control);
    Vector y = drive.integrator().y();
    drive.integrator().advance();
    drive.integrator().interpolate(0.5e-3, y);
    allocations = 0;
    counting = true;
    for (int k = 0; k < 10; ++k) {
      const Step& step = drive.integrator().advance();
      drive.integrator().interpolate(step.t0 + 0.5 * step.h, y);
      drive.motion().observe().project(step.t0 + 0.5 * step.h, y);
    }
    counting = false;
    EXPECT_EQ(allocations, 0) << by.name();
  }
}

}  // namespace
}  // namespace taut::test

#endif
