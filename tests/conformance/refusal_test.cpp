#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "conformance/drive.hpp"
#include "taut/error.hpp"

/// The list of combinations against runs of them.
namespace taut::test {
namespace {

const std::vector<Compatibility>& list() {
  static const std::vector<Compatibility> combinations = list_combinations();
  return combinations;
}

double step_for(const std::string& integrator) { return find_integrator(integrator).adaptive() ? 0 : 1e-2; }

/// What a run says against a combination; "" if it runs.
std::string refusal(const Combination& by) {
  static const Model model = model_of("pendulum");
  try {
    const Summary summary = simulate(model, options_for(by, step_for(by.integrator), 0.02)).summary;
    EXPECT_EQ(summary.outcome, Outcome::done) << by.name() << ": " << summary.reason;
    return "";
  } catch (const InputError& error) {
    return InputError(error.message(), error.remedy()).what();
  }
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(ListOfCombinations, HasEveryMethodWithEveryIntegrator) {
  EXPECT_EQ(list().size(), methods().size() * integrators().size());
  for (const auto& pair : list()) EXPECT_EQ(pair.works(), pair.refusal.empty());
}

TEST(ListOfCombinations, SaysWhatARunSays) {
  for (const auto& pair : list()) {
    const Combination by{pair.method, pair.integrator};
    EXPECT_EQ(refusal(by), pair.refusal) << by.name();
  }
}

TEST(ListOfCombinations, NamesThoseKernelsControlsAndEnergyLawsThatRun) {
  for (const auto& pair : list()) {
    for (const auto& kernel : kernels()) {
      const Combination by{pair.method, pair.integrator, kernel.name};
      EXPECT_EQ(refusal(by).empty(), contains(pair.kernels, kernel.name)) << by.name();
    }
    for (const auto& control : controls()) {
      const Combination by{pair.method, pair.integrator, "auto", "none", control.name};
      EXPECT_EQ(refusal(by).empty(), contains(pair.controls, control.name)) << by.name();
    }
    for (const auto& law : energy_laws()) {
      const Combination by{pair.method, pair.integrator, "auto", law.name};
      EXPECT_EQ(refusal(by).empty(), contains(pair.energies, law.name)) << by.name();
    }
  }
}

TEST(ListOfCombinations, LeavesNoMethodAndNoIntegratorWithoutACompanion) {
  std::map<std::string, int> companions;
  for (const auto& pair : list()) {
    companions[pair.method] += pair.works();
    companions[pair.integrator] += pair.works();
  }
  for (const auto& [name, count] : companions) EXPECT_GT(count, 0) << name;
}

TEST(ListOfCombinations, RefusesWithARemedy) {
  for (const auto& pair : list()) {
    if (!pair.works()) {
      EXPECT_THAT(pair.refusal, testing::HasSubstr("; ")) << pair.method << ", " << pair.integrator;
      EXPECT_THAT(pair.refusal, testing::Not(testing::HasSubstr("law' "))) << pair.method << ", " << pair.integrator;
    }
  }
}

}  // namespace
}  // namespace taut::test
