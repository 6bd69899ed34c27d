#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "places.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

constexpr double g = 9.81;

Model read(const std::string& text) { return read_model(text, "test.yaml"); }

constexpr const char* pendulum_text = R"(
model: pendulum
parameters: {m: 2, l: 1, g: 9.81}
coordinates: {x: [l, 0], y: [0, 0]}
kinetic_energy: m/2*(x'^2 + y'^2)
potential_energy: m*g*y
constraints: {rod: x^2 + y^2 = l^2}
)";

Model pendulum(const std::string& more = "") { return read(pendulum_text + more); }

/// An options struct with the fields that most tests set.
Options options(double until, double rtol = 1e-8) {
  Options o;
  o.until = until;
  o.rtol = rtol;
  return o;
}

Options fixed(double until, double step) {
  Options o;
  o.until = until;
  o.step = step;
  return o;
}

/// A quarter of the period of a pendulum of length 1 that swings by 90 degrees: K(sin 45°) sqrt(l/g).
double quarter_period() { return std::comp_ellint_1(std::sin(M_PI / 4)) / std::sqrt(g); }

const Event* find_event(const Summary& summary, const std::string& kind) {
  const auto found = std::ranges::find(summary.events, kind, &Event::kind);
  return found == summary.events.end() ? nullptr : &*found;
}

// ---- the initial state ----------------------------------------------------------------------------

TEST(UntilZero, EvaluatesTheInitialStateAndNothingElse) {
  const auto run = simulate(pendulum("outputs: {tension: -2*lambda(rod)}\n"), options(0));
  const Summary& s = run.summary;
  EXPECT_EQ(s.outcome, Outcome::done);
  EXPECT_EQ(s.t_end, 0);
  EXPECT_EQ(s.steps, 0);
  EXPECT_EQ(s.rejected_steps, 0);
  ASSERT_EQ(run.trajectory.rows.size(), 1U);
  EXPECT_EQ(run.trajectory.columns, (std::vector<std::string>{"t", "x", "y", "x'", "y'", "tension"}));
  EXPECT_EQ(run.trajectory.rows[0][1], 1);
  EXPECT_EQ(s.final_accelerations[0].name, "x");
  EXPECT_NEAR(s.final_accelerations[0].value, 0, 1e-14);
  EXPECT_NEAR(s.final_accelerations[1].value, -g, 1e-14);
  EXPECT_NEAR(s.final_multipliers[0].value, 0, 1e-14);
}

TEST(UntilZero, GivesAccelerationsAndMultipliersOfAMovingPendulumInClosedForm) {
  // m a = -m g e_y + 2 lambda (x, y); along the rod a = -w^2 l, across it -g x/l.
  const double m = 2, th = 0.6, w = 1.7, x = std::sin(th), y = -std::cos(th);
  Options o = options(0);
  o.set = {{"x(0)", option_text(x)},
           {"y(0)", option_text(y)},
           {"x'(0)", option_text(-w * y)},
           {"y'(0)", option_text(w * x)}};
  for (const char* method : {"auto", "braun-goldfarb", "perturbation", "udwadia-kalaba"}) {
    for (const char* kernel : {"cholesky", "qr", "cod", "svd", "recursive"}) {
      o.method = method;
      o.linear = kernel;
      const auto run = simulate(pendulum("outputs: {tension: -2*lambda(rod)}\n"), o);
      const Summary& s = run.summary;
      // A solution of three linear equations with numbers of order 10 and a condition below 10.
      EXPECT_NEAR(s.final_multipliers[0].value, m * (g * y - w * w) / 2, 1e-13) << method << " " << kernel;
      EXPECT_NEAR(s.final_accelerations[0].value, g * x * y - w * w * x, 1e-13) << method << " " << kernel;
      EXPECT_NEAR(s.final_accelerations[1].value, -g * x * x - w * w * y, 1e-13) << method << " " << kernel;
      EXPECT_NEAR(s.final_outputs[0].value, m * (w * w - g * y), 1e-13) << method << " " << kernel;
    }
  }
}

TEST(UntilZero, AssemblesFirstIfAsked) {
  Options o = options(0);
  o.assemble = true;
  o.method = "udwadia-kalaba";
  o.set = {{"x(0)", "1.2"}};
  const auto run = simulate(pendulum(), o);
  EXPECT_NEAR(run.summary.final_coordinates[0].value, 1, 1e-12);
  EXPECT_NEAR(*run.summary.assembly_change, 0.2, 1e-12);
  const Event* event = find_event(run.summary, "assembly");
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->name, "x");
}

TEST(UntilZero, LeavesTheStateAloneUnlessAssemblyIsAskedFor) {
  Options o = options(0);
  o.method = "braun-goldfarb";
  o.set = {{"x(0)", "1.2"}};
  const auto run = simulate(pendulum(), o);
  EXPECT_EQ(run.summary.final_coordinates[0].value, 1.2);
  EXPECT_NEAR(*run.summary.max_position_violation, 0.44, 1e-12);
  EXPECT_FALSE(run.summary.assembly_change.has_value());
}

// ---- recorded rows ----------------------------------------------------------------------------------

