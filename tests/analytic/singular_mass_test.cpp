#include <gtest/gtest.h>

#include <algorithm>

#include "analytic/reference.hpp"
#include "taut/error.hpp"

namespace taut::test {
namespace {

/// A pendulum, and the same with a coordinate s that carries no mass.
constexpr const char* pendulum = R"(
coordinates: {x: [1, 0], y: [0, 0]}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
constraints: {rod: x^2 + y^2 = 1}
)";
constexpr const char* with_massless = R"(
coordinates: {x: [1, 0], y: [0, 0], s: [1, 0]}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
constraints: {rod: x^2 + y^2 = 1, tie: s = x + y^2}
)";
constexpr const char* held_by_nothing = R"(
coordinates: {x: [1, 0], y: [0, 0], s: [1, 0]}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
constraints: {rod: x^2 + y^2 = 1}
)";

Run swing(const char* text, const Choice& method) {
  return simulate(read_model(text, "pendulum.yaml"),
                  {.until = 10, .step = 1e-3, .method = method, .integrator = Rk4{}, .record = false});
}

TEST(SingularMassMatrix, AMasslessCoordinateDoesNotDisturbThePendulumItIsTiedTo) {
  // Both runs take the same steps; what is left is rounding, which a phase error lets grow at most with the square of
  // time: 10 s hold some 4 swings, 1e4 steps of an error of 1e-16 each.
  for (const char* method : {"recursive-least-squares", "auto", "braun-goldfarb", "perturbation", "udwadia-kalaba"}) {
    const auto alone = swing(pendulum, method), tied = swing(with_massless, method);
    ASSERT_EQ(tied.summary.outcome, Outcome::done) << method << ": " << tied.summary.reason;
    EXPECT_NEAR(coordinate(tied, "x"), coordinate(alone, "x"), 1e-12) << method;
    EXPECT_NEAR(coordinate(tied, "y"), coordinate(alone, "y"), 1e-12) << method;
  }
}

TEST(SingularMassMatrix, TheSummarySaysThatTheConstraintsCompleteIt) {
  const auto says_so = [](const auto& run) {
    return std::ranges::any_of(run.summary.notes, [](const std::string& note) {
      return note.find("mass matrix") != std::string::npos && note.find("constraints complete it") != std::string::npos;
    });
  };
  EXPECT_TRUE(says_so(swing(with_massless, "recursive-least-squares")));
  EXPECT_TRUE(says_so(swing(with_massless, "auto")));
  EXPECT_FALSE(says_so(swing(pendulum, "auto")));
}

TEST(SingularMassMatrix, IsRefusedByNameWhereNothingHoldsTheMasslessCoordinate) {
  for (const char* method : {"recursive-least-squares", "auto", "braun-goldfarb"}) {
    try {
      swing(held_by_nothing, method);
      ADD_FAILURE() << method << " went on without inertia";
    } catch (const InputError& error) {
      EXPECT_NE(error.message().find("'s'"), std::string::npos) << error.message();
      EXPECT_NE(error.message().find("no inertia"), std::string::npos) << error.message();
      EXPECT_EQ(error.place().line, 2) << method;
    }
  }
}

TEST(SingularMassMatrix, AVelocityConstraintThatCompletesItDoesNotDisturbThePosition) {
  // s carries no mass and is tied by its rate alone, so that only a velocity row completes the mass. The rod is then as
  // well kept as without s: what may be added is the rounding of x² + y², some eps for each of 1e4 steps at the most
  // in the square root of their number, 2e-14. A rod that is not corrected drifts by 2e-12.
  constexpr const char* tied_by_rate = R"(
coordinates: {x: [1, 0], y: [0, 0], s: [1, 0]}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
constraints: {rod: x^2 + y^2 = 1, tie: s' = x' + 2*y*y'}
)";
  for (const char* method :
       {"auto", "perturbation", "post-stabilization", "recursive-least-squares", "braun-goldfarb"}) {
    const auto alone = swing(pendulum, method), tied = swing(tied_by_rate, method);
    ASSERT_EQ(tied.summary.outcome, Outcome::done) << method << ": " << tied.summary.reason;
    EXPECT_LT(*tied.summary.max_position_violation, *alone.summary.max_position_violation + 2e-14) << method;
    EXPECT_NEAR(coordinate(tied, "x"), coordinate(alone, "x"), 1e-12) << method;
  }
}

}  // namespace
}  // namespace taut::test
