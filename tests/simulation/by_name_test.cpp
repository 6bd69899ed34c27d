#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "taut/taut.hpp"

namespace taut {
namespace {

using testing::HasSubstr;

/// A mass thrown upwards: x = v t − t²/2, back at the ground at t = 2 v.
Model thrown() {
  Model model;
  const auto v = model.parameter("v", 1);
  const auto x = model.coordinate("x", 0, v);
  model.kinetic_energy = 0.5 * dot(x) * dot(x);
  model.potential_energy = x;
  model.output("height", x);
  model.event("top", dot(x));
  model.event("lands", x + 1e-3, AtEvent::stop);
  return model;
}

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(ByName, AColumnHasAValueForEachRow) {
  const auto run = simulate(thrown(), {.until = 1, .step = 0.25});
  const std::vector<double> t = run.trajectory.column("t"), height = run.trajectory.column("height");
  ASSERT_EQ(t.size(), 5U);
  ASSERT_EQ(height.size(), 5U);
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(height[k], t[k] - t[k] * t[k] / 2, 1e-14);
}

TEST(ByName, AColumnThatIsNotThereIsRefusedWithTheNearest) {
  const auto run = simulate(thrown(), {.until = 0});
  EXPECT_THAT(refusal([&] { (void)run.trajectory.column("hieght"); }), HasSubstr("did you mean 'height'"));
}

TEST(ByName, AFinalValueIsFoundOrRefused) {
  const auto run = simulate(thrown(), {.until = 0.5, .step = 0.25});
  EXPECT_NEAR(value_of(run.summary.final_coordinates, "x"), 0.375, 1e-14);
  EXPECT_THAT(refusal([&] { (void)value_of(run.summary.final_coordinates, "y"); }), HasSubstr("no value 'y'"));
}

TEST(ByName, ANumberMayBeSetAsANumber) {
  // All digits arrive: 1/3 has no short decimal.
  const auto run = simulate(thrown(), {.until = 0, .set = {{"v", 1.0 / 3}}});
  EXPECT_EQ(value_of(run.summary.final_rates, "x"), 1.0 / 3);
  const auto same = simulate(thrown(), {.until = 0, .set = {{"v", "1/3"}}});
  EXPECT_EQ(value_of(same.summary.final_rates, "x"), 1.0 / 3);
}

TEST(Events, OfAModelBuiltInCppAreLocatedAndMayStop) {
  const auto run = simulate(thrown(), {.until = 10});
  EXPECT_EQ(run.summary.verdict, Verdict::stopped);
  // x = −1e-3 again at t = 1 + √(1 + 2e-3).
  EXPECT_NEAR(run.summary.t_end, 1 + std::sqrt(1.002), 1e-8);
  ASSERT_GE(run.summary.events.size(), 1U);
  EXPECT_EQ(run.summary.events.front().name, "top");
  EXPECT_NEAR(run.summary.events.front().t, 1, 1e-8);
}

TEST(Events, OfOneNameAreRefused) {
  Model model = thrown();
  EXPECT_THAT(refusal([&] { model.event("top", model.t() - 1); }), HasSubstr("two events are named 'top'"));
}

}  // namespace
}  // namespace taut
