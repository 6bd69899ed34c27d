#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "simulation/coordinates.hpp"
#include "simulation/final_joints.hpp"
#include "simulation/option_error.hpp"
#include "simulation/resume.hpp"
#include "simulation/run_loop.hpp"
#include "taut/error.hpp"
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

/// How often a run evaluates its equations, roughly: four times a step; where the steps are chosen, the gallery's runs
/// take some hundred for a second.
double expected_evaluations(const Options& options) {
  return options.step ? 4 * options.until / *options.step : 300 * options.until;
}

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

Vector vector_of(std::vector<double>& values) {
  const std::vector<double> moved = std::move(values);
  return Eigen::Map<const Vector>(moved.data(), static_cast<Eigen::Index>(moved.size()));
}

}  // namespace

Run simulate(System& system, const Vector& q, const Vector& v, const Options& options, Observer* observer) {
  const Shape& shape = system.shape();
  if (q.size() != shape.n_q() || v.size() != shape.n_v())
    throw InputError(fmt::format("the initial state has {} coordinates and {} speeds", q.size(), v.size()),
                     fmt::format("this system has {} and {}", shape.n_q(), shape.n_v()));
  const auto given = [](const Vector& x) {
    return std::vector(static_cast<std::size_t>(x.size()), InitialClaim::given);
  };
  return run_simulation(system, knowledge_of(shape), {0, q, v, {given(q), given(v)}}, options, observer);
}

namespace {

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

Run simulate_from(const Model& given_model, const Options& options, const EarlierRows* earlier, Observer* observer) {
  const Stopwatch setup;
  InitialValues initial = initial_values(given_model, options.set);
  const ChosenCoordinates chosen = choose_coordinates(given_model, options, initial);
  const Model& model = chosen.joints ? *chosen.joints : given_model;
  const auto system = make_system(model, initial.parameters, options.native, expected_evaluations(options));
  ModelKnowledge known = knowledge_of(model, initial.parameters, options.until);
  const double setup_seconds = setup.seconds();
  Claims claims{std::move(initial.coordinate_claims), std::move(initial.speed_claims)};
  InitialState given{0, vector_of(initial.coordinates), vector_of(initial.speeds), std::move(claims)};
  if (earlier) given.history = history_of(*earlier, system->shape());
  Run run = run_simulation(*system, std::move(known), std::move(given), options, observer);
  run.summary.setup_seconds += setup_seconds;
  run.summary.model = model.name;
  tell_coordinates(chosen, run.summary);
  run.summary.notes.insert(run.summary.notes.begin(), model.notes.begin(), model.notes.end());
  if (earlier)
    run.summary.notes.push_back(fmt::format(
        "resumed at t = {:.9g}: steps, largest violations and the energy balance are of the time since then",
        earlier->rows.back()[column_of("t", *earlier)]));
  add_mechanism(model, initial.parameters, *system, run.summary);
  return run;
}

}  // namespace

Run simulate(const Model& model, const Options& options, Observer* observer) {
  return simulate_from(model, options, nullptr, observer);
}

Run resume(const Model& model, const Options& options, const EarlierRows& earlier, Observer* observer) {
  return simulate_from(model, options, &earlier, observer);
}

}  // namespace taut
