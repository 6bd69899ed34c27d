#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/nearest.hpp"
#include "cli/arguments.hpp"
#include "cli/bench_page.hpp"
#include "cli/bench_peers.hpp"
#include "cli/bench_problem.hpp"
#include "cli/bench_process.hpp"
#include "cli/bench_real_time.hpp"
#include "cli/bench_record.hpp"
#include "cli/bench_robots.hpp"
#include "cli/bench_suite.hpp"
#include "cli/command.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "taut/compare.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

struct Request {
  std::vector<std::string> suites, problems, who, set;
  std::string out, docs, from, real_time;
  OptionValues settings;
  long steps = 1'000'000;
  bool quick = false, json = false;
};

std::vector<std::string> suite_names() {
  std::vector<std::string> names;
  for (const Suite& suite : suites()) names.push_back(suite.name);
  names.emplace_back("peers");
  names.emplace_back("robots");
  return names;
}

/// All of them, as far as the programs for them are there.
std::vector<std::string> built_suites() {
  if (sibling("taut_bench")) return suite_names();
  complain("taut_bench is not beside this program, so that only peers and robots are measured; `make bench` builds it");
  return {"peers", "robots"};
}

void require_suites(const std::vector<std::string>& wanted) {
  const auto names = suite_names();
  for (const std::string& name : wanted)
    if (std::ranges::find(names, name) == names.end())
      throw InputError("there is no suite '" + name + "'", did_you_mean(name, names));
}

void require_problems(const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const Problem& problem : problems())
    if (names.empty() || names.back() != problem.name) names.push_back(problem.name);
  for (const std::string& name : wanted)
    if (std::ranges::find(names, name) == names.end())
      throw InputError("--problem: there is no problem '" + name + "'", did_you_mean(name, names));
}

void require_peers(const std::vector<std::string>& wanted) {
  const std::vector<std::string> names{"SUNDIALS", "Simbody", "MuJoCo", "taut"};
  for (const std::string& name : wanted)
    if (std::ranges::find(names, name) == names.end())
      throw InputError("--against: there is no peer '" + name + "'", did_you_mean(name, names));
}

/// Where results are kept: where --out says, else in the source tree's folder, where that is the current one.
std::filesystem::path place_of_record(const Request& request) {
  if (!request.out.empty()) return request.out;
  const std::filesystem::path results = "benchmarks/results";
  return std::filesystem::is_directory(results) ? results / processor_file() : "";
}

void show_progress(const std::string& what) {
  if (errors_go_to_terminal()) std::fputs(fmt::format("\r\033[K{}", what).c_str(), stderr);
}

/// How many programs wanted to run in the last minute, before this one measures.
double load_average() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

nlohmann::json measure(const std::string& name, const Request& request) {
  if (name == "peers") return compare_with_peers({request.quick, request.who, request.problems, show_progress});
  if (name == "robots") return compare_robots({request.quick, show_progress});
  show_progress(name);
  for (const Suite& suite : suites())
    if (suite.name == name) return run_suite(suite, request.quick);
  throw std::logic_error("a suite without a name");
}

std::string shown(const std::string& name, const nlohmann::json& result) {
  if (name == "peers") return peers_text(result);
  return name == "robots" ? robots_text(result) : suite_table(name, result);
}

// ---- real time ----------------------------------------------------------------------------------

/// A fixed step and a method whose work is the same in every step, unless the model or the user says otherwise.
RealTimeRequest real_time_request(const Request& request) {
  const std::vector<Assignment> set = assignments(request.set);
  RealTimeRequest real_time{load_model(request.real_time, set), {}, request.steps};
  Options defaults;
  defaults.step = 1e-3;
  Options& options = real_time.options = options_of(real_time.model, defaults);
  options.method = Choice("braun-goldfarb");
  options.integrator = Choice("rk4");
  options.native = Native::on;
  if (!options.step) options.step = defaults.step;
  apply_options(request.settings, options, "--");
  options.set = set;
  return real_time;
}

/// Results to the record, the page and the reader.
class Outlet {
 public:
  explicit Outlet(const Request& request) : request_(request), place_(place_of_record(request)) {
    if (!request.docs.empty()) require_writable(request.docs, ".md");
    if (!place_.empty()) require_writable(place_.string(), ".json");
    record_ = place_.empty() ? BenchRecord() : BenchRecord(place_);
  }

