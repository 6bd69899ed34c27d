#include "simulation/event_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "taut/simulation.hpp"

namespace taut {
namespace {

/// x = t: the integrator goes from 0 to 10 in a handful of steps.
Run uniform_motion(const std::string& events) {
  const Model model =
      read_model("coordinates: {x: [0, 1]}\nkinetic_energy: x'^2/2\nevents:\n" + events, "uniform.yaml");
  return simulate(model, {.until = 10});
}

std::vector<double> times(const Run& run, const std::string& name) {
  std::vector<double> found;
  for (const auto& event : run.summary.events)
    if (event.kind == "crossing" && event.name == name) found.push_back(event.t);
  return found;
}

TEST(Events, StopAtTheFirstOfTwoZerosInOneStep) {
  const auto run = uniform_motion("  zone: {when: (x-5)*(x-5.5), stop: true}\n");
  EXPECT_EQ(run.summary.outcome, Outcome::stopped);
  EXPECT_NEAR(run.summary.t_end, 5, 1e-12);
  EXPECT_NEAR(run.summary.final_coordinates[0].value, 5, 1e-12);
  EXPECT_EQ(times(run, "zone").size(), 1U);
}

TEST(Events, AreFoundHoweverNearTheyLie) {
  const auto found = times(uniform_motion("  zone: (x-5)*(x-5.001)\n"), "zone");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0], 5, 1e-11);
  EXPECT_NEAR(found[1], 5.001, 1e-11);
}

TEST(Events, OfSeveralFunctionsAreLoggedInTheOrderOfTheirTimesUpToTheOneThatStops) {
  const auto run = uniform_motion("  late: x - 7\n  pair: (x-4)*(x-6)\n  end: {when: x - 6.5, stop: true}\n");
  std::vector<std::string> names;
  for (const auto& event : run.summary.events) names.push_back(event.name);
  EXPECT_EQ(names, (std::vector<std::string>{"pair", "pair", "end"}));
}

TEST(Events, IncludeATouchOfZero) {
  const auto found = times(uniform_motion("  touch: (x-5)^2\n  miss: (x-5)^2 + 1e-9\n"), "touch");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0], 5, 1e-6);
}

TEST(Events, OfAPendulumAreThoseOfItsPeriodWhateverTheTolerance) {
  // The linear oscillator x = cos t: zeros of x at odd multiples of π/2; of (x - 0.999)(x + 0.5) beside the peaks too.
  const Model model = read_model(
      "coordinates: {x: [1, 0]}\nkinetic_energy: x'^2/2\npotential_energy: x^2/2\n"
      "events: {middle: x, peaks: x - 0.999}\n",
      "oscillator.yaml");
  for (const double rtol : {1e-4, 1e-8, 1e-12}) {
    const auto run = simulate(model, {.until = 20, .rtol = rtol});
    const auto middle = times(run, "middle"), peaks = times(run, "peaks");
    ASSERT_EQ(middle.size(), 6U);
    for (std::size_t k = 0; k < middle.size(); ++k)
      EXPECT_NEAR(middle[k], (static_cast<double>(k) + 0.5) * M_PI, 100 * rtol + 1e-11);
    ASSERT_EQ(peaks.size(), 7U);  // after the start, and on both sides of 2π, 4π and 6π
    const double beside = std::acos(0.999);
    EXPECT_NEAR(peaks[0], beside, 3000 * rtol + 1e-10);  // the slope there is 0.045
    EXPECT_NEAR(peaks[5], 6 * M_PI - beside, 3000 * rtol + 1e-10);
  }
}

/// x = 1.3 cos t + 1.7 sin t = 0.5: a cube is as flat as can be where it is zero, and is zero where its root is.
TEST(Events, OfACubeAreThoseOfItsRoot) {
  const Model model = read_model(
      "coordinates: {x: [1.3, 1.7]}\nkinetic_energy: x'^2/2\npotential_energy: x^2/2\nevents: {e: (x - 0.5)^3}\n",
      "cube.yaml");
  const double amplitude = std::hypot(1.3, 1.7), phase = std::atan2(1.7, 1.3), beside = std::acos(0.5 / amplitude);
  const auto found = times(simulate(model, {.until = 6}), "e");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0], phase + beside, 1e-6);
  EXPECT_NEAR(found[1], phase + 2 * M_PI - beside, 1e-6);
}

TEST(EventWatch, LooksAtAllFunctionsAtOnce) {
  int looks = 0;
  Vector values(3);
  const auto at = [&](double t) -> const Vector& {
    ++looks;
    values << 2 + t, 3 - t, 5;
    return values;
  };
  EventWatch watch(3, at, at, {});
  EXPECT_TRUE(watch.in_step(0, 1).empty());
  // Three for the value and the rate at each end, and as many at three places inside, for one function at a time.
  EXPECT_LE(looks, 6 + 3 * 9);
}

}  // namespace
}  // namespace taut
