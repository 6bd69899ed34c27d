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

Summary with_bdf(const std::string& text, const char* method, double until, double rtol = 1e-8) {
  Options options;
  options.until = until;
  options.rtol = rtol;
  options.method = method;
  options.integrator = "cvode-bdf";
  options.record = false;
  return simulate(read_model(text, "test.yaml"), options).summary;
}

TEST(BraunGoldfarb, KeepsConstraintsUnderAnImplicitIntegrator) {
  const std::string pendulum =
      "coordinates: {x: 1, y: 0}\nkinetic_energy: (x'^2 + y'^2)/2\npotential_energy: 9.81*y\n"
      "constraints: {rod: x^2 + y^2 = 1}\n";
  const Summary kept = with_bdf(pendulum, "braun-goldfarb", 10), longer = with_bdf(pendulum, "braun-goldfarb", 100);
  const Summary drifting = with_bdf(pendulum, "udwadia-kalaba", 100);
  EXPECT_EQ(kept.control, "stages");
  // What is left is about what one step gets wrong, however many came before.
  EXPECT_LE(*kept.max_position_violation, 1e-6);
  EXPECT_LE(*longer.max_position_violation, 2 * *kept.max_position_violation);
  EXPECT_GE(*drifting.max_position_violation, 20 * *longer.max_position_violation);
  // The reference in quadruple precision; BDF at 1e-8 makes errors of some 1e-8 in each of its 2000 steps.
  EXPECT_NEAR(kept.final_coordinates[0].value, 0.2750874625761158, 1e-4);
}

TEST(BraunGoldfarb, TakesLongStepsThroughStiffEquationsByAnImplicitIntegrator) {
  // A pendulum in syrup with a rod of 1e6 /s: after the start there is only creep to be followed.
  const std::string text =
      "coordinates: {x: [1, 0], y: [0, 0], z: [0.5, 0]}\nkinetic_energy: (x'^2 + y'^2 + z'^2)/2\n"
      "potential_energy: 9.81*y\nforces: {x: -100*x', y: -100*y', z: -1e6*z' - 1e6*(z - x)}\n"
      "constraints: {rod: x^2 + y^2 = 1}\n";
  const Summary implicit = with_bdf(text, "braun-goldfarb", 20, 1e-6);
  EXPECT_EQ(implicit.outcome, Outcome::done) << implicit.reason;
  EXPECT_LE(implicit.steps, 2000) << "an explicit formula needs 20 s times 1e6 /s over 3";
  EXPECT_LE(*implicit.max_position_violation, 1e-4);
  // Creep: 100 θ' = 9.81 cos θ up to 1e-3 of it, θ from the horizontal, so that 1/cos θ' integrates to t·0.0981.
  const double angle = 2 * std::atan(std::tanh(0.0981 * 20 / 2)), y = implicit.final_coordinates[1].value;
  EXPECT_NEAR(y, -std::sin(angle), 5e-3);
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