TEST(Every, RecordsRowsAtItsMultiplesOnTheConstraints) {
  for (const char* integrator : {"dopri5", "dop853"}) {
    Options o = options(3);
    o.integrator = integrator;
    o.every = 0.01;
    const auto run = simulate(pendulum(), o);
    ASSERT_EQ(run.trajectory.rows.size(), 301U);
    for (std::size_t k = 0; k < run.trajectory.rows.size(); ++k) {
      const auto& row = run.trajectory.rows[k];
      EXPECT_NEAR(row[0], 0.01 * static_cast<double>(k), 1e-13);
      // Projected like a step: what is left are rounding errors of x^2 + y^2, and of 2 (x x' + y y') with
      // rates of up to 4.4.
      EXPECT_LE(std::abs(row[1] * row[1] + row[2] * row[2] - 1), 1e-12);
      EXPECT_LE(std::abs(2 * (row[1] * row[3] + row[2] * row[4])), 1e-12);
    }
  }
}

/// The largest error of rows between steps, against a run whose own error is negligible.
double interpolation_error(const char* integrator, double step) {
  Options o = options(1, 1e-13);
  o.every = 0.0137;
  const auto exact = simulate(pendulum(), o);
  o.step = step;
  o.integrator = integrator;
  const auto run = simulate(pendulum(), o);
  double error = 0;
  for (std::size_t k = 0; k < run.trajectory.rows.size(); ++k)
    for (std::size_t i = 1; i <= 4; ++i)
      error = std::max(error, std::abs(run.trajectory.rows[k][i] - exact.trajectory.rows[k][i]));
  return error;
}

TEST(Every, GivesValuesBetweenStepsToTheOrderOfTheInterpolant) {
  // A dense output of order p errs by C h^(p+1) within a step: 3 for the cubic Hermite beside RK4, 4 for
  // DOPRI5, 7 for DOP853. Halving the step must divide the error by 2^(p+1); half an order is left for
  // terms of higher order and for where the rows happen to fall. Rounding, 1e-12, stays far below.
  const auto order = [](const char* integrator, double step) {
    return std::log2(interpolation_error(integrator, step) / interpolation_error(integrator, step / 2));
  };
  EXPECT_GE(order("rk4", 0.04), 3.5);
  EXPECT_GE(order("dopri5", 0.04), 4.5);
  EXPECT_GE(order("dop853", 0.1), 7.5);
}

TEST(Every, ThatExceedsTheRunRecordsItsBeginningAndItsEnd) {
  Options o = options(1);
  o.every = 2;
  EXPECT_EQ(simulate(pendulum(), o).trajectory.rows.size(), 2U);
}

TEST(Record, KeepsEveryStepUnlessToldOtherwise) {
  const auto all = simulate(pendulum(), fixed(1, 0.01));
  EXPECT_EQ(all.trajectory.rows.size(), 101U);
  EXPECT_EQ(all.trajectory.rows.back()[0], 1);
  Options o = fixed(1, 0.01);
  o.record = false;
  EXPECT_TRUE(simulate(pendulum(), o).trajectory.rows.empty());
}

TEST(Record, HasSpeedsBesideRatesWhereTheModelDeclaresThem) {
  const auto run = simulate(read(R"(
coordinates: {x: 1}
speeds: {u: 3}
rates: {x: 2*u}
mass_matrix: [[1]]
)"),
                            fixed(1, 0.1));
  EXPECT_EQ(run.trajectory.columns, (std::vector<std::string>{"t", "x", "x'", "u"}));
  EXPECT_NEAR(run.trajectory.rows.back()[1], 7, 1e-13);
  EXPECT_NEAR(run.trajectory.rows.back()[2], 6, 1e-14);
  EXPECT_NEAR(run.trajectory.rows.back()[3], 3, 1e-14);
}

TEST(FixedSteps, EndOnTheEndEvenIfItIsNoMultiple) {
  const auto run = simulate(pendulum(), fixed(1, 0.03));
  EXPECT_EQ(run.summary.t_end, 1);
  EXPECT_EQ(run.summary.steps, 34);
}

// ---- events ---------------------------------------------------------------------------------------

TEST(Events, AreLocatedWhereAPendulumCrossesTheVertical) {
  const auto run = simulate(pendulum("events: {bottom: x}\n"), options(4, 1e-12));
  std::vector<double> times;
  for (const auto& event : run.summary.events)
    if (event.kind == "crossing") times.push_back(event.t);
  // A quarter of the period, then every half. The state errs by some 1e-11, and x' is 4.4 there.
  ASSERT_EQ(times.size(), 3U);
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(times[k], (2 * static_cast<double>(k) + 1) * quarter_period(), 1e-9);
  EXPECT_EQ(find_event(run.summary, "crossing")->name, "bottom");
}

TEST(Events, AreLocatedWithFixedSteps) {
  // The cubic interpolant errs by h^4/384 x'''' <= 1e-12/384 * 1e3 * 3.
  const auto run = simulate(pendulum("events: {bottom: x}\n"), fixed(1, 1e-3));
  ASSERT_NE(find_event(run.summary, "crossing"), nullptr);
  EXPECT_NEAR(find_event(run.summary, "crossing")->t, quarter_period(), 1e-9);
}

