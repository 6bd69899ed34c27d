#include "integration/shampine_gordon.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "allocation_counter.hpp"
#include "integration/list.hpp"
#include "integration/problems.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

using test::adaptive;
using test::Counted;
using test::epsilon;
using test::fixed;
using test::Wave;

/// y'' = −y: errors neither grow nor decay.
class Oscillator : public Counted {
 public:
  int size() const override { return 2; }
  void slope(double, const Vector& y, Vector& ydot) const override {
    ydot[0] = y[1];
    ydot[1] = -y[0];
  }
  static Vector at(double t) { return Vector{{std::cos(t), -std::sin(t)}}; }
};

/// Two bodies on an ellipse of eccentricity 0.6, in true coordinates: steps must vary along the orbit.
class Orbit : public Counted {
 public:
  int size() const override { return 4; }
  void slope(double, const Vector& y, Vector& ydot) const override {
    const double r3 = std::pow(y[0] * y[0] + y[1] * y[1], 1.5);
    ydot[0] = y[2];
    ydot[1] = y[3];
    ydot[2] = -y[0] / r3;
    ydot[3] = -y[1] / r3;
  }
  static Vector start() { return Vector{{0.4, 0, 0, 2}}; }
};

struct Walk {
  long steps = 0, rejected = 0;
  int highest_order = 0;
  double largest_error = 0;
  Vector y;
};

Walk walk(Ode& ode, const Vector& y, const StepControl& control) {
  ShampineGordon integrator;
  integrator.start(ode, 0, y, control);
  Walk done;
  while (integrator.t() < control.until) {
    const Step& step = integrator.advance();
    EXPECT_TRUE(step.ok) << step.reason;
    if (!step.ok) break;
    ++done.steps;
    done.highest_order = std::max(done.highest_order, integrator.order());
    done.largest_error = std::max(done.largest_error, step.error);
  }
  EXPECT_EQ(integrator.t(), control.until);
  done.rejected = integrator.rejected();
  done.y = integrator.y();
  return done;
}

TEST(AdamsFormula, HasTheKnownCoefficientsForEqualSteps) {
  AdamsFormula formula;
  AdamsFormula::Row past = {};
  for (int i = 1; i <= AdamsFormula::highest_order; ++i) past[i] = i;
  formula.prepare(5, 1, past);
  const double known[] = {0, 1, 1. / 2, 5. / 12, 3. / 8, 251. / 720, 95. / 288};
  for (int i = 1; i <= 6; ++i) EXPECT_NEAR(formula.g[i], known[i], 8 * epsilon);
  for (int i = 1; i <= 5; ++i) {
    EXPECT_EQ(formula.beta[i], 1);
    EXPECT_NEAR(formula.sigma[i], 1, 8 * epsilon);
  }
  const double moulton[] = {0, 1. / 2, 1. / 12, 1. / 24, 19. / 720, 3. / 160, 863. / 60480};
  for (int i = 1; i <= 6; ++i) EXPECT_NEAR(adams_moulton_error()[i], moulton[i], 8 * epsilon);
  EXPECT_NEAR(adams_moulton_error()[13], 0.00468, 5e-6);
}

TEST(AdamsFormula, IntegratesPolynomialsExactlyOverUnequalSteps) {
  // Differences of f = t³ at t = 0, −0.5, −2, −2.25 by their definition φᵢ = ψ₁…ψᵢ₋₁ f[tₙ, …, tₙ₋ᵢ₊₁].
  const double t[] = {0, -0.5, -2, -2.25};
  AdamsFormula::Row past = {}, divided = {}, phi = {};
  for (int i = 1; i <= 3; ++i) past[i] = t[0] - t[i];
  for (int i = 4; i <= AdamsFormula::highest_order; ++i) past[i] = past[3] + i;
  for (int i = 0; i < 4; ++i) divided[i] = std::pow(t[i], 3);
  double scale = 1;
  for (int i = 1; i <= 4; ++i) {
    phi[i] = scale * divided[0];
    for (int j = 0; j + i < 4; ++j) divided[j] = (divided[j] - divided[j + 1]) / (t[j] - t[j + i]);
    if (i < 4) scale *= past[i];
  }
  const double h = 0.7;
  AdamsFormula formula;
  formula.prepare(4, h, past);
  double sum = 0;
  for (int i = 1; i <= 4; ++i) sum += formula.g[i] * formula.beta[i] * phi[i];
  EXPECT_NEAR(h * sum, std::pow(h, 4) / 4, 1e-14);

  AdamsFormula::Row weights = {};
  for (const double s : {-0.4, -0.1, -1.9}) {
    adams_interpolation(4, s, past, weights);
    sum = 0;
    for (int i = 1; i <= 4; ++i) sum += weights[i] * phi[i];
    EXPECT_NEAR(s * sum, std::pow(s, 4) / 4, 1e-13);
  }
}

