#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "taut/simulation.hpp"

namespace taut {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// A free particle on a way of ten seconds, with something on it.
Model particle(const std::string& sections) {
  return read_model("coordinates: {x: [0, 1]}\nkinetic_energy: x'^2/2\n" + sections, "m");
}

double end_of(const taut::Run& run) { return run.summary.final_coordinates.at(0).value; }

TEST(FeatureWatch, ABarrierOnAFreeWayTurnsTheParticleBack) {
  // E = 0.5 is less than the barrier's 0.6. In the unit w the encounter is one for all widths: after ten seconds the
  // particle is back at w·c, where c = 2 lim (∫ ds/√(1 − 1.2 exp(−s²)) − S), from −S to the turn at −√ln 1.2.
  for (const double w : {0.1, 0.01, 1e-3, 1e-4}) {
    const Model model =
        particle("parameters: {w: " + std::to_string(w) + "}\n" + "potential_energy: 0.6*exp(-((x - 5)/w)^2)\n");
    for (const char* integrator : {"dop853", "dopri5", "abm"}) {
      const auto run = simulate(model, {.until = 10, .rtol = 1e-10, .integrator = integrator});
      EXPECT_EQ(run.summary.verdict, Verdict::done);
      EXPECT_NEAR(end_of(run), 1.360114 * w, 1e-6) << w << ' ' << integrator;
    }
  }
}

TEST(FeatureWatch, APatchOfDragTakesTheSpeedThatItsLengthSays) {
  // dv/dx = −5 over 0.1 m.
  const Model model = particle("forces: {x: \"-2.5*x'*(tanh((x - 5)/0.001) - tanh((x - 5.1)/0.001))\"}\n");
  const auto run = simulate(model, {.until = 10, .rtol = 1e-9});
  EXPECT_NEAR(run.summary.final_rates.at(0).value, 0.5, 1e-7);
}

TEST(FeatureWatch, GivenStepsThatMissAFeatureSaySo) {
  const Model model = particle("potential_energy: 0.6*exp(-((x - 5.02)/0.001)^2)\n");
  const auto run = simulate(model, {.until = 10, .step = 0.1, .integrator = "rk4"});
  EXPECT_THAT(run.summary.notes, Contains(HasSubstr("steps of 0.1 s do not resolve")));
}

TEST(FeatureWatch, ValuesAsGoodAsNoughtHaveNoFeatures) {
  // exp(−743) is a number of two digits, and its steps are no jumps.
  const Model model = read_model(
      "coordinates: {x: [1, 0], y: [0, 1.7665]}\nkinetic_energy: (x'^2 + y'^2)/2\n"
      "potential_energy: exp(-((x + 0.19)^2 + (y - 0.98)^2)/0.005)\nconstraints: {ring: x^2 + y^2 = 1}\n",
      "m");
  EXPECT_EQ(simulate(model, {.until = 14, .rtol = 1e-6}).summary.verdict, Verdict::done);
}

TEST(GivenSteps, ThatMakeUpTheEnergyAreNotTrusted) {
  const Model model = read_model("coordinates: {x: [1, 0]}\nkinetic_energy: x'^2/2\npotential_energy: 1250*x^2\n", "m");
  for (const char* integrator : {"euler", "ab2", "ab3"}) {
    const auto run = simulate(model, {.until = 10, .step = 0.05, .integrator = integrator});
    EXPECT_EQ(run.summary.verdict, Verdict::lost) << integrator;
    EXPECT_THAT(run.summary.verdict_reason, HasSubstr("smaller steps"));
  }
  EXPECT_EQ(simulate(model, {.until = 10, .step = 0.001, .integrator = "rk4"}).summary.verdict, Verdict::done);
}

}  // namespace
}  // namespace taut