TEST(Events, ThatStopEndTheRunThere) {
  for (const char* integrator : {"dopri5", "dop853"}) {
    Options o = options(10, 1e-12);
    o.integrator = integrator;
    const auto run = simulate(pendulum("events:\n  bottom: {when: x, stop: true}\n"), o);
    EXPECT_EQ(run.summary.outcome, Outcome::stopped);
    EXPECT_NE(run.summary.reason.find("bottom"), std::string::npos) << run.summary.reason;
    EXPECT_NEAR(find_event(run.summary, "crossing")->t, quarter_period(), 1e-9);
    // The run ends there: its end, its final state and its last row are those of the event.
    EXPECT_NEAR(run.summary.t_end, quarter_period(), 1e-9);
    EXPECT_NEAR(run.summary.final_coordinates[0].value, 0, 1e-8);
    EXPECT_NEAR(run.trajectory.rows.back()[0], quarter_period(), 1e-9);
  }
}

TEST(Events, ThatStopKeepTheRowsBeforeThem) {
  Options o = options(10, 1e-10);
  o.every = 0.01;
  const auto run = simulate(pendulum("events:\n  bottom: {when: x, stop: true}\n"), o);
  const auto expected = static_cast<std::size_t>(quarter_period() / 0.01) + 1;
  EXPECT_GE(run.trajectory.rows.size(), expected);
  for (const auto& row : run.trajectory.rows) EXPECT_LE(row[0], quarter_period() + 1e-9);
}

TEST(Events, MayWatchMultipliers) {
  // Thrown from below with v^2 = 3.5 g l, a bead on a rod stops pulling where cos = -1/2 from the bottom.
  Options o = options(2, 1e-12);
  o.set = {{"x(0)", "0"}, {"y(0)", "-1"}, {"x'(0)", option_text(std::sqrt(3.5 * g))}};
  const auto run = simulate(pendulum("events:\n  slack: {when: lambda(rod), stop: true}\noutputs: {height: y}\n"), o);
  ASSERT_EQ(run.summary.outcome, Outcome::stopped);
  Options at = o;
  at.until = find_event(run.summary, "crossing")->t;
  EXPECT_NEAR(simulate(pendulum(), at).summary.final_coordinates[1].value, 0.5, 1e-9);
}

TEST(Events, AreFoundWhereTwoLieWithinOneStep) {
  // A centimetre above its lowest point a pendulum comes by twice in each swing, 0.28 m apart at 4.4 m/s: within
  // 64 ms, while a step of order 8 may be twice as long.
  const auto crossings = [](double rtol) {
    std::vector<double> times;
    for (const auto& event : simulate(pendulum("events: {low: y + 0.99}\n"), options(10, rtol)).summary.events)
      if (event.kind == "crossing") times.push_back(event.t);
    return times;
  };
  // In 10 s, 8 swings; the motion errs by some 1e-6 a step, and y' is 0.6 m/s there.
  const auto exact = crossings(1e-12), found = crossings(1e-6);
  ASSERT_EQ(exact.size(), 16U);
  ASSERT_EQ(found.size(), exact.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], exact[k], 1e-4);
}

// ---- nonlinear velocity constraints -----------------------------------------------------------------

TEST(NonlinearVelocityConstraint, HoldsAParticleAtConstantSpeedAsInClosedForm) {
  // Speed c, direction th: m v̇ = m g + 2 lambda v leaves th' = -(g/c) cos th, so atanh(sin th) falls by g t / c.
  const double c = 5, th = 1.0, T = 1.5;
  const Model model = read(R"(
parameters: {c: 5}
coordinates: {x: [0, c*cos(1)], y: [0, c*sin(1)]}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
constraints: {speed: x'^2 + y'^2 = c^2}
)");
  const double s = std::tanh(std::atanh(std::sin(th)) - g * T / c);
  for (const char* method : {"auto", "perturbation", "braun-goldfarb"}) {
    Options o = options(T, 1e-10);
    o.method = method;
    const auto run = simulate(model, o);
    ASSERT_EQ(run.summary.outcome, Outcome::done) << method << ": " << run.summary.reason;
    // Some thirty steps of 1e-10 times c each.
    EXPECT_NEAR(run.summary.final_rates[1].value, c * s, 1e-7) << method;
    EXPECT_NEAR(run.summary.final_rates[0].value, c * std::sqrt(1 - s * s), 1e-7) << method;
    EXPECT_LE(*run.summary.max_energy_error, 1e-7) << method;
    // braun-goldfarb corrects within the next step; what is left is the error of one: 2 c times 1e-10 c.
    const double kept = std::string(method) == "braun-goldfarb" ? 1e-8 : 1e-12;
    EXPECT_LE(*run.summary.max_velocity_violation, kept) << method;
  }
}

TEST(Multipliers, BelongToTheirConstraintsInWhateverOrderTheseAreWritten) {
  // A mass on the floor, pushed by 3 N against a velocity constraint: the floor carries g, the other -3.
  const auto run = simulate(read(R"(
coordinates: {x: 0, y: 0}
kinetic_energy: (x'^2 + y'^2)/2
potential_energy: 9.81*y
forces: {x: 3}
constraints:
  hold: x' = 0
  floor: y = 0
outputs: {push: lambda(hold), weight: lambda(floor)}
)"),
                            options(0));
  EXPECT_NEAR(run.summary.final_outputs[0].value, -3, 1e-14);
  EXPECT_NEAR(run.summary.final_outputs[1].value, g, 1e-14);
  for (const auto& [name, value] : run.summary.final_multipliers) EXPECT_NEAR(value, name == "hold" ? -3 : g, 1e-14);
}

// ---- runs that end early ----------------------------------------------------------------------------

