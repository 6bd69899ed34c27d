#include <gtest/gtest.h>

#include <cmath>

#include "taut/taut.hpp"

namespace taut {
namespace {

/// A mass of 2 under gravity along −x, with a soft constraint x = 0 beside an exact one y = 0.
const char* soft_floor = R"(
parameters: {give: 0.5, g: 10}
coordinates: {x: 0, y: 0}
kinetic_energy: x'^2 + y'^2
potential_energy: 2*g*x
constraints:
  floor: {equation: x = 0, softness: give}
  wall: y = 0
)";

std::string refusal(const std::string& text, Options options) {
  try {
    simulate(read_model(text, "floor.yaml"), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Softness, LetsAConstraintGiveWayInProportionToItsForce) {
  // M a = −2 g + λ and a = −σ²λ give a = −g/(1 + 1/(2 σ²)): −5 for σ² = 1/2, where λ = 10.
  const Model model = read_model(soft_floor, "floor.yaml");
  const auto run = simulate(model, {.until = 0, .method = RecursiveLeastSquares{}});
  EXPECT_NEAR(run.summary.final_accelerations[0].value, -5, 1e-14);
  EXPECT_NEAR(run.summary.final_accelerations[1].value, 0, 1e-14);
  EXPECT_NEAR(run.summary.final_multipliers[0].value, 10, 1e-13);
  EXPECT_EQ(run.summary.degrees_of_freedom, 1) << "a soft constraint takes no degree of freedom";
  EXPECT_TRUE(run.summary.multipliers_unique);
  EXPECT_TRUE(run.summary.dependent.empty());
}

TEST(Softness, IsTheSameWhateverBlocksRowsComeIn) {
  const Model model = read_model(soft_floor, "floor.yaml");
  for (const char* method : {"recursive-least-squares(block=2)", "recursive-least-squares(order=hierarchy)"}) {
    const auto run = simulate(model, {.until = 0, .method = method});
    EXPECT_NEAR(run.summary.final_accelerations[0].value, -5, 1e-14) << method;
    EXPECT_NEAR(run.summary.final_multipliers[0].value, 10, 1e-13) << method;
  }
}

TEST(Softness, FollowsTheParametersOfARun) {
  const Model model = read_model(soft_floor, "floor.yaml");
  const auto acceleration = [&](const char* give) {
    return simulate(model, {.until = 0, .method = RecursiveLeastSquares{}, .set = {{"give", give}}})
        .summary.final_accelerations[0]
        .value;
  };
  EXPECT_NEAR(acceleration("1.5"), -7.5, 1e-14);
  EXPECT_NEAR(acceleration("0"), 0, 1e-14) << "a softness of nought is none";
}

TEST(Softness, LetsAPendulumsRodGiveLittleWayInAWholeRun) {
  // With the sweep after each step the rod stays near its length, by less the stiffer it is.
  const auto violation = [](const std::string& softness) {
    const Model model = read_model(
        "coordinates: {x: 1, y: 0}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: 9.81*y\n"
        "constraints: {rod: {equation: (x^2 + y^2 - 1)/2, softness: " +
            softness + "}}",
        "rod.yaml");
    const auto run = simulate(
        model, {.until = 2, .step = 1e-3, .method = RecursiveLeastSquares{}, .integrator = Rk4{}, .record = false});
    EXPECT_EQ(run.summary.outcome, Outcome::done);
    return *run.summary.max_position_violation;
  };
  const double stiff = violation("1e-6"), soft = violation("1e-4");
  EXPECT_LT(stiff, 1e-6);
  EXPECT_LT(stiff, soft / 10);
  EXPECT_LT(soft, 1e-2);
}

TEST(Softness, DoesWorkThatIsNoReasonForDistrust) {
  const Model model = read_model(
      "coordinates: {x: 1, y: 0}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: 9.81*y\n"
      "constraints: {rod: {equation: x^2 + y^2 = 1, softness: 1e-4}}\n",
      "rod.yaml");
  EXPECT_EQ(simulate(model, {.until = 1, .method = RecursiveLeastSquares{}}).summary.verdict, Verdict::done);
}

TEST(Softness, IsRefusedByTheConstraintsNameUnderEveryOtherMethod) {
  for (const ListEntry& method : list_methods()) {
    const std::string message = refusal(soft_floor, {.until = 1, .method = method.name});
    if (method.name == "recursive-least-squares") {
      EXPECT_EQ(message, "");
    } else {
      EXPECT_NE(message.find("constraint 'floor' is soft"), std::string::npos) << method.name << ": " << message;
      EXPECT_NE(message.find("floor.yaml:7"), std::string::npos) << message;
    }
  }
}

TEST(Softness, IsRefusedByTheConstraintsNameUnderEveryOtherKernel) {
  for (const ListEntry& kernel : list_kernels())
    EXPECT_NE(refusal(soft_floor, {.until = 1, .linear = kernel.name}).find("constraint 'floor' is soft"),
              std::string::npos)
        << kernel.name;
}

TEST(Softness, MustBeANumberThatIsNotNegative) {
  const Options options{.until = 1, .method = RecursiveLeastSquares{}, .set = {{"give", "-1"}}};
  const std::string message = refusal(soft_floor, options);
  EXPECT_NE(message.find("softness of constraint 'floor'"), std::string::npos) << message;
}

TEST(Softness, IsWrittenBesideAnEquation) {
  const auto reading = [](const std::string& constraint) {
    return refusal("coordinates: {x: 0}\nkinetic_energy: x'^2\nconstraints:\n  floor: " + constraint + "\n", {});
  };
  EXPECT_NE(reading("{softness: 1}").find("constraint 'floor' lacks 'equation'"), std::string::npos);
  EXPECT_NE(reading("{equation: x, stiffness: 1}").find("constraint 'floor' has no 'stiffness'"), std::string::npos);
  EXPECT_NE(reading("{equation: x, softness: x}").find("x"), std::string::npos);
  EXPECT_EQ(reading("{equation: x}"), "") << "an equation alone may stand there, too";
}

}  // namespace
}  // namespace taut