TEST(ShampineGordon, KeepsTheErrorOfAnOscillatorBelowTheSumOfItsTolerances) {
  const double until = 200 * std::acos(-1.0);  // a hundred periods
  for (const double tau : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Oscillator ode;
    const Walk done = walk(ode, Oscillator::at(0), adaptive(tau, until));
    // No step adds more than ‖w‖ ≤ (√2 + 1) τ, and nothing grows.
    EXPECT_LE((done.y - Oscillator::at(until)).norm(), static_cast<double>(done.steps) * 2.5 * tau) << tau;
    EXPECT_LE(done.largest_error, 1);
    EXPECT_GT(done.largest_error, 0.01);
  }
}

TEST(ShampineGordon, GainsWithATighterTolerance) {
  double last = std::numeric_limits<double>::infinity();
  for (const double tau : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11}) {
    Wave ode;
    const Walk done = walk(ode, Wave::at(0), adaptive(tau, 10));
    const double error = (done.y - Wave::at(10)).norm();
    // A step adds at most ‖w‖ ≤ (√3 + e + 1) τ; errors in y₁, y₂ grow in y₀ by at most 2e, those in y₀ by e².
    EXPECT_LE(error, static_cast<double>(done.steps) * 5.5 * 7.4 * tau) << tau;
    EXPECT_LE(error, last / 10) << tau;
    last = error;
  }
}

TEST(ShampineGordon, ComesBackAfterEachOrbit) {
  const double period = 2 * std::acos(-1.0);
  double last = 1;
  for (const double tau : {1e-5, 1e-7, 1e-9, 1e-11}) {
    Orbit ode;
    const Walk done = walk(ode, Orbit::start(), adaptive(tau, 3 * period));
    const double error = (done.y - Orbit::start()).norm();
    // A step changes the energy by at most |∇E| ‖w‖ ≤ 7 · 5 τ, and with it the time of the next passage, by up to
    // 3 T |ΔE| after three orbits; the speed there is 2.
    EXPECT_LE(error, static_cast<double>(done.steps) * 35 * tau * 3 * period * 3 * 2) << tau;
    EXPECT_LE(error, last / 10) << tau;
    last = error;
  }
}

TEST(ShampineGordon, UsesHighOrdersWhereTheSolutionIsSmoothAndTheToleranceTight) {
  Oscillator loose_ode, tight_ode;
  const Walk loose = walk(loose_ode, Oscillator::at(0), adaptive(1e-3, 30));
  const Walk tight = walk(tight_ode, Oscillator::at(0), adaptive(1e-11, 30));
  EXPECT_GT(tight.highest_order, 7);
  EXPECT_GE(tight.highest_order, loose.highest_order);
  // Eight digits more cost a formula of order 5 a factor 10^(8/5) = 40.
  EXPECT_LT(tight.steps, 10 * loose.steps);
}

TEST(ShampineGordon, EvaluatesTwiceAStepOnceAFailureAndOnceAtTheStart) {
  long failures = 0;
  for (const double tau : {1e-3, 1e-6, 1e-9, 1e-12}) {
    Orbit ode;
    const Walk done = walk(ode, Orbit::start(), adaptive(tau, 20));
    EXPECT_EQ(ode.evaluations, 2 * done.steps + done.rejected + 1) << tau;
    EXPECT_EQ(ode.latest, 20);  // and never beyond the end
    failures += done.rejected;
  }
  EXPECT_GT(failures, 0);
}

