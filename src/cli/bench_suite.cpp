#include "cli/bench_suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include "cli/bench_process.hpp"
#include "cli/scratch_folder.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

using Json = nlohmann::json;

/// What is worth keeping of Google Benchmark's entry: the name without its settings, the time in seconds, counters.
Json kept(const Json& entry) {
  static const std::map<std::string, double> units{{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
  static const std::vector<std::string> known{"family_index",    "per_family_instance_index",
                                              "run_name",        "run_type",
                                              "repetitions",     "repetition_index",
                                              "threads",         "iterations",
                                              "real_time",       "cpu_time",
                                              "time_unit",       "name",
                                              "error_occurred",  "error_message",
                                              "aggregate_name",  "aggregate_unit",
                                              "big_o",           "rms",
                                              "cpu_coefficient", "real_coefficient"};
  std::string name = entry.at("name");
  for (const char* setting : {"/iterations:", "/manual_time", "/min_time:", "/process_time", "/real_time"})
    if (const auto at = name.find(setting); at != std::string::npos) name.erase(at);
  Json out{{"name", name}};
  if (entry.value("error_occurred", false)) {
    out["failed"] = entry.value("error_message", "");
    return out;
  }
  // Time by the processor's clock, which other programs do not slow down, unless the benchmark measures by itself.
  const std::string full = entry.at("name");
  const bool own = full.find("/manual_time") != std::string::npos || full.find("/real_time") != std::string::npos;
  out["seconds"] = entry.at(own ? "real_time" : "cpu_time").get<double>() * units.at(entry.at("time_unit"));
  for (const auto& [key, value] : entry.items())
    if (std::ranges::find(known, key) == known.end()) out[key] = value;
  return out;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == '/')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::optional<double> figure(const Json& entry, const char* key) {
  return entry.contains(key) ? std::optional(entry.at(key).get<double>()) : std::nullopt;
}

/// step/MODEL/METHOD: what a step costs, and as a ratio to braun-goldfarb on the same model.
Table step_rows(const Json& list) {
  Table table{{"model", "method", "a step takes", "ratio to braun-goldfarb"}, {}};
  std::map<std::string, double> base;
  for (const Json& entry : list) {
    const auto parts = split(entry.at("name"));
    if (parts.back() == "braun-goldfarb" && entry.contains("per_step")) base[entry.at("name")] = entry.at("per_step");
  }
  for (const Json& entry : list) {
    const std::string name = entry.at("name");
    const auto parts = split(name);
    if (parts[0] != "step" || !entry.contains("per_step")) continue;
    const std::string model = name.substr(5, name.rfind('/') - 5);
    const auto against = base.find("step/" + model + "/braun-goldfarb");
    const double seconds = entry.at("per_step");
    table.rows.push_back({model, parts.back(), time_text(seconds),
                          against == base.end() ? "" : fmt::format("{:.2f}", seconds / against->second)});
  }
  return table;
}

/// run/MODEL/rtolX: a whole run to a tolerance.
Table precision_rows(const Json& list) {
  Table table{{"model", "tolerance", "a run takes"}, {}};
  for (const Json& entry : list) {
    const std::string name = entry.at("name");
    if (!entry.contains("seconds")) continue;
    const auto last = name.rfind('/');
    table.rows.push_back({name.substr(4, last - 4), name.substr(last + 5), time_text(entry.at("seconds"))});
  }
  return table;
}

/// scaling/KIND/MODEL/N, with the exponent from the size before: time ∝ N^p.
Table scaling_rows(const Json& list) {
  Table table{{"what", "model", "N", "takes", "per N", "exponent"}, {}};
  std::map<std::string, std::pair<double, double>> before;
  for (const Json& entry : list) {
    const auto parts = split(entry.at("name"));
    if (parts.size() < 4 || !entry.contains("seconds")) continue;
    const double N = std::stod(parts.back());
    if (const auto bytes = figure(entry, "bytes")) {
      table.rows.push_back({parts[1], parts[2], parts.back(), fmt::format("{:.3g} MB", *bytes / 1e6),
                            fmt::format("{:.3g} kB", *bytes / 1e3 / N), ""});
      continue;
    }
    const double seconds = figure(entry, "per_step").value_or(entry.at("seconds").get<double>());
    const std::string key = parts[1] + "/" + parts[2];
    const auto last = before.find(key);
    const std::string exponent =
        last == before.end()
            ? ""
            : fmt::format("{:.2f}", std::log(seconds / last->second.second) / std::log(N / last->second.first));
    before[key] = {N, seconds};
    table.rows.push_back({parts[1], parts[2], parts.back(), time_text(seconds), time_text(seconds / N), exponent});
  }
  return table;
}

/// A benchmark of programs: lanes/MODEL/COUNT, native/MODEL, start_compiling/MODEL and so on. A model's name may have
/// folders in it.
struct ProgramName {
  std::string what, model;
  double lanes = 1;
  explicit ProgramName(const std::string& name) : what(name.substr(0, name.find('/'))) {
    model = name.substr(what.size() + 1);
    if (what != "lanes") return;
    lanes = std::stod(model.substr(model.rfind('/') + 1));
    model.erase(model.rfind('/'));
  }
  bool evaluates() const { return what == "lanes" || what == "native"; }
};

/// Ratios to one lane of the interpreter.
Table program_rows(const Json& list) {
  Table table{{"what", "model", "lanes", "takes", "per lane", "times faster than one lane"}, {}};
  std::map<std::string, double> one;
  for (const Json& entry : list) {
    const ProgramName name(entry.at("name"));
    if (name.what == "lanes" && name.lanes == 1 && entry.contains("seconds")) one[name.model] = entry.at("seconds");
  }
  for (const Json& entry : list) {
    if (!entry.contains("seconds")) continue;
    const ProgramName name(entry.at("name"));
    const double seconds = entry.at("seconds"), each = seconds / name.lanes;
    const bool known = name.evaluates() && one.contains(name.model);
    table.rows.push_back({name.what, name.model, name.evaluates() ? fmt::format("{:g}", name.lanes) : "",
                          time_text(seconds), name.evaluates() ? time_text(each) : "",
                          known ? fmt::format("{:.2f}", one.at(name.model) / each) : ""});
  }
  return table;
}

/// yardstick/MODEL/METHOD: both sides of a ratio, in one run.
Table yardstick_rows(const Json& list) {
  Table table{{"model", "method", "by hand", "taut", "ratio"}, {}};
  for (const Json& entry : list) {
    const std::string name = entry.at("name");
    const auto last = name.rfind('/');
    const std::string model = name.substr(10, last - 10), method = name.substr(last + 1);
    const auto hand = figure(entry, "yardstick_ns"), taut = figure(entry, "taut_ns");
    if (!hand || !taut) continue;
    table.rows.push_back(
        {model, method, time_text(*hand * 1e-9), time_text(*taut * 1e-9), fmt::format("{:.2f}", *taut / *hand)});
  }
  return table;
}

}  // namespace

const std::vector<Suite>& suites() {
  static const std::vector<Suite> list{
      {"steps", "what a step costs: every gallery model, every method", "^(step|setup)/", "^step/(pendulum|bricard)/"},
      {"precision", "what a run to a tolerance costs", "^run/", "^run/(pendulum|slider-crank|bricard|two-four-bars)/"},
      {"scaling", "what a step and setting up cost as models grow", "^scaling/", "^scaling/.*/(5|10|20|100|1000)(/|$)"},
      {"programs", "formulas interpreted over lanes and as native code",
       "^(lanes|native)/|^start_[a-z_]*/(pendulum|slider.crank|bricard|mechanisms/stewart.platform)/",
       "^lanes/(bricard|slider.crank)/(1|256)/|^native/(bricard|slider.crank)/"},
      {"yardstick", "a step against programs written by hand for one mechanism", "^yardstick/", "^yardstick/"},
  };
  return list;
}

Json run_suite(const Suite& suite, bool quick) {
  const auto program = sibling("taut_bench");
  if (!program)
    throw InputError("the suite '" + suite.name + "' needs the program taut_bench, which is not beside this one",
                     "`make bench` builds it");
  const ScratchFolder scratch;
  const std::filesystem::path file = scratch.path() / "out.json";
  const std::string filter = quick ? suite.quick_filter : suite.filter;
  const Finished finished = run_program(
      *program, {"--benchmark_filter=" + filter, "--benchmark_out=" + file.string(), "--benchmark_out_format=json"});
  std::ifstream stream(file);
  const Json out = Json::parse(stream, nullptr, false);
  if (finished.status != 0 || !out.is_object() || !out.contains("benchmarks"))
    throw std::runtime_error(fmt::format("{} ended with status {}", program->string(), finished.status));
  Json list = Json::array();
  for (const Json& entry : out.at("benchmarks"))
    if (entry.value("run_type", "iteration") == "iteration") list.push_back(kept(entry));
  return {{"quick", quick}, {"benchmarks", list}};
}

Table suite_rows(const std::string& suite, const Json& result) {
  const Json& list = result.at("benchmarks");
  if (suite == "steps") return step_rows(list);
  if (suite == "precision") return precision_rows(list);
  if (suite == "scaling") return scaling_rows(list);
  if (suite == "programs") return program_rows(list);
  return yardstick_rows(list);
}

std::string suite_table(const std::string& suite, const Json& result) {
  std::string text;
  for (const Suite& known : suites())
    if (known.name == suite) text = known.about + "\n";
  text += suite_rows(suite, result).text();
  for (const Json& entry : result.at("benchmarks"))
    if (entry.contains("failed"))
      text += fmt::format("  {}: {}\n", entry.at("name").get<std::string>(), entry.at("failed").get<std::string>());
  return text;
}

}  // namespace taut::cli
