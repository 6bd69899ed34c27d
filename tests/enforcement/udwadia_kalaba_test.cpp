#include "enforcement/bench.hpp"

namespace taut::test {
namespace {

TEST(UdwadiaKalaba, AddsNothingToTheConstrainedAccelerations) {
  for (const char* text : {ellipse, linear, mixed}) {
    Bench bench(text, "udwadia-kalaba");
    const Vector q = near(bench.q, 0.01), v = near(bench.v, 0.02);
    const Vector ydot = bench.derivative(q, v, 0.1);
    bench.at(q, v);
    EXPECT_LE(largest(ydot.head(q.size()) - v), 0) << text;
    EXPECT_LE(largest(ydot.tail(v.size()) - bench.acceleration(bench.b)), exact) << text;
  }
}

TEST(UdwadiaKalaba, LeavesTheResultOfAStepAlone) {
  Bench bench(ellipse, "udwadia-kalaba");
  Vector y = bench.motion.state(near(bench.q, 0.01), bench.v);
  const Vector before = y;
  EXPECT_EQ(bench.motion.correct(0.1, y), Correction::none);
  EXPECT_EQ(y, before);
}

}  // namespace
}  // namespace taut::test