TEST(ShampineGordon, MeetsTheToleranceWhereAStepIsRejected) {
  /// A force that sets in at once at t = 1.
  class Kick : public Counted {
   public:
    int size() const override { return 1; }
    void slope(double t, const Vector&, Vector& ydot) const override { ydot[0] = t < 1 ? 0 : 1; }
  };
  Kick ode;
  const Walk done = walk(ode, Vector::Zero(1), adaptive(1e-6, 2));
  EXPECT_GT(done.rejected, 3);
  EXPECT_NEAR(done.y[0], 1, 1e-5);
}

TEST(ShampineGordon, TestsOnlyTheEntriesItIsTold) {
  /// The second entry is rough and follows only.
  class Followed : public Oscillator {
   public:
    int size() const override { return 3; }
    void slope(double t, const Vector& y, Vector& ydot) const override {
      Oscillator::slope(t, y, ydot);
      ydot[2] = std::fmod(1000 * t, 1.0);
    }
  };
  Followed ode;
  Oscillator alone;
  StepControl control = adaptive(1e-8, 10);
  control.tested = 2;
  const Walk with = walk(ode, Vector{{1, 0, 0}}, control), without = walk(alone, Oscillator::at(0), control);
  EXPECT_EQ(with.steps, without.steps);
  EXPECT_EQ(Vector(with.y.head(2)), without.y);
}

// ---- corrections ----------------------------------------------------------------------------------

/// A pendulum in Cartesian coordinates with its force found from the second derivative of x² + y² = 1, which drifts.
class Pendulum : public Counted {
 public:
  explicit Pendulum(bool projects) : projects_(projects) {}
  int size() const override { return 4; }
  void slope(double, const Vector& y, Vector& ydot) const override {
    const double lambda = (y[2] * y[2] + y[3] * y[3] - y[1]) / (y[0] * y[0] + y[1] * y[1]);
    ydot[0] = y[2];
    ydot[1] = y[3];
    ydot[2] = -lambda * y[0];
    ydot[3] = -lambda * y[1] - 1;
  }
  Correction correct(double, Vector& y) override {
    if (!projects_) return Correction::none;
    ++corrections;
    y.head(2).normalize();
    const double out = y.head(2).dot(y.tail(2));
    y.tail(2) -= out * y.head(2);
    return Correction::new_derivative;
  }
  static double violation(const Vector& y) {
    return std::max(std::abs(y.head(2).norm() - 1), std::abs(y.head(2).dot(y.tail(2))));
  }
  static Vector start() { return Vector{{1, 0, 0, 0}}; }
  long corrections = 0;

 private:
  bool projects_;
};

TEST(ShampineGordon, StaysOnTheConstraintsAtHardlyMoreSteps) {
  for (const double tau : {1e-5, 1e-8, 1e-10}) {
    Pendulum projected(true), drifting(false);
    const Walk on = walk(projected, Pendulum::start(), adaptive(tau, 30));
    const Walk off = walk(drifting, Pendulum::start(), adaptive(tau, 30));
    EXPECT_LE(Pendulum::violation(on.y), 4 * epsilon);
    EXPECT_GT(Pendulum::violation(off.y), tau / 100);
    EXPECT_LE(on.steps, 1.15 * off.steps) << tau;
    EXPECT_EQ(projected.evaluations, 2 * on.steps + on.rejected + 1);
    EXPECT_EQ(projected.corrections, on.steps);  // only what passed its error test is corrected
  }
}

/// At one attempt the correction fails, or the derivative does; either way the attempt is to leave no trace.
class Stumbling : public Wave {
 public:
  enum class At { correction, derivative };
  Stumbling(At at, int attempt) : at_(at), attempt_(attempt) {}
  void begin_step(double, const Vector&, double) override { ++begun; }
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override {
    const bool ok = Wave::derivative(t, y, h, ydot);
    return ok && !(at_ == At::derivative && begun == attempt_);
  }
  Correction correct(double, Vector& y) override {
    if (at_ != At::correction || begun != attempt_) return Correction::none;
    y.setConstant(std::numeric_limits<double>::quiet_NaN());
    return Correction::failed;
  }
  int begun = 0;

 private:
  At at_;
  int attempt_;
};

