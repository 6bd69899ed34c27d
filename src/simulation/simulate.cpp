#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "model/controllers.hpp"
#include "model/functional_unit.hpp"
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

/// A run, and the values that the parameters have where it ended.
struct EndedRun {
  Run run;
  std::vector<double> parameters;
};

/// From the state given to the summary. Errors about options say where these were given.
EndedRun run_simulation(System& system, ModelKnowledge known, InitialState initial, const Options& options,
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
    std::vector<double> parameters = loop.changes().parameters();
    Run run = loop.finish();
    run.summary.setup_seconds = setup_seconds;
    run.summary.wall_seconds = wall_seconds;
    return {std::move(run), std::move(parameters)};
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

/// Inputs, which controllers and events set, and the columns in which rows have their values.
struct SampledColumns {
  std::vector<std::size_t> parameters, columns;

  SampledColumns(const Model& model, const EarlierRows& earlier) {
    for (const Input& input : model.inputs) {
      if (!input.is_held()) continue;
      parameters.push_back(static_cast<std::size_t>(input.parameter));
      columns.push_back(column_of(input.name, earlier));
    }
  }
  void read(const std::vector<double>& row, std::vector<double>& values) const {
    for (std::size_t k = 0; k < columns.size(); ++k) values[parameters[k]] = row[columns[k]];
  }
};

/// What controllers remember where the earlier run ended.
std::vector<double> memory_of(const EarlierRows& earlier, PreparedModel& prepared) {
  Sampling sampling(prepared.model(), prepared.system(), prepared.parameters());
  const std::size_t time = column_of("t", earlier);
  sampling.recall(earlier.rows.front()[time], earlier.rows.back()[time], [&](const std::string& name, double t) {
    const auto at = [&](const std::vector<double>& row) { return is_same_instant(row[time], t); };
    const auto row = std::ranges::find_if(earlier.rows, at);
    if (row == earlier.rows.end())
      throw InputError(fmt::format("the earlier run has no row at t = {:.9g}, where '{}' was found", t, name),
                       "resume a run whose rows are at the instants of its controllers");
    return (*row)[column_of(name, earlier)];
  });
  return sampling.memory();
}

History history_of(const EarlierRows& earlier, const Shape& shape) {
  std::vector<std::size_t> places;
  for (const std::string& name : shape.coordinates) places.push_back(column_of(name, earlier));
  for (int i = 0; i < shape.n_v(); ++i)
    places.push_back(column_of(shape.plain_rates ? shape.coordinates[i] + "'" : shape.speeds[i], earlier));
  return {earlier.rows.size(),
          [&earlier, places, time = column_of("t", earlier)](std::size_t k, double& t, Vector& q, Vector& v) {
            const std::vector<double>& row = earlier.rows[k];
            auto place = places.begin();
            t = row[time];
            for (double& value : q) value = row[*place++];
            for (double& value : v) value = row[*place++];
          }};
}

/// Rows have inputs, but not what parameters have become.
void refuse_unrecorded(const Model& model) {
  for (const Watch& event : model.events)
    for (const Action::Change& change : event.action.changes)
      if (model.graph->info(change.symbol).kind == SymbolKind::parameter)
        throw InputError(
            change.place,
            fmt::format("a run cannot be resumed whose events set parameter '{}': rows do not have it", change.name),
            "make it an input, which is recorded");
}

/// … nor what units remember.
void refuse_units(const Model& model) {
  for (const Controller& controller : model.controllers)
    if (unit_of(model, controller.name))
      throw InputError(controller.place,
                       fmt::format("a run cannot be resumed in which unit '{}' takes part: rows do not have its state",
                                   controller.name),
                       "begin anew");
}

/// States, and of controllers what they set along the way and remember in the end.
void go_on_from(const EarlierRows& earlier, PreparedModel& prepared, ModelKnowledge& known, InitialState& initial) {
  initial.history = history_of(earlier, prepared.system().shape());
  if (moments_of(prepared.model()).empty()) return;
  refuse_unrecorded(prepared.model());
  refuse_units(prepared.model());
  initial.memory = memory_of(earlier, prepared);
  SampledColumns sampled(prepared.model(), earlier);
  sampled.read(earlier.rows.back(), known.parameters);
  const auto find = initial.history.find;
  initial.history.find = [find, sampled = std::move(sampled), &earlier, &system = prepared.system(),
                          values = known.parameters](std::size_t k, double& t, Vector& q, Vector& v) mutable {
    sampled.read(earlier.rows[k], values);
    system.change_parameters(values);
    find(k, t, q, v);
  };
}

/// What a function of the program has thrown comes before what became of the run without it.
EndedRun run_functions(PreparedModel& prepared, const std::function<EndedRun()>& run) {
  try {
    EndedRun ended = run();
    prepared.rethrow();
    return ended;
  } catch (...) {
    prepared.rethrow();
    throw;
  }
}

Run run_prepared(PreparedModel& prepared, const Options& options, const EarlierRows* earlier, Observer* observer) {
  const Stopwatch setup;
  ModelKnowledge known = prepared.knowledge();
  const double setup_seconds = setup.seconds();
  InitialState initial = prepared.take_initial();
  if (earlier) go_on_from(*earlier, prepared, known, initial);
  auto [run, parameters] = run_functions(prepared, [&] {
    return run_simulation(prepared.system(), std::move(known), std::move(initial), options, observer);
  });
  run.summary.setup_seconds += setup_seconds;
  if (earlier)
    run.summary.notes.push_back(fmt::format(
        "resumed at t = {:.9g}: steps, largest violations and the energy balance are of the time since then",
        earlier->rows.back()[column_of("t", *earlier)]));
  prepared.complete(run.summary, parameters);
  return std::move(run);
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
  return run_simulation(system, knowledge_of(system.shape()), given_state(system.shape(), 0, q, v), options, observer)
      .run;
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
