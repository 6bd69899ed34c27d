#include <fstream>
#include <sstream>

#include "enforcement/bench.hpp"

namespace taut::test {
namespace {

/// A penalty α loses as many digits of rounding: α ε of numbers of about ten, and what five iterations that contract by
/// 1/(1 + α σ²) each leave, σ² ≥ 0.01 here: 1e-10.
constexpr double penalised = 1e4 * epsilon * 10 + 1e-10;

TEST(AugmentedLagrangian, GivesTheAccelerationsOfThePseudoinverse) {
  for (const char* text : {ellipse, linear, mixed}) {
    Bench bench(text, "augmented-lagrangian");
    const Vector ydot = bench.derivative(bench.q, bench.v, 0.1);
    bench.at(bench.q, bench.v);
    EXPECT_LE(largest(ydot.tail(bench.v.size()) - bench.acceleration(bench.b)), penalised) << text;
  }
}

TEST(AugmentedLagrangian, LetsRowsThatSayTheSameShareTheLoad) {
  Bench twice(R"(
model: twice
coordinates: {x: [2, 0], y: [0, 0.5]}
kinetic_energy: (x'^2 + 0.6*x'*y' + 2*y'^2)/2
potential_energy: 3*y
constraints:
  curve: x^2/4 + y^2 = 1
  again: x^2/4 + y^2 = 1
)",
              "augmented-lagrangian"),
      once(ellipse, "augmented-lagrangian");
  EXPECT_LE(largest(twice.derivative(twice.q, twice.v, 0.1) - once.derivative(once.q, once.v, 0.1)), penalised);
  EXPECT_EQ(twice.manifold.rank(), 1);
  Vector a = Vector::Zero(2), both = Vector::Zero(2), one = Vector::Zero(1);
  twice.manifold.here().accelerate(twice.manifold.point().b, a, both);
  once.manifold.here().accelerate(once.manifold.point().b, a, one);
  EXPECT_NEAR(both[0], both[1], penalised);
  EXPECT_NEAR(both[0] + both[1], one[0], 100 * penalised);
}

TEST(AugmentedLagrangian, ProjectsTheResultOfAStep) {
  Bench bench(mixed, "augmented-lagrangian");
  Vector q = near(bench.q, 0.01), v = near(bench.v, 0.02);
  ASSERT_TRUE(bench.method->correct(bench.manifold, 0, q, v).ok);
  bench.at(q, v);
  EXPECT_LE(largest(bench.Phi), 1e-12);
  EXPECT_LE(largest(bench.chi), 1e-10);
}

TEST(AugmentedLagrangian, SeesPivotsFallWhileRankIsKept) {
  // Two rows that approach each other as y → 0: the watch for singular positions needs their pivot at every point.
  Bench bench(R"(
model: dip
coordinates: {x: 0, y: [1, 0], z: 0}
kinetic_energy: (x'^2 + y'^2 + z'^2)/2
constraints: {plain: x = 0, bent: x + y^2/2 = 1/2}
)",
              "augmented-lagrangian");
  EXPECT_LE(bench.manifold.pivots().at(0, Vector{{0, 1e-3, 0}}, bench.v), 2e-3);
  ASSERT_TRUE(bench.manifold.evaluate(0, Vector{{0, 1e-3, 0}}, bench.v));
  EXPECT_LE(bench.manifold.kernel().smallest_pivot(), 2e-3);
}

}  // namespace
}  // namespace taut::test
