#include "system/branches.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "system/formula_solver.hpp"
#include "taut/system.hpp"

namespace taut {
namespace {

/// A force alone, at (x, x') = (x, v).
double force(System& system, double x, double v) {
  Point point = system.make_point();
  const Vector q = Vector::Constant(1, x), speeds = Vector::Constant(1, v);
  system.at_position(0, q, point);
  system.at_velocity(0, q, speeds, point);
  return point.f[0];
}

std::unique_ptr<System> with_force(const std::string& formula) {
  const std::string text = "coordinates: {x: 1}\nkinetic_energy: x'^2/2\nforces: {x: \"" + formula + "\"}\n";
  return make_system(read_model(text, "branches.yaml"), {});
}

TEST(Branches, StayAsTheFormulaSaysUntilOneIsChosen) {
  const auto system = with_force("sign(x) + 10*abs(x) + 100*max(x, 2*x) + 1000*min(x, 2*x)");
  for (const double x : {-0.7, 0.7})
    EXPECT_DOUBLE_EQ(force(*system, x, 0),
                     std::copysign(1, x) + 10 * std::abs(x) + 100 * std::max(x, 2 * x) + 1000 * std::min(x, 2 * x));
}

TEST(Branches, GoOnBeyondTheirZeroOnceChosen) {
  const auto system = with_force("sign(x) + 10*abs(x) + 100*max(x, 0) + 1000*min(x, 0)");
  ASSERT_EQ(system->shape().switches.size(), 1U);  // all of them are kinks of x
  system->set_branches({1});
  EXPECT_DOUBLE_EQ(force(*system, -0.5, 0), 1 - 5 - 50 + 0);
  system->set_branches({-1});
  EXPECT_DOUBLE_EQ(force(*system, 0.5, 0), -1 - 5 + 0 + 500);
  system->set_branches({System::Branch()});
  EXPECT_DOUBLE_EQ(force(*system, 0.5, 0), 1 + 5 + 50 + 0);
}

TEST(Branches, OfDerivedForcesFollowThoseOfThePotential) {
  const auto system = make_system(
      read_model("coordinates: {x: 1}\nkinetic_energy: x'^2/2\npotential_energy: 5*abs(x - 1) + 3*max(x, 1)^2\n",
                 "potential.yaml"),
      {});
  ASSERT_EQ(system->shape().switches.size(), 1U);
  system->set_branches({1});
  EXPECT_DOUBLE_EQ(force(*system, 0.5, 0), -5 - 6 * 0.5);
  system->set_branches({-1});
  EXPECT_DOUBLE_EQ(force(*system, 2, 0), 5);
}

TEST(Branches, OfAnArgumentAndItsNegativeAreOne) {
  const auto system = with_force("sign(x') + 10*sign(-x') + 100*abs(-x')");
  ASSERT_EQ(system->shape().switches.size(), 1U);
  Vector s = Vector::Zero(1);
  system->switching(0, Vector::Zero(1), Vector::Constant(1, 2), s);
  const double sign = s[0] > 0 ? 1 : -1;  // which of the two it is stands for nothing
  system->set_branches({sign});
  EXPECT_DOUBLE_EQ(force(*system, 0, -2), 1 - 10 - 200);
}

TEST(Branches, HaveRatesThatAreExact) {
  const auto system = with_force("sign(x^2 + 3*x')");
  Vector rates = Vector::Zero(1), s = rates;
  const Vector x = Vector::Constant(1, 2), v = Vector::Constant(1, 5), a = Vector::Constant(1, 7);
  system->switching(0, x, v, s);
  system->switching_rates(0, x, v, a, rates);
  EXPECT_DOUBLE_EQ(s[0], 4 + 15);
  EXPECT_DOUBLE_EQ(rates[0], 2 * 2 * 5 + 3 * 7);
}

TEST(Branches, AreNotOpenedForTimeOrParametersAlone) {
  const auto system = make_system(read_model("parameters: {k: -2}\ncoordinates: {x: 1}\nkinetic_energy: x'^2/2\n"
                                             "forces: {x: \"abs(k)*sign(sin(t))\"}\n",
                                             "time.yaml"),
                                  {-2});
  EXPECT_TRUE(system->shape().switches.empty());
}

/// Each definition uses the one before four times: a walk over the paths instead of the nodes would take 4^30 steps.
TEST(Branches, OfDefinitionsThatShareEachOtherAreFoundInOneWalk) {
  std::string text = "coordinates: {x: 1}\nkinetic_energy: x'^2/2\ndefinitions:\n  d0: x*x + 0.1\n";
  for (int k = 1; k <= 30; ++k) {
    const std::string before = "d" + std::to_string(k - 1);
    text += "  d" + std::to_string(k) + ": exp(-" + before + ")*(" + before + " + sin(" + before + ")) + " + before +
            "/2\n";
  }
  const auto system = make_system(read_model(text + "forces: {x: \"max(0, d30)\"}\n", "deep.yaml"), {});
  EXPECT_TRUE(std::isfinite(force(*system, 1, 0)));
}

TEST(Branches, OfTheSolverAreThoseOfTheSystem) {
  const auto system = with_force("10*sign(x')");
  const auto solver = system->make_solver(Matrix());
  ASSERT_NE(solver, nullptr);
  Vector Phi = Vector::Zero(0), a = Vector::Zero(1), lambda = Vector::Zero(0);
  for (const double sign : {1., -1., 0.25}) {
    system->set_branches({sign});
    ASSERT_TRUE(solver->at_position(0, Vector::Zero(1), Phi) && solver->at_velocity(Vector::Constant(1, 3)));
    solver->accelerate(Vector::Zero(0), a, lambda);
    EXPECT_DOUBLE_EQ(a[0], 10 * sign);
  }
}

}  // namespace
}  // namespace taut
