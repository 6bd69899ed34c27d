#include "enforcement/bench.hpp"

namespace taut::test {
namespace {

constexpr double h = 0.05;

/// Which violation a correction acts on, seen with Baumgarte's terms: c = b − αχ − βΦ.
struct Acting {
  Bench bench;
  Vector q0, v0, q, v;

  explicit Acting(Control control, const std::string& energy = "none")
      : bench(ellipse, "baumgarte(alpha=3, beta=7)", control, energy),
        q0(near(bench.q, 0.01)),
        v0(near(bench.v, 0.02)),
        q(near(bench.q, 0.03)),
        v(near(bench.v, 0.05)) {}

  Vector accelerations() { return bench.derivative(q, v, h, q0, v0).tail(2); }
  Vector terms_at(const Vector& position, const Vector& speeds) {
    bench.at(position, speeds);
    return 3 * bench.chi + 7 * bench.Phi;
  }
};

TEST(Control, InStagesActsOnTheViolationOfTheStage) {
  Acting acting(Control::stages);
  const Vector terms = acting.terms_at(acting.q, acting.v);
  EXPECT_LE(largest(acting.accelerations() - acting.bench.acceleration(acting.bench.b - terms)), exact);
}

TEST(Control, EulerActsOnTheViolationOfTheBeginning) {
  Acting acting(Control::euler);
  const Vector terms = acting.terms_at(acting.q0, acting.v0);
  acting.bench.at(acting.q, acting.v);
  EXPECT_LE(largest(acting.accelerations() - acting.bench.acceleration(acting.bench.b - terms)), exact);
}

TEST(Control, BackwardEulerActsOnTheViolationOfTheResult) {
  Acting acting(Control::backward_euler);
  acting.bench.at(acting.q, acting.v);
  EXPECT_LE(largest(acting.accelerations() - acting.bench.acceleration(acting.bench.b)), exact);
  Vector y = acting.bench.motion.state(acting.q, acting.v);
  ASSERT_EQ(acting.bench.motion.correct(h, y), Correction::new_derivative);
  // y += h times the terms alone, taken at the result itself: v += h P(−αχ − βΦ), and q stays.
  const Vector terms = acting.terms_at(acting.q, acting.v);
  EXPECT_LE(largest(y.tail(2) - (acting.v + h * acting.bench.P(-terms))), exact);
  EXPECT_EQ(Vector(y.head(2)), acting.q);
}

TEST(Control, ForwardEulerAddsTheTermsOfTheBeginningToTheResult) {
  Acting acting(Control::forward_euler);
  // No term in the stages: Eq. (57).
  acting.bench.at(acting.q, acting.v);
  EXPECT_LE(largest(acting.accelerations() - acting.bench.acceleration(acting.bench.b)), exact);
  Vector y = acting.bench.motion.state(acting.q, acting.v);
  ASSERT_EQ(acting.bench.motion.correct(h, y), Correction::new_derivative);
  // Eq. (58): v += h P(−αχ − βΦ) with all of it, P too, at the beginning, and q stays.
  const Vector terms = acting.terms_at(acting.q0, acting.v0);
  EXPECT_LE(largest(y.tail(2) - (acting.v + h * acting.bench.P(-terms))), exact);
  EXPECT_EQ(Vector(y.head(2)), acting.q);
}

/// Runge–Kutta without terms, and h times the terms of the beginning: to the letter, unlike terms that are held.
TEST(Control, ForwardEulerIsEquation58WithRungeKutta) {
  std::string off = ellipse;
  off.replace(off.find("x: [2, 0]"), 9, "x: [2.01, 0.1]");
  const Model model = read_model(off, "test.yaml");
  const auto rates = [&](const char* method, const char* control) {
    Options options;
    options.method = method;
    options.control = control;
    options.step = options.until = h;
    const Summary summary = simulate(model, options).summary;
    return Vector{{summary.final_rates[0].value, summary.final_rates[1].value}};
  };
  Equations at_start(off);
  const Vector added = h * at_start.P(-3 * at_start.chi - 7 * at_start.Phi);
  const Vector without = rates("udwadia-kalaba", "auto");
  ASSERT_GT(largest(added), 1e-3);
  EXPECT_LE(largest(rates("baumgarte(alpha=3, beta=7)", "forward-euler") - without - added), exact);
  EXPECT_GT(largest(rates("baumgarte(alpha=3, beta=7)", "euler") - without - added), 1e-6);
}

TEST(Control, HeldTermsAreThoseOfTheBeginningAlone) {
  Acting acting(Control::euler);
  StepTerms& held = *acting.bench.motion.extensions().terms;
  held.separate_held_terms();
  Vector rate = Vector::Zero(4);
  ASSERT_TRUE(held.held_terms(0, acting.bench.motion.state(acting.q0, acting.v0), h, rate));
  const Vector terms = acting.terms_at(acting.q0, acting.v0);
  EXPECT_LE(largest(rate.tail(2) - acting.bench.P(-terms)), exact);
  EXPECT_LE(largest(rate.head(2)), exact);
  acting.bench.at(acting.q, acting.v);
  EXPECT_LE(largest(acting.accelerations() - acting.bench.acceleration(acting.bench.b)), exact);
}

TEST(Control, HoldsTheEnergyErrorOfTheBeginningToo) {
  for (const Control control : {Control::stages, Control::euler}) {
    Acting acting(control, "gradient(gain=6)"), without(control);
    const Vector change = acting.accelerations() - without.accelerations();
    const bool stages = control == Control::stages;
    const double excess = acting.bench.motion.observe().energy_error(
        0, acting.bench.motion.state(stages ? acting.q : acting.q0, stages ? acting.v : acting.v0));
    acting.bench.at(acting.q, acting.v);
    const double size = acting.v.dot(acting.bench.M * acting.v);
    EXPECT_LE(largest(change + 6 * excess / size * acting.v), exact);
  }
}

}  // namespace
}  // namespace taut::test
