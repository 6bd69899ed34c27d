#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "model/fmu/trial.hpp"
#include "output/comparison.hpp"
#include "output/draft.hpp"

namespace taut::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Request {
  std::string action, file, interface, reference, inputs, output;
  std::vector<std::string> set;
  double until = std::nan(""), step = std::nan(""), tolerance = 1e-3, rtol = std::nan("");
  bool json = false;
};

/// How far a column is from the reference's.
struct Distance {
  std::string column;
  double largest = 0, at = 0, size = 0;
};

/// What one interface of a unit did.
struct Outcome {
  fmu::Interface interface;
  fmu::Trial trial;
  std::vector<Distance> distances;
  bool within = true;  ///< the tolerance
};

std::size_t time_column(const Trajectory& table, const std::string& file) {
  for (const char* name : {"t", "time", "Time"}) {
    const auto at = std::ranges::find(table.columns, name);
    if (at != table.columns.end()) return static_cast<std::size_t>(at - table.columns.begin());
  }
  throw InputError(Place{file}, "there is no column of time", "call it 't' or 'time'");
}

/// Times that ascend: at a jump, tables have one twice, and the later row counts.
Trajectory with_ascending_times(Trajectory table, std::size_t time, const std::string& file) {
  std::vector<std::vector<double>> rows;
  for (auto& row : table.rows) {
    if (!rows.empty() && row[time] < rows.back()[time])
      throw InputError(Place{file}, fmt::format("time goes back to {:.9g}", row[time]), "sort the rows by time");
    if (!rows.empty() && row[time] == rows.back()[time]) rows.pop_back();
    rows.push_back(std::move(row));
  }
  table.rows = std::move(rows);
  return table;
}

class Checking {
 public:
  explicit Checking(const Request& request)
      : request_(request),
        library_(std::make_shared<fmu::Library>(request.file)),
        description_(library_->description()) {}

  Status check() {
    if (!request_.output.empty()) require_writable(request_.output, ".csv");
    make_plan();
    for (const auto interface : interfaces()) {
      Outcome outcome{interface, fmu::try_unit_apart(library_, interface, plan_), {}};
      if (!request_.reference.empty()) compare(outcome);
      outcomes_.push_back(std::move(outcome));
    }
    if (!request_.output.empty()) write_whole(request_.output, table());
    if (request_.json)
      print(as_json().dump(2) + "\n");
    else
      tell(as_text());
    return status();
  }

 private:
  std::vector<fmu::Interface> interfaces() const {
    using fmu::Interface;
    std::vector<Interface> list;
    for (const auto each : {Interface::co_simulation, Interface::model_exchange}) {
      const bool asked = request_.interface.empty() ||
                         request_.interface == (each == Interface::co_simulation ? "co-simulation" : "model-exchange");
      if (asked && description_.of(each)) list.push_back(each);
    }
    if (!list.empty()) return list;
    if (!request_.interface.empty() && request_.interface != "co-simulation" && request_.interface != "model-exchange")
      throw InputError(fmt::format("--interface is '{}'", request_.interface),
                       "choose co-simulation or model-exchange");
    if (request_.interface.empty()) return list;
    throw InputError(Place{request_.file}, fmt::format("the unit has no {}", request_.interface),
                     "leave --interface out");
  }

  // ---- what is run --------------------------------------------------------------------------------

  void make_plan() {
    plan_.tolerance = std::isnan(request_.rtol) ? description_.tolerance.value_or(1e-8) : request_.rtol;
    if (!(plan_.tolerance > 0 && plan_.tolerance < 1))
      throw InputError(fmt::format("--rtol is {:g}", plan_.tolerance), "give a number between 0 and 1");
    for (const Assignment& a : assignments(request_.set)) plan_.starts[a.name] = a.value;
    for (const std::string& name : description_.names_of("output")) add_column(name);
    if (request_.reference.empty())
      plan_.times = even_times();
    else
      read_reference();
    if (!request_.inputs.empty()) read_inputs();
  }

  void add_column(const std::string& name) {
    const fmu::Variable* v = description_.find(name);
    if (v == nullptr || v->is_array || !fmu::is_number(v->type)) return;
    if (std::ranges::find(plan_.columns, name) == plan_.columns.end()) plan_.columns.push_back(name);
  }

  std::vector<double> even_times() const {
    const double start = description_.start_time.value_or(0);
    const double until = std::isnan(request_.until) ? description_.stop_time.value_or(start + 1) : request_.until;
    const double step =
        std::isnan(request_.step) ? description_.step_size.value_or((until - start) / 500) : request_.step;
    constexpr double most_steps = 1e7;
    if (!(until >= start))
      throw InputError(fmt::format("--until is {:g}, before the start", until), "give a later time");
    if (until == start) return {start};
    if (!(step > 0) || (until - start) / step > most_steps)
      throw InputError(fmt::format("--step is {:g}", step), "give a time above 0, of at most ten million steps");
    std::vector<double> times;
    for (double k = 0; start + k * step < until - 1e-9 * step; ++k) times.push_back(start + k * step);
    times.push_back(until);
    return times;
  }

