#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/compare_report.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "model/model_files.hpp"
#include "output/comparison.hpp"
#include "output/draft.hpp"
#include "output/page.hpp"
#include "taut/compare.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

struct Request {
  std::string model, methods, sweep, of, reference, output, report;
  OptionValues settings;  ///< rows of option_list() by name, as given
  std::vector<std::string> set;
  bool json = false;
  bool quiet = false;
};

/// One line on standard error that says which run is under way; ends the comparison when the user asks for it.
class Progress : public ComparisonObserver {
 public:
  explicit Progress(bool visible) : visible_(visible) {}
  ~Progress() override {
    if (visible_) show("\r\x1b[K");
  }
  void begin(const std::string& what, std::size_t number, std::size_t of) override {
    line_ = fmt::format("{} of {}: {}", number, of, what);
    percent_ = -1;
    progress(0, 1);
  }
  bool progress(double t, double until) override {
    const int percent = until > 0 ? static_cast<int>(100 * t / until) : 100;
    if (visible_ && percent != percent_) show(fmt::format("\r{} {:3} %\x1b[K", line_, percent));
    percent_ = percent;
    return !interrupted();
  }

 private:
  static void show(const std::string& text) {
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
  }

  bool visible_;
  std::string line_;
  int percent_ = -1;
};

bool is_file(const std::string& reference) { return std::filesystem::path(reference).extension() == ".csv"; }

/// What stands between commas, without the spaces around it.
std::vector<std::string> names(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto begin = part.find_first_not_of(" \t");
    list.push_back(begin == std::string::npos ? "" : part.substr(begin, part.find_last_not_of(" \t") - begin + 1));
  }
  return list;
}

/// Input that is wrong, with the option it was given to.
template <class Read>
auto reading(const std::string& option, Read read) {
  try {
    return read();
  } catch (const InputError& error) {
    throw InputError(error.place(), option + ": " + error.message(), error.remedy());
  }
}

/// Defaults, then the model's own section, then the command line.
Options shared_options(const Model& model, const Request& request, const std::vector<Assignment>& set) {
  Options options = options_of(model);
  // Rows are compared at the same few times, however many the model would have recorded.
  options.every.reset();
  apply_options(request.settings, options, "--");
  options.set.insert(options.set.end(), set.begin(), set.end());
  return options;
}

CompareOptions compare_options(const Model& model, const Request& request, const std::vector<Assignment>& set) {
  CompareOptions options;
  options.run = shared_options(model, request, set);
  if (!request.of.empty()) options.of = names(request.of);
  if (!request.sweep.empty()) options.sweep = reading("--sweep", [&] { return read_sweep(request.sweep); });
  if (is_file(request.reference)) {
    options.table = reading("--reference", [&] { return read_table(request.reference); });
  } else if (!request.reference.empty()) {
    options.reference = reading("--reference", [&] { return read_setting(request.reference); });
  }
  return options;
}

bool write(const std::string& file, const std::string& text) {
  try {
    write_whole(file, text);
    return true;
  } catch (const std::runtime_error& error) {
    complain(error.what());
    return false;
  }
}

/// The exit status: a broken limit weighs most; what single rows say counts only if it is all there is to say.
Status judge(const Comparison& comparison) {
  const auto any = [&](auto holds) { return std::any_of(comparison.rows.begin(), comparison.rows.end(), holds); };
  if (any([](const ComparisonRow& row) { return row.summary && row.summary->limit_broken; })) {
    complain(comparison.model + ": the limit set with --fail-above was broken");
    return Status::limit_broken;
  }
  if (comparison.interrupted) {
    complain(comparison.model + ": interrupted by a signal; the rows that were finished are shown");
    return Status::could_not_go_on;
  }
  if (any([](const ComparisonRow& row) { return row.is_trusted(); })) return Status::done;
  if (any([](const ComparisonRow& row) { return row.summary.has_value(); })) {
    complain(comparison.model + ": no run reached its end with a result that can be trusted");
    return Status::could_not_go_on;
  }
  for (const ComparisonRow& row : comparison.rows) complain(row.setting + ": " + row.message);
  return Status::input_wrong;
}