TEST(FailAbove, EndsTheRunAsSoonAsAConstraintIsViolatedByMore) {
  Options o = fixed(100, 0.05);
  o.method = "udwadia-kalaba";
  o.fail_above = 1e-4;
  const auto run = simulate(pendulum(), o);
  EXPECT_TRUE(run.summary.limit_broken);
  EXPECT_EQ(run.summary.outcome, Outcome::stopped);
  EXPECT_LT(run.summary.t_end, 100);
  EXPECT_GT(std::max(*run.summary.max_position_violation, *run.summary.max_velocity_violation), 1e-4);
  EXPECT_NE(run.summary.reason.find("'rod'"), std::string::npos) << run.summary.reason;
  const Event* limit = find_event(run.summary, "limit");
  ASSERT_NE(limit, nullptr);
  EXPECT_EQ(limit->name, "rod");
  EXPECT_EQ(run.trajectory.rows.back()[0], run.summary.t_end);
}

TEST(FailAbove, LeavesARunAloneThatKeepsIt) {
  Options o = fixed(2, 0.01);
  o.fail_above = 1e-10;
  const auto run = simulate(pendulum(), o);
  EXPECT_FALSE(run.summary.limit_broken);
  EXPECT_EQ(run.summary.outcome, Outcome::done);
}

// x' = 1, and a force that has no value from x = 1 on.
constexpr const char* wall = R"(
coordinates: {x: [0, 1]}
kinetic_energy: x'^2/2
forces: {x: 0.1*sqrt(1 - x)}
)";

TEST(FailingRun, KeepsWhatItComputedAndSaysWhy) {
  for (const bool adaptive : {true, false}) {
    Options o = adaptive ? options(5) : fixed(5, 0.01);
    const auto run = simulate(read(wall), o);
    EXPECT_EQ(run.summary.outcome, Outcome::failed);
    EXPECT_FALSE(run.summary.reason.empty());
    EXPECT_GT(run.summary.steps, 0);
    EXPECT_GT(run.summary.t_end, 0.8);
    EXPECT_LT(run.summary.t_end, 1.01);
    ASSERT_GT(run.trajectory.rows.size(), 2U);
    EXPECT_EQ(run.trajectory.rows.back()[0], run.summary.t_end);
    for (const auto& row : run.trajectory.rows)
      for (const double value : row) EXPECT_TRUE(std::isfinite(value));
    EXPECT_EQ(run.summary.final_coordinates[0].value, run.trajectory.rows.back()[1]);
  }
}

TEST(FailingRun, ThatCannotBeginIsWrongInput) {
  EXPECT_THROW(simulate(read("coordinates: {x: 0}\nkinetic_energy: x'^2\nforces: {x: 1/x}\n"), options(1)), InputError);
  EXPECT_THROW(simulate(read("coordinates: {x: 0, y: 0}\nkinetic_energy: x'^2\n"), options(1)), InputError);
}

TEST(MaxSteps, EndsARunThatNeedsMore) {
  Options o = fixed(1, 0.01);
  o.max_steps = 10;
  const auto run = simulate(pendulum(), o);
  EXPECT_EQ(run.summary.outcome, Outcome::failed);
  EXPECT_EQ(run.summary.steps, 10);
  EXPECT_NEAR(run.summary.t_end, 0.1, 1e-15);
}

TEST(MaxSteps, LeavesARunAloneThatNeedsExactlyThatMany) {
  Options o = fixed(1, 0.01);
  o.max_steps = 100;
  EXPECT_EQ(simulate(pendulum(), o).summary.outcome, Outcome::done);
}

class Watcher : public Observer {
 public:
  explicit Watcher(double stop_at) : stop_at_(stop_at) {}
  void start(const std::vector<std::string>& columns) override { columns_ = columns; }
  void row(const std::vector<double>& values) override {
    ++rows_;
    last_ = values[0];
  }
  bool progress(double t, double until, double violation) override {
    ++calls_;
    until_ = until;
    violation_ = violation;
    return t < stop_at_;
  }

  std::vector<std::string> columns_;
  std::size_t rows_ = 0;
  int calls_ = 0;
  double last_ = -1, until_ = 0, violation_ = 0, stop_at_;
};

TEST(Observers, AreToldOfEveryRow) {
  Watcher watcher(100);
  Options o = fixed(1, 1e-3);
  const auto run = simulate(pendulum(), o, &watcher);
  EXPECT_EQ(watcher.columns_, run.trajectory.columns);
  EXPECT_EQ(watcher.rows_, 1001U);
  EXPECT_EQ(watcher.last_, 1);
  EXPECT_GE(watcher.calls_, 10);
  EXPECT_EQ(watcher.until_, 1);
  EXPECT_GT(watcher.violation_, 0);
  EXPECT_LT(watcher.violation_, 1e-12);
}

TEST(Observers, MayInterruptARun) {
  Watcher watcher(0.5);
  const auto run = simulate(pendulum(), fixed(10, 1e-3), &watcher);
  EXPECT_EQ(run.summary.outcome, Outcome::interrupted);
  EXPECT_GE(run.summary.t_end, 0.5);
  EXPECT_LT(run.summary.t_end, 0.5 + 0.1);
  EXPECT_NE(run.summary.reason.find("interrupted"), std::string::npos);
  EXPECT_EQ(watcher.last_, run.summary.t_end);
  EXPECT_FALSE(run.summary.final_accelerations.empty());
}

