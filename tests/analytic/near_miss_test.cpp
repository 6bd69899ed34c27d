#include <gtest/gtest.h>

#include "analytic/reference.hpp"

namespace taut::test {
namespace {

/// Slider-cranks whose rod is a little longer than the crank: at the dead point the slider turns round within 10⁻⁶ of
/// its way. References: quadrature of the crank's angle with intervals graded towards the bends, and Dormand and Prince
/// on the reduced angle, which agree to 10⁻¹⁰; for two freedoms the latter at two tolerances.
TEST(NearMiss, OfASliderCrankInCartesianCoordinatesIsFollowed) {
  const Model model = read_model(R"(
parameters: {L: 1.0000000001569438}
coordinates:
  x1: [cos(1.2), -7.153399984798462]
  y1: [sin(1.2), 2.78109576560847]
  x2: [cos(1.2)+sqrt(L^2-sin(1.2)^2), -14.306799961046618]
kinetic_energy: 1.458/2*(x1'^2+y1'^2)+0.551/2*x2'^2
constraints: {crank: x1^2+y1^2=1, rod: (x2-x1)^2+y1^2=L^2}
)",
                                 "near.yaml");
  const auto run = simulate(model, {.until = 0.9, .record = false});
  EXPECT_EQ(run.summary.verdict, Verdict::done);
  EXPECT_NEAR(coordinate(run, "x1"), -0.452428, 1e-5);
  EXPECT_NEAR(coordinate(run, "y1"), -0.891801, 1e-5);
}

TEST(NearMiss, IsFollowedWithAPendulumOnTheSliderAtALooseTolerance) {
  const Model model = read_model(R"(
parameters: {L: 1.0000000000056755}
coordinates:
  x1: [cos(0.3), -2.0981934672955105]
  y1: [sin(0.3), 6.782889072791802]
  x2: [cos(0.3)+sqrt(L^2-sin(0.3)^2), -4.196386934577974]
  x3: [cos(0.3)+sqrt(L^2-sin(0.3)^2)+sin(0.4), -4.196386934577974]
  y3: -cos(0.4)
kinetic_energy: 1.85/2*(x1'^2+y1'^2)+1.14/2*x2'^2+0.66/2*(x3'^2+y3'^2)
potential_energy: 18.148500000000002*y1+6.474600000000001*y3
constraints: {crank: x1^2+y1^2=1, rod: (x2-x1)^2+y1^2=L^2, hang: (x3-x2)^2+y3^2=1}
)",
                                 "near.yaml");
  const auto run = simulate(model, {.until = 0.85, .rtol = 1e-6, .record = false});
  EXPECT_EQ(run.summary.verdict, Verdict::done);
  EXPECT_NEAR(coordinate(run, "x1"), 0.57868, 1e-3);
  EXPECT_NEAR(coordinate(run, "y3"), 0.61266, 1e-3);
}

}  // namespace
}  // namespace taut::test
