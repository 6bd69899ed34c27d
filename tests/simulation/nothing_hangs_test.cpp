#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <functional>
#include <random>
#include <string>

#include "taut/simulation.hpp"

/// A hundred stiff or chattering models: each ends, done or with a reason.
namespace taut {
namespace {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double between(double a, double b) { return std::uniform_real_distribution(a, b)(engine_); }
  double power_of_ten(double a, double b) { return std::pow(10, between(a, b)); }

 private:
  std::mt19937 engine_;
};

std::string one_mass(const std::string& start, const std::string& rest) {
  return fmt::format("coordinates: {{x: {}}}\nkinetic_energy: x'^2/2\n{}\n", start, rest);
}

std::string stiff_spring(Dice& dice) {
  return fmt::format(
      "coordinates: {{x: [1, 0], y: [0, 0]}}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: x^2/2\n"
      "forces: {{y: \"-{}*(y - x) - {}*(y' - x')\"}}\n",
      dice.power_of_ten(3, 10), dice.power_of_ten(2, 7));
}
std::string relaxation(Dice& dice) {
  return one_mass("[2, 0]", fmt::format("forces: {{x: \"{}*(1 - x^2)*x' - x\"}}", dice.power_of_ten(1, 6)));
}
std::string controller(Dice& dice) {
  return fmt::format(
      "coordinates: {{x: [0, 0], u: [0, 0]}}\nkinetic_energy: (x'^2 + u'^2)/2\npotential_energy: x^2/2\n"
      "forces: {{x: u, u: \"-{}*(u' - sin(t) + u)\"}}\n",
      dice.power_of_ten(4, 8));
}
std::string smoothed_friction(Dice& dice) {
  return one_mass("[0, 3]",
                  fmt::format("potential_energy: x^2/2\nforces: {{x: \"-tanh(x'/{})\"}}", dice.power_of_ten(-9, -2)));
}
std::string relay(Dice& dice) {
  return one_mass("[1, 0]", fmt::format("potential_energy: x^2/2\nforces: {{x: \"-{}*sign({}*x' + {}*x)\"}}",
                                        dice.between(0.2, 3), dice.between(-1, 2), dice.between(-1, 2)));
}
std::string dry_chain(Dice& dice) {
  return fmt::format(
      "coordinates: {{x: [0, {}], y: [1, {}], z: [2, {}]}}\nkinetic_energy: (x'^2 + y'^2 + z'^2)/2\n"
      "potential_energy: {}*(y - x - 1)^2 + {}*(z - y - 1)^2\n"
      "forces: {{x: \"-{}*sign(x')\", y: \"-sign(y') - {}*sign(y' - x')\", z: \"-{}*sign(z') - 0.3*sign(z' - y')\"}}\n",
      dice.between(-3, 3), dice.between(-3, 3), dice.between(-3, 3), dice.between(0.1, 20), dice.between(0.1, 20),
      dice.between(0.1, 2), dice.between(0.1, 1), dice.between(0.1, 2));
}
std::string towards_a_point(Dice& dice) {
  return one_mass("[1, 0]", fmt::format("forces: {{x: \"-sign(x) - {}*sign(x')\"}}", dice.between(0.1, 2)));
}
std::string bouncing(Dice& dice) {
  return one_mass("[1, 0]",
                  fmt::format("potential_energy: 9.81*x + {}*min(0, x)^2\nforces: {{x: \"-{}*x'*(1 - sign(x))/2\"}}",
                              dice.power_of_ten(3, 9), dice.between(0, 50)));
}
std::string stick_slip(Dice& dice) {
  return one_mass("[0, 0]",
                  fmt::format("potential_energy: {}*(x - t)^2\nforces: {{x: \"-(1 + {}*exp(-abs(x')/0.1))*sign(x')\"}}",
                              dice.between(1, 20), dice.between(0.2, 1.5)));
}
std::string dry_pendulum(Dice& dice) {
  return fmt::format(
      "coordinates: {{x: [1, 0], y: [0, 0]}}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: 9.81*y\n"
      "forces: {{x: \"-{}*sign(x')\", y: \"-{}*sign(y')\"}}\nconstraints: {{rod: x^2 + y^2 = 1}}\n",
      dice.between(0, 1), dice.between(0, 1));
}

using Family = std::string (*)(Dice&);
struct Named {
  const char* name;
  Family family;
};
void PrintTo(const Named& named, std::ostream* out) { *out << named.name; }

class NothingHangs : public testing::TestWithParam<Named> {};
INSTANTIATE_TEST_SUITE_P(Families, NothingHangs,
                         testing::Values(Named{"StiffSpring", stiff_spring}, Named{"Relaxation", relaxation},
                                         Named{"Controller", controller}, Named{"SmoothedFriction", smoothed_friction},
                                         Named{"Relay", relay}, Named{"DryChain", dry_chain},
                                         Named{"TowardsAPoint", towards_a_point}, Named{"Bouncing", bouncing},
                                         Named{"StickSlip", stick_slip}, Named{"DryPendulum", dry_pendulum}),
                         [](const auto& info) { return info.param.name; });

TEST_P(NothingHangs, TenModelsOfAFamilyEndDoneOrWithAReason) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    Dice dice(seed);
    const std::string text = GetParam().family(dice);
    const std::clock_t start = std::clock();
    const auto run = simulate(read_model(text, "hang.yaml"), {.until = 30, .record = false});
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 20) << text;
    if (run.summary.outcome == Outcome::failed) {
      EXPECT_GT(run.summary.reason.size(), 20U) << text;
    } else {
      EXPECT_EQ(run.summary.t_end, 30) << text;
    }
  }
}

}  // namespace
}  // namespace taut
