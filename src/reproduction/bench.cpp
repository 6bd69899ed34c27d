#include "reproduction/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/nearest.hpp"
#include "expression/parser.hpp"
#include "model/scope.hpp"

namespace taut {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else if (c != ' ' || !parts.back().empty()) {
      parts.back() += c;
    }
  }
  for (auto& part : parts)
    while (!part.empty() && part.back() == ' ') part.pop_back();
  return parts;
}

/// The larger of two; what is no number is larger than all.
double larger(double a, double b) { return std::isnan(b) ? std::numeric_limits<double>::infinity() : std::max(a, b); }

/// A run that ended early, or lost its constraints, says nothing of what its whole motion would have been.
std::string trouble_of(const std::string& name, const Summary& summary) {
  if (is_trusted(summary.verdict) && summary.outcome != Outcome::stopped) return "";
  const std::string& reason = summary.verdict_reason.empty() ? summary.reason : summary.verdict_reason;
  return fmt::format("run '{}' ended at t = {:g}: {}", name, summary.t_end, reason);
}

/// A step in the book means fixed steps, a tolerance none.
void apply(const Setting& setting, Options& options) {
  if (setting.name == "rtol" || setting.name == "atol") unset_step(options);
  try {
    set_option(options, setting.name, setting.value, setting.name + ": " + setting.value, setting.place);
  } catch (const InputError& error) {
    throw InputError(setting.place, setting.name + ": " + error.message(), error.remedy());
  }
}

double number(const std::string& text, const Place& place) {
  double value = 0;
  try {
    read_option(text, value);
  } catch (const InputError& error) {
    throw InputError(place, error.message(), error.remedy());
  }
  return value;
}

/// Keeps all that can be told of every step.
class StepKeeper : public Observer {
 public:
  explicit StepKeeper(Trajectory& kept) : kept_(kept) {}
  Detail detail() const override { return Detail::constraints; }
  void start_steps(const std::vector<std::string>& columns) override { kept_.columns = columns; }
  void step(const std::vector<double>& values) override { kept_.rows.push_back(values); }

 private:
  Trajectory& kept_;
};

}  // namespace

std::size_t column(const Trajectory& trajectory, const std::string& name, const Place& place) {
  const auto found = std::find(trajectory.columns.begin(), trajectory.columns.end(), name);
  if (found != trajectory.columns.end()) return static_cast<std::size_t>(found - trajectory.columns.begin());
  throw InputError(place, fmt::format("nothing recorded is named '{}'", name),
                   fmt::format("there are {}", fmt::join(trajectory.columns, ", ")));
}

double Bench::evaluate(const yaml::PlacedText& text, const Measurement& measurement) {
  Graph graph;
  Names names;
  names.graph = &graph;
  names.call = [&](const Call& called, const Place& place) -> Expression {
    const auto& [function, argument, component] = called;
    return measurement(function, split(argument), place);
  };
  const Expression result =
      with_places(text, file_, [&](const Place& place) { return parse(text.text, names, place); });
  if (!result.is_constant())
    throw InputError(place_at(file_, text.at(0)), "this has no value", "check the measurements in it");
  return result.value();
}

/// Other measurements have to give another value: a number that is typed in is no finding.
double Bench::value(const yaml::PlacedText& text) {
  std::vector<double> measured;
  const double value = evaluate(text, [&](auto& what, auto& arguments, auto& place) {
    return measured.emplace_back(measure(what, arguments, place));
  });
  std::size_t k = 0;
  const double other = evaluate(text, [&](auto&, auto&, auto&) {
    const double share = 1e-3 * static_cast<double>(k + 1);
    return measured[k++] * (1 + share) + share;
  });
  if (other == value)
    throw InputError(place_at(file_, text.at(0)), fmt::format("'{}' is {:g}, whatever is measured", text.text, value),
                     "write a formula of measurements, such as position(run)");
  return value;
}

std::string Bench::early_run(const yaml::PlacedText& text) {
  std::string early;
  evaluate(text, [&](auto& what, auto& arguments, auto& place) {
    const Made& run = made(arguments[0], place);
    if (what != "end" && what != "parameter" && !run.early.empty()) early = run.early;
    return measure(what, arguments, place);
  });
  return early;
}

