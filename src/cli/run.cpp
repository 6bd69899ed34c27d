#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "base/printable.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/resumption.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "cli/watcher.hpp"
#include "model/model_files.hpp"
#include "output/draft.hpp"
#include "output/json.hpp"
#include "output/kept_model.hpp"
#include "output/text.hpp"
#include "taut/compare.hpp"
#include "taut/simulation.hpp"

namespace taut::cli {
namespace {

struct Request {
  std::string model;
  OptionValues settings;  ///< rows of option_list() by name, as given
  std::vector<std::string> set;
  std::string output, report, columns, resume;
  bool reproducible = false;
  bool json = false;
  bool quiet = false;
};

/// Defaults, then the model's own section, then the command line.
Options options_for(const Model& model, const Request& request, const std::vector<Assignment>& set) {
  Options options = options_of(model);
  apply_options(request.settings, options, "--");
  options.set.insert(options.set.end(), set.begin(), set.end());
  options.record = false;
  return options;
}

std::string where_kept(const Watcher& watcher) {
  std::string text;
  for (const auto& writer : watcher.writers())
    if (const std::string place = writer->failure().empty() ? writer->file() : writer->kept_in(); !place.empty())
      text += fmt::format("; {} rows are kept in {}", writer->rows(), place);
  return text;
}

void complain_of_limit(const Summary& summary, const Options& options) {
  const double worst = std::max(summary.max_position_violation.value_or(0), summary.max_velocity_violation.value_or(0));
  complain(fmt::format("{}: a violation of {:.3g} exceeds the limit {:g} set with --fail-above", summary.model, worst,
                       options.fail_above.value_or(0)));
}

/// Says what went wrong, if anything did. A broken limit weighs more than an early end: it may be its cause.
Status judge(const Summary& summary, const Options& options, const Watcher& watcher) {
  const bool trusted = is_trusted(summary.verdict);
  if (!trusted || watcher.failed()) {
    const std::string& reason = trusted ? summary.reason : summary.verdict_reason;
    complain(fmt::format("{}: ended at t = {:.6g}: {}{}", summary.model, summary.t, reason, where_kept(watcher)));
  }
  if (summary.limit_broken) complain_of_limit(summary, options);
  if (summary.limit_broken) return Status::limit_broken;
  return trusted && !watcher.failed() ? Status::done : Status::could_not_go_on;
}

void show(const Request& request, const Summary& summary, const Watcher& watcher) {
  if (request.json) return print(to_json(summary) + "\n");
  if (request.quiet) return;
  std::string text = to_text(summary, output_colour());
  if (!watcher.drift().empty()) text += fmt::format("  {:<12} {}\n", "drift", watcher.drift());
  for (const auto& writer : watcher.writers())
    if (writer->failure().empty())
      text += fmt::format("  {:<12} {} rows in {}\n", "output", writer->rows(), printable(writer->file()));
  tell(text);
}

/// What is to be run.
struct Task {
  Model model;
  Options options;
  std::string command;
};

Task new_task(const Request& request) {
  if (request.model.empty())
    throw InputError("there is no MODEL to run", "name a model file or a gallery model, or a run with --resume");
  const auto set = assignments(request.set);
  Task task{load_model(request.model, set), {}, run_command(request.model, request.settings, set)};
  task.options = options_for(task.model, request, set);
  return task;
}

/// The earlier run's model and options, over which goes what the command line says.
Task resumed_task(const Request& request, const Resumption& earlier) {
  RunDescription run = earlier.description();
  for (const Assignment& more : assignments(request.set)) run.set.push_back(more);
  Task task{request.model.empty() ? kept_model(run) : load_model(request.model, run.set), {}, run.command};
  task.options = options_of(task.model);
  apply_options(run.options, task.options, "--");
  apply_options(request.settings, task.options, "--");
  task.options.set = run.set;
  task.options.record = false;
  // Another model or program may find that others pay, and the file's columns depend on the coordinates.
  if (task.options.coordinates == Coordinates::automatic) task.options.coordinates = earlier.coordinates_of(task.model);
  if (task.options.until <= earlier.t())
    throw InputError(fmt::format("the run in '{}' has reached its end at t = {:g}", request.resume, earlier.t()),
                     "let it run for longer with --until");
  return task;
}

/// A file that a run goes on from, in case it stands where the new draft goes: it makes room, and goes once the run is
/// kept.
class MadeRoom {
 public:
  MadeRoom(const std::string& earlier, const std::string& output) {
    if (earlier.empty() || !is_same_file(earlier, beside(behind_links(output), "part"))) return;
    moved_ = beside(behind_links(output), "before");
    std::filesystem::rename(earlier, moved_);
  }
  void forget() const {
    std::error_code none;
    if (!moved_.empty()) std::filesystem::remove(moved_, none);
  }

