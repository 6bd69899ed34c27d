#include "enforcement/bench.hpp"

namespace taut::test {
namespace {

constexpr double h = 0.05;

TEST(BraunGoldfarb, IsEquationSixteen) {
  for (const char* text : {ellipse, linear, mixed}) {
    Bench bench(text, "braun-goldfarb");
    const Vector q = near(bench.q, 0.01), v = near(bench.v, 0.02);
    const Vector ydot = bench.derivative(q, v, h);
    bench.at(q, v);
    const Eigen::Index p = bench.Phi.size();
    EXPECT_LE(largest(ydot.tail(v.size()) - bench.acceleration(bench.b - bench.chi / h)), exact / h) << text;
    const Vector qdot = v + bench.P(-bench.Phi / h - bench.chi.head(p));
    EXPECT_LE(largest(ydot.head(q.size()) - qdot), exact / h) << text;
  }
}

TEST(BraunGoldfarb, HoldsTheViolationOfTheBeginningButTakesItsOwnRates) {
  Bench bench(ellipse, "braun-goldfarb", Control::euler);
  const Vector q0 = near(bench.q, 0.01), v0 = near(bench.v, 0.02), q = near(bench.q, 0.03), v = near(bench.v, 0.05);
  const Vector ydot = bench.derivative(q, v, h, q0, v0);
  bench.at(q0, v0);
  const Vector Phi = bench.Phi, chi = bench.chi;
  bench.at(q, v);
  EXPECT_LE(largest(ydot.tail(2) - bench.acceleration(bench.b - chi / h)), exact / h);
  EXPECT_LE(largest(ydot.head(2) - (v + bench.P(-Phi / h - bench.chi))), exact / h);
}

TEST(BraunGoldfarb, PutsLinearConstraintsRightInOneStepOfEuler) {
  // Eq. (20), (21): q⁺ = q + h v + P((−A v) h − Φ), v⁺ = v + h a + P(−A a h − Φ̇); exact where A is constant.
  Bench bench(linear, "braun-goldfarb", Control::euler);
  const Vector q = near(bench.q, 0.1), v = near(bench.v, 0.2);
  const Vector ydot = bench.derivative(q, v, h);
  bench.at(q + h * ydot.head(3), v + h * ydot.tail(3));
  EXPECT_LE(largest(bench.Phi), exact);
  EXPECT_LE(largest(bench.chi), exact);
}

}  // namespace
}  // namespace taut::test