  void read_reference() {
    reference_ = read_table(request_.reference);
    time_ = time_column(reference_, request_.reference);
    reference_ = with_ascending_times(std::move(reference_), time_, request_.reference);
    for (std::size_t k = 0; k < reference_.columns.size(); ++k) {
      if (k == time_) continue;
      const fmu::Variable* v = description_.find(reference_.columns[k]);
      if (v == nullptr || v->causality == "input" || v->is_array || !fmu::is_number(v->type)) continue;
      add_column(v->name);
      compared_.push_back(k);
    }
    if (compared_.empty())
      throw InputError(
          Place{request_.reference}, "it has no column that is a variable of the unit, and a number",
          "name columns as the unit does: " + fmt::format("{}", fmt::join(description_.names_of("output"), ", ")));
    for (const auto& row : reference_.rows)
      if (std::isnan(request_.until) || row[time_] <= request_.until) plan_.times.push_back(row[time_]);
    if (plan_.times.empty()) throw InputError("the reference begins after --until", "give a later time");
  }

  /// Interpolated between the rows; before the first and after the last they keep its values.
  void read_inputs() {
    Trajectory given = read_table(request_.inputs);
    const std::size_t time = time_column(given, request_.inputs);
    given = with_ascending_times(std::move(given), time, request_.inputs);
    for (std::size_t k = 0; k < given.columns.size(); ++k) {
      const fmu::Variable* v = description_.find(given.columns[k]);
      if (k == time || v == nullptr || v->causality != "input") continue;
      auto& values = plan_.inputs[v->name];
      for (const double t : plan_.times) values.push_back(value_at(given, time, k, t, v->variability == "continuous"));
    }
    if (plan_.inputs.empty())
      throw InputError(
          Place{request_.inputs}, "it has no column that is an input of the unit",
          fmt::format("name columns as the unit does: {}", fmt::join(description_.names_of("input"), ", ")));
  }

  static double value_at(const Trajectory& table, std::size_t time, std::size_t column, double t, bool continuous) {
    const auto after = std::ranges::upper_bound(table.rows, t, {}, [&](const auto& row) { return row[time]; });
    if (after == table.rows.begin()) return table.rows.front()[column];
    const auto& a = *(after - 1);
    if (after == table.rows.end() || !continuous) return a[column];
    const auto& b = *after;
    return a[column] + (b[column] - a[column]) * (t - a[time]) / (b[time] - a[time]);
  }

  // ---- what came of it ----------------------------------------------------------------------------

  void compare(Outcome& outcome) const {
    for (const std::size_t k : compared_) {
      Distance distance{reference_.columns[k]};
      const auto column =
          static_cast<std::size_t>(std::ranges::find(plan_.columns, distance.column) - plan_.columns.begin());
      for (std::size_t row = 0; row < outcome.trial.rows.size(); ++row) {
        const double truth = reference_.rows[row][k], off = std::abs(outcome.trial.rows[row][column] - truth);
        distance.size = std::max(distance.size, std::abs(truth));
        if (off <= distance.largest) continue;
        distance.at = plan_.times[row];
        distance.largest = off;
        if (std::isnan(off)) break;  // is as far off as can be
      }
      outcome.within = outcome.within && distance.largest <= request_.tolerance * std::max(distance.size, 1e-9);
      outcome.distances.push_back(distance);
    }
  }

  Status status() const {
    if (!library_->findings().empty()) return Status::input_wrong;
    const bool good = std::ranges::all_of(outcomes_, [](const Outcome& o) { return o.trial.done && o.within; });
    return good ? Status::done : Status::could_not_go_on;
  }

  std::string verdict() const {
    const Status found = status();
    return found == Status::done ? "done" : found == Status::input_wrong ? "invalid" : "failed";
  }

  Json as_json() const {
    Json json{{"file", request_.file},
              {"fmi_version", description_.version},
              {"model", description_.name},
              {"tool", description_.tool},
              {"variables", description_.variables.size()},
              {"states", description_.derivatives.size()},
              {"event_indicators", description_.event_indicator_count},
              {"valid", library_->findings().empty()},
              {"findings", Json::array()},
              {"runs", Json::array()}};
    for (const fmu::Finding& f : library_->findings())
      json["findings"].push_back({{"line", f.place.line}, {"message", f.message}, {"remedy", f.remedy}});
    for (const Outcome& outcome : outcomes_) json["runs"].push_back(run_as_json(outcome));
    json["verdict"] = verdict();
    return json;
  }

