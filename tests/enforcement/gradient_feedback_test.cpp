#include "enforcement/bench.hpp"
#include "taut/error.hpp"

namespace taut::test {
namespace {

TEST(GradientFeedback, LetsASingleConstraintDecayAtTheGainInBothMetrics) {
  for (const char* metric : {"mass", "identity"}) {
    Bench bench(ellipse, std::string("gradient-feedback(gain=6, velocity_gain=0, metric=") + metric + ")");
    const Vector q = near(bench.q, 0.01), v = near(bench.v, 0.02);
    const Vector qdot = bench.derivative(q, v, 0.1).head(2);
    bench.at(q, v);
    // Φ̇ = A q̇ = A v − 6 Φ.
    EXPECT_NEAR((bench.H * qdot)[0], bench.chi[0] - 6 * bench.Phi[0], exact) << metric;
  }
}

TEST(GradientFeedback, GoesDownTheGradientOfItsMetric) {
  Bench mass(ellipse, "gradient-feedback(gain=6)"), plain(ellipse, "gradient-feedback(gain=6, metric=identity)");
  const Vector q = near(mass.q, 0.01), v = near(mass.v, 0.02);
  mass.at(q, v);
  const Vector A = mass.H.row(0), down = mass.M.llt().solve(A);
  EXPECT_LE(largest(mass.derivative(q, v, 0.1).head(2) - (v - 6 * mass.Phi[0] / A.dot(down) * down)), exact);
  EXPECT_LE(largest(plain.derivative(q, v, 0.1).head(2) - (v - 6 * mass.Phi[0] / A.squaredNorm() * A)), exact);
}

TEST(GradientFeedback, AddsTheGradientsOfAllRows) {
  Bench bench(linear, "gradient-feedback(gain=6)");
  const Vector q = near(bench.q, 0.1);
  bench.at(q, bench.v);
  Vector expected = bench.v;
  for (Eigen::Index i = 0; i < 2; ++i) {
    const Vector A = bench.H.row(i), down = bench.M.llt().solve(A);
    expected -= 6 * bench.Phi[i] / A.dot(down) * down;
  }
  EXPECT_LE(largest(bench.derivative(q, bench.v, 0.1).head(3) - expected), exact);
}

TEST(GradientFeedback, FeedsVelocitiesBackThroughTheAccelerations) {
  Bench with(mixed, "gradient-feedback(gain=6, velocity_gain=8)"),
      without(mixed, "gradient-feedback(gain=6, velocity_gain=0)");
  const Vector q = near(with.q, 0.01), v = near(with.v, 0.02);
  with.at(q, v);
  EXPECT_LE(largest(with.derivative(q, v, 0.1).tail(3) - with.acceleration(with.b - 8 * with.chi)), exact);
  // As in the paper: positions only. A velocity constraint has nothing else and decays at the gain of positions.
  Vector c = with.b;
  c[1] -= 6 * with.chi[1];
  EXPECT_LE(largest(without.derivative(q, v, 0.1).tail(3) - with.acceleration(c)), exact);
}

TEST(GradientFeedback, KnowsTwoMetrics) { EXPECT_THROW(Bench(ellipse, "gradient-feedback(metric=money)"), InputError); }

}  // namespace
}  // namespace taut::test
