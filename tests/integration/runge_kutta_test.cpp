#include "integration/runge_kutta.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "integration/list.hpp"
#include "integration/problems.hpp"
#include "taut/error.hpp"

namespace taut {

void PrintTo(const IntegratorEntry& entry, std::ostream* out) { *out << entry.name; }

namespace {

using test::adaptive;
using test::epsilon;
using test::fixed;
using test::Wave;

double error_at_end(Integrator& integrator, Ode& ode, const StepControl& control) {
  integrator.start(ode, 0, Wave::at(0), control);
  while (integrator.t() < control.until) {
    const Step& step = integrator.advance();
    EXPECT_TRUE(step.ok) << step.reason;
    if (!step.ok) break;
  }
  return (integrator.y() - Wave::at(integrator.t())).cwiseAbs().maxCoeff();
}

class EveryIntegrator : public testing::TestWithParam<IntegratorEntry> {
 protected:
  std::unique_ptr<Integrator> make() const { return GetParam().make(); }
  /// Errors of one formula lie between those of truncation and of rounding: higher orders need longer steps.
  double coarse_step() const { return GetParam().order < 4 ? 0.01 : GetParam().order < 8 ? 0.1 : 0.25; }
};

std::vector<IntegratorEntry> runge_kutta_formulas() {
  std::vector<IntegratorEntry> list;
  for (const auto& entry : integrators())
    if (dynamic_cast<const RungeKutta*>(entry.make().get())) list.push_back(entry);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Integrators, EveryIntegrator, testing::ValuesIn(runge_kutta_formulas()),
                         [](const auto& info) { return info.param.name; });

TEST_P(EveryIntegrator, ConvergesWithItsOrder) {
  Wave ode;
  const double h = coarse_step();
  const double coarse = error_at_end(*make(), ode, fixed(h, 3)), fine = error_at_end(*make(), ode, fixed(h / 2, 3));
  EXPECT_NEAR(std::log2(coarse / fine), GetParam().order, 0.3) << coarse << ' ' << fine;
}

TEST_P(EveryIntegrator, InterpolatesWithTheOrderOfItsDenseOutput) {
  // The first step starts on the solution, so the error within it is the interpolant's own: of order p + 1 in h for an
  // interpolant of order p.
  const auto error_within_first_step = [&](double h) {
    Wave ode;
    const auto integrator = make();
    integrator->start(ode, 0, Wave::at(0), fixed(h, 10));
    integrator->advance();
    double worst = 0;
    Vector y = Vector::Zero(3);
    for (double x = 0.05; x < 1; x += 0.05) {
      integrator->interpolate(x * h, y);
      worst = std::max(worst, (y - Wave::at(x * h)).cwiseAbs().maxCoeff());
    }
    return worst;
  };
  const double h = GetParam().order < 8 ? 0.1 : 0.4;
  const double observed = std::log2(error_within_first_step(h) / error_within_first_step(h / 2)) - 1;
  const int declared = GetParam().name == "euler" ? 1 : GetParam().name == "rk4" ? 3 : GetParam().order - 1;
  EXPECT_GE(observed, declared - 0.5);
  EXPECT_LE(observed, declared + 1);
}

TEST_P(EveryIntegrator, InterpolatesExactlyAtTheEndsOfAStep) {
  Wave ode;
  const auto integrator = make();
  integrator->start(ode, 0, Wave::at(0), fixed(coarse_step(), 3));
  Vector y = Vector::Zero(3);
  for (int k = 0; k < 20 && integrator->t() < 3; ++k) {
    const Vector before = integrator->y();
    const Step step = integrator->advance();
    integrator->interpolate(step.t0, y);
    EXPECT_EQ(y, before);
    // y + (y⁺ − y) rounds twice; the fraction of the step is off by ε t/h, the slope is at most e.
    integrator->interpolate(integrator->t(), y);
    EXPECT_LE((y - integrator->y()).cwiseAbs().maxCoeff(), epsilon * (2 * std::exp(1) + 4 * std::exp(1) * 3));
  }
}

TEST_P(EveryIntegrator, InterpolatesWithoutChangingTheStepsToCome) {
  Wave ode;
  const auto watched = make(), alone = make();
  watched->start(ode, 0, Wave::at(0), fixed(coarse_step(), 2));
  alone->start(ode, 0, Wave::at(0), fixed(coarse_step(), 2));
  Vector y = Vector::Zero(3);
  while (alone->t() < 2) {
    const Step step = watched->advance();
    watched->interpolate(step.t0 + 0.3 * step.h, y);
    alone->advance();
    ASSERT_EQ(watched->y(), alone->y());
  }
}

TEST_P(EveryIntegrator, EndsFixedStepsOnTheEndAndLeavesNoSliver) {
  for (const double step : {0.1, 1.0 / 3, 0.3, 0.07, 0.05 * (1 + 1e-12), 1e-3}) {
    Wave ode;
    const auto integrator = make();
    integrator->start(ode, 0, Wave::at(0), fixed(step, 1));
    int steps = 0;
    double shortest = 1;
    while (integrator->t() < 1 && steps < 10000) {
      shortest = std::min(shortest, integrator->advance().h);
      ++steps;
    }
    EXPECT_EQ(integrator->t(), 1) << step;
    EXPECT_EQ(steps, static_cast<int>(std::ceil(1 / step - 1e-9))) << step;
    EXPECT_GT(shortest, 1e-9 * step);
  }
}

TEST_P(EveryIntegrator, PlacesFixedStepsOnMultiplesOfTheStep) {
  Wave ode;
  const auto integrator = make();
  integrator->start(ode, 0, Wave::at(0), fixed(0.1, 10));
  for (int k = 1; k <= 99; ++k) {
    integrator->advance();
    ASSERT_EQ(integrator->t(), k * 0.1);
  }
}

/// As Wave, but without a value after t = 0.5.
class Ending : public Wave {
 public:
  explicit Ending(bool says_so) : says_so_(says_so) {}
  bool derivative(double t, const Vector& y, double h, Vector& ydot) override {
    Wave::derivative(t, y, h, ydot);
    if (t <= 0.5) return true;
    ydot[0] = std::numeric_limits<double>::quiet_NaN();
    return !says_so_;
  }

