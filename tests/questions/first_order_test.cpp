#include "taut/first_order.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

/// A mass on a rod of length 1, with its rod said twice where it is to be redundant.
Model pendulum(bool twice = false) {
  Model model;
  const Expression x = model.coordinate("x", 0.6), y = model.coordinate("y", -0.8);
  model.kinetic_energy = 0.5 * (dot(x) * dot(x) + dot(y) * dot(y));
  model.potential_energy = 9.81 * y;
  model.constraint("rod", x * x + y * y - 1);
  if (twice) model.constraint("again", 3 * (x * x + y * y - 1));
  return model;
}

TEST(FirstOrder, GivesThePendulumsAccelerationsInClosedForm) {
  for (const bool twice : {false, true}) {
    FirstOrder equations(pendulum(twice));
    Vector y(4), rates;
    y << 0.6, -0.8, 1.6, 1.2;  // on the circle, at a speed of 2
    equations.rates(0, y, rates);
    // Tension T = v² + 9.81·0.8 towards the pivot, beside the weight.
    const double tension = 4 + 9.81 * 0.8;
    EXPECT_NEAR(rates[0], 1.6, 1e-15);
    EXPECT_NEAR(rates[2], -0.6 * tension, 1e-13);
    EXPECT_NEAR(rates[3], 0.8 * tension - 9.81, 1e-13);
  }
}

TEST(FirstOrder, HasTheJacobianOfTheClosedFormOffTheConstraintsToo) {
  // With r² = x² + y²: the multiplier is λ = −(v² − g y)/(2 r²), the accelerations 2 x λ and 2 y λ − g.
  FirstOrder equations(pendulum());
  Vector y(4);
  y << 0.7, -0.9, 1.1, 0.4;
  const Matrix J = equations.jacobian(0, y);
  const double g = 9.81, r2 = y[0] * y[0] + y[1] * y[1], s = y[2] * y[2] + y[3] * y[3] - g * y[1];
  EXPECT_NEAR(J(0, 2), 1, 1e-15);
  EXPECT_NEAR(J(2, 0), -s / r2 + 2 * y[0] * y[0] * s / (r2 * r2), 1e-12);
  EXPECT_NEAR(J(2, 1), y[0] * (g / r2 + 2 * y[1] * s / (r2 * r2)), 1e-12);
  EXPECT_NEAR(J(3, 3), -2 * y[1] * y[3] / r2, 1e-12);
}

TEST(FirstOrder, ProjectsPositionsThenSpeeds) {
  for (const bool twice : {false, true}) {
    FirstOrder equations(pendulum(twice));
    Vector y(4);
    y << 0.66, -0.88, 1, 1;  // on the ray of (0.6, −0.8), which is the nearest point of the circle
    ASSERT_TRUE(equations.project(0, y));
    EXPECT_NEAR(y[0], 0.6, 1e-14);
    EXPECT_NEAR(y[1], -0.8, 1e-14);
    EXPECT_NEAR(y[2], 1.12, 1e-14);  // the part of (1, 1) along the tangent (0.8, 0.6)
    EXPECT_NEAR(y[3], 0.84, 1e-14);
  }
}

TEST(FirstOrder, RefusesStatesOfAnotherSize) {
  FirstOrder equations(pendulum());
  Vector rates;
  EXPECT_EQ(equations.names(), (std::vector<std::string>{"x", "y", "x'", "y'"}));
  EXPECT_EQ(equations.start().size(), 4);
  EXPECT_THROW(equations.rates(0, Vector::Zero(3), rates), InputError);
}

}  // namespace
}  // namespace taut
