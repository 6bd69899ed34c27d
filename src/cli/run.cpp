#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "output/csv.hpp"
#include "output/json.hpp"
#include "output/text.hpp"
#include "taut/error.hpp"
#include "taut/simulation.hpp"

namespace taut::cli {
namespace {

struct Request {
  std::string model;
  std::vector<std::pair<std::string, std::string>> settings;  ///< rows of option_list() by name, as given
  std::vector<std::string> set;
  std::string output;
  bool json = false;
  bool quiet = false;
};

/// Passes rows on to the file, shows the progress, and ends the run when the user or the file asks for it.
class Watcher : public Observer {
 public:
  explicit Watcher(const Request& request) {
    if (!request.output.empty()) csv_.emplace(request.output);
    if (!request.quiet && errors_go_to_terminal()) bar_.emplace();
  }

  void start(const std::vector<std::string>& columns) override {
    if (csv_) csv_->start(columns);
  }
  void row(const std::vector<double>& values) override {
    if (csv_) csv_->row(values);
  }
  bool progress(double t, double until, double violation) override {
    if (bar_) bar_->update(t, until, violation);
    const bool file_is_well = !csv_ || csv_->progress(t, until, violation);
    return file_is_well && !interrupted();
  }
  void finish() {
    bar_.reset();
    if (csv_) csv_->finish();
  }

  const std::optional<CsvWriter>& csv() const { return csv_; }

 private:
  std::optional<CsvWriter> csv_;
  std::optional<ProgressBar> bar_;
};

/// An option as it is written on the command line.
std::string flag_of(const std::string& option) {
  std::string name = "--" + option;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

void apply(const std::string& name, const std::string& value, Options& options) {
  try {
    set_option(options, name, value);
  } catch (const InputError& error) {
    throw InputError(error.place(), flag_of(name) + ": " + error.message(), error.remedy());
  }
}

/// Defaults, then the model's own section, then the command line.
Options options_for(const Model& model, const Request& request, const std::vector<Assignment>& set) {
  Options options = options_of(model);
  const auto given = [&request](const char* name) {
    return std::any_of(request.settings.begin(), request.settings.end(),
                       [&](const auto& s) { return s.first == name; });
  };
  // A tolerance on the command line asks for error control, whatever step the model suggests.
  if ((given("rtol") || given("atol")) && !given("step")) options.step.reset();
  for (const auto& [name, value] : request.settings) apply(name, value, options);
  options.set.insert(options.set.end(), set.begin(), set.end());
  options.record = false;
  return options;
}

bool file_failed(const Watcher& watcher) { return watcher.csv() && !watcher.csv()->failure().empty(); }

/// Why a run ended early, in the words of whoever ended it.
void state_reason(const Watcher& watcher, Summary& summary) {
  if (file_failed(watcher)) {
    summary.reason = watcher.csv()->failure();
  } else if (summary.outcome == Outcome::interrupted && interrupted()) {
    summary.reason = "interrupted by a signal";
  }
}

std::string where_kept(const Watcher& watcher) {
  if (!watcher.csv() || file_failed(watcher)) return "";
  return fmt::format("; {} rows are kept in {}", watcher.csv()->rows(), watcher.csv()->file());
}

void complain_of_limit(const Summary& summary, const Options& options) {
  const double worst = std::max(summary.max_position_violation.value_or(0), summary.max_velocity_violation.value_or(0));
  complain(fmt::format("{}: a violation of {:.3g} exceeds the limit {:g} set with --fail-above", summary.model, worst,
                       options.fail_above.value_or(0)));
}

/// Says what went wrong, if anything did. A broken limit weighs more than an early end: it may be its cause.
Status judge(const Summary& summary, const Options& options, const Watcher& watcher) {
  const bool went_through = summary.outcome == Outcome::done || summary.outcome == Outcome::stopped;
  const bool ended_early = !went_through || file_failed(watcher);
  if (ended_early) {
    const std::string kept = where_kept(watcher);
    complain(fmt::format("{}: ended at t = {:.6g}: {}{}", summary.model, summary.t, summary.reason, kept));
  }
  if (summary.limit_broken) complain_of_limit(summary, options);
  if (summary.limit_broken) return Status::limit_broken;
  return ended_early ? Status::could_not_go_on : Status::done;
}

void show(const Request& request, const Summary& summary, const Watcher& watcher) {
  if (request.json) return print(to_json(summary) + "\n");
  if (request.quiet) return;
  std::string text = to_text(summary, output_colour());
  if (watcher.csv() && !file_failed(watcher)) {
    text += fmt::format("  {:<12} {} rows in {}\n", "output", watcher.csv()->rows(), watcher.csv()->file());
  }
  print(text);
}

Status run(const Request& request) {
  Watcher watcher(request);
  const auto set = assignments(request.set);
  const Model model = load_model(request.model, set);
  const Options options = options_for(model, request, set);
  watch_interrupts();
  Summary summary = simulate(model, options, &watcher).summary;
  watcher.finish();
  state_reason(watcher, summary);
  show(request, summary, watcher);
  return judge(summary, options, watcher);
}

/// One option of the library's list. Those without an argument are flags; `--NAME=off` takes one back that
/// the model's own section sets.
void add_setting(CLI::App& app, const OptionEntry& entry, const std::shared_ptr<Request>& request) {
  const auto take = [request, name = entry.name](const std::string& value) {
    request->settings.emplace_back(name, value);
  };
  if (entry.argument.empty()) {
    app.add_flag_function(
        flag_of(entry.name), [take](auto n) { take(n > 0 ? "on" : "off"); }, entry.meaning);
  } else {
    app.add_option_function<std::string>(flag_of(entry.name), take, entry.meaning)
        ->type_name(entry.argument)
        ->take_last();
  }
}

}  // namespace

Command add_run(CLI::App& program) {
  CLI::App* app = program.add_subcommand("run", "simulate a model");
  const auto request = std::make_shared<Request>();
  add_model(*app, request->model);
  for (const OptionEntry& entry : option_list()) add_setting(*app, entry, request);
  add_set(*app, request->set);
  app->add_option("--output", request->output, "write every recorded row to this file")->type_name("FILE.csv");
  app->add_flag("--json", request->json, "the summary as one JSON object on standard output, nothing else there");
  app->add_flag("--quiet", request->quiet, "no summary and no progress; only what is wrong");
  app->footer(
      "Example:\n"
      "  taut run pendulum --until 10 --set l=2 --set \"x(0)=2\" --output pendulum.csv\n\n"
      "Exit status: 0 done; 1 the simulation could not go on (what was computed is kept); 2 the input is\n"
      "wrong; 3 a limit set with --fail-above was broken.");
  return {app, [request] { return run(*request); }};
}

}  // namespace taut::cli