 private:
  bool says_so_;
};

TEST_P(EveryIntegrator, EndsWithAReasonWhereTheDerivativeHasNoValue) {
  for (const bool says_so : {true, false}) {
    std::vector<StepControl> controls = {fixed(0.01, 1)};
    if (GetParam().adaptive()) controls.push_back(adaptive(1e-6, 1));
    for (const StepControl& control : controls) {
      Ending ode(says_so);
      const auto integrator = make();
      integrator->start(ode, 0, Wave::at(0), control);
      Step step;
      for (int k = 0; k < 1000 && step.ok; ++k) step = integrator->advance();
      EXPECT_FALSE(step.ok);
      EXPECT_FALSE(step.reason.empty());
      // A fixed step may end just beyond, where its last stage lay before.
      EXPECT_LE(integrator->t(), 0.5 + 0.01 + epsilon);
      EXPECT_TRUE(integrator->y().allFinite());
    }
  }
}

/// As Wave; correcting fails once.
class Stumbling : public Wave {
 public:
  Correction correct(double, Vector&) override { return ++calls == 3 ? Correction::failed : Correction::none; }
  int calls = 0;
};

TEST_P(EveryIntegrator, RepeatsAStepWhoseCorrectionFails) {
  Stumbling ode;
  const auto integrator = make();
  if (!GetParam().adaptive()) {
    integrator->start(ode, 0, Wave::at(0), fixed(0.01, 1));
    integrator->advance();
    integrator->advance();
    const Step step = integrator->advance();
    EXPECT_FALSE(step.ok);
    EXPECT_FALSE(step.reason.empty());
    EXPECT_EQ(integrator->t(), 0.02);
    return;
  }
  int steps = 0;
  integrator->start(ode, 0, Wave::at(0), adaptive(1e-8, 3));
  while (integrator->t() < 3) {
    const long rejected = integrator->rejected();
    const int calls = ode.calls;
    ASSERT_TRUE(integrator->advance().ok);
    ++steps;
    // Every attempt is corrected once; all but the last of them were rejected.
    EXPECT_EQ(integrator->rejected() - rejected, ode.calls - calls - 1);
  }
  EXPECT_GE(integrator->rejected(), 1);
  EXPECT_EQ(ode.calls, steps + integrator->rejected());
  EXPECT_EQ(integrator->t(), 3);
}

/// As Wave, but every result is moved onto y₁² + y₂² = 1.
class Corrected : public Wave {
 public:
  explicit Corrected(Correction says) : says_(says) {}
  Correction correct(double, Vector& y) override {
    y.tail(2).normalize();
    return says_;
  }

