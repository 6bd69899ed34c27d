#include "enforcement/bench.hpp"

namespace taut::test {
namespace {

TEST(CoordinatePartitioning, LeavesIndependentCoordinatesUntouchedByTheLift) {
  // The ellipse at (2, 0): H = (1, 0), so x depends on y. `linear`: largest columns y, then x or z.
  Bench bench(ellipse, "coordinate-partitioning");
  Vector q = near(bench.q, 0.05), v = near(bench.v, 0.05);
  const Vector asked_q = q, asked_v = v;
  ASSERT_TRUE(bench.method->chart()->lift(bench.manifold, 0, q, v));
  EXPECT_EQ(q[1], asked_q[1]);
  EXPECT_EQ(v[1], asked_v[1]);
  // In closed form: x = 2 √(1 − y²), x' = −4 y y'/x.
  EXPECT_NEAR(q[0], 2 * std::sqrt(1 - q[1] * q[1]), 1e-12);
  EXPECT_NEAR(v[0], -4 * q[1] * v[1] / q[0], 1e-12);
}

TEST(CoordinatePartitioning, LiftsOntoTheConstraints) {
  for (const char* text : {ellipse, linear, mixed}) {
    Bench bench(text, "coordinate-partitioning");
    Vector q = near(bench.q, 0.05), v = near(bench.v, 0.05);
    const Vector asked_q = q, asked_v = v;
    ASSERT_TRUE(bench.method->chart()->lift(bench.manifold, 0, q, v)) << text;
    bench.at(q, v);
    EXPECT_LE(largest(bench.Phi), 1e-12) << text;
    EXPECT_LE(largest(bench.chi), text == mixed ? 1e-9 : 1e-12) << text;
    // As many coordinates stay as there are degrees of freedom.
    EXPECT_EQ((q.array() == asked_q.array()).count(), q.size() - bench.Phi.size()) << text;
    EXPECT_EQ((v.array() == asked_v.array()).count(), v.size() - bench.chi.size()) << text;
  }
}

TEST(CoordinatePartitioning, IntegratesTheIndependentCoordinatesAlone) {
  Bench bench(ellipse, "coordinate-partitioning");
  Vector qdot{{0.3, 0.7}}, vdot{{-2, 1}};
  bench.method->chart()->restrict(qdot, vdot);
  EXPECT_EQ(qdot, (Vector{{0, 0.7}}));
  EXPECT_EQ(vdot, (Vector{{0, 1}}));
}

TEST(CoordinatePartitioning, ChoosesAnewWhereThePivotHasShrunk) {
  Bench bench(ellipse, "coordinate-partitioning(restart=0.8)");
  const auto outgrown = [&](double angle) {
    const Vector q{{2 * std::cos(angle), std::sin(angle)}};
    EXPECT_TRUE(bench.manifold.evaluate(0, q, bench.v));
    return bench.method->chart()->outgrown(bench.manifold, bench.v);
  };
  // The pivot is x/2 = cos of the angle, 1 at the base.
  EXPECT_FALSE(outgrown(std::acos(0.81)));
  EXPECT_TRUE(outgrown(std::acos(0.79)));
}

}  // namespace
}  // namespace taut::test
