#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "simulation/option_error.hpp"
#include "simulation/prepared_model.hpp"
#include "simulation/resume.hpp"
#include "simulation/run_loop.hpp"
#include "taut/simulation.hpp"

namespace taut {
namespace {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begun_ = Clock::now();
};

/// From the state given to the summary. Errors about options say where these were given.
Run run_simulation(System& system, ModelKnowledge known, InitialState initial, const Options& options,
                   Observer* observer) {
  try {
    const Stopwatch setup;
    RunLoop loop(system, std::move(known), options, observer);
    loop.start(std::move(initial));
    const double setup_seconds = setup.seconds();
    const Stopwatch steps;
    while (loop.step()) {
    }
    const double wall_seconds = steps.seconds();
    Run run = loop.finish();
    run.summary.setup_seconds = setup_seconds;
    run.summary.wall_seconds = wall_seconds;
    return run;
  } catch (const OptionError& error) {
    throw with_sources(error, options);
  }
}

double value_in(const ResumePoint& point, const std::string& name) {
  const auto at = std::ranges::find(point.columns, name);
  if (at == point.columns.end())
    throw InputError(fmt::format("the earlier run has no column '{}', without which it cannot go on", name),
                     "resume a run that was kept without --columns, with the same model and the same coordinates");
  return point.values[static_cast<std::size_t>(at - point.columns.begin())];
}

/// The state of a row in place of the model's own.
void go_to(const ResumePoint& point, const Shape& shape, InitialState& state) {
  state.t = value_in(point, "t");
  state.as_it_is = true;
  for (int i = 0; i < shape.n_q(); ++i) state.q[i] = value_in(point, shape.coordinates[i]);
  for (int i = 0; i < shape.n_v(); ++i)
    state.v[i] = value_in(point, i < shape.own_speeds() ? shape.coordinates[i] + "'" : shape.speeds[i]);
}

Run simulate_from(const Model& model, const Options& options, const ResumePoint* from, Observer* observer) {
  const Stopwatch setup;
  PreparedModel prepared(model, options);
  ModelKnowledge known = prepared.knowledge();
  const double setup_seconds = setup.seconds();
  InitialState initial = prepared.take_initial();
  if (from) go_to(*from, prepared.system().shape(), initial);
  Run run = run_simulation(prepared.system(), std::move(known), std::move(initial), options, observer);
  run.summary.setup_seconds += setup_seconds;
  if (from)
    run.summary.notes.push_back(fmt::format(
        "resumed at t = {:.9g}: steps, largest violations and the energy balance are of the time since then",
        value_in(*from, "t")));
  prepared.complete(run.summary);
  return run;
}

}  // namespace

Run simulate(System& system, const Vector& q, const Vector& v, const Options& options, Observer* observer) {
  return run_simulation(system, knowledge_of(system.shape()), given_state(system.shape(), 0, q, v), options, observer);
}

Run simulate(const Model& model, const Options& options, Observer* observer) {
  return simulate_from(model, options, nullptr, observer);
}

Run resume(const Model& model, const Options& options, const ResumePoint& from, Observer* observer) {
  return simulate_from(model, options, &from, observer);
}

}  // namespace taut
