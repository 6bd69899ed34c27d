#include "enforcement/bench.hpp"
#include "taut/error.hpp"

namespace taut::test {
namespace {

TEST(Perturbation, MovesAPositionAlongTheNormalsOfItsMetric) {
  for (const auto& [metric, W] :
       {std::pair{"mass", Matrix{{1, 0.3}, {0.3, 2}}}, std::pair{"identity", Matrix{{1, 0}, {0, 1}}},
        std::pair{"1:4", Matrix{{1, 0}, {0, 4}}}}) {
    Bench bench(ellipse, std::string("perturbation(metric=") + metric + ")");
    const Vector q0{{std::sqrt(2.0), std::sqrt(0.5)}}, v0{{2 * std::sqrt(0.5), -std::sqrt(0.5)}};
    bench.start(q0, v0);
    Vector q = near(q0, 0.01), v = near(v0, 0.02);
    const Vector before = q, v_before = v;
    ASSERT_TRUE(bench.method->correct(bench.manifold, 0, q, v).ok);
    bench.at(q, v);
    EXPECT_LE(largest(bench.Phi), 1e-12 * 2);
    EXPECT_LE(largest(bench.chi), 1e-12 * 4);
    // W-orthogonal to the tangent of the point where the step began; the velocity to that of the corrected point.
    EXPECT_LE(std::abs(v0.dot(W * (q - before))), 1e-12 * 10) << metric;
    const Vector tangent{{bench.H(0, 1), -bench.H(0, 0)}};
    EXPECT_LE(std::abs(tangent.dot(W * (v - v_before))), 1e-12 * 10) << metric;
  }
}

TEST(Perturbation, RejectsExactlyWhereTheCorrectionExceedsHalfOfTau) {
  Bench free(ellipse, "perturbation");
  Vector q = near(free.q, 0.01), v = near(free.v, 0.02);
  const Vector q0 = q, v0 = v;
  ASSERT_TRUE(free.method->correct(free.manifold, 0, q, v).ok);
  const double size = std::sqrt((q - q0).squaredNorm() + (v - v0).squaredNorm());
  ASSERT_GT(size, 1e-3);
  for (const double part : {0.99, 1.01}) {
    Bench bench(ellipse, "perturbation(tau=" + std::to_string(2 * size * part) + ")");
    q = q0;
    v = v0;
    EXPECT_EQ(bench.method->correct(bench.manifold, 0, q, v).ok, part > 1) << part;
  }
}

TEST(Perturbation, LeavesVelocitiesAtCorrectionTimesSpeedAsPrinted) {
  Bench printed(ellipse, "perturbation(jacobian=printed)"), corrected(ellipse, "perturbation");
  for (const double distance : {1e-3, 1e-4}) {
    const auto left = [&](Bench& bench) {
      Vector q = near(bench.q, distance), v = bench.v;
      EXPECT_TRUE(bench.method->correct(bench.manifold, 0, q, v).ok);
      const double moved = (q - near(bench.q, distance)).norm();
      bench.at(q, v);
      EXPECT_LE(largest(bench.Phi), 1e-12 * 2);
      return largest(bench.chi) / (moved * v.norm());
    };
    // dqᵀΦ'' v with Φ'' = diag(1/2, 2): between a tenth and two of |dq||v| in a direction that is nothing special.
    const double share = left(printed);
    EXPECT_LE(share, 2);
    EXPECT_GE(share, 0.05);
    EXPECT_LE(left(corrected), 1e-8);
  }
}

TEST(Perturbation, RefusesWhatIsNoMetricAndNoJacobian) {
  for (const char* method : {"perturbation(metric=steel)", "perturbation(metric=1)", "perturbation(metric=1:2:3)",
                             "perturbation(metric=1:-2)", "perturbation(jacobian=none)"})
    EXPECT_THROW(Bench(ellipse, method), InputError) << method;
}

}  // namespace
}  // namespace taut::test
