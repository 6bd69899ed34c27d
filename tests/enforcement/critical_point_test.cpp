#include "enforcement/critical_point.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "taut/model.hpp"

namespace taut {
namespace {

using Kind = CriticalPoint::Kind;

CriticalPoint search(const std::string& text, int rank) {
  const Model model = read_model(text, "test.yaml");
  const InitialValues initial = initial_values(model, {});
  const auto system = make_system(model, initial.parameters);
  const auto vector = [](const std::vector<double>& x) {
    return Vector(Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size())));
  };
  return CriticalPointSearch(*system).search(0, vector(initial.coordinates), vector(initial.speeds), rank);
}

/// A crank of length 1 and a rod of 1 + ε that ends on the line y = 0, `before` radians before the crank is upright;
/// several of them side by side, all turning at the same speed.
std::string slider_cranks(double epsilon, double before, int count = 1) {
  const double l = 1 + epsilon, a = M_PI / 2 - before, b = -std::asin(std::sin(a) / l);
  const double turn = -std::cos(a) / (l * std::cos(b)), slide = -std::sin(a) - l * std::sin(b) * turn;
  std::string coordinates, energy, constraints;
  for (int i = 0; i < count; ++i) {
    coordinates += fmt::format("  a{0}: [{1:.17g}, 1]\n  b{0}: [{2:.17g}, {3:.17g}]\n  s{0}: [{4:.17g}, {5:.17g}]\n", i,
                               a, b, turn, std::cos(a) + l * std::cos(b), slide);
    energy += fmt::format("{0}a{1}'^2/2 + b{1}'^2/2 + s{1}'^2/2", i > 0 ? " + " : "", i);
    constraints += fmt::format(
        "  across{0}: sin(a{0}) + {1:.17g}*sin(b{0}) = 0\n  along{0}: s{0} = cos(a{0}) + {1:.17g}*cos(b{0})\n", i, l);
    if (i > 0) constraints += fmt::format("  together{0}: a{0} = a0\n", i);
  }
  return "coordinates:\n" + coordinates + "kinetic_energy: " + energy + "\nconstraints:\n" + constraints;
}

std::string hyperbola(double epsilon, double before) {
  return fmt::format(R"(
coordinates: {{x: [{0:.17g}, 1], y: [{1:.17g}, 0]}}
kinetic_energy: (x'^2 + y'^2)/2
constraints: {{branch: x*y = {2:.17g}}}
)",
                     -before, -epsilon / before, epsilon);
}

TEST(CriticalPoint, ValueIsProportionalToTheDifferenceOfTheRods) {
  for (const double before : {0.3, 0.1, 0.03}) {
    const double share = search(slider_cranks(1e-5, before), 2).value / 1e-5;
    for (int k = 5; k <= 14; ++k) {
      const double epsilon = std::pow(10, -k);
      const CriticalPoint point = search(slider_cranks(epsilon, before), 2);
      // 1 + ε is rounded, to half an ulp of 1 as it was written here.
      EXPECT_NEAR(point.value, share * epsilon, share * (1e-3 * epsilon + 1.2e-16)) << before << " " << k;
      EXPECT_NE(point.kind, Kind::passage);
      EXPECT_NE(point.kind, Kind::none);
      if (k <= 11) EXPECT_EQ(point.kind, Kind::near_miss);
    }
  }
}

TEST(CriticalPoint, EqualRodsPass) {
  for (const double before : {0.3, 0.1, 0.03}) {
    const CriticalPoint point = search(slider_cranks(0, before), 2);
    EXPECT_EQ(point.kind, Kind::passage) << before;
    // The way is one of 1 rad per second in an angle; how it is measured changes little over it.
    EXPECT_NEAR(point.distance, before, 0.1 * before);
  }
}

TEST(CriticalPoint, SeveralLoopsThatVanishTogetherPass) {
  for (const int count : {2, 3, 5}) {
    EXPECT_EQ(search(slider_cranks(0, 0.1, count), 3 * count - 1).kind, Kind::passage) << count;
    EXPECT_EQ(search(slider_cranks(1e-7, 0.1, count), 3 * count - 1).kind, Kind::near_miss) << count;
  }
}

TEST(CriticalPoint, BendOfAHyperbolaIsItsVertex) {
  for (int k = 4; k <= 12; ++k) {
    const double epsilon = std::pow(10, -k);
    const CriticalPoint point = search(hyperbola(epsilon, 0.3), 1);
    EXPECT_EQ(point.kind, Kind::near_miss) << k;
    // Curvature is measured by its Frobenius norm, which is √2 here: the vertex is at √(2ε), and √(√2 ε) found.
    EXPECT_NEAR(point.bend, std::sqrt(std::sqrt(2.0) * epsilon), 0.05 * std::sqrt(epsilon)) << k;
    EXPECT_NEAR(point.distance, 0.3, 0.01) << k;
  }
}

TEST(CriticalPoint, UnitsDoNotMatter) {
  for (const double unit : {1e-9, 1e-3, 1e6}) {
    const auto text = [&](double epsilon) {
      return fmt::format(R"(
coordinates: {{x: [{0:.17g}, {1:.17g}], y: [{2:.17g}, 0]}}
kinetic_energy: (x'^2 + y'^2)/2
constraints: {{branch: x*y = {3:.17g}}}
)",
                         -0.3 * unit, unit, -epsilon / 0.3 * unit, epsilon * unit * unit);
    };
    EXPECT_EQ(search(text(1e-6), 1).kind, Kind::near_miss) << unit;
    EXPECT_EQ(search(text(0), 1).kind, Kind::passage) << unit;
    EXPECT_NEAR(search(text(1e-6), 1).distance, 0.3, 0.01) << unit;
  }
}

TEST(CriticalPoint, ARedundantRowChangesNothing) {
  std::string text = slider_cranks(0, 0.1);
  const std::string again = "  again: 2*s0 = 2*cos(a0) + 2*cos(b0)\n";
  EXPECT_EQ(search(text + again, 2).kind, Kind::passage);
  EXPECT_EQ(search(slider_cranks(1e-6, 0.1) + "  again: 3*sin(a0) + 3*1.000001*sin(b0) = 0\n", 2).kind,
            Kind::near_miss);
}

TEST(CriticalPoint, DrivenConstraintsPassInTimeToo) {
  // The crank is driven through the upright position at 1 rad/s.
  const auto driven = [](double epsilon) {
    return slider_cranks(epsilon, 0.1) + fmt::format("  drive: a0 = {:.17g} + t\n", M_PI / 2 - 0.1);
  };
  EXPECT_EQ(search(driven(0), 3).kind, Kind::passage);
  EXPECT_EQ(search(driven(1e-6), 3).kind, Kind::near_miss);
}

}  // namespace
}  // namespace taut