  Json run_as_json(const Outcome& outcome) const {
    const auto& rows = outcome.trial.rows;
    Json run{{"interface", outcome.interface == fmu::Interface::co_simulation ? "co-simulation" : "model-exchange"},
             {"verdict", outcome.trial.done ? "done" : "failed"},
             {"reason", outcome.trial.reason},
             {"t_end", rows.empty() ? Json() : Json(plan_.times[rows.size() - 1])},
             {"exchanges", rows.size()},
             {"final", Json::object()}};
    if (!rows.empty())
      for (std::size_t k = 0; k < plan_.columns.size(); ++k) run["final"][plan_.columns[k]] = rows.back()[k];
    if (request_.reference.empty()) return run;
    Json columns = Json::object();
    for (const Distance& d : outcome.distances)
      columns[d.column] = {{"largest_difference", d.largest}, {"at", d.at}, {"largest_value", d.size}};
    run["reference"] = {{"file", request_.reference}, {"within", outcome.within}, {"columns", columns}};
    return run;
  }

  std::string as_text() const {
    std::string text = fmt::format("{}: {}, version {}.0 of the interface, {} variables, {} states\n", request_.file,
                                   description_.name, description_.version, description_.variables.size(),
                                   description_.derivatives.size());
    for (const fmu::Finding& f : library_->findings())
      text += fmt::format("  {}:{}: {}{}\n", f.place.file.text(), f.place.line, f.message,
                          f.remedy.empty() ? "" : "; " + f.remedy);
    if (library_->findings().empty()) text += "  the description is as the standard asks\n";
    for (const Outcome& outcome : outcomes_) text += run_as_text(outcome);
    return text;
  }

  std::string run_as_text(const Outcome& outcome) const {
    const auto& rows = outcome.trial.rows;
    std::string text = fmt::format("  {}: {}", fmu::name_of(outcome.interface), outcome.trial.done ? "runs" : "fails");
    if (!rows.empty()) text += fmt::format(" from t = {:g} to {:g}", plan_.times.front(), plan_.times[rows.size() - 1]);
    if (!outcome.trial.reason.empty()) text += ": " + outcome.trial.reason;
    text += "\n";
    for (const Distance& d : outcome.distances)
      text += fmt::format("    {}: at most {:.3g} from the reference, at t = {:g}; its largest value is {:.3g}\n",
                          d.column, d.largest, d.at, d.size);
    if (!outcome.within)
      text += fmt::format("    this is more than the tolerance of {:g} allows\n", request_.tolerance);
    return text;
  }

  /// Of the first interface that ran.
  std::string table() const {
    std::string text = "t";
    for (const std::string& name : plan_.columns) text += "," + name;
    text += "\n";
    if (outcomes_.empty()) return text;
    const auto& rows = outcomes_.front().trial.rows;
    for (std::size_t k = 0; k < rows.size(); ++k)
      text += fmt::format("{:.17g}{}{:.17g}\n", plan_.times[k], rows[k].empty() ? "" : ",", fmt::join(rows[k], ","));
    return text;
  }

  const Request& request_;
  std::shared_ptr<fmu::Library> library_;
  const fmu::Description& description_;
  fmu::TrialPlan plan_;
  Trajectory reference_;
  std::size_t time_ = 0;
  std::vector<std::size_t> compared_;  ///< columns of the reference
  std::vector<Outcome> outcomes_;
};

Status serve(const Request& request) {
  if (request.action != "check")
    throw InputError(fmt::format("there is no 'taut fmu {}'", request.action), "write 'taut fmu check FILE.fmu'");
  return Checking(request).check();
}

}  // namespace

Command add_fmu(CommandLine& program) {
  Parser parser = program.add_command(
      "fmu", "check a functional mock-up unit: its description, how it runs, and against a reference");
  const auto request = std::make_shared<Request>();
  parser.add_option("action", request->action, "what to do: check").type_name("check").required();
  parser.add_option("file", request->file, "the unit").type_name("FILE.fmu").required();
  parser.add_option("--interface", request->interface, "co-simulation or model-exchange; both if left out")
      .type_name("NAME");
  parser.add_option("--until", request->until, "s to run it for; by default what it says itself").type_name("T");
  parser.add_option("--step", request->step, "s between exchanges").type_name("H");
  parser.add_option("--rtol", request->rtol, "of the states of Model Exchange").type_name("X");
  parser.add_option("--reference", request->reference, "a table to compare with, at its times").type_name("FILE.csv");
  parser.add_option("--tolerance", request->tolerance, "of that, as a share of each column's largest value")
      .type_name("X");
  parser.add_option("--inputs", request->inputs, "a table of values for the unit's inputs").type_name("FILE.csv");
  parser.add_option("--output", request->output, "write what it gave").type_name("FILE.csv");
  parser.add_option("--set", request->set, "start values, NAME=VALUE").type_name("NAME=VALUE").one_at_a_time();
  parser.add_flag("--json", request->json, "the findings as one JSON object on standard output, nothing else there");
  parser.footer(
      "Example:\n  taut fmu check pendulum.fmu --reference run.csv --tolerance 1e-6\n\n"
      "The unit's code is run. Exit status: 0 all is well; 1 it fails, or is not what the reference says; 2 its\n"
      "description is not as the standard asks, or it cannot be read.");
  return {parser, [request] { return serve(*request); }};
}

}  // namespace taut::cli
