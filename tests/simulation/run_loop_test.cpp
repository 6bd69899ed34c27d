#include "simulation/run_loop.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "taut/simulation.hpp"

namespace taut {
namespace {

/// A loop over a model of the gallery, at its start.
struct Started {
  explicit Started(const std::string& name, const Options& options)
      : model(load_model(name)), values(initial_values(model, {})), system(make_system(model, values.parameters)) {
    loop =
        std::make_unique<RunLoop>(*system, knowledge_of(model, values.parameters, 0, options.until), options, nullptr);
    const auto vector = [](const std::vector<double>& x) {
      return Vector(Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size())));
    };
    loop->start(
        {0, vector(values.coordinates), vector(values.speeds), {values.coordinate_claims, values.speed_claims}});
  }

  Model model;
  InitialValues values;
  std::unique_ptr<System> system;
  std::unique_ptr<RunLoop> loop;
};

Options until(double end) {
  Options options;
  options.until = end;
  return options;
}

TEST(RunLoop, TakesOneStepAtATimeAndGivesWhatSimulateGives) {
  const auto whole = simulate(load_model("four-bar-redundant"), until(1));
  Started run("four-bar-redundant", until(1));
  double last = 0;
  long steps = 0;
  while (run.loop->step()) {
    EXPECT_GT(run.loop->t(), last);
    last = run.loop->t();
    ++steps;
  }
  EXPECT_EQ(last, 1);
  const auto stepped = run.loop->finish();
  EXPECT_EQ(steps, whole.summary.steps);
  EXPECT_EQ(stepped.trajectory.rows, whole.trajectory.rows);
  for (std::size_t i = 0; i < whole.summary.final_multipliers.size(); ++i)
    EXPECT_EQ(stepped.summary.final_multipliers[i].value, whole.summary.final_multipliers[i].value);
}

TEST(RunLoop, AdvancesExactlyToATimeUnderEveryIntegrator) {
  for (const ListEntry& integrator : list_integrators())
    for (const bool fixed : {true, false}) {
      Options options = until(2);
      options.integrator = Choice(integrator.name);
      if (integrator.name == "ida") options.method = Choice("stabilized-index-2");
      if (fixed) options.step = 0.01;
      std::unique_ptr<Started> run;
      try {
        run = std::make_unique<Started>("pendulum", options);
      } catch (const InputError&) {
        continue;  // the two do not go together
      }
      for (const double t : {0.005, 0.0301, 0.5, 1.2345, 2.0}) {
        run->loop->advance(t);
        EXPECT_EQ(run->loop->t(), t) << integrator.name << fixed;
        EXPECT_NEAR(run->loop->y().head(2).norm(), 1, 1e-2) << integrator.name;
      }
      EXPECT_FALSE(run->loop->goes_on());
    }
}

/// A pendulum of length 1 that falls from level: y' = −g t for a moment. Fourth order needs equal distances between the
/// derivatives that it remembers: after a step that was cut short it has to begin anew.
TEST(RunLoop, KeepsTheOrderOfFormulasWithAMemoryWhereItWasStopped) {
  const auto error = [](double h) {
    Options options = until(1);
    options.integrator = Choice("ab3");
    options.step = h;
    Started run("pendulum", options);
    for (const double t : {0.1234, 0.5678, 1.0}) run.loop->advance(t);
    Options exact = until(1);
    exact.rtol = 1e-13;
    const auto reference = simulate(load_model("pendulum"), exact);
    return std::abs(run.loop->y()[1] - reference.summary.final_coordinates[1].value);
  };
  // Halving h divides the error by 8; 6 leaves room for the terms of higher order.
  EXPECT_GT(error(4e-3) / error(2e-3), 6);
}

TEST(RunLoop, EndsAtAnEventWithinAStep) {
  Options options = until(10);
  const Model model =
      read_model("coordinates: {x: [0, 1]}\nkinetic_energy: x'^2/2\nevents: {there: {when: x - 0.7, stop: true}}\n",
                 "uniform.yaml");
  const InitialValues values = initial_values(model, {});
  const auto system = make_system(model, values.parameters);
  RunLoop loop(*system, knowledge_of(model, values.parameters, 0, 10), options, nullptr);
  loop.start({0, Vector::Zero(1), Vector::Ones(1), {values.coordinate_claims, values.speed_claims}});
  loop.advance(10);
  EXPECT_NEAR(loop.t(), 0.7, 1e-12);
  EXPECT_FALSE(loop.goes_on());
  EXPECT_FALSE(loop.step());
  const Summary summary = loop.finish().summary;
  EXPECT_EQ(summary.outcome, Outcome::stopped);
  EXPECT_NEAR(summary.final_coordinates[0].value, 0.7, 1e-12);
}

}  // namespace
}  // namespace taut
