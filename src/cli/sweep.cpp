#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/signals.hpp"
#include "cli/slurm_script.hpp"
#include "cli/sweep_progress.hpp"
#include "cli/terminal.hpp"
#include "ensemble/lane_bundle.hpp"
#include "ensemble/lane_sweep.hpp"
#include "ensemble/ledger_report.hpp"
#include "ensemble/ranks.hpp"
#include "ensemble/sweep_page.hpp"
#include "model/model_files.hpp"
#include "output/draft.hpp"
#include "output/page.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

struct Request {
  std::string model, ledger, keep, device, sampling, export_file, bundle, slurm, report;
  std::vector<std::string> vary, set;
  OptionValues settings;  ///< rows of option_list() by name, as given
  std::optional<int> threads;
  double time_limit = 0;  ///< 0: none
  long samples = 0, seed = 0;
  bool paired = false, resume = false, add = false, retry_failed = false;
  bool status = false, json = false, quiet = false;
};

SweepPlan plan_of(const Request& request) {
  SweepPlan plan;
  for (const std::string& text : request.vary) plan.variations.push_back(read_variation(text));
  plan.paired = request.paired;
  if (!request.sampling.empty()) plan.sampling = read_sampling(request.sampling);
  plan.samples = static_cast<std::uint64_t>(request.samples);
  plan.seed = static_cast<std::uint64_t>(request.seed);
  return plan;
}

/// Defaults, then the model's own section, then the command line.
Options options_for(const Model& model, const Request& request, const std::vector<Assignment>& set) {
  Options options = options_of(model);
  apply_options(request.settings, options, "--");
  options.set.insert(options.set.end(), set.begin(), set.end());
  return options;
}

void require_device(const std::string& device) {
  if (device.empty() || device == "cpu" || device == "gpu") return;
  throw InputError("there is no device '" + device + "'", "give cpu or gpu");
}

SweepDescription new_sweep(const Request& request) {
  const auto set = assignments(request.set);
  const Model model = load_model(request.model, set);
  require_distinct({request.ledger, request.export_file, request.report}, files_of(model));
  SweepDescription sweep = describe_sweep(model, options_for(model, request, set), plan_of(request));
  if (!request.keep.empty()) sweep.keep = request.keep;
  if (!request.device.empty()) sweep.device = request.device;
  if (request.time_limit > 0) sweep.time_limit = request.time_limit;
  return sweep;
}

void require_same(const Ledger& ledger, const SweepDescription& asked) {
  const std::string what = difference(ledger.sweep(), asked);
  if (what.empty()) return;
  throw InputError(
      fmt::format("ledger '{}' is of another sweep: {}", ledger.file(), what),
      "go on with 'taut sweep --ledger FILE --resume', which needs no other words, or name another ledger");
}

/// What is given beside --resume has to be what the ledger says.
std::unique_ptr<Ledger> resumed(const Request& request) {
  auto ledger = std::make_unique<Ledger>(request.ledger, Ledger::Use::write);
  if (!request.model.empty() && !request.vary.empty() && !request.add) require_same(*ledger, new_sweep(request));
  return ledger;
}

/// More of what the sweep draws, or other values of the same names.
std::unique_ptr<Ledger> extended(const Request& request) {
  auto ledger = std::make_unique<Ledger>(request.ledger, Ledger::Use::write);
  SweepPlan plan = request.vary.empty() ? ledger->sweep().blocks.back() : plan_of(request);
  if (request.vary.empty()) {
    if (request.samples <= 0)
      throw InputError("it is not said what to add",
                       "give --vary NAME=VALUES, or --samples N for more of what is drawn");
    plan.samples = static_cast<std::uint64_t>(request.samples);
  }
  ledger->add(plan);
  return ledger;
}

std::unique_ptr<Ledger> begun(const Request& request) {
  if (request.model.empty())
    throw InputError("there is no MODEL to sweep", "name a model file or a gallery model; --resume needs none");
  if (Ledger::exists(request.ledger))
    throw InputError(fmt::format("ledger '{}' is there already", request.ledger),
                     "go on with it by --resume, add members with --add, or name another file");
  const SweepDescription sweep = new_sweep(request);
  const Model model = model_of(sweep, {});
  const KeptFigures keep(sweep.keep, columns_of(sweep, model), model);
  if (sweep.device == "gpu") require_gpu(sweep, model, keep);
  return std::make_unique<Ledger>(request.ledger, sweep, keep.names());
}