const Made& Bench::made(const std::string& name, const Place& place) {
  if (const auto known = made_.find(name); known != made_.end()) return *known->second;
  const RunSpec& spec = find(name, place);
  if (quick_ && spec.slow) throw LeftOut{};
  auto made = std::make_unique<Made>();
  made->model = load_model(spec.model, spec.set);
  made->options = options_of(made->model);
  for (const auto& setting : spec.settings) apply(setting, made->options);
  made->options.set = spec.set;
  made->options.diagnose = true;
  made->parameters = initial_values(made->model, spec.set).parameters;
  made->run = simulate(made->model, made->options);
  const Summary& summary = made->run.summary;
  made->trouble = spec.may_fail ? "" : trouble_of(name, summary);
  if (summary.t_end < made->options.until) made->early = trouble_of(name, summary);
  return *made_.emplace(name, std::move(made)).first->second;
}

const Trajectory& Bench::steps_of(const std::string& name, const Place& place) {
  if (const auto known = steps_.find(name); known != steps_.end()) return known->second;
  const Made& like = made(name, place);
  Trajectory steps;
  StepKeeper keeper(steps);
  Options options = like.options;
  options.record = options.diagnose = false;
  simulate(like.model, options, &keeper);
  return steps_.emplace(name, std::move(steps)).first->second;
}

const RunSpec& Bench::find(const std::string& name, const Place& place) const {
  std::vector<std::string> known;
  for (const auto& run : example_.runs) {
    if (run.name == name) return run;
    known.push_back(run.name);
  }
  const std::string near = nearest(name, known);
  throw InputError(
      place, fmt::format("example '{}' has no run '{}'", example_.name, name),
      near.empty() ? fmt::format("its runs are {}", fmt::join(known, ", ")) : "did you mean '" + near + "'?");
}

double Bench::measure(const std::string& what, const std::vector<std::string>& arguments, const Place& place) {
  const Made& run = made(arguments[0], place);
  if (what == "parameter" && arguments.size() == 2) return parameter(arguments, place);
  if (!run.trouble.empty()) throw Missing{run.trouble};
  const Summary& summary = run.run.summary;
  const auto given = [&](const std::optional<double>& figure, const char* whose) {
    if (!figure) throw Missing{fmt::format("run '{}' has no {}", arguments[0], whose)};
    return *figure;
  };
  if (what == "position") return given(summary.max_position_violation, "position constraints");
  if (what == "velocity") return given(summary.max_velocity_violation, "velocity constraints");
  if (what == "violation")
    return std::max(given(summary.max_velocity_violation, "constraints"), summary.max_position_violation.value_or(0));
  if (what == "energy") return given(summary.max_energy_error, "energy");
  if (what == "steps") return static_cast<double>(summary.steps);
  if (what == "evaluations") return static_cast<double>(summary.evaluations);
  if (what == "rejected") return static_cast<double>(summary.rejected_steps);
  if (what == "passages") return static_cast<double>(summary.passages);
  if (what == "rank") return summary.rank_max;
  if (what == "end") return summary.t_end;
  if (what == "final" && arguments.size() == 2) return final_value(arguments, place);
  if (what == "drift" && arguments.size() == 2) return drift(arguments, place);
  if (what == "repeat" && arguments.size() == 3) return repeat(arguments, place);
  if (what == "error" && arguments.size() >= 3) return errors(arguments, place)[0];
  if (what == "distance" && arguments.size() >= 3) return errors(arguments, place)[1];
  throw InputError(place, fmt::format("there is no measurement {}({})", what, fmt::join(arguments, ", ")),
                   "there are position, velocity, violation, energy, steps, evaluations, rejected, passages, rank and "
                   "end of a run, parameter(run, name), final(run, name), drift(run, name), repeat(run, period, from), "
                   "error(run, reference, name, …) and distance(run, reference, name, …)");
}

double Bench::parameter(const std::vector<std::string>& arguments, const Place& place) {
  const Made& run = made(arguments[0], place);
  std::vector<std::string> known;
  for (std::size_t k = 0; k < run.parameters.size(); ++k) {
    if (run.model.parameters[k].name == arguments[1]) return run.parameters[k];
    known.emplace_back(run.model.parameters[k].name);
  }
  throw InputError(place, fmt::format("the model has no parameter '{}'", arguments[1]),
                   fmt::format("there are {}", fmt::join(known, ", ")));
}

