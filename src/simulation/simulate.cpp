#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "simulation/accuracy.hpp"
#include "simulation/option_error.hpp"
#include "simulation/repeated_runs.hpp"
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

std::size_t column_of(const std::string& name, const EarlierRows& earlier) {
  const auto at = std::ranges::find(earlier.columns, name);
  if (at == earlier.columns.end())
    throw InputError(fmt::format("the earlier run has no column '{}', without which it cannot go on", name),
                     "resume a run that was kept without --columns, with the same model and the same coordinates");
  return static_cast<std::size_t>(at - earlier.columns.begin());
}

History history_of(const EarlierRows& earlier, const Shape& shape) {
  std::vector<std::size_t> places;
  for (const std::string& name : shape.coordinates) places.push_back(column_of(name, earlier));
  for (int i = 0; i < shape.n_v(); ++i)
    places.push_back(column_of(i < shape.own_speeds() ? shape.coordinates[i] + "'" : shape.speeds[i], earlier));
  return {earlier.rows.size(),
          [&earlier, places, time = column_of("t", earlier)](std::size_t k, double& t, Vector& q, Vector& v) {
            const std::vector<double>& row = earlier.rows[k];
            auto place = places.begin();
            t = row[time];
            for (double& value : q) value = row[*place++];
            for (double& value : v) value = row[*place++];
          }};
}

Run run_prepared(PreparedModel& prepared, const Options& options, const EarlierRows* earlier, Observer* observer) {
  const Stopwatch setup;
  ModelKnowledge known = prepared.knowledge();
  const double setup_seconds = setup.seconds();
  InitialState initial = prepared.take_initial();
  if (earlier) initial.history = history_of(*earlier, prepared.system().shape());
  Run run = run_simulation(prepared.system(), std::move(known), std::move(initial), options, observer);
  run.summary.setup_seconds += setup_seconds;
  if (earlier)
    run.summary.notes.push_back(fmt::format(
        "resumed at t = {:.9g}: steps, largest violations and the energy balance are of the time since then",
        earlier->rows.back()[column_of("t", *earlier)]));
  prepared.complete(run.summary, prepared.parameters());
  return run;
}

Run simulate_from(const Model& model, const Options& options, const EarlierRows* earlier, Observer* observer) {
  const Stopwatch setup;
  PreparedModel prepared(model, options);
  const double setup_seconds = setup.seconds();
  Run run = run_prepared(prepared, options, earlier, observer);
  run.summary.setup_seconds += setup_seconds;
  return run;
}

}  // namespace

/// Where a system has made something that a new one would have made otherwise, the run counts for nothing.
Run RepeatedRuns::run(const std::vector<Assignment>& set, Observer* observer) {
  options_.set = set;
  if (prepared_ && prepared_->set(model_, values_of(model_, options_))) {
    Run run = run_prepared(*prepared_, options_, nullptr, observer);
    if (prepared_->is_as_new()) return run;
  }
  prepared_.reset();
  prepared_.emplace(model_, options_, runs_);
  return run_prepared(*prepared_, options_, nullptr, observer);
}

Run simulate(System& system, const Vector& q, const Vector& v, const Options& options, Observer* observer) {
  return run_simulation(system, knowledge_of(system.shape()), given_state(system.shape(), 0, q, v), options, observer);
}

Run simulate(const Model& model, const Options& options, Observer* observer) {
  if (options.accuracy && options.until > 0)
    return simulate_accurately(options, observer, [&](const Options& one, Observer* watching) {
      return simulate_from(model, one, nullptr, watching);
    });
  return simulate_from(model, options, nullptr, observer);
}

Run resume(const Model& model, const Options& options, const EarlierRows& earlier, Observer* observer) {
  return simulate_from(model, options, &earlier, observer);
}

}  // namespace taut