/// Going on with a sweep that has not begun is beginning it, so that one command line can be given again and again.
std::unique_ptr<Ledger> ledger_for(const Request& request) {
  if (request.add) return extended(request);
  const bool goes_on = request.resume || request.retry_failed;
  const bool is_there = std::filesystem::exists(request.ledger) && Ledger::exists(request.ledger);
  if (goes_on && (is_there || request.model.empty())) return resumed(request);
  return begun(request);
}

int threads_of(const Request& request) {
  return request.threads.value_or(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

void show(const Request& request, const Ledger& ledger, const SweepOutcome* outcome) {
  if (request.json) return print(status_json(ledger, outcome) + "\n");
  if (request.quiet) return;
  std::string text = status_text(ledger);
  if (outcome != nullptr && outcome->progress.ended > 0)
    text +=
        fmt::format("  {} of them in {:.3g} s, {:.3g} a second\n", outcome->progress.ended, outcome->progress.seconds,
                    static_cast<double>(outcome->progress.ended) / outcome->progress.seconds);
  tell(text);
}

Status judge(const Ledger& ledger, const SweepOutcome& outcome) {
  if (!outcome.failure.empty()) {
    complain(outcome.failure);
    return Status::could_not_go_on;
  }
  if (outcome.interrupted) {
    complain(fmt::format("interrupted by a signal; go on with 'taut sweep --ledger {} --resume'", ledger.file()));
    return Status::could_not_go_on;
  }
  const LedgerCounts counts = ledger.counts();
  if (counts.done > 0 || counts.failed == 0) return Status::done;
  complain(
      fmt::format("no member reached its end with a result that can be trusted: {}", counts.reasons.front().first));
  return Status::could_not_go_on;
}

void write_files(const Request& request, const Ledger& ledger) {
  if (!request.export_file.empty()) export_csv(ledger, request.export_file);
  if (!request.report.empty()) write_whole(request.report, sweep_page(ledger));
}

/// Looks at a ledger, of a sweep that may be under way.
Status look(const Request& request) {
  const Ledger ledger(request.ledger, Ledger::Use::read);
  write_files(request, ledger);
  if (request.status) show(request, ledger, nullptr);
  return Status::done;
}

SweepOutcome run_members(Ledger& ledger, const Request& request, Messenger* messenger) {
  SweepProgressLine line(!request.quiet && errors_go_to_terminal());
  if (messenger != nullptr) return lead_ranks(ledger, *messenger, request.retry_failed, &line);
  return run_sweep(ledger, {threads_of(request), request.retry_failed}, &line);
}

Status sweep(const Request& request, Messenger* messenger) {
  require_device(request.device);
  if (!request.bundle.empty()) {
    const SweepDescription described = new_sweep(request);
    write_lane_bundle(described, model_of(described, {}), request.bundle);
    return Status::done;
  }
  if (request.ledger.empty()) throw InputError("a sweep needs a ledger", "give --ledger FILE");
  if (!request.export_file.empty()) require_writable(request.export_file, ".csv");
  if (!request.report.empty()) require_page(request.report);
  const bool works = !request.vary.empty() || request.resume || request.add || request.retry_failed;
  const bool looks = request.status || !request.export_file.empty() || !request.report.empty();
  if (!works && looks) return look(request);
  if (!works) throw InputError("nothing varies", "give --vary NAME=a:b:n");
  watch_interrupts();
  const std::unique_ptr<Ledger> ledger = ledger_for(request);
  if (!request.slurm.empty()) {
    write_slurm_script(request.slurm, ledger->sweep().run.model, ledger->file());
    return Status::done;
  }
  const SweepOutcome outcome = run_members(*ledger, request, messenger);
  write_files(request, *ledger);
  show(request, *ledger, &outcome);
  return judge(*ledger, outcome);
}

/// Under mpirun rank 0 does what one process would do, and the others serve it.
Status sweep_on_ranks(const Request& request) {
  Messenger messenger;
  if (messenger.rank() > 0) {
    watch_interrupts();
    serve_rank(messenger);
    return Status::done;
  }
  try {
    return sweep(request, &messenger);
  } catch (...) {
    dismiss_ranks(messenger);
    throw;
  }
}

void add_own_options(Parser& parser, Request& request) {
  parser
      .add_option("--vary", request.vary,
                  "what varies, and how: a:b:n, log(a:b:n), a list with commas, uniform(a, b), loguniform(a, b) or "
                  "normal(mean, sd); may be repeated")
      .type_name("NAME=VALUES")
      .one_at_a_time();
  parser.add_flag("--paired", request.paired, "ranges and lists go in step; by default they make a grid");
  parser.add_option("--samples", request.samples, "how often to draw what is drawn").type_name("N");
  parser.add_option("--sampling", request.sampling, "how to draw: random, latin or sobol; by default random")
      .type_name("HOW");
  parser.add_option("--seed", request.seed, "other random numbers; by default 0").type_name("N");
  parser.add_option("--ledger", request.ledger, "the file in which everything is recorded").type_name("FILE");
  parser
      .add_option(
          "--keep", request.keep,
          "what to keep of each member, with commas between: summary, final, outputs, extremes, NAME, min(NAME), "
          "max(NAME), and trajectories, a file of all rows each; by default summary,final,outputs")
      .type_name("WHAT,...");
  parser.add_option("--threads", request.threads, "run so many members at a time; by default one on each core")
      .type_name("N")
      .within(1, 4096);
  parser.add_option("--device", request.device, "what members run on: cpu, or gpu in lanes; by default cpu")
      .type_name("cpu|gpu");
  parser
      .add_option("--bundle", request.bundle,
                  "run nothing: write the program of lanes, for nvcc or a C++ compiler, and its members to this folder")
      .type_name("FOLDER");
  parser
      .add_option("--slurm", request.slurm,
                  "run nothing: begin the ledger, and write a script for sbatch that runs what waits in it, again and "
                  "again if need be")
      .type_name("FILE");
  parser.add_option("--time-limit", request.time_limit, "a member that takes longer than this has failed, in s")
      .type_name("S");
  parser.add_flag("--resume", request.resume, "go on with a sweep that was cut off; nothing is run twice");
  parser.add_flag("--retry-failed", request.retry_failed, "run members that failed once more");
  parser.add_flag("--add", request.add, "add members: --vary with other values of the same names, or --samples N more");
  parser.add_flag("--status", request.status, "how many members are done, failed, running and waiting");
  parser.add_option("--export", request.export_file, "write one row a member to this file").type_name("FILE.csv");
  parser.add_option("--report", request.report, "write a web page of the sweep to this file").type_name("FILE.html");
  parser.add_flag("--json", request.json, "the counts as one JSON object on standard output, nothing else there");
  parser.add_flag("--quiet", request.quiet, "no counts and no progress; only what is wrong");
}

}  // namespace

Command add_sweep(CommandLine& program) {
  Parser parser = program.add_command("sweep", "many runs of one model with other values, resumable");
  const auto request = std::make_shared<Request>();
  parser.add_option("MODEL", request->model, "a model file, or the name of a gallery model ('taut list models')")
      .type_name("");
  add_own_options(parser, *request);
  for (const OptionEntry& entry : option_list()) add_setting(parser, entry, request->settings);
  add_set(parser, request->set);
  parser.footer(
      "Examples:\n"
      "  taut sweep pendulum --vary l=0.5:2:16 --vary \"x'(0)=0,1,2\" --assemble --ledger lengths.db\n"
      "  taut sweep slider-crank --vary \"m=normal(1, 0.1)\" --samples 1000 --sampling sobol --ledger masses.db\n"
      "  taut sweep --ledger masses.db --resume\n"
      "  taut sweep --ledger masses.db --status --export masses.csv\n\n"
      "Exit status: 0 every member was run, and those that failed stand in the ledger with their reason; 1 the sweep\n"
      "could not go on (what was recorded is kept), or no member reached its end; 2 the input is wrong.");
  return {parser, [request] { return Messenger::is_launched() ? sweep_on_ranks(*request) : sweep(*request, nullptr); }};
}

}  // namespace taut::cli