/// The command that makes this comparison.
std::string command_of(const Request& request, const std::vector<Assignment>& set) {
  OptionValues given;
  for (const auto& [name, value] : {std::pair{"methods", request.methods}, std::pair{"sweep", request.sweep},
                                    std::pair{"of", request.of}, std::pair{"reference", request.reference}})
    if (!value.empty()) given.emplace_back(name, value);
  given.insert(given.end(), request.settings.begin(), request.settings.end());
  const std::string run = "taut run";
  return "taut compare" + run_command(request.model, given, set).substr(run.size());
}

Comparison compare_visibly(const Model& model, const Request& request, const CompareOptions& options) {
  const auto settings = request.methods.empty() ? std::vector<RunSetting>{}
                                                : reading("--methods", [&] { return read_settings(request.methods); });
  Progress progress(!request.quiet && errors_go_to_terminal());
  Comparison comparison = taut::compare(model, settings, options, &progress);
  if (options.table) comparison.reference.about = request.reference;
  return comparison;
}

Status compare(const Request& request) {
  if (!request.output.empty()) require_writable(request.output, ".csv");
  if (!request.report.empty()) {
    require_page(request.report);
    require_writable(request.report, ".html");
  }
  const auto set = assignments(request.set);
  const Model model = load_model(request.model, set);
  std::set<std::string> inputs = files_of(model);
  if (is_file(request.reference)) inputs.insert(request.reference);
  require_distinct({request.output, request.report}, inputs);
  const CompareOptions options = compare_options(model, request, set);
  watch_interrupts();
  const Comparison comparison = compare_visibly(model, request, options);
  if (request.json) {
    print(to_json(comparison) + "\n");
  } else if (!request.quiet) {
    print(to_text(comparison, output_colour()));
  }
  bool written = request.output.empty() || write(request.output, to_csv(comparison));
  if (!request.report.empty()) {
    Progress progress(!request.quiet && errors_go_to_terminal());
    written &= write(request.report, comparison_report(model, options, comparison, command_of(request, set), progress));
  }
  const Status status = judge(comparison);
  return written || status != Status::done ? status : Status::could_not_go_on;
}

void add_own_options(Parser& parser, Request& request) {
  parser
      .add_option("--methods", request.methods,
                  "what to compare, with commas between: a method, with options in parentheses, and options of the run "
                  "for this row alone after slashes; by default every method that can run the model")
      .type_name("A,B(x=1)/step=1e-2,...");
  parser.add_option("--sweep", request.sweep, "every row at each of these values, for example step=1e-2,5e-3")
      .type_name("OPTION=V,V,...");
  parser
      .add_option("--of", request.of,
                  "what the error is the error of: coordinates, rates as x', outputs; by default "
                  "every coordinate")
      .type_name("NAME,NAME,...");
  parser
      .add_option("--reference", request.reference,
                  "what the error is taken against: a table with a column t, or how to compute it, over "
                  "auto/integrator=dop853/rtol=1e-13/atol=1e-15")
      .type_name("FILE.csv|METHOD/...");
  parser.add_option("--output", request.output, "write the rows to this file").type_name("FILE.csv");
  parser.add_option("--report", request.report, "write a web page that shows all runs together").type_name("FILE.html");
  parser.add_flag("--json", request.json, "the comparison as one JSON object on standard output, nothing else there");
  parser.add_flag("--quiet", request.quiet, "no table and no progress; only what is wrong");
}

}  // namespace

Command add_compare(CommandLine& program) {
  Parser parser = program.add_command("compare", "one model under several methods, side by side");
  const auto request = std::make_shared<Request>();
  add_model(parser, request->model);
  add_own_options(parser, *request);
  for (OptionEntry entry : option_list()) {
    if (entry.name == "method") continue;  // there are several here
    if (entry.name == "every") entry.meaning = "compare the rows every DT; by default until / 200";
    add_setting(parser, entry, request->settings);
  }
  add_set(parser, request->set);
  parser.footer(
      "Examples:\n"
      "  taut compare pendulum --step 1e-2\n"
      "  taut compare pendulum --step 1e-2 --methods udwadia-kalaba,braun-goldfarb/control=stages,auto/energy=project\n"
      "  taut compare pendulum --methods auto,perturbation --sweep rtol=1e-4,1e-6,1e-8 --output work.csv\n\n"
      "Exit status: 0 at least one run reached its end with a result that can be trusted; 1 none did, or it was\n"
      "interrupted; 2 the input is wrong, or every row is; 3 a limit set with --fail-above was broken.");
  return {parser, [request] { return compare(*request); }};
}

}  // namespace taut::cli