// ---- the summary ------------------------------------------------------------------------------------

TEST(SummaryOfARun, SaysWhatWasRunAndHow) {
  const auto run = simulate(pendulum(), fixed(1, 0.01));
  const Summary& s = run.summary;
  EXPECT_EQ(s.model, "pendulum");
  EXPECT_EQ(s.method, "auto");
  EXPECT_EQ(s.integrator, "rk4");
  EXPECT_EQ(s.linear, "formulas");
  EXPECT_EQ(s.control, "none");
  EXPECT_EQ(s.energy, "none");
  EXPECT_EQ(s.outcome, Outcome::done);
  EXPECT_TRUE(s.reason.empty());
  EXPECT_EQ(s.step, 0.01);
  EXPECT_FALSE(s.rtol.has_value());
  EXPECT_EQ(s.t_end, 1);
  EXPECT_EQ(s.t, 1);
  EXPECT_EQ(s.steps, 100);
  EXPECT_EQ(s.rejected_steps, 0);
  EXPECT_GE(s.evaluations, 400);
  EXPECT_GT(s.wall_seconds, 0);
  EXPECT_GT(s.setup_seconds, 0);
  EXPECT_EQ(s.coordinates, 2);
  EXPECT_EQ(s.speeds, 2);
  EXPECT_EQ(s.constraints, 1);
  EXPECT_EQ(s.degrees_of_freedom, 1);
  EXPECT_EQ(s.rank_min, 1);
  EXPECT_EQ(s.rank_max, 1);
  EXPECT_TRUE(s.dependent.empty());
  EXPECT_LE(*s.max_position_violation, 1e-14);
  EXPECT_LE(*s.max_velocity_violation, 1e-13);
  ASSERT_EQ(s.violations.size(), 1U);
  EXPECT_EQ(s.violations[0].name, "rod");
  EXPECT_EQ(s.violations[0].position, s.max_position_violation);
  EXPECT_EQ(s.violations[0].velocity, s.max_velocity_violation);
  EXPECT_GT(*s.max_energy_error, 0);
  EXPECT_GT(*s.largest_correction, 0);
  EXPECT_TRUE(s.multipliers_unique);
  EXPECT_FALSE(s.limit_broken);
  EXPECT_EQ(s.passages, 0);
}

TEST(SummaryOfARun, SaysTheTolerancesOfChosenSteps) {
  const auto run = simulate(pendulum(), options(1, 1e-6));
  EXPECT_EQ(run.summary.rtol, 1e-6);
  EXPECT_FALSE(run.summary.atol.has_value()) << "it follows the sizes";
  EXPECT_FALSE(run.summary.step.has_value());
  EXPECT_EQ(run.summary.integrator, "dop853");
  EXPECT_EQ(simulate(pendulum(), options(1, 1e-4)).summary.integrator, "dopri5");
  Options with_atol = options(1, 1e-6);
  with_atol.atol = 1e-9;
  EXPECT_EQ(simulate(pendulum(), with_atol).summary.atol, 1e-9);
}

TEST(SummaryOfARun, LeavesOutFiguresThatDoNotExist) {
  const auto run = simulate(read("coordinates: {x: 1}\nmass_matrix: [[1]]\nforces: {x: -x}\n"), options(1));
  EXPECT_FALSE(run.summary.max_position_violation.has_value());
  EXPECT_FALSE(run.summary.max_velocity_violation.has_value());
  EXPECT_FALSE(run.summary.max_energy_error.has_value());
  Options o = fixed(1, 0.01);
  o.method = "udwadia-kalaba";
  EXPECT_FALSE(simulate(pendulum(), o).summary.largest_correction.has_value());
  const auto knife = simulate(read(R"(
coordinates: {x: 0, y: 0, phi: [0, 1]}
kinetic_energy: (x'^2 + y'^2)/2 + phi'^2
constraints: {runner: x'*sin(phi) - y'*cos(phi) = 0}
)"),
                              options(1));
  EXPECT_FALSE(knife.summary.max_position_violation.has_value());
  EXPECT_FALSE(knife.summary.violations[0].position.has_value());
  EXPECT_TRUE(knife.summary.violations[0].velocity.has_value());
}

TEST(SummaryOfARun, NamesConstraintsThatOthersImply) {
  const auto run = simulate(pendulum("  #\n"), options(0));
  EXPECT_TRUE(run.summary.multipliers_unique);
  const Model model = read(R"(
coordinates: {x: 1, y: 0}
kinetic_energy: x'^2 + y'^2
constraints:
  rod: x^2 + y^2 = 1
  rod_again: 3*x^2 + 3*y^2 = 3
)");
  const auto twice = simulate(model, options(0));
  EXPECT_EQ(twice.summary.dependent.size(), 1U);
  EXPECT_FALSE(twice.summary.multipliers_unique);
  EXPECT_EQ(twice.summary.degrees_of_freedom, 1);
  EXPECT_TRUE(twice.summary.notes.empty());
  Options sparsely = options(0);
  sparsely.linear = "sparse";
  const auto unspread = simulate(model, sparsely);
  ASSERT_EQ(unspread.summary.notes.size(), 1U);
  EXPECT_NE(unspread.summary.notes[0].find("not the smallest"), std::string::npos);
}

