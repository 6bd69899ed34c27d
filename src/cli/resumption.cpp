#include "cli/resumption.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "taut/error.hpp"

namespace taut::cli {
namespace {

/// Keeps everything that it is told.
class Keeper : public Observer {
 public:
  void start(const std::vector<std::string>& columns) override { rows.columns = columns; }
  void row(const std::vector<double>& values) override { rows.rows.push_back(values); }
  void start_steps(const std::vector<std::string>& columns) override { steps.columns = columns; }
  void step(const std::vector<double>& values) override { steps.rows.push_back(values); }
  Trajectory rows, steps;
};

void drop_after(double t, Trajectory& table) {
  while (!table.rows.empty() && table.rows.back().front() > t) table.rows.pop_back();
}

void require_same(const std::vector<std::string>& earlier, const std::vector<std::string>& now) {
  if (earlier != now)
    throw InputError("the run would have other columns than the one it goes on from",
                     "resume with the model and the options of that run, which must have kept all columns");
}

}  // namespace

Resumption::Resumption(const std::string& file) {
  const Hdf5Run run(file);
  description_ = run.description();
  summary_ = run.summary();
  Keeper all;
  run.replay(all);
  rows_ = std::move(all.rows);
  steps_ = std::move(all.steps);
  // Rows between the ends of steps are interpolated: no step began there.
  std::set<double> ends;
  for (const auto& step : steps_.rows) ends.insert(step.front());
  while (!rows_.rows.empty() && !ends.contains(rows_.rows.back().front())) rows_.rows.pop_back();
  if (rows_.rows.empty())
    throw InputError("'" + file + "' has no row at the end of a step to go on from", "make the run anew");
  drop_after(t(), steps_);
  at_steps_.columns = rows_.columns;
  for (const auto& row : rows_.rows)
    if (ends.contains(row.front())) at_steps_.rows.push_back(row);
}

/// A run that was killed has no summary, but its columns begin with its coordinates.
Coordinates Resumption::coordinates_of(const Model& model) const {
  const nlohmann::json summary = nlohmann::json::parse(summary_, nullptr, false);
  if (summary.is_object() && summary.contains("coordinates_used")) {
    if (summary["coordinates_used"] == "joints") return Coordinates::joints;
    if (summary["coordinates_used"] == "bodies") return Coordinates::bodies;
  }
  if (model.joints.empty()) return Coordinates::automatic;
  const std::vector<std::string>& columns = rows_.columns;
  for (std::size_t k = 0; k < model.coordinates.size(); ++k)
    if (k + 1 >= columns.size() || columns[k + 1] != model.coordinates[k].name) return Coordinates::joints;
  return Coordinates::bodies;
}

void ResumedObserver::start(const std::vector<std::string>& columns) {
  require_same(earlier_.rows().columns, columns);
  observer_.start(columns);
  for (const auto& row : earlier_.rows().rows) observer_.row(row);
}

void ResumedObserver::row(const std::vector<double>& values) {
  if (!first_row_) observer_.row(values);
  first_row_ = false;
}

void ResumedObserver::start_steps(const std::vector<std::string>& columns) {
  observer_.start_steps(columns);
  if (columns == earlier_.steps().columns)
    for (const auto& step : earlier_.steps().rows) observer_.step(step);
}

void ResumedObserver::step(const std::vector<double>& values) {
  if (!first_step_) observer_.step(values);
  first_step_ = false;
}

}  // namespace taut::cli
