#include <cmath>

#include "enforcement/bench.hpp"

namespace taut::test {
namespace {

TEST(Baumgarte, AsksForTheDecayOfADampedOscillator) {
  for (const char* text : {ellipse, linear, mixed}) {
    Bench bench(text, "baumgarte(alpha=3, beta=7, gamma=2)");
    const Vector q = near(bench.q, 0.01), v = near(bench.v, 0.02);
    const Vector vdot = bench.derivative(q, v, 0.1).tail(v.size());
    bench.at(q, v);
    const Eigen::Index p = bench.Phi.size();
    Vector c = bench.b;
    c.head(p) -= 3 * bench.chi.head(p) + 7 * bench.Phi;
    c.tail(c.size() - p) -= 2 * bench.chi.tail(c.size() - p);
    EXPECT_LE(largest(bench.H * vdot - c), exact) << text;
    EXPECT_LE(largest(vdot - bench.acceleration(c)), exact) << text;
  }
}

TEST(Baumgarte, IsCriticallyDampedByOmega) {
  Bench by_omega(mixed, "baumgarte(omega=5)"), by_gains(mixed, "baumgarte(alpha=10, beta=25, gamma=5)");
  const Vector q = near(by_omega.q, 0.01), v = near(by_omega.v, 0.02);
  EXPECT_EQ(by_omega.derivative(q, v, 0.1), by_gains.derivative(q, v, 0.1));
}

TEST(Baumgarte, TakesHalfOfAlphaForVelocityConstraintsUnlessTold) {
  Bench untold(mixed, "baumgarte(alpha=6, beta=5)"), told(mixed, "baumgarte(alpha=6, beta=5, gamma=3)");
  const Vector q = near(untold.q, 0.01), v = near(untold.v, 0.02);
  EXPECT_EQ(untold.derivative(q, v, 0.1), told.derivative(q, v, 0.1));
}

TEST(Baumgarte, LetsAViolationDecayAsTheOscillatorDoes) {
  // x − 1 obeys z'' + 2ω z' + ω² z = 0: z = z₀ (1 + ω t) exp(−ω t) from rest.
  const Model model = read_model(R"(
model: line
coordinates: {x: 1.5, y: [0, 1]}
kinetic_energy: (x'^2 + y'^2)/2
constraints: {wall: x = 1}
)",
                                 "line.yaml");
  const double omega = 3, t = 0.7;
  const Summary summary = simulate(model, {.until = t,
                                           .rtol = 1e-12,
                                           .atol = 1e-13,
                                           .method = "baumgarte(omega=3)",
                                           .integrator = "dop853",
                                           .control = "stages",
                                           .record = false})
                              .summary;
  // The tolerance, over some ten steps.
  EXPECT_NEAR(summary.final_coordinates[0].value - 1, 0.5 * (1 + omega * t) * std::exp(-omega * t), 1e-10);
}

}  // namespace
}  // namespace taut::test