TEST(SummaryOfARun, FinalStateIsTheLastRow) {
  const auto run = simulate(pendulum("outputs: {angle: 'atan2(x, -y)'}\n"), options(3, 1e-10));
  const auto& row = run.trajectory.rows.back();
  EXPECT_EQ(run.summary.final_coordinates[0].value, row[1]);
  EXPECT_EQ(run.summary.final_coordinates[1].value, row[2]);
  EXPECT_EQ(run.summary.final_rates[0].value, row[3]);
  EXPECT_EQ(run.summary.final_rates[1].value, row[4]);
  EXPECT_EQ(run.summary.final_outputs[0].value, row[5]);
  EXPECT_NEAR(run.summary.final_accelerations[1].value,
              -g * row[1] * row[1] - (row[3] * row[3] + row[4] * row[4]) * row[2], 1e-10);
}

TEST(SummaryOfARun, CountsThePassagesOfASliderCrank) {
  const Model model = load_model(places::source("models/slider-crank.yaml"));
  const auto run = simulate(model, options(10, 1e-8));
  ASSERT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  long crossings = 0;  // the rods stand upright whenever cos(th1) changes its sign
  for (std::size_t k = 1; k < run.trajectory.rows.size(); ++k)
    crossings += std::cos(run.trajectory.rows[k - 1][3]) * std::cos(run.trajectory.rows[k][3]) < 0;
  EXPECT_EQ(run.summary.passages, crossings);
  EXPECT_GT(crossings, 0);
}

// ---- energy -----------------------------------------------------------------------------------------

TEST(EnergyBalance, HoldsWithDampingBecauseItsWorkIsIntegratedAlong) {
  const auto run = simulate(pendulum("forces: {x: -0.5*x', y: -0.5*y'}\n"), options(10, 1e-10));
  // The balance errs as the state does: 1e-10 a step, some hundred steps, times m g l = 20.
  EXPECT_LE(*run.summary.max_energy_error, 2e-7);
  const double height = run.summary.final_coordinates[1].value;
  EXPECT_LT(height, -0.3) << "and yet energy was lost";
}

TEST(EnergyBalance, HoldsWithADrivenConstraint) {
  const Model model = read(R"(
coordinates: {x: 0, y: -1, s: [0, 1]}
kinetic_energy: (x'^2 + y'^2)/2 + s'^2
potential_energy: 9.81*y
constraints:
  drive: s = sin(t)
  rod: (x - s)^2 + y^2 = 1
)");
  Options o = options(5, 1e-10);
  o.assemble = true;
  const auto run = simulate(model, o);
  ASSERT_EQ(run.summary.outcome, Outcome::done);
  EXPECT_LE(*run.summary.max_energy_error, 1e-7);
}

TEST(EnergyBalance, HoldsWhereConstraintsLeaveNothingFree) {
  // Nothing is left for the error test to see but the work, for the constraint gives the motion by itself.
  const auto run = simulate(read(R"(
coordinates: {x: [0, 5]}
kinetic_energy: x'^2/2
potential_energy: 9.81*x
constraints: {drive: x = sin(5*t)}
)"),
                            options(10, 1e-8));
  ASSERT_EQ(run.summary.outcome, Outcome::done);
  EXPECT_EQ(run.summary.degrees_of_freedom, 0);
  EXPECT_NEAR(run.summary.final_coordinates[0].value, std::sin(50), 1e-12);
  // Energies of up to 25 J, some hundred steps of 1e-8 each.
  EXPECT_LE(*run.summary.max_energy_error, 25e-6);
}

TEST(EnergyProjection, KeepsTheEnergyOfAPendulumForAHundredSeconds) {
  for (const char* method : {"auto", "perturbation"}) {
    Options o = fixed(100, 0.01);
    o.method = method;
    o.energy = "project";
    o.record = false;
    const auto run = simulate(pendulum(), o);
    // E is a sum of numbers of up to 20 and is met to rounding; where the pendulum rests for an instant
    // v is too small to correct with, but then E - E0 is of second order in it.
    EXPECT_LE(*run.summary.max_energy_error, 1e-12) << method;
    EXPECT_LE(*run.summary.max_position_violation, 1e-12) << method;
    EXPECT_LE(*run.summary.max_velocity_violation, 1e-12) << method;
    o.energy = "none";
    EXPECT_GT(*simulate(pendulum(), o).summary.max_energy_error, 1e-8) << method;
  }
}

TEST(EnergyProjection, IsTheDefaultOfAModelThatConservesEnergy) {
  const Model model = pendulum("conserve: energy\n");
  EXPECT_EQ(options_of(model).energy.name, "project");
  Options o = options_of(model, fixed(10, 0.01));
  EXPECT_LE(*simulate(model, o).summary.max_energy_error, 1e-12);
}

TEST(EnergyProjection, KeepsTheBalanceWhereForcesDoWork) {
  Options o = fixed(10, 0.01);
  o.energy = "project";
  const auto run = simulate(pendulum("forces: {x: -0.5*x', y: -0.5*y'}\n"), o);
  EXPECT_LE(*run.summary.max_energy_error, 1e-12);
  EXPECT_LT(run.summary.final_coordinates[1].value, -0.3);
}