double Bench::final_value(const std::vector<std::string>& arguments, const Place& place) {
  const Trajectory& trajectory = made(arguments[0], place).run.trajectory;
  return trajectory.rows.back()[column(trajectory, arguments[1], place)];
}

/// The largest change of a recorded quantity that should be constant.
double Bench::drift(const std::vector<std::string>& arguments, const Place& place) {
  const Trajectory& trajectory = made(arguments[0], place).run.trajectory;
  const std::size_t k = column(trajectory, arguments[1], place);
  double largest = 0;
  for (const auto& row : trajectory.rows) largest = larger(largest, std::abs(row[k] - trajectory.rows.front()[k]));
  return largest;
}

/// The largest change of any coordinate over one period, from a time on, of a motion that should repeat itself.
double Bench::repeat(const std::vector<std::string>& arguments, const Place& place) {
  const Made& run = made(arguments[0], place);
  const auto& rows = run.run.trajectory.rows;
  const double period = number(arguments[1], place), from = number(arguments[2], place);
  const double every = run.options.every ? *run.options.every : run.options.step.value_or(0);
  const auto apart = static_cast<std::size_t>(every > 0 ? std::lround(period / every) : 0);
  if (apart == 0 || apart >= rows.size())
    throw InputError(place, fmt::format("run '{}' has no two rows {:g} s apart", arguments[0], period),
                     "give it step: or every:, and a longer time");
  double largest = 0;
  for (std::size_t i = 0; i + apart < rows.size(); ++i)
    for (std::size_t k = 1; k <= run.model.coordinates.size() && rows[i][0] >= from; ++k)
      largest = larger(largest, std::abs(rows[i + apart][k] - rows[i][k]));
  return largest;
}

/// Over the rows of a run, the largest difference to its reference of any of the columns named, and the largest
/// distance: the root of the sum of all their squares.
std::vector<double> Bench::errors(const std::vector<std::string>& arguments, const Place& place) {
  if (arguments[0] == arguments[1])
    throw InputError(place, fmt::format("run '{}' is compared with itself", arguments[0]), "name another run");
  const Trajectory& ours = made(arguments[0], place).run.trajectory;
  const Trajectory& reference = reference_for(arguments[1], arguments[0], place);
  std::vector<std::pair<std::size_t, std::size_t>> columns;
  for (std::size_t a = 2; a < arguments.size(); ++a)
    columns.emplace_back(column(ours, arguments[a], place), column(reference, arguments[a], place));
  double largest = 0, farthest = 0;
  for (std::size_t i = 0; i < ours.rows.size(); ++i) {
    double squares = 0;
    for (const auto& [k, r] : columns) {
      const double difference = std::abs(ours.rows[i][k] - reference.rows[i][r]);
      largest = larger(largest, difference);
      squares += difference * difference;
    }
    farthest = larger(farthest, std::sqrt(squares));
  }
  return {largest, farthest};
}

const Trajectory& Bench::reference_for(const std::string& name, const std::string& ours_name, const Place& place) {
  const Made& ours = made(ours_name, place);
  const double every = ours.options.every ? *ours.options.every : ours.options.step.value_or(0);
  if (!(every > 0))
    throw InputError(place, "an error is measured at even times, and this run chooses its own", "give the run every:");
  const auto key = std::make_pair(name, std::make_pair(every, ours.options.until));
  auto known = references_.find(key);
  if (known == references_.end()) {
    const Made& like = made(name, place);
    Options options = like.options;
    options.every = every;
    options.until = ours.options.until;
    options.diagnose = false;
    if (!like.trouble.empty()) throw Missing{like.trouble};
    Run reference = simulate(like.model, options);
    if (const std::string trouble = trouble_of(name, reference.summary); !trouble.empty()) throw Missing{trouble};
    known = references_.emplace(key, std::move(reference.trajectory)).first;
  }
  const std::size_t rows = ours.run.trajectory.rows.size();
  if (rows != known->second.rows.size())
    throw Missing{fmt::format("run '{}' has {} rows and its reference '{}' {}", ours_name, rows, name,
                              known->second.rows.size())};
  return known->second;
}

}  // namespace taut