 private:
  std::string moved_;
};

/// run.h5 for run.part.h5, and otherwise the file itself.
std::string default_output(const std::string& resumed) {
  std::filesystem::path path(resumed);
  if (path.stem().extension() != ".part") return resumed;
  return path.replace_filename(path.stem().stem().string() + path.extension().string()).string();
}

Status run(Request request) {
  std::optional<Resumption> earlier;
  if (!request.resume.empty()) earlier.emplace(request.resume);
  if (earlier && request.output.empty()) request.output = default_output(request.resume);
  const bool show_drift = output_colour() == Colour::on && !request.json && !request.quiet;
  Watcher watcher({request.output, request.report, request.columns, !request.quiet, show_drift});
  const Task task = earlier ? resumed_task(request, *earlier) : new_task(request);
  const auto& [model, options, command] = task;
  require_distinct({request.output, request.report}, files_of(model));
  RunDescription description = describe(model, options, command);
  description.reproducible = request.reproducible;
  watcher.describe(description, model);
  watch_interrupts();
  const MadeRoom room(request.resume, request.output);
  Summary summary;
  if (earlier) {
    ResumedObserver observer(*earlier, watcher);
    summary = resume(model, options, earlier->at_steps(), &observer).summary;
  } else {
    summary = simulate(model, options, &watcher).summary;
  }
  watcher.finish(summary);
  if (!watcher.failed()) room.forget();
  show(request, summary, watcher);
  return judge(summary, options, watcher);
}

}  // namespace

Command add_run(CommandLine& program) {
  Parser parser = program.add_command("run", "simulate a model");
  const auto request = std::make_shared<Request>();
  parser.add_option("MODEL", request->model, "a model file, or the name of a gallery model ('taut list models')")
      .type_name("");
  for (const OptionEntry& entry : option_list()) add_setting(parser, entry, request->settings);
  add_set(parser, request->set);
  parser.add_option("--output", request->output, "write every recorded row to this file").type_name("FILE.csv|FILE.h5");
  parser
      .add_option("--resume", request->resume,
                  "go on from the last step in this file, of a run that was cut off, with its model and options")
      .type_name("FILE.h5");
  parser.add_option("--report", request->report, "write a web page that shows the run").type_name("FILE.html");
  parser
      .add_option("--columns", request->columns,
                  "which columns these files have beside t, with commas between and * for anything; by default all")
      .type_name("NAME,NAME*,...");
  parser.add_flag("--reproducible", request->reproducible,
                  "nothing in the HDF5 file differs from run to run: the time that it took is left out");
  parser.add_flag("--json", request->json, "the summary as one JSON object on standard output, nothing else there");
  parser.add_flag("--quiet", request->quiet, "no summary and no progress; only what is wrong");
  parser.footer(
      "Example:\n"
      "  taut run pendulum --until 10 --set l=2 --set \"x(0)=2\" --output pendulum.csv\n\n"
      "Exit status: 0 done, and right as far as every check can tell; 1 the simulation could not go on, or what\n"
      "it found cannot be trusted (what was computed is kept); 2 the input is wrong; 3 a limit set with\n"
      "--fail-above was broken.");
  return {parser, [request] { return run(*request); }};
}

}  // namespace taut::cli