TEST(ShampineGordon, LeavesNoTraceOfAStepWhoseCorrectionFails) {
  for (const int attempt : {2, 5, 10, 25}) {
    Stumbling corrected(Stumbling::At::correction, attempt), evaluated(Stumbling::At::derivative, attempt),
        sure(Stumbling::At::correction, -1);
    const Walk a = walk(corrected, Wave::at(0), adaptive(1e-8, 10));
    const Walk b = walk(evaluated, Wave::at(0), adaptive(1e-8, 10));
    const Walk c = walk(sure, Wave::at(0), adaptive(1e-8, 10));
    EXPECT_EQ(a.y, b.y);
    EXPECT_EQ(a.steps, b.steps);
    EXPECT_EQ(a.rejected, b.rejected);
    EXPECT_GE(a.rejected, 1);
    EXPECT_LE((a.y - Wave::at(10)).norm(), 1e-6);
    EXPECT_LE((c.y - Wave::at(10)).norm(), 1e-6);
  }
}

TEST(ShampineGordon, EndsWithAReasonWhereNoStepIsPossible) {
  class Ending : public Wave {
   public:
    bool derivative(double t, const Vector& y, double h, Vector& ydot) override {
      return Wave::derivative(t, y, h, ydot) && t <= 0.5;
    }
  };
  class Stuck : public Wave {
   public:
    Correction correct(double t, Vector&) override { return t > 0.5 ? Correction::failed : Correction::none; }
  };
  Ending ending;
  Stuck stuck;
  for (Ode* ode : {static_cast<Ode*>(&ending), static_cast<Ode*>(&stuck)}) {
    ShampineGordon integrator;
    integrator.start(*ode, 0, Wave::at(0), adaptive(1e-6, 1));
    Step step;
    for (int k = 0; k < 1000 && step.ok; ++k) step = integrator.advance();
    EXPECT_FALSE(step.ok);
    EXPECT_FALSE(step.reason.empty());
    EXPECT_NEAR(integrator.t(), 0.5, 1e-9);
    EXPECT_TRUE(integrator.y().allFinite());
  }
}

// ---- what accepting a step may mean -----------------------------------------------------------------

/// As Wave, but written in twice the coordinates from the twentieth accepted step on.
class Rescaled : public Wave {
 public:
  void slope(double t, const Vector& y, Vector& ydot) const override {
    Wave::slope(t, y / scale, ydot);
    ydot *= scale;
  }
  Acceptance accept(double, Vector& y) override {
    if (++accepted != 20) return Acceptance::same_derivative;
    scale = 2;
    y *= 2;
    return Acceptance::new_coordinates;
  }
  int accepted = 0;
  double scale = 1;
};

TEST(ShampineGordon, BeginsAnewAtOrderOneInNewCoordinates) {
  Rescaled ode;
  ShampineGordon integrator;
  integrator.start(ode, 0, Wave::at(0), adaptive(1e-8, 10));
  Vector between = Vector::Zero(3);
  long steps = 0;
  while (integrator.t() < 10) {
    const Step step = integrator.advance();
    ASSERT_TRUE(step.ok) << step.reason;
    if (++steps == 20) {
      EXPECT_GT(integrator.order(), 3);
      integrator.interpolate(step.t0 + 0.4 * step.h, between);  // still in the old ones
      EXPECT_LE((between - Wave::at(step.t0 + 0.4 * step.h)).norm(), 1e-6);
    }
    if (steps == 21 || steps == 22) {
      EXPECT_EQ(integrator.order(), steps - 20);
    }
  }
  EXPECT_LE((integrator.y() / 2 - Wave::at(10)).norm(), 1e-6);
  EXPECT_EQ(ode.evaluations, 2 * steps + integrator.rejected() + 2);  // one more start
}

TEST(ShampineGordon, EvaluatesAnewWhereAcceptingChangesTheDerivative) {
  /// The slope is halved once half of the way is done.
  class Braked : public Counted {
   public:
    int size() const override { return 1; }
    void slope(double, const Vector&, Vector& ydot) const override { ydot[0] = braked ? 0.5 : 1; }
    Acceptance accept(double t, Vector&) override {
      if (braked || t < 1) return Acceptance::same_derivative;
      braked = true;
      from = t;
      return Acceptance::new_derivative;
    }
    bool braked = false;
    double from = 0;
  };
  Braked ode;
  StepControl control = adaptive(1e-9, 2);
  const Walk done = walk(ode, Vector::Zero(1), control);
  EXPECT_NEAR(done.y[0], ode.from + 0.5 * (2 - ode.from), static_cast<double>(done.steps) * 2 * 1e-9);
}

