#include <gtest/gtest.h>

#include "analytic/reference.hpp"

namespace taut::test {
namespace {

struct Angle {
  const char* name;
  double value;
};

/// Andrews' squeezing mechanism at t = 0.03 s in quadruple precision; runs with 300 and 600 steps agree to
/// 3e-22. The digits published with the IVP test set are good to 9 or 10.
constexpr Angle reference[] = {
    {"beta", 1.581077119515370709711939e+01},    {"theta", -1.575637105841183946972775e+01},
    {"gamma", 4.082224011964580485828232e-02},   {"phi", -5.347301163420795937701850e-01},
    {"delta", 5.244099658799540693716558e-01},   {"omega", 5.347301163420795937701850e-01},
    {"epsilon", 1.048080741041937873068515e+00},
};

TEST(Andrews, EndsWhereTheQuadruplePrecisionSolutionEnds) {
  const Model model = load_model("andrews");
  const auto run = simulate(model, options_of(model));
  for (const auto& angle : reference) EXPECT_NEAR(coordinate(run, angle.name), angle.value, 1e-9) << angle.name;
  EXPECT_EQ(run.summary.passages, 0) << "the squeezer has no singular position on its way";
}

TEST(Andrews, StartsWithTheAccelerationsAndMultipliersOfTheReference) {
  // 30-digit values of the IVP test set; |values| up to 1.4e4, so 1e-9 is 13 digits.
  const auto run = simulate(load_model("andrews"), {.until = 0});
  EXPECT_NEAR(value_of(run.summary.final_accelerations, "beta"), 14222.4439199541138705911625887, 1e-8);
  EXPECT_NEAR(value_of(run.summary.final_accelerations, "theta"), -10666.8329399655854029433719415, 1e-8);
  // There M q'' = f − Gᵀλ, here M q'' = f + Hᵀλ.
  EXPECT_NEAR(value_of(run.summary.final_multipliers, "g1"), -98.5668703962410896057654982170, 1e-10);
  EXPECT_NEAR(value_of(run.summary.final_multipliers, "g2"), 6.12268834425566265503114393122, 1e-10);
}

}  // namespace
}  // namespace taut::test