TEST(EnergyProjection, KeepsMovingConstraints) {
  const Model model = read(R"(
coordinates: {x: [0, 1], y: -1, s: [0, 1]}
kinetic_energy: (x'^2 + y'^2)/2 + s'^2
potential_energy: 9.81*y
constraints:
  drive: s = sin(t)
  rod: (x - s)^2 + y^2 = 1
)");
  Options o = fixed(10, 0.01);
  o.energy = "project";
  o.set = {{"x'(0)", "3"}};
  const auto run = simulate(model, o);
  EXPECT_LE(*run.summary.max_velocity_violation, 1e-12);
  EXPECT_LE(*run.summary.max_position_violation, 1e-12);
}

TEST(EnergyProjection, KeepsTheEnergyInATurningFrame) {
  // A mass on a spring of 4 N/m, seen from a frame that turns with W = 1: the kinetic energy has terms that are
  // linear in the rates and terms without rates. From (1, 0), with an inertial velocity of 0.3 across.
  const Model model = read(R"(
parameters: {W: 1}
coordinates: {x: [1, 0], y: [0, 0.3 - W]}
kinetic_energy: ((x' - W*y)^2 + (y' + W*x)^2)/2
potential_energy: 2*(x^2 + y^2)
)");
  Options o = fixed(10, 0.01);
  o.energy = "project";
  const auto run = simulate(model, o);
  ASSERT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  EXPECT_LE(*run.summary.max_energy_error, 1e-12);
  // In the inertial frame x = cos 2t, y = 0.15 sin 2t. Correcting may not cost accuracy: RK4 errs by some
  // h^4 w^5 T / 120 = 3e-8 here.
  const double X = std::cos(20), Y = 0.15 * std::sin(20), c = std::cos(10), s = std::sin(10);
  EXPECT_NEAR(run.summary.final_coordinates[0].value, c * X + s * Y, 1e-6);
  EXPECT_NEAR(run.summary.final_coordinates[1].value, -s * X + c * Y, 1e-6);
}

