#include "enforcement/bench.hpp"

namespace taut::test {
namespace {

TEST(PostStabilization, IsOneNewtonStepWithTheRowsAtTheCorrectedPosition) {
  for (const char* text : {ellipse, linear, mixed}) {
    Bench bench(text, "post-stabilization");
    Vector q = near(bench.q, 0.01), v = near(bench.v, 0.02);
    bench.at(q, v);
    const Vector q1 = q + bench.P(-bench.Phi);
    bench.at(q1, v);
    const Vector v1 = v + bench.P(-bench.chi);
    ASSERT_TRUE(bench.method->correct(bench.manifold, 0, q, v).ok);
    EXPECT_LE(largest(q - q1), exact) << text;
    EXPECT_LE(largest(v - v1), exact) << text;
  }
}

TEST(PostStabilization, LeavesTheSquareOfTheViolation) {
  Bench bench(ellipse, "post-stabilization");
  for (const double distance : {1e-2, 1e-3}) {
    Vector q = near(bench.q, distance), v = bench.v;
    ASSERT_TRUE(bench.method->correct(bench.manifold, 0, q, v).ok);
    bench.at(q, v);
    // ½ dqᵀΦ'' dq, with Φ'' = diag(1/2, 2) and dq no longer than twice the distance.
    EXPECT_LE(std::abs(bench.Phi[0]), 4 * distance * distance);
    EXPECT_GT(std::abs(bench.Phi[0]), 0);
    EXPECT_LE(largest(bench.chi), exact);
  }
}

}  // namespace
}  // namespace taut::test
