#include "integration/adams_bashforth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "integration/list.hpp"
#include "integration/problems.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

using test::epsilon;
using test::fixed;
using test::Wave;

void run(Integrator& integrator, Ode& ode, const Vector& y, const StepControl& control) {
  integrator.start(ode, 0, y, control);
  while (integrator.t() < control.until) ASSERT_TRUE(integrator.advance().ok);
}

class AdamsBashforthOf : public testing::TestWithParam<int> {
 protected:
  int order() const { return GetParam(); }
  std::unique_ptr<Integrator> make() const {
    std::string chosen;
    return make_integrator("ab" + std::to_string(order()), fixed(0.1, 1), chosen);
  }
};

INSTANTIATE_TEST_SUITE_P(Orders, AdamsBashforthOf, testing::Values(2, 3));

TEST_P(AdamsBashforthOf, ConvergesWithItsOrder) {
  const auto error = [&](double h) {
    Wave ode;
    const auto integrator = make();
    run(*integrator, ode, Wave::at(0), fixed(h, 3));
    return (integrator->y() - Wave::at(3)).cwiseAbs().maxCoeff();
  };
  const double coarse = error(0.01), fine = error(0.005);
  EXPECT_NEAR(std::log2(coarse / fine), order(), 0.3) << coarse << ' ' << fine;
}

TEST_P(AdamsBashforthOf, EvaluatesOnceAStepAfterItsRungeKuttaSteps) {
  Wave ode;
  run(*make(), ode, Wave::at(0), fixed(0.1, 1));
  EXPECT_EQ(ode.begun, 10);
  const int started = order() - 1;
  EXPECT_EQ(ode.times.size(), static_cast<std::size_t>(4 * started + (10 - started)));
}

TEST_P(AdamsBashforthOf, IsExactForPolynomialsOfItsOrder) {
  // y' = n tⁿ⁻¹ is integrated exactly by a formula of order n, by the starting formula of order 4 as well.
  class Power : public Ode {
   public:
    explicit Power(int n) : n_(n) {}
    int size() const override { return 1; }
    bool derivative(double t, const Vector&, double, Vector& ydot) override {
      ydot[0] = n_ * std::pow(t, n_ - 1);
      return true;
    }

   private:
    int n_;
  };
  Power ode(order());
  const auto integrator = make();
  run(*integrator, ode, Vector::Zero(1), fixed(0.1, 2));
  // Each of 20 steps rounds a handful of times, on values of at most 8.
  EXPECT_NEAR(integrator->y()[0], std::pow(2, order()), 20 * 8 * 8 * epsilon);
}

TEST_P(AdamsBashforthOf, EndsOnTheEndWithAShorterStepOfFullAccuracy) {
  Wave ode;
  const auto integrator = make();
  run(*integrator, ode, Wave::at(0), fixed(0.003, 1));
  EXPECT_EQ(integrator->t(), 1);
  // About 334 steps with a local error of c h^(p+1) |y⁽ᵖ⁺¹⁾|, c < 1/2, derivatives of exp(sin t) at most 20 up to the
  // fourth, growing by less than e² until the end.
  EXPECT_LE((integrator->y() - Wave::at(1)).cwiseAbs().maxCoeff(), 334 * 0.5 * 20 * 7.4 * std::pow(0.003, order() + 1));
}

/// As Wave with a constant term of size one in y₁ that may be asked to stand apart.
class WithHeldTerm : public Wave, public StepTerms {
 public:
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override {
    Wave::derivative(t, y, h, ydot);
    ydot.setZero();
    if (!apart) ydot[1] += 1;
    return true;
  }
  OdeExtensions extensions() override { return {.terms = this}; }
  bool depends_on_step() const override { return false; }
  void separate_held_terms() override { apart = true; }
  bool held_terms(double, const Vector&, double h, Vector& rate) override {
    ++asked;
    rate.setZero();
    rate[1] = 1;
    steps_sum += h;
    return true;
  }
  bool apart = false;
  int asked = 0;
  double steps_sum = 0;
};

TEST_P(AdamsBashforthOf, AddsHeldTermsOnceAStepInStartingStepsToo) {
  WithHeldTerm ode;
  const auto integrator = make();
  run(*integrator, ode, Vector::Zero(3), fixed(0.125, 2));
  EXPECT_TRUE(ode.apart);
  EXPECT_EQ(ode.asked, 16);
  EXPECT_EQ(ode.steps_sum, 2);
  EXPECT_EQ(integrator->y()[1], 2);  // sums of 1/8 are exact
  EXPECT_EQ(integrator->y()[0], 0);
}

/// Gains of 1/h acting on the state at the beginning of the step take it to zero at once.
class Deadbeat : public Ode, public StepTerms {
 public:
  int size() const override { return 1; }
  bool derivative(double, const Vector&, double, Vector& ydot) override {
    ydot[0] = 0;
    return true;
  }
  OdeExtensions extensions() override { return {.terms = this}; }
  bool depends_on_step() const override { return false; }
  bool held_terms(double, const Vector& y, double h, Vector& rate) override {
    rate[0] = -y[0] / h;
    return true;
  }
};

TEST_P(AdamsBashforthOf, TakesHeldTermsAtTheBeginningOfTheStepOnly) {
  Deadbeat ode;
  const auto integrator = make();
  integrator->start(ode, 0, Vector::Ones(1), fixed(0.25, 10));
  for (int k = 0; k < 6; ++k) {
    ASSERT_TRUE(integrator->advance().ok);
    EXPECT_EQ(integrator->y()[0], 0);  // with a memory of the first term it would swing
  }
}