TEST(EnergyProjection, LeavesNonlinearVelocityConstraintsMet) {
  const Model model = read(R"(
coordinates: {x: [0, 3], y: [0, 4], z: [0, 1]}
kinetic_energy: (x'^2 + y'^2 + z'^2)/2
potential_energy: 9.81*y + z^2
constraints: {speed: x'^2 + y'^2 = 25}
)");
  Options o = fixed(2, 0.01);
  o.energy = "project";
  const auto run = simulate(model, o);
  ASSERT_EQ(run.summary.outcome, Outcome::done) << run.summary.reason;
  EXPECT_LE(*run.summary.max_velocity_violation, 1e-12);
}

TEST(EnergyProjection, NeedsAnEnergy) {
  Options o = options(1);
  o.energy = "project";
  EXPECT_THROW(simulate(read("coordinates: {x: 1}\nmass_matrix: [[1]]\nforces: {x: -x}\n"), o), InputError);
}

// ---- notes ------------------------------------------------------------------------------------------

TEST(SingularMassMatrix, IsCompletedByTheConstraintsAndSaidToBe) {
  // z carries no mass, and follows x.
  const Model model = read(R"(
coordinates: {x: [1, 0], z: [2, 0]}
kinetic_energy: x'^2/2
potential_energy: 2*x^2
constraints: {follow: z = 2*x}
)");
  const auto run = simulate(model, options(3, 1e-10));
  ASSERT_EQ(run.summary.outcome, Outcome::done);
  EXPECT_NEAR(run.summary.final_coordinates[0].value, std::cos(6), 1e-8);
  EXPECT_NEAR(run.summary.final_coordinates[1].value, 2 * std::cos(6), 1e-8);
  ASSERT_FALSE(run.summary.notes.empty());
  EXPECT_NE(run.summary.notes[0].find("singular"), std::string::npos);
}

TEST(SingularMassMatrix, IsRefusedWhereNothingCompletesItAndTheCoordinateIsNamed) {
  try {
    simulate(read("coordinates: {x: 1, z: 0}\nkinetic_energy: x'^2\nconstraints: {rod: x = 1}\n"), options(1));
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'z'"), std::string::npos) << error.what();
  }
}

// ---- options of the C++ interface -------------------------------------------------------------------

/// Ends a run that would record rows for ever.
class Impatient : public Observer {
 public:
  void row(const std::vector<double>&) override {
    if (++rows_ > 10'000) throw std::runtime_error("too many rows");
  }

 private:
  int rows_ = 0;
};

TEST(WrongOptions, GivenInCppAreRefusedLikeThoseOnTheCommandLine) {
  const auto refuses = [](const Options& given) {
    Options o = given;
    o.max_steps = 1000;
    o.record = false;
    Impatient observer;
    EXPECT_THROW(simulate(pendulum(), o, &observer), InputError);
  };
  refuses(fixed(1, 0));
  refuses(fixed(1, -0.1));
  refuses(options(-1));
  refuses(options(1, 0));
  refuses(options(1, -1e-8));
  refuses(options(std::nan("")));
  Options o = options(1);
  o.every = 0;
  refuses(o);
  o = options(1);
  o.atol = -1;
  refuses(o);
}

TEST(WrongOptions, NameWhatThereIs) {
  const auto message = [](const Options& o) -> std::string {
    try {
      simulate(pendulum(), o);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  Options o = options(1);
  o.method = "brown-goldfarb";
  EXPECT_NE(message(o).find("braun-goldfarb"), std::string::npos) << message(o);
  o = options(1);
  o.method = "perturbation(metrik=mass)";
  EXPECT_NE(message(o).find("metric"), std::string::npos) << message(o);
  o = options(1);
  o.method = "perturbation(metric=brass)";
  EXPECT_NE(message(o).find("metric=mass"), std::string::npos) << message(o);
  o = options(1);
  o.integrator = "rk4";
  EXPECT_NE(message(o).find("step"), std::string::npos) << message(o);
  o = options(1);
  o.integrator = "dop85";
  EXPECT_NE(message(o).find("dop853"), std::string::npos) << message(o);
  o = options(1);
  o.linear = "qrr";
  EXPECT_NE(message(o).find("'qr'"), std::string::npos) << message(o);
  o = options(1);
  o.control = "euler";
  EXPECT_NE(message(o).find("control"), std::string::npos) << message(o);
  o = options(1);
  o.method = "braun-goldfarb";
  o.control = "eular";
  EXPECT_NE(message(o).find("'euler'"), std::string::npos) << message(o);
  o = options(1);
  o.energy = "projekt";
  EXPECT_NE(message(o).find("'project'"), std::string::npos) << message(o);
  // There is no energy law `auto` to offer.
  EXPECT_EQ(message(o).find("auto"), std::string::npos) << message(o);
  o = options(1);
  o.energy = "none(tolerance=1)";
  EXPECT_NE(message(o).find("tolerance"), std::string::npos) << "an option that means nothing was accepted";
  o = options(1);
  o.method = "braun-goldfarb";
  o.control = "euler(gain=1)";
  EXPECT_NE(message(o).find("gain"), std::string::npos) << "an option that means nothing was accepted";
}

TEST(WrongSystem, AStateOfTheWrongSizeIsRefused) {
  const Model model = pendulum();
  const auto system = make_system(model, initial_values(model).parameters);
  EXPECT_THROW(simulate(*system, Vector::Ones(3), Vector::Zero(2), options(0)), InputError);
  EXPECT_THROW(simulate(*system, Vector::Ones(2), Vector::Zero(1), options(0)), InputError);
}

// ---- what has no value --------------------------------------------------------------------------

/// A load that grows without bound until t = 1, where it has no value.
Run run_into_infinity(const std::optional<double>& every = {}) {
  Options o = fixed(1, 0.1);
  o.method = "udwadia-kalaba";
  o.integrator = "euler";
  o.every = every;
  return simulate(read(R"(
coordinates: {x: [0, 1], y: [0, 0]}
kinetic_energy: (x'^2 + y'^2)/2
forces: {y: 1/(1 - t)}
constraints: {floor: y = 0}
outputs: {load: lambda(floor)}
)"),
                  o);
}

TEST(WhatHasNoValue, IsAbsentInTheFinalStateAndNotLeftFromBefore) {
  const auto run = run_into_infinity();
  ASSERT_EQ(run.summary.t, 1);
  EXPECT_NEAR(run.summary.final_coordinates.at(0).value, 1, 1e-14);
  for (const auto& list : {run.summary.final_accelerations, run.summary.final_multipliers, run.summary.final_outputs}) {
    ASSERT_FALSE(list.empty());
    for (const auto& [name, value] : list) EXPECT_TRUE(std::isnan(value)) << name << " = " << value;
  }
}

TEST(WhatHasNoValue, IsRecordedWithoutOneAndCounted) {
  const auto run = run_into_infinity(0.03);
  const auto& rows = run.trajectory.rows;
  ASSERT_EQ(rows.size(), 35u);  // 34 from 0 to 0.99, and the end
  for (const auto& row : rows) {
    const bool in_the_last_step = row[0] > 0.9 + 1e-9 && row[0] < 1;
    EXPECT_EQ(std::isnan(row[1]), in_the_last_step) << row[0];
  }
  EXPECT_TRUE(std::ranges::any_of(run.summary.notes, [](const std::string& note) {
    return note.find("3 rows have no values") != std::string::npos;
  }));
}

TEST(Recording, EndsWithTheEndOfTheRunThoughItIsNoMultiple) {
  for (const auto& step : {std::optional<double>{}, std::optional{1e-2}}) {
    Options o = options(1);
    o.step = step;
    o.every = 0.3;
    const auto rows = simulate(pendulum(), o).trajectory.rows;
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_NEAR(rows[3][0], 0.9, 1e-15);
    EXPECT_EQ(rows[4][0], 1);
    o.every = 0.25;
    EXPECT_EQ(simulate(pendulum(), o).trajectory.rows.size(), 5u);
  }
}

TEST(CoordinatePartitioning, EndsTheRunAtASingularPositionThatItCannotCross) {
  // Crank and rod, equally long, stand upright at some 1.15 s: there the rod may go on as the
  // crank's mirror image, th2 = −th1, or stay upon it, th2 = th1 − pi. Only the first has th2' = −th1'.
  Options o = fixed(2, 1e-2);
  o.method = "coordinate-partitioning";
  o.integrator = "rk4";
  const auto run = simulate(load_model(places::source("models/slider-crank.yaml")), o);
  EXPECT_EQ(run.summary.outcome, Outcome::failed);
  EXPECT_NE(run.summary.reason.find("another branch"), std::string::npos) << run.summary.reason;
  for (const auto& row : run.trajectory.rows) EXPECT_NEAR(row[7], -row[8], 1e-6) << row[0];
}

}  // namespace
}  // namespace taut
