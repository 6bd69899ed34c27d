#include "enforcement/bench.hpp"

namespace taut::test {
namespace {

TEST(Auto, EvaluatesAtTheProjectionOfWhatItIsAsked) {
  for (const char* text : {ellipse, linear, mixed}) {
    Bench bench(text, "auto");
    const Vector q = near(bench.q, 0.01), v = near(bench.v, 0.02);
    const Vector ydot = bench.derivative(q, v, 0.1, bench.q + Vector::Constant(q.size(), 0.1), bench.v);
    // The rates are those of the projected state, so they satisfy χ there, and the accelerations H v̇ = b.
    Vector q1 = q, v1 = v;
    Bench other(text, "perturbation");
    ASSERT_TRUE(other.manifold.project(0, q1, v1).ok);
    bench.at(q1, v1);
    EXPECT_LE(largest(bench.chi), 1e-9) << text;
    EXPECT_LE(largest(ydot.head(q.size()) - v1), 1e-9) << text;
    EXPECT_LE(largest(ydot.tail(v.size()) - bench.acceleration(bench.b)), 1e-9) << text;
  }
}

TEST(Auto, TakesTheProjectionAsResultWithoutEvaluatingAnew) {
  Bench bench(ellipse, "auto");
  const Vector q = near(bench.q, 1e-3), v = near(bench.v, 1e-3);
  Vector y = bench.motion.state(q, v), ydot = y;
  bench.motion.begin_step(0, bench.motion.state(bench.q + Vector::Constant(2, 0.1), bench.v), 0.1);
  ASSERT_TRUE(bench.motion.derivative(0.1, y, 0.1, ydot));
  const long evaluations = bench.manifold.effort().evaluations;
  EXPECT_EQ(bench.motion.correct(0.1, y), Correction::same_derivative);
  EXPECT_EQ(bench.manifold.effort().evaluations, evaluations);
  bench.at(y.head(2), y.tail(2));
  EXPECT_LE(largest(bench.Phi), 1e-13);
  EXPECT_LE(largest(bench.chi), 1e-12);
}

}  // namespace
}  // namespace taut::test