TEST(ShampineGordon, AddsHeldTermsOnceAStep) {
  class Held : public Oscillator, public StepTerms {
   public:
    int size() const override { return 3; }
    void slope(double t, const Vector& y, Vector& ydot) const override {
      Oscillator::slope(t, y, ydot);
      ydot[2] = apart ? 0 : 1;
    }
    OdeExtensions extensions() override { return {.terms = this}; }
    bool depends_on_step() const override { return false; }
    void separate_held_terms() override { apart = true; }
    bool held_terms(double, const Vector&, double, Vector& rate) override {
      rate = Vector{{0, 0, 1}};
      return true;
    }
    bool apart = false;
  };
  Held ode;
  const Walk done = walk(ode, Vector{{1, 0, 0}}, adaptive(1e-8, 5));
  EXPECT_TRUE(ode.apart);
  EXPECT_NEAR(done.y[2], 5, 100 * epsilon * 5);
}

// ---- between the steps ------------------------------------------------------------------------------

TEST(ShampineGordon, InterpolatesAsAccuratelyAsItSteps) {
  for (const double tau : {1e-5, 1e-8, 1e-11}) {
    Wave ode;
    ShampineGordon integrator;
    integrator.start(ode, 0, Wave::at(0), adaptive(tau, 10));
    Vector y = Vector::Zero(3);
    double at_steps = 0, between = 0;
    while (integrator.t() < 10) {
      const Vector before = integrator.y();
      const Step& step = integrator.advance();
      const long evaluations = ode.evaluations;
      at_steps = std::max(at_steps, (integrator.y() - Wave::at(integrator.t())).norm());
      for (double x = 0.1; x < 1; x += 0.1) {
        const double t = step.t0 + x * step.h;
        integrator.interpolate(t, y);
        between = std::max(between, (y - Wave::at(t)).norm());
      }
      integrator.interpolate(step.t0, y);
      EXPECT_LE((y - before).norm(), 20 * epsilon);
      integrator.interpolate(integrator.t(), y);
      EXPECT_EQ(y, integrator.y());
      EXPECT_EQ(ode.evaluations, evaluations);
    }
    // The polynomial errs by about as much as the step, whose error is at most ‖w‖ ≤ 5.5 τ.
    EXPECT_LE(between, 1.5 * at_steps + 5.5 * tau) << tau;
  }
}

TEST(ShampineGordon, AllocatesNothingInAStep) {
#if TAUT_COUNTS_ALLOCATIONS
  Orbit orbit;
  ShampineGordon integrator;
  integrator.start(orbit, 0, Orbit::start(), adaptive(1e-9, 100));
  Vector y = integrator.y();
  EXPECT_EQ(test::allocations_in([&] {
              for (int k = 0; k < 300; ++k) {
                const Step& step = integrator.advance();
                integrator.interpolate(step.t0 + 0.5 * step.h, y);
              }
            }),
            0);
  EXPECT_GT(integrator.rejected(), 0);
  Pendulum ode(true);
  std::string chosen;
  const auto ab3 = make_integrator("ab3", fixed(0.01, 10), chosen);
  ab3->start(ode, 0, Pendulum::start(), fixed(0.01, 10));
  EXPECT_EQ(test::allocations_in([&] {
              for (int k = 0; k < 100; ++k) {
                const Step& step = ab3->advance();
                ab3->interpolate(step.t0 + 0.5 * step.h, y);
              }
            }),
            0);
#else
  GTEST_SKIP() << "sanitizers have a malloc of their own";
#endif
}

TEST(MakeIntegrator, RefusesAFixedStepWhereTheIntegratorChoosesItsOwn) {
  StepControl control;
  control.step = 0.01;
  control.until = 1;
  for (const auto& entry : integrators()) {
    if (entry.fixed()) continue;
    std::string chosen;
    try {
      make_integrator(entry.name, control, chosen);
      ADD_FAILURE() << entry.name;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("integrator '" + entry.name + "' chooses its own steps"),
                std::string::npos);
      EXPECT_NE(error.remedy().find("rk4"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace taut
