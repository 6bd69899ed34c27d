#include "integration/sundials.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "integration/cvode.hpp"
#include "integration/ida.hpp"
#include "integration/list.hpp"
#include "integration/problems.hpp"

namespace taut {
namespace {

using test::adaptive;
using test::epsilon;

/// The oscillator of van der Pol, mildly nonlinear.
class VanDerPol : public Ode {
 public:
  int size() const override { return 2; }
  void begin_step(double t, const Vector& y, double) override {
    ++begun;
    begun_at = t;
    begun_with = y;
  }
  bool derivative(double t, const Vector& y, double, Vector& ydot) override {
    latest = std::max(latest, t);
    ydot[0] = y[1];
    ydot[1] = 2 * (1 - y[0] * y[0]) * y[1] - y[0];
    return true;
  }
  static Vector start() { return Vector{{2, 0}}; }
  long begun = 0;
  double begun_at = 0, latest = 0;
  Vector begun_with;
};

Vector run(Integrator& integrator, Ode& ode, const Vector& y, const StepControl& control) {
  integrator.start(ode, 0, y, control);
  while (integrator.t() < control.until) {
    const Step& step = integrator.advance();
    EXPECT_TRUE(step.ok) << step.reason;
    if (!step.ok) break;
  }
  EXPECT_EQ(integrator.t(), control.until);
  return integrator.y();
}

std::unique_ptr<Integrator> make(const std::string& name) {
  std::string chosen;
  return make_integrator(name, adaptive(1e-8, 1), chosen);
}

class Sundials : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Integrator> make() const { return taut::make(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Integrators, Sundials, testing::Values("cvode-adams", "cvode-bdf", "ida"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(Sundials, AgreesWithRungeKuttaOnANonlinearProblem) {
  VanDerPol reference;
  const Vector exact = run(*taut::make("dop853"), reference, VanDerPol::start(), adaptive(1e-13, 10));
  double last = 1;
  for (const double tau : {1e-5, 1e-7, 1e-9}) {
    VanDerPol ode;
    const double error = (run(*make(), ode, VanDerPol::start(), adaptive(tau, 10)) - exact).norm();
    // Global errors of these codes are some hundred times the tolerance; along the cycle errors hardly grow.
    EXPECT_LE(error, 2000 * tau) << tau;
    EXPECT_LE(error, last / 5) << tau;
    last = error;
    EXPECT_LE(ode.latest, 10);
  }
}

/// A weight that sets out from rest in oil. Its acceleration has the rounding errors of some iteration, which
/// differences over next to nothing would make steep slopes of.
class NoisyFall : public Ode {
 public:
  int size() const override { return 2; }
  bool derivative(double, const Vector& y, double, Vector& ydot) override {
    ydot[0] = y[1];
    ydot[1] = -2 - damping * y[1] + 1e-12 * std::sin(1e20 * y[1]);
    return true;
  }
  static constexpr double damping = 1.5;
};

TEST_P(Sundials, NoticesDampingOfWhatSetsOutFromRestThoughRatesAreRough) {
  NoisyFall fall;
  for (const double rtol : {1e-6, 1e-7, 1e-8}) {
    const Vector y = run(*make(), fall, Vector{{1, 0}}, adaptive(rtol, 0.05));
    // Local errors of some dozen steps, each of them at most rtol of the sizes.
    EXPECT_NEAR(y[1], -2 / fall.damping * (1 - std::exp(-fall.damping * 0.05)), 100 * rtol) << rtol;
  }
}

TEST_P(Sundials, TellsTheOdeOfEachStepAndDescribesIt) {
  VanDerPol ode;
  const auto integrator = make();
  integrator->start(ode, 0, VanDerPol::start(), adaptive(1e-6, 5));
  const long before_steps = ode.begun;
  long steps = 0;
  while (integrator->t() < 5) {
    const double t = integrator->t();
    const Vector y = integrator->y();
    const Step& step = integrator->advance();
    ASSERT_TRUE(step.ok) << step.reason;
    ++steps;
    EXPECT_EQ(ode.begun, before_steps + steps);
    EXPECT_EQ(ode.begun_at, t);
    EXPECT_EQ(ode.begun_with, y);
    EXPECT_EQ(step.t0, t);
    EXPECT_EQ(step.h, integrator->t() - t);
    EXPECT_GE(step.error, 0);
    EXPECT_LE(step.error, 1.2);  // for CVODE the order may have been changed after the test
  }
}

TEST_P(Sundials, InterpolatesWithinTheLastStep) {
  VanDerPol ode, reference;
  const auto integrator = make(), exact = taut::make("dop853");
  const double tau = 1e-8;
  integrator->start(ode, 0, VanDerPol::start(), adaptive(tau, 5));
  exact->start(reference, 0, VanDerPol::start(), adaptive(1e-12, 5));
  Vector y = VanDerPol::start(), z = y;
  exact->advance();
  while (integrator->t() < 5) {
    const Step& step = integrator->advance();
    const double t = step.t0 + 0.6 * step.h;
    while (exact->t() < t) exact->advance();
    integrator->interpolate(t, y);
    exact->interpolate(t, z);
    EXPECT_LE((y - z).norm(), 2000 * tau) << t;
  }
}

TEST_P(Sundials, EndsWithAReasonInWordsWhereTheEquationsHaveNoValue) {
  class Ending : public VanDerPol {
   public:
    bool derivative(double t, const Vector& y, double h, Vector& ydot) override {
      return VanDerPol::derivative(t, y, h, ydot) && t <= end;
    }
    double end = 0.5;
  };
  for (const double end : {0.5, -1.0}) {
    Ending ode;
    ode.end = end;
    const auto integrator = make();
    integrator->start(ode, 0, VanDerPol::start(), adaptive(1e-6, 1));
    Step step;
    for (int k = 0; k < 1000 && step.ok; ++k) step = integrator->advance();
    EXPECT_FALSE(step.ok);
    EXPECT_NE(step.reason.find(' '), std::string::npos) << step.reason;
    EXPECT_EQ(step.reason.find("its code"), std::string::npos) << step.reason;
    EXPECT_LE(integrator->t(), 0.5);
    EXPECT_TRUE(integrator->y().allFinite());
  }
}

TEST_P(Sundials, CountsRejectedSteps) {
  /// A slope that jumps at t = 1 makes any code fail some error tests.
  class Kick : public Ode {
   public:
    int size() const override { return 1; }
    bool derivative(double t, const Vector&, double, Vector& ydot) override {
      ydot[0] = t < 1 ? 0 : 1;
      return true;
    }
  };
  Kick ode;
  const auto integrator = make();
  const Vector y = run(*integrator, ode, Vector::Zero(1), adaptive(1e-6, 2));
  EXPECT_GT(integrator->rejected(), 0);
  EXPECT_NEAR(y[0], 1, 1e-4);
}

TEST_P(Sundials, LooksOnlyAtTheEntriesItIsToldToTest) {
  /// The third entry is rough and follows only.
  class Followed : public VanDerPol {
   public:
    int size() const override { return 3; }
    bool derivative(double t, const Vector& y, double h, Vector& ydot) override {
      VanDerPol::derivative(t, y, h, ydot);
      ydot[2] = 1e-4 * std::sin(1e4 * t);
      return true;
    }
  };
  const auto steps = [&](int tested) {
    Followed ode;
    StepControl control = adaptive(1e-7, 3);
    control.tested = tested;
    run(*make(), ode, Vector{{2, 0, 0}}, control);
    return ode.begun;
  };
  EXPECT_LT(3 * steps(2), steps(3));
}

TEST_P(Sundials, BeginsAnewInNewCoordinates) {
  class Rescaled : public VanDerPol {
   public:
    bool derivative(double t, const Vector& y, double h, Vector& ydot) override {
      const Vector plain = y / scale;
      const bool ok = VanDerPol::derivative(t, plain, h, ydot);
      ydot *= scale;
      return ok;
    }
    Acceptance accept(double, Vector& y) override {
      if (++accepted % 40 != 0) return Acceptance::same_derivative;
      scale *= 2;
      y *= 2;
      return Acceptance::new_coordinates;
    }
    int accepted = 0;
    double scale = 1;
  };
  VanDerPol plain;
  const Vector exact = run(*taut::make("dop853"), plain, VanDerPol::start(), adaptive(1e-12, 3));
  Rescaled ode;
  const Vector y = run(*make(), ode, VanDerPol::start(), adaptive(1e-8, 3));
  EXPECT_GE(ode.scale, 2);
  EXPECT_LE((y / ode.scale - exact).norm(), 1e-4);
}

TEST_P(Sundials, CanBeStartedAgain) {
  VanDerPol ode;
  const auto integrator = make();
  const Vector first = run(*integrator, ode, VanDerPol::start(), adaptive(1e-7, 3));
  const Vector second = run(*integrator, ode, VanDerPol::start(), adaptive(1e-7, 3));
  EXPECT_EQ(first, second);
}

// ---- projection -------------------------------------------------------------------------------------

/// A pendulum of length 1 in Cartesian coordinates; λ from the second derivative of the constraint.
class Pendulum : public Ode {
 public:
  int size() const override { return 4; }
  bool derivative(double, const Vector& y, double, Vector& ydot) override {
    const double lambda = (y[2] * y[2] + y[3] * y[3] - y[1]) / (y[0] * y[0] + y[1] * y[1]);
    ydot[0] = y[2];
    ydot[1] = y[3];
    ydot[2] = -lambda * y[0];
    ydot[3] = -lambda * y[1] - 1;
    return true;
  }
  static Vector start() { return Vector{{1, 0, 0, 0}}; }
};

double violation(const Vector& y) {
  return std::max(std::abs(y.head(2).norm() - 1), std::abs(y.head(2).dot(y.segment(2, 2))));
}

class Projected : public Pendulum {
 public:
  Correction correct(double, Vector& y) override {
    if (++corrections == fails_at) return Correction::failed;
    y.head(2).normalize();
    const double out = y.head(2).dot(y.tail(2));
    y.tail(2) -= out * y.head(2);
    return Correction::new_derivative;
  }
  long corrections = 0, fails_at = -1;
};

TEST(CvodeBdf, ProjectsEachStepBeforeItsErrorTest) {
  Projected ode;
  Pendulum drifting;
  const auto integrator = make("cvode-bdf");
  const Vector y = run(*integrator, ode, Projected::start(), adaptive(1e-7, 10));
  const Vector off = run(*make("cvode-bdf"), drifting, Pendulum::start(), adaptive(1e-7, 10));
  // The projected state is put together again from a prediction and a correction: some roundings.
  EXPECT_LE(violation(y), 20 * epsilon);
  EXPECT_GT(violation(off), 1e-7);
  EXPECT_GT(ode.corrections, 0);
}

TEST(CvodeBdf, RepeatsAStepWhoseProjectionFails) {
  Projected ode;
  ode.fails_at = 12;
  const auto integrator = make("cvode-bdf");
  const Vector y = run(*integrator, ode, Projected::start(), adaptive(1e-7, 3));
  EXPECT_GE(integrator->rejected(), 1);
  EXPECT_LE(violation(y), 20 * epsilon);
}

TEST(IntegratorList, SaysWhoCallsTheCorrectionOfAStep) {
  for (const auto& entry : integrators()) {
    Projected ode;
    StepControl control = adaptive(1e-6, 0.5);
    if (!entry.adaptive()) control.step = 0.01;
    run(*entry.make(), ode, Projected::start(), control);
    EXPECT_EQ(ode.corrections > 0, entry.projects) << entry.name;
  }
}

TEST(IntegratorList, SaysWhoTellsTheStepInsideAStep) {
  class Asking : public VanDerPol {
   public:
    bool derivative(double t, const Vector& y, double h, Vector& ydot) override {
      knows &= h > 0;
      return VanDerPol::derivative(t, y, h, ydot);
    }
    bool knows = true;
  };
  for (const auto& entry : integrators()) {
    Asking ode;
    StepControl control = adaptive(1e-6, 0.5);
    if (!entry.adaptive()) control.step = 0.01;
    run(*entry.make(), ode, VanDerPol::start(), control);
    EXPECT_EQ(ode.knows, entry.knows_step() || entry.steps_implicitly()) << entry.name;
  }
}

TEST(IntegratorList, SaysWhoEvaluatesAtTheEndOfStepsAlone) {
  /// Steps end where the next begin: no time is evaluated between two of these.
  class Noting : public VanDerPol {
   public:
    void begin_step(double t, const Vector&, double) override { began = t; }
    bool derivative(double t, const Vector& y, double h, Vector& ydot) override {
      is_end &= h > 0 && (t == began || t == began + h || std::abs(t - began - h) <= 1e-14);
      return VanDerPol::derivative(t, y, h, ydot);
    }
    double began = 0;
    bool is_end = true;
  };
  for (const auto& entry : integrators()) {
    if (!entry.steps_implicitly()) continue;
    Noting ode;
    run(*entry.make(), ode, VanDerPol::start(), adaptive(1e-6, 0.5));
    EXPECT_TRUE(ode.is_end) << entry.name;
  }
}

// ---- differential-algebraic equations -------------------------------------------------------------

/// The same pendulum as a problem of index 2 after Gear, Gupta & Leimkuhler: unknowns x, y, vx, vy, λ, μ,
///   q' = v − q μ,  v' = −g − q λ,  0 = (q·q − 1)/2,  0 = q·v.
class StabilisedPendulum : public Ode, public ImplicitForm {
 public:
  int size() const override { return 6; }
  OdeExtensions extensions() override { return {.implicit = this}; }
  bool derivative(double, const Vector&, double, Vector&) override { return false; }
  bool residual(double, const Vector& y, const Vector& ydot, Vector& F) override {
    ++evaluations;
    const auto q = y.head<2>(), v = y.segment<2>(2);
    F.head<2>() = ydot.head<2>() - v + q * y[5];
    F.segment<2>(2) = ydot.segment<2>(2) + q * y[4];
    F[3] += 1;
    F[4] = 0.5 * (q.dot(q) - 1);
    F[5] = q.dot(v);
    return true;
  }
  void mark_differential(Vector& id) const override {
    id.setOnes();
    id.tail<2>().setZero();
  }
  static Vector start() { return Vector{{1, 0, 0, 0, 0, 0}}; }
  long evaluations = 0;
};

TEST(Ida, SolvesAStabilisedPendulumOfIndexTwo) {
  Pendulum explicit_form;
  const Vector exact = run(*make("dop853"), explicit_form, Pendulum::start(), adaptive(1e-12, 5));
  double last = 1;
  for (const double tau : {1e-5, 1e-7}) {
    StabilisedPendulum ode;
    const auto integrator = make("ida");
    const Vector y = run(*integrator, ode, StabilisedPendulum::start(), adaptive(tau, 5));
    const double error = (y.head(4) - exact).norm();
    EXPECT_LE(error, 2000 * tau) << tau;
    EXPECT_LE(error, last / 5) << tau;
    last = error;
    EXPECT_LE(violation(y), 10 * tau);
    EXPECT_LE(std::abs(y[5]), 100 * std::sqrt(tau));
    // λ = |v|² − y on the circle; it is not in the error test.
    EXPECT_NEAR(y[4], y[2] * y[2] + y[3] * y[3] - y[1], 0.01);
  }
}

TEST(Ida, FindsConsistentMultipliersToBeginWith) {
  StabilisedPendulum ode;
  const auto integrator = make("ida");
  Vector y = StabilisedPendulum::start();
  y.head(2) << 0.6, -0.8;
  y[4] = 7;
  integrator->start(ode, 0, y, adaptive(1e-8, 1));
  EXPECT_EQ(Vector(integrator->y().head(4)), Vector(y.head(4)));
  EXPECT_NEAR(integrator->y()[4], 0.8, 1e-6);
  EXPECT_NEAR(integrator->y()[5], 0, 1e-6);
}

TEST(Ida, SaysSoWhereThereIsNoConsistentBeginning) {
  StabilisedPendulum ode;
  const auto integrator = make("ida");
  integrator->start(ode, 0, Vector::Zero(6), adaptive(1e-8, 1));
  const Step& step = integrator->advance();
  EXPECT_FALSE(step.ok);
  EXPECT_NE(step.reason.find("consistent"), std::string::npos) << step.reason;
}

}  // namespace
}  // namespace taut