  void take(const std::string& name, const nlohmann::json& result, const std::string& text) {
    show_progress("");
    if (!request_.json) print(text + "\n");
    measured_[name] = result;
    record_.put(name, result);
    record_.save();
  }

  void close() {
    if (request_.json) print(measured_.dump(1) + "\n");
    if (!request_.docs.empty()) write_performance_page(request_.docs, record_.json());
    if (request_.json) return;
    print(place_.empty() ? "not kept: --out FILE.json keeps results\n" : "kept in " + place_.string() + "\n");
  }

 private:
  const Request& request_;
  std::filesystem::path place_;
  BenchRecord record_;
  nlohmann::json measured_ = nlohmann::json::object();
};

Status show_kept(const Request& request) {
  if (!std::filesystem::exists(request.from))
    throw InputError("--from: there is no file '" + request.from + "'", "give a record that taut bench has kept");
  const BenchRecord record(request.from);
  for (const auto& [name, result] : record.json().at("suites").items()) {
    if (name != "real-time") {
      print(shown(name, result) + "\n");
      continue;
    }
    for (const auto& [model, one] : result.items()) print(real_time_text(one) + "\n");
  }
  if (!request.docs.empty()) write_performance_page(request.docs, record.json());
  return Status::done;
}

Status bench(const Request& request) {
  watch_interrupts();
  require_suites(request.suites);
  require_problems(request.problems);
  require_peers(request.who);
  if (!request.from.empty()) return show_kept(request);
  Outlet outlet(request);
  if (!request.real_time.empty()) {
    const nlohmann::json result = measure_real_time(real_time_request(request));
    outlet.take("real-time", result, real_time_text(result));
    outlet.close();
    return Status::done;
  }
  for (const std::string& name : request.suites.empty() ? built_suites() : request.suites) {
    if (interrupted()) break;
    const double load = load_average();
    nlohmann::json result = measure(name, request);
    result["load"] = load;
    // What was cut short is no measurement.
    if (!interrupted()) outlet.take(name, result, shown(name, result));
  }
  outlet.close();
  if (interrupted()) complain("interrupted: suites that were finished are kept");
  return interrupted() ? Status::could_not_go_on : Status::done;
}

}  // namespace

Command add_bench(CommandLine& program) {
  auto request = std::make_shared<Request>();
  Parser parser = program.add_command("bench", "the benchmark suite, as ratios against peers of the same run");
  parser
      .add_option("SUITE", request->suites,
                  fmt::format("{}; all of them if none is given", fmt::join(suite_names(), ", ")))
      .type_name("");
  parser.add_flag("--quick", request->quick, "fewer settings, smaller models, less patience: some minutes");
  parser.add_flag("--json", request->json, "what was measured on standard output, and nothing else there");
  parser.add_option("--problem", request->problems, "of the peers, only this problem; may be repeated")
      .type_name("NAME")
      .one_at_a_time();
  parser
      .add_option("--against", request->who,
                  "only this peer: SUNDIALS, Simbody, MuJoCo or, alone, taut; may be repeated")
      .type_name("NAME")
      .one_at_a_time();
  parser
      .add_option("--out", request->out,
                  "where results are kept; by default in benchmarks/results, if there is such a folder")
      .type_name("FILE.json");
  parser.add_option("--docs", request->docs, "write the page of the documentation, pictures beside it")
      .type_name("FILE.md");
  parser.add_option("--from", request->from, "show what was kept, and measure nothing").type_name("FILE.json");
  Argument real_time =
      parser.add_option("--real-time", request->real_time,
                        "instead of the suite, what single steps of this model cost, with memory locked");
  real_time.type_name("MODEL").excludes("SUITE");
  parser.add_option("--steps", request->steps, "of --real-time; by default a million").type_name("N").needs(real_time);
  for (const char* name : {"step", "method", "integrator", "linear", "control", "native"})
    add_setting(parser, find_option(name), request->settings);
  add_set(parser, request->set);
  parser.footer(
      "Examples:\n"
      "  taut bench peers --problem pendulum\n"
      "  taut bench --real-time slider-crank --steps 100000 --step 1e-3\n"
      "  taut bench --from benchmarks/results/amd-epyc.json --docs docs/performance.md\n\n"
      "`make bench` installs the peers, builds and runs everything.");
  return {parser, [request] { return bench(*request); }};
}

}  // namespace taut::cli