 private:
  Correction says_;
};

TEST_P(EveryIntegrator, TakesTheCorrectedStateAsTheResultOfTheStep) {
  Corrected ode(Correction::new_derivative);
  const auto integrator = make();
  integrator->start(ode, 0, Wave::at(0), fixed(0.01, 0.5));
  while (integrator->t() < 0.5) {
    integrator->advance();
    EXPECT_NEAR(integrator->y().tail(2).norm(), 1, 2 * epsilon);
  }
}

TEST_P(EveryIntegrator, EvaluatesADerivativeOnlyOnce) {
  Wave ode;
  const auto integrator = make();
  const int steps = 10;
  integrator->start(ode, 0, Wave::at(0), fixed(0.1, 0.1 * steps));
  for (int k = 0; k < steps; ++k) integrator->advance();
  const int per_step = GetParam().name == "euler" ? 1 : GetParam().name == "rk4" ? 4 : GetParam().order == 5 ? 6 : 12;
  EXPECT_LE(ode.times.size(), static_cast<std::size_t>(steps * per_step + 1));
}

class EveryAdaptiveIntegrator : public EveryIntegrator {};

std::vector<IntegratorEntry> adaptive_integrators() {
  std::vector<IntegratorEntry> list;
  for (const auto& entry : runge_kutta_formulas())
    if (entry.adaptive()) list.push_back(entry);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Integrators, EveryAdaptiveIntegrator, testing::ValuesIn(adaptive_integrators()),
                         [](const auto& info) { return info.param.name; });

TEST_P(EveryAdaptiveIntegrator, MeetsTheToleranceAndGainsWithATighterOne) {
  double last = std::numeric_limits<double>::infinity();
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    Wave ode;
    const auto integrator = make();
    const double error = error_at_end(*integrator, ode, adaptive(rtol, 10));
    const auto steps = static_cast<double>(ode.times.size()) / 6;  // at least six evaluations each
    // Each step adds an error of at most √3 (rtol + rtol |y|) ≤ 6.5 rtol (root mean square of three; |y| ≤ e), and one
    // made in y₁ or y₂ grows in y₀ by at most |∂y₀(t)/∂y₁(s)| ≤ e · 2, one made in y₀ by e².
    EXPECT_LE(error, steps * 6.5 * 15 * rtol) << rtol;
    EXPECT_LE(error, last / 10) << rtol;  // a hundred times the tolerance is at least ten times the accuracy
    EXPECT_EQ(integrator->t(), 10);
    last = error;
  }
}

TEST_P(EveryAdaptiveIntegrator, LooksOnlyAtTheEntriesItIsToldToTest) {
  Wave ode;
  StepControl control = adaptive(1e-8, 3);
  control.tested = 3;
  const auto all = make(), few = make();
  error_at_end(*all, ode, control);
  const auto with_all = ode.times.size();
  ode.times.clear();
  control.tested = 0;  // none said: all
  error_at_end(*few, ode, control);
  EXPECT_EQ(ode.times.size(), with_all);
  EXPECT_EQ(all->y(), few->y());
}

TEST_P(EveryAdaptiveIntegrator, TakesNoStepThatIsTooInaccurate) {
  Wave ode;
  const auto integrator = make();
  integrator->start(ode, 0, Wave::at(0), adaptive(1e-7, 5));
  while (integrator->t() < 5) {
    const Step& step = integrator->advance();
    ASSERT_TRUE(step.ok);
    EXPECT_LE(step.error, 1);
    EXPECT_FALSE(step.over_tolerance);
  }
}

/// y₀' = cos t, beside a y₁ whose slope is noise and which is set to zero after every step.
class Noisy : public Ode, public ErrorCorrection {
 public:
  explicit Noisy(double size, bool says_so) : size_(size), says_so_(says_so) {}
  int size() const override { return 2; }
  bool derivative(double t, const Vector&, double, Vector& ydot) override {
    ydot[0] = std::cos(t);
    ydot[1] = size_ * std::sin(1e6 * t);
    return true;
  }
  Correction correct(double, Vector& y) override {
    y[1] = 0;
    return Correction::same_derivative;
  }
  OdeExtensions extensions() override { return {.error = says_so_ ? this : nullptr}; }
  void correct_error(double, const Vector&, Vector& error) override { error[1] = 0; }