/// As Wave, but written in twice the coordinates from the tenth accepted step on.
class Rescaled : public Wave {
 public:
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override {
    const Vector plain = y / scale;
    const bool ok = Wave::derivative(t, plain, h, ydot);
    ydot *= scale;
    return ok;
  }
  Acceptance accept(double, Vector& y) override {
    if (++accepted != 10) return Acceptance::same_derivative;
    scale = 2;
    y *= 2;
    return Acceptance::new_coordinates;
  }
  int accepted = 0;
  double scale = 1;
};

TEST_P(AdamsBashforthOf, BeginsAnewInNewCoordinates) {
  Rescaled ode;
  const auto integrator = make();
  integrator->start(ode, 0, Wave::at(0), fixed(0.01, 1));
  std::vector<std::size_t> evaluations;
  Vector between = Vector::Zero(3);
  for (int k = 0; k < 20; ++k) {
    const auto before = ode.times.size();
    const Step& step = integrator->advance();
    ASSERT_TRUE(step.ok);
    evaluations.push_back(ode.times.size() - before);
    if (k != 9) continue;
    // The last step in the old coordinates is still interpolated in them: a parabola, wrong by h³ y'''/12 at most.
    integrator->interpolate(step.t0 + 0.5 * step.h, between);
    EXPECT_LE((between - Wave::at(0.095)).cwiseAbs().maxCoeff(), 5e-6);
  }
  for (int k = 0; k < 20; ++k) EXPECT_EQ(evaluations[k], k % 10 < order() - 1 ? 4u : 1u) << k;
  while (integrator->t() < 1) integrator->advance();
  EXPECT_LE((integrator->y() / 2 - Wave::at(1)).cwiseAbs().maxCoeff(), 2e-3 * std::pow(0.1, order() - 2));
}

/// As Wave, with y₁² + y₂² = 1 restored after each step. Remembers where each step was evaluated first.
class Normalised : public Wave {
 public:
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override {
    norms.push_back(y.tail(2).norm());
    return Wave::derivative(t, y, h, ydot);
  }
  Correction correct(double, Vector& y) override {
    y.tail(2).normalize();
    return Correction::new_derivative;
  }
  std::vector<double> norms;
};

TEST_P(AdamsBashforthOf, EvaluatesItsHistoryAtCorrectedStates) {
  Normalised ode;
  const auto integrator = make();
  run(*integrator, ode, Wave::at(0), fixed(0.05, 1));
  EXPECT_NEAR(integrator->y().tail(2).norm(), 1, 2 * epsilon);
  for (std::size_t k = 4 * (order() - 1); k < ode.norms.size(); ++k) EXPECT_NEAR(ode.norms[k], 1, 2 * epsilon);
}

TEST_P(AdamsBashforthOf, InterpolatesByACubicWithoutChangingTheStepsToCome) {
  const double h = 0.01;
  Wave ode, other;
  const auto watched = make(), alone = make();
  watched->start(ode, 0, Wave::at(0), fixed(h, 1));
  alone->start(other, 0, Wave::at(0), fixed(h, 1));
  Vector y = Vector::Zero(3);
  while (alone->t() < 1) {
    const Vector before = watched->y();
    const Step step = watched->advance();
    alone->advance();
    ASSERT_EQ(watched->y(), alone->y());
    const double ends = std::max((before - Wave::at(step.t0)).cwiseAbs().maxCoeff(),
                                 (watched->y() - Wave::at(watched->t())).cwiseAbs().maxCoeff());
    watched->interpolate(step.t0, y);
    EXPECT_EQ(y, before);
    watched->interpolate(watched->t(), y);
    EXPECT_LE((y - watched->y()).cwiseAbs().maxCoeff(), 100 * epsilon);
    watched->interpolate(step.t0 + 0.5 * step.h, y);
    // h⁴/384 y⁗ with y⁗ ≤ 20, beside the errors of the ends and of slopes taken there.
    EXPECT_LE((y - Wave::at(step.t0 + 0.5 * step.h)).cwiseAbs().maxCoeff(), 1.5 * ends + std::pow(h, 4) * 20 / 384);
  }
  EXPECT_LE(ode.times.size(), other.times.size() + 1);  // slopes at the ends are those the next steps need
}

TEST_P(AdamsBashforthOf, EndsWithAReasonWhereThereIsNoValueOrNoCorrection) {
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
    const auto integrator = make();
    integrator->start(*ode, 0, Wave::at(0), fixed(0.01, 1));
    Step step;
    for (int k = 0; k < 100 && step.ok; ++k) step = integrator->advance();
    EXPECT_FALSE(step.ok);
    EXPECT_FALSE(step.reason.empty());
    EXPECT_NEAR(integrator->t(), 0.5, 0.011);
  }
}

TEST(MakeIntegrator, RefusesAdamsBashforthWithoutAStep) {
  std::string chosen;
  StepControl control;
  control.until = 1;
  try {
    make_integrator("ab3", control, chosen);
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("integrator 'ab3' takes fixed steps, and no step is given"),
              std::string::npos);
    EXPECT_FALSE(error.remedy().empty());
  }
}

}  // namespace
}  // namespace taut
