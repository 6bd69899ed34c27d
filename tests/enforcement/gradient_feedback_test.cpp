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

TEST(GradientFeedback, GivesSingleConstraintsGainsOfTheirOwn) {
  Bench bench(linear, "gradient-feedback(gain=6, gains=second:3)");
  const Vector q = near(bench.q, 0.1);
  bench.at(q, bench.v);
  Vector expected = bench.v;
  for (const auto& [i, gain] : {std::pair{0, 6.0}, std::pair{1, 3.0}}) {
    const Vector A = bench.H.row(i), down = bench.M.llt().solve(A);
    expected -= gain * bench.Phi[i] / A.dot(down) * down;
  }
  EXPECT_LE(largest(bench.derivative(q, bench.v, 0.1).head(3) - expected), exact);
  EXPECT_EQ(bench.method->gain(), 40);  // that of the velocities
}

/// ∂Φᵢ²/∂q by central differences of Φ itself: the rows are linear, so that Φ² has no third derivative, and what is
/// left is the rounding of Φ² of up to 1 over twice the way.
Vector gradient_of_square(Bench& bench, Eigen::Index row, const Vector& q) {
  const double way = 1e-3;
  Vector Phi = Vector::Zero(bench.Phi.size()), gradient = Vector::Zero(q.size());
  const auto square = [&](const Vector& at) {
    bench.system().position(0, at, Phi);
    return Phi[row] * Phi[row];
  };
  for (Eigen::Index j = 0; j < q.size(); ++j) {
    Vector ahead = q, behind = q;
    ahead[j] += way;
    behind[j] -= way;
    gradient[j] = (square(ahead) - square(behind)) / (2 * way);
  }
  return gradient;
}

TEST(GradientFeedback, WithConstantZetasIsEquation28) {
  for (const auto& [options, first, second] :
       {std::tuple{"zeta=1.5", 1.5, 1.5}, std::tuple{"zeta=1.5, zetas=first:0.2", 0.2, 1.5},
        std::tuple{"zetas=first:0.2:second:0.7", 0.2, 0.7}}) {
    Bench bench(linear, std::string("gradient-feedback(velocity_gain=0, metric=identity, ") + options + ")");
    const Vector q = near(bench.q, 0.1);
    const Vector expected =
        bench.v - first * gradient_of_square(bench, 0, q) - second * gradient_of_square(bench, 1, q);
    EXPECT_LE(largest(bench.derivative(q, bench.v, 0.1).head(3) - expected), exact / 1e-3) << options;
    // The rates that come of them, Eq. (40): 2ζ|A|², with |A|² = 2 and 6.
    EXPECT_NEAR(bench.method->gain(), std::max(2 * first * 2, 2 * second * 6), exact) << options;
  }
}

TEST(GradientFeedback, GivesAVelocityConstraintItsGainByName) {
  Bench bench(mixed, "gradient-feedback(gain=6, velocity_gain=8, gains=speed:9)");
  const Vector q = near(bench.q, 0.01), v = near(bench.v, 0.02);
  bench.at(q, v);
  const Vector c = bench.b - Vector{{8, 9}}.cwiseProduct(bench.chi);
  EXPECT_LE(largest(bench.derivative(q, v, 0.1).tail(3) - bench.acceleration(c)), exact);
}

TEST(GradientFeedback, RefusesGainsOfWhatIsNoConstraint) {
  for (const char* options : {"gains=circel:3", "gains=circle", "gains=circle:x", "gains=circle:-1",
                              "gains=circle:1:circle:2", "zetas=speed:1", "gains=circle:1, zetas=circle:1"})
    EXPECT_THROW(Bench(mixed, std::string("gradient-feedback(") + options + ")"), InputError) << options;
  try {
    Bench(mixed, "gradient-feedback(gains=circel:3)");
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'circle'"), std::string::npos) << error.what();
  }
}

TEST(GradientFeedback, KnowsTwoMetrics) { EXPECT_THROW(Bench(ellipse, "gradient-feedback(metric=money)"), InputError); }

}  // namespace
}  // namespace taut::test