 private:
  double size_;
  bool says_so_;
};

TEST_P(EveryAdaptiveIntegrator, IsNotHeldUpByAnErrorThatTheCorrectionRemoves) {
  const auto attempts = [&](double size, bool says_so) {
    Noisy ode(size, says_so);
    const auto integrator = make();
    long steps = 0;
    for (integrator->start(ode, 0, Vector::Zero(2), adaptive(1e-8, 10)); integrator->t() < 10; ++steps)
      if (!integrator->advance().ok) break;
    EXPECT_NEAR(integrator->y()[0], std::sin(10), 1e-6);
    return steps + integrator->rejected();
  };
  // Noise is let through once it is seen not to fall with the step. Where it passes the test by itself it may still
  // make the next step a shorter one.
  const auto without = static_cast<double>(attempts(0, false));
  EXPECT_LE(static_cast<double>(attempts(1e-4, true)), 10 * without);
  EXPECT_GT(static_cast<double>(attempts(1e-4, false)), 100 * without) << "noise that stays must be resolved";
}

/// y' = sin(x)/x + cos t with x = t − t*: smooth, but 0/0 at t* itself. Its solution by series is not needed here.
class Singular : public Ode, public SingularMoments {
 public:
  static constexpr double moment = 1.2345;
  static bool is_in(const Step& step) { return step.t0 < moment && step.t0 + step.h > moment; }
  int size() const override { return 1; }
  bool derivative(double t, const Vector&, double, Vector& ydot) override {
    times.push_back(t);
    const double x = t - moment;
    ydot[0] = std::sin(x) / x + std::cos(t);
    return std::isfinite(ydot[0]);
  }
  OdeExtensions extensions() override { return {.singular = this}; }
  Passage passage(double t) const override {
    if (t >= moment) return {};
    Passage passage;
    passage.time = moment;
    return passage;
  }
  std::vector<double> times;
};

TEST_P(EveryAdaptiveIntegrator, StepsAcrossASingularMomentWithNoStageNearIt) {
  const Tableau tableau = GetParam().name == "dopri5" ? dopri5_tableau() : dop853_tableau();
  double gap = 1;
  for (const double c : tableau.c) gap = std::min(gap, std::abs(c - tableau.widest_gap));
  for (const double rtol : {1e-5, 1e-8, 1e-11}) {
    Singular ode;
    const auto integrator = make();
    integrator->start(ode, 0, Vector::Zero(1), adaptive(rtol, 3));
    int crossings = 0;
    double h = 0;
    while (integrator->t() < 3) {
      const Step& step = integrator->advance();
      ASSERT_TRUE(step.ok) << step.reason;
      if (!Singular::is_in(step)) continue;
      ++crossings;
      h = step.h;
      // The moment lies in the widest gap between the stages, to rounding of t.
      EXPECT_NEAR((Singular::moment - step.t0) / step.h, tableau.widest_gap, 1e-12);
      EXPECT_FALSE(step.over_tolerance);
    }
    EXPECT_EQ(crossings, 1) << rtol;
    double nearest = 1;
    for (const double t : ode.times) nearest = std::min(nearest, std::abs(t - Singular::moment));
    EXPECT_GE(nearest, gap * h * (1 - 1e-9)) << rtol;
    EXPECT_GT(nearest, 1e-3);
  }
}

/// A slope that jumps at t*: no step across it meets any tolerance.
class Jumping : public Singular {
 public:
  explicit Jumping(bool at_floor) : at_floor_(at_floor) {}
  bool derivative(double t, const Vector&, double, Vector& ydot) override {
    ydot[0] = t < moment ? 0 : 1;
    return true;
  }
  Passage passage(double t) const override {
    Passage passage = Singular::passage(t);
    passage.at_floor = at_floor_ || moment - t < 1e-3;
    return passage;
  }

