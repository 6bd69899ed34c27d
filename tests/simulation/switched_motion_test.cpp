#include "simulation/switched_motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "taut/simulation.hpp"

namespace taut {
namespace {

auto run_of(const std::string& text, Options options) { return simulate(read_model(text, "switched.yaml"), options); }

double final_value(const Summary& summary, const std::string& name) {
  return std::ranges::find(summary.final_coordinates, name, &NamedValue::name)->value;
}
double final_rate(const Summary& summary, const std::string& name) {
  return std::ranges::find(summary.final_rates, name, &NamedValue::name)->value;
}

std::vector<double> sliding_times(const Summary& summary) {
  std::vector<double> times;
  for (const auto& event : summary.events)
    if (event.kind == "sliding") times.push_back(event.t);
  return times;
}

Options with(double until, double rtol, const std::string& integrator) {
  Options options;
  options.until = until;
  options.rtol = rtol;
  options.integrator = integrator;
  return options;
}

class SwitchedBy : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Integrators, SwitchedBy, testing::Values("dopri5", "dop853", "abm", "cvode-bdf", "auto"));

constexpr const char* block = "coordinates: {x: [0, 3]}\nkinetic_energy: x'^2/2\nforces: {x: \"-sign(x')\"}\n";

/// x = 3t − t²/2 until t = 3, where the block has come to rest at 4.5.
TEST_P(SwitchedBy, DryFrictionBringsABlockToRestAndKeepsItThere) {
  const auto run = run_of(block, with(100, 1e-8, GetParam()));
  EXPECT_EQ(run.summary.outcome, Outcome::done);
  EXPECT_NEAR(final_value(run.summary, "x"), 4.5, 1e-6);
  EXPECT_NEAR(final_rate(run.summary, "x"), 0, 1e-9);
  EXPECT_LT(run.summary.steps, 500);
  ASSERT_EQ(sliding_times(run.summary).size(), 1U);
  EXPECT_NEAR(sliding_times(run.summary)[0], 3, 1e-6);
}

/// Two masses that know nothing of each other: that one of them comes to rest changes nothing for the other.
/// b = t − t²/6 until t = 3, and m a'' = −F − 0.7 cos t until a rests.
TEST_P(SwitchedBy, OneBlockAtRestLeavesAnotherMoving) {
  for (const double m : {1., 2., 3., 0.7}) {
    const auto run = run_of("coordinates: {a: [0, 0.7], b: [0, 1]}\nkinetic_energy: " + std::to_string(m) +
                                "*a'^2/2 + 0.3*b'^2/2\n"
                                "forces: {a: \"-4.1*sign(a') - 0.7*cos(t)\", b: \"-0.1*sign(b')\"}\n",
                            with(2, 1e-8, GetParam()));
    EXPECT_EQ(run.summary.outcome, Outcome::done);
    EXPECT_NEAR(final_value(run.summary, "b"), 2 - 2. / 3, 1e-6) << m;
    EXPECT_EQ(sliding_times(run.summary).size(), 1U) << m;
  }
}

/// Coulomb's oscillator x'' = −x − μ sign(x'): half a period π at a time about ∓μ, the amplitude 2μ less each time.
/// From x = 10.25 with μ = 1: 10.25, −8.25, 6.25, −4.25, 2.25, −0.25, where the spring cannot move it any more.
TEST_P(SwitchedBy, DryFrictionTakesTheSameAmountFromEverySwing) {
  const std::string model =
      "coordinates: {x: [10.25, 0]}\nkinetic_energy: x'^2/2\npotential_energy: x^2/2\nforces: {x: \"-sign(x')\"}\n";
  const double rtol = 1e-9;
  const auto swinging = run_of(model, with(2.5 * M_PI, rtol, GetParam()));
  // The third swing, from 6.25 about 1: x = 1 + 5.25 cos.
  EXPECT_NEAR(final_value(swinging.summary, "x"), 1, 1e4 * rtol);
  EXPECT_NEAR(final_rate(swinging.summary, "x"), -5.25, 1e4 * rtol);
  const auto at_rest = run_of(model, with(50, rtol, GetParam()));
  EXPECT_EQ(at_rest.summary.outcome, Outcome::done);
  EXPECT_NEAR(final_value(at_rest.summary, "x"), -0.25, 1e4 * rtol);
  ASSERT_FALSE(sliding_times(at_rest.summary).empty());
  EXPECT_NEAR(sliding_times(at_rest.summary).back(), 5 * M_PI, 1e4 * rtol);
}

/// A load that grows as t/2 lets a block go at t = 2: v = (t − 2)²/4, x = (t − 2)³/12.
TEST_P(SwitchedBy, ABlockLetsGoWhenItsLoadExceedsFriction) {
  const std::string model = "coordinates: {x: [1, 0]}\nkinetic_energy: x'^2/2\nforces: {x: \"t/2 - sign(x')\"}\n";
  const auto run = run_of(model, with(5, 1e-9, GetParam()));
  EXPECT_EQ(run.summary.outcome, Outcome::done);
  EXPECT_NEAR(final_value(run.summary, "x"), 1 + 27. / 12, 1e-5);
  EXPECT_NEAR(final_rate(run.summary, "x"), 9. / 4, 1e-5);
}

/// A block on a slope whose angle is below that of friction stays; above, it slides with g (sin − μ cos).
TEST(SwitchedMotion, ABlockOnASlopeStaysOrGoesByTheAngle) {
  const auto at = [](const std::string& angle) {
    return run_of("parameters: {angle: " + angle +
                      ", mu: 0.5, g: 10}\ncoordinates: {x: [0, 0]}\nkinetic_energy: x'^2/2\n"
                      "forces: {x: \"g*sin(angle) - mu*g*cos(angle)*sign(x')\"}\n",
                  with(2, 1e-9, "auto"));
  };
  const auto steep = at("0.5"), flat = at("0.4");
  EXPECT_EQ(final_value(flat.summary, "x"), 0);
  EXPECT_EQ(final_rate(flat.summary, "x"), 0);
  EXPECT_NEAR(final_value(steep.summary, "x"), 2 * 10 * (std::sin(0.5) - 0.5 * std::cos(0.5)), 1e-8);
}

/// A mass on a spring with a stop on one side, a second spring: half-periods π/ω₁ and π/ω₂ in turn.
TEST_P(SwitchedBy, AStopOnOneSideGivesHalfPeriodsInTurn) {
  const std::string model =
      "coordinates: {x: [0, 1]}\nkinetic_energy: x'^2/2\npotential_energy: x^2/2 + 99/2*min(x, 0)^2\n";
  const double period = M_PI + M_PI / 10, rtol = 1e-9;
  const auto run = run_of(model, with(5 * period, rtol, GetParam()));
  EXPECT_NEAR(final_value(run.summary, "x"), 0, 1e5 * rtol);
  EXPECT_NEAR(final_rate(run.summary, "x"), 1, 1e5 * rtol);
}

/// x'' = −sign(x) is a parabola on either side: from x = 1/2 at rest it is at 0 after 1 s, and back after 4 s.
TEST_P(SwitchedBy, AForceOfConstantSizeTowardsTheMiddleGivesParabolas) {
  const auto run = run_of("coordinates: {x: [0.5, 0]}\nkinetic_energy: x'^2/2\nforces: {x: -sign(x)}\n",
                          with(10.5, 1e-10, GetParam()));
  // 2.5 s after a turn on the positive side: on the way back from -1/2, at x = -1/2 + 0.5²/2.
  EXPECT_NEAR(final_value(run.summary, "x"), -0.375, 1e-7);
}

TEST(SwitchedMotion, CostsNoAccuracyToAFormulaOfHighOrder) {
  // The same parabolas: a polynomial of second degree is exact for every formula here, if steps end at its kinks.
  const auto run =
      run_of("coordinates: {x: [0.5, 0]}\nkinetic_energy: x'^2/2\nforces: {x: -sign(x)}\n", with(10.5, 1e-4, "dop853"));
  EXPECT_NEAR(final_value(run.summary, "x"), -0.375, 1e-11);
  EXPECT_LT(run.summary.evaluations, 2000);
}

TEST(SwitchedMotion, IsExactWithFixedStepsToo) {
  for (const char* integrator : {"rk4", "ab3"}) {
    Options options = with(10.5, 1e-4, integrator);
    options.step = 0.1;
    const auto run = run_of("coordinates: {x: [0.5, 0]}\nkinetic_energy: x'^2/2\nforces: {x: -sign(x)}\n", options);
    EXPECT_NEAR(final_value(run.summary, "x"), -0.375, 1e-10) << integrator;
    const auto at_rest = run_of(block, options);
    EXPECT_NEAR(final_value(at_rest.summary, "x"), 4.5, 1e-10) << integrator;
  }
}

/// Two blocks on each other, the lower on the ground: both slide, then the lower rests, then the upper.
TEST(SwitchedMotion, SlidesAlongSeveralSurfacesAtOnce) {
  const std::string model =
      "coordinates: {x: [0, 0], y: [0, 2]}\nkinetic_energy: (x'^2 + y'^2)/2\n"
      "forces: {x: \"0.5*sign(y' - x') - sign(x')\", y: \"-0.5*sign(y' - x')\"}\n";
  const auto run = run_of(model, with(20, 1e-9, "auto"));
  EXPECT_EQ(run.summary.outcome, Outcome::done);
  EXPECT_NEAR(final_value(run.summary, "x"), 0, 1e-9);  // friction of 1/2 cannot move what friction of 1 holds
  EXPECT_NEAR(final_value(run.summary, "y"), 4, 1e-7);  // 2²/(2 · 1/2)
}

TEST(SwitchedMotion, FollowsABranchThatHasNoValueBeyondItsZero) {
  // Hertz: a ball on a surface that presses back with d^1.5. Energy: 4.5 = g d − … at the turn; here only that it
  // bounces back to where it began, since nothing is lost.
  const auto run = run_of(
      "coordinates: {y: [1, 0]}\nkinetic_energy: y'^2/2\npotential_energy: 10*y + 1e4*max(0, -y)^2.5/2.5\n"
      "events: {top: y'}\n",
      with(10, 1e-10, "auto"));
  EXPECT_EQ(run.summary.outcome, Outcome::done);
  ASSERT_TRUE(run.summary.max_energy_error.has_value());
  EXPECT_LT(*run.summary.max_energy_error, 1e-6);
}

TEST(SwitchedMotion, LeavesSmoothModelsAlone) {
  const auto system = make_system(read_model("coordinates: {x: 1}\nkinetic_energy: x'^2/2\n", "smooth.yaml"), {});
  EXPECT_TRUE(system->shape().switches.empty());
}

}  // namespace
}  // namespace taut
