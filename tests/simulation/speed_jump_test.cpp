// Constraints that prescribe speeds which jump: the others follow by an impulse of the constraint.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "taut/simulation.hpp"

namespace taut {
namespace {

/// A bead on a ring of radius r = 1 + max(0, t − 0.7)/2, which begins to grow at once. Its impulse is radial, so that
/// r²θ' = 1 stays: θ = 0.7 + 2 (1 − 1/r).
constexpr const char* growing_ring =
    "coordinates: {x: [1, 0], y: [0, 1]}\nkinetic_energy: (x'^2 + y'^2)/2\n"
    "constraints: {ring: \"x^2 + y^2 = (1 + max(0, t - 0.7)/2)^2\"}\n";

TEST(SpeedsThatJump, TakeOthersAlongUnderEveryMethod) {
  const Model model = read_model(growing_ring, "ring.yaml");
  const double r = 1.65, angle = 0.7 + 2 * (1 - 1 / r);
  for (const auto& method : list_methods()) {
    const auto summary = simulate(model, {.until = 2, .rtol = 1e-9, .method = method.name, .record = false}).summary;
    EXPECT_EQ(summary.outcome, Outcome::done) << method.name;
    EXPECT_NEAR(value_of(summary.final_coordinates, "x"), r * std::cos(angle), 1e-7) << method.name;
    EXPECT_NEAR(value_of(summary.final_coordinates, "y"), r * std::sin(angle), 1e-7) << method.name;
  }
}

TEST(SpeedsThatJump, TakeOthersAlongUnderEveryIntegrator) {
  const Model model = read_model(growing_ring, "ring.yaml");
  const double r = 1.65, angle = 0.7 + 2 * (1 - 1 / r);
  for (const char* integrator : {"dopri5", "dop853", "abm", "cvode-bdf"}) {
    const auto summary = simulate(model, {.until = 2, .rtol = 1e-9, .integrator = integrator, .record = false}).summary;
    EXPECT_NEAR(value_of(summary.final_coordinates, "x"), r * std::cos(angle), 1e-7) << integrator;
  }
}

/// The impulse does work: the balance stays closed, and the summary says what happened. T jumps by (1/2)²/2.
TEST(SpeedsThatJump, DoWorkThatIsAccountedFor) {
  const auto summary =
      simulate(read_model(growing_ring, "ring.yaml"), {.until = 2, .rtol = 1e-9, .record = false}).summary;
  ASSERT_TRUE(summary.max_energy_error);
  EXPECT_LT(*summary.max_energy_error, 1e-8);
  EXPECT_TRUE(std::ranges::any_of(summary.notes, [](const std::string& note) {
    return note.find("jump at t = 0.7:") != std::string::npos && note.find("work of 0.125") != std::string::npos;
  }));
}

/// A brake on the bead's way round does not know the side it acts on until the speed has jumped: from +1 to −1.
TEST(SpeedsThatJump, TakeFrictionAcrossItsZero) {
  const Model model = read_model(
      "coordinates: {p: [0, 1], x: [0, 0]}\nkinetic_energy: p'^2/2 + x'^2/2\n"
      "forces: {x: \"0.5*sign(p')\"}\nconstraints: {drive: \"p = 1 - abs(t - 1)\"}\n",
      "brake.yaml");
  const auto summary = simulate(model, {.until = 2, .rtol = 1e-9, .record = false}).summary;
  EXPECT_NEAR(value_of(summary.final_coordinates, "x"), 0.25 + 0.5 - 0.25, 1e-9);
}

/// A block of weight 9.81 lies on a cart that sets off with speed 1 at once: it is torn loose, and friction of 0.3
/// draws it along until both go alike, after 1/(0.3·9.81).
TEST(SpeedsThatJump, TearLooseWhatFrictionHolds) {
  const Model model = read_model(
      "coordinates: {p: [0, 0], x: [0, 0]}\nkinetic_energy: p'^2/2 + x'^2/2\n"
      "forces: {x: \"0.3*9.81*sign(p' - x')\", p: \"-0.3*9.81*sign(p' - x')\"}\n"
      "constraints: {drive: \"p = max(0, t - 1)\"}\n",
      "cart.yaml");
  const double pull = 0.3 * 9.81, slip = 1 / pull;
  for (const char* method : {"auto", "udwadia-kalaba", "coordinate-partitioning", "post-stabilization"}) {
    const auto at = [&](double until) {
      const auto result = simulate(model, {.until = until, .rtol = 1e-9, .method = method, .record = false});
      return value_of(result.summary.final_coordinates, "x");
    };
    EXPECT_EQ(at(0.9), 0) << method;
    EXPECT_NEAR(at(1.2), pull * 0.2 * 0.2 / 2, 1e-9) << method;
    EXPECT_NEAR(at(2), 1 - slip / 2, 1e-8) << method;
  }
}

}  // namespace
}  // namespace taut