 private:
  bool at_floor_;
};

TEST_P(EveryAdaptiveIntegrator, AcceptsAStepAcrossAtTheFloorAndSaysThatItIsOverTheTolerance) {
  for (const bool at_floor : {true, false}) {
    Jumping ode(at_floor);
    const auto integrator = make();
    integrator->start(ode, 0, Vector::Zero(1), adaptive(1e-9, 3));
    int crossings = 0;
    while (integrator->t() < 3) {
      const Step& step = integrator->advance();
      ASSERT_TRUE(step.ok) << step.reason;
      if (!Singular::is_in(step)) continue;
      ++crossings;
      EXPECT_TRUE(step.over_tolerance);
      EXPECT_GT(step.error, 1);
    }
    EXPECT_EQ(crossings, 1);
  }
}

TEST(MakeIntegrator, RefusesAFormulaWithoutErrorControlWhereNoStepIsGiven) {
  std::string chosen;
  EXPECT_THROW(make_integrator("rk4", adaptive(1e-8, 1), chosen), InputError);
  EXPECT_THROW(make_integrator("rk5", fixed(0.1, 1), chosen), InputError);
  EXPECT_THROW(make_integrator("rk4(order=4)", fixed(0.1, 1), chosen), InputError);
}

TEST(MakeIntegrator, ChoosesByWhatIsAsked) {
  std::string chosen;
  make_integrator("auto", fixed(0.1, 1), chosen);
  EXPECT_EQ(chosen, "rk4");
  make_integrator("auto", adaptive(1e-8, 1), chosen);
  EXPECT_EQ(chosen, "dop853");
  make_integrator("auto", adaptive(1e-3, 1), chosen);
  EXPECT_EQ(chosen, "dopri5");
}

/// Has no derivative from t = 1 on.
class EndingAtOne : public Ode {
 public:
  int size() const override { return 1; }
  bool derivative(double t, const Vector&, double, Vector& ydot) override {
    ydot[0] = t < 1 ? 1 : 1e9;
    return t < 1;
  }
};

TEST(DenseOutput, HasNoValueWhereADerivativeThatItNeedsHasNone) {
  for (const char* name : {"euler", "ab2"}) {
    EndingAtOne ode;
    std::string chosen;
    const auto integrator = make_integrator(name, fixed(0.5, 1), chosen);
    integrator->start(ode, 0, Vector::Zero(1), fixed(0.5, 1));
    Vector y = Vector::Zero(1);
    ASSERT_TRUE(integrator->advance().ok);
    EXPECT_TRUE(integrator->interpolate(0.25, y)) << name;
    EXPECT_NEAR(y[0], 0.25, 4 * epsilon) << name;
    ASSERT_TRUE(integrator->advance().ok) << name;
    EXPECT_FALSE(integrator->interpolate(0.75, y)) << name;
    EXPECT_TRUE(std::isnan(y[0])) << name;
  }
}

}  // namespace
}  // namespace taut
