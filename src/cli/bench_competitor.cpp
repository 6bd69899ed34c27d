#include "cli/bench_competitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/bench_process.hpp"
#include "cli/signals.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

// ---- taut ---------------------------------------------------------------------------------------

/// Ends a run that takes too long.
class Deadline : public Observer {
 public:
  explicit Deadline(int seconds) : end_(Clock::now() + std::chrono::seconds(seconds)) {}
  bool progress(double, double, double) override { return !(passed_ = Clock::now() > end_) && !interrupted(); }
  bool passed() const { return passed_; }

 private:
  Clock::time_point end_;
  bool passed_ = false;
};

/// The options of a way: "integrator=abm linear=sparse"; "auto" for none.
void apply(const std::string& way, Options& options) {
  if (way == "auto") return;
  for (std::size_t at = 0; at < way.size();) {
    const std::size_t end = std::min(way.find(' ', at), way.size()), is = way.find('=', at);
    set_option(options, way.substr(at, is - at), way.substr(is + 1, end - is - 1));
    at = end + 1;
  }
}

class Taut : public Competitor {
 public:
  explicit Taut(Formulation formulation) : formulation_(formulation) {}
  std::string name() const override { return "taut"; }
  std::string version() const override { return TAUT_VERSION; }
  Formulation formulation() const override { return formulation_; }

  std::vector<Way> ways(const Problem&) const override {
    std::vector<Way> list{{"auto"}, {"integrator=abm"}, {"integrator=dopri5"}, {"integrator=cvode-adams"}};
    if (formulation_ == Formulation::bodies)
      for (const char* way :
           {"coordinates=joints", "coordinates=joints integrator=abm", "coordinates=joints integrator=dopri5"})
        list.push_back({way});
    return list;
  }

  Trial run(const Problem& problem, const Way& way, double setting, const Patience& patience) override {
    Trial trial;
    try {
      const Clock::time_point begin = Clock::now();
      const Model& model = model_for(problem);
      const double reading = std::chrono::duration<double>(Clock::now() - begin).count();
      const Options options = options_for(problem, way, setting);
      double spent = 0;
      for (int k = 0; trial.ok() && (k == 0 || (spent < patience.seconds && k < 1000)); ++k)
        spent += once(model, problem, options, patience.limit, k == 0, trial);
      trial.setup_seconds += reading;
    } catch (const InputError& error) {
      trial.failure = error.message();
    }
    return trial;
  }

 private:
  const Model& model_for(const Problem& problem) {
    auto found = models_.find(problem.title());
    if (found == models_.end()) found = models_.emplace(problem.title(), model_of(problem, formulation_)).first;
    return found->second;
  }

  static Options options_for(const Problem& problem, const Way& way, double setting) {
    Options options;
    options.until = problem.until;
    options.every = problem.until / problem.samples;
    options.native = Native::on;
    options.rtol = setting;
    options.atol = setting;  // as the others have it
    apply(way.name, options);
    return options;
  }

  double once(const Model& model, const Problem& problem, const Options& options, int limit, bool first, Trial& trial) {
    Deadline deadline(limit);
    const Run run = simulate(model, options, &deadline);
    const Summary& summary = run.summary;
    if (summary.outcome != Outcome::done) {
      trial.over_limit = deadline.passed();
      trial.failure = trial.over_limit ? "took too long" : summary.reason;
      return summary.wall_seconds;
    }
    if (first) {
      trial.setup_seconds = summary.setup_seconds;
      trial.steps = summary.steps;
      trial.evaluations = summary.evaluations;
      trial.values = observed(problem, formulation_, run.trajectory);
    }
    trial.wall_seconds = first ? summary.wall_seconds : std::min(trial.wall_seconds, summary.wall_seconds);
    return summary.wall_seconds;
  }

  Formulation formulation_;
  std::map<std::string, Model> models_;
};

// ---- the others ---------------------------------------------------------------------------------

class Peer : public Competitor {
 public:
  explicit Peer(std::filesystem::path program) : program_(std::move(program)) {
    const Json listing = Json::parse(run_program(program_, {"list"}).out);
    name_ = listing.at("peer");
    version_ = listing.at("version");
    formulation_ = listing.at("formulation") == "bodies" ? Formulation::bodies : Formulation::equations;
    for (const Json& way : listing.at("ways"))
      ways_.push_back({way.at("name"), way.at("setting") == "step" ? Way::Setting::step : Way::Setting::tolerance});
  }
  std::string name() const override { return name_; }
  std::string version() const override { return version_; }
  Formulation formulation() const override { return formulation_; }
  std::vector<Way> ways(const Problem&) const override { return ways_; }

  Trial run(const Problem& problem, const Way& way, double setting, const Patience& patience) override {
    const Finished finished =
        run_program(program_, {"run", problem.name, std::to_string(problem.size), way.name, fmt::format("{}", setting),
                               fmt::format("{}", problem.until), std::to_string(problem.samples),
                               fmt::format("{}", patience.seconds), std::to_string(patience.limit)});
    Trial trial;
    if (finished.status != 0) {
      trial.over_limit = finished.status == -SIGALRM;
      trial.failure = trial.over_limit ? "took too long" : fmt::format("ended with status {}", finished.status);
      return trial;
    }
    const Json answer = Json::parse(finished.out, nullptr, false);
    if (answer.is_discarded() || answer.contains("failed")) {
      trial.failure = answer.is_discarded() ? "its answer cannot be read" : first_line(answer.at("failed"));
      return trial;
    }
    return read(answer);
  }

 private:
  static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

  static Trial read(const Json& answer) {
    Trial trial;
    trial.wall_seconds = answer.at("wall_seconds");
    trial.setup_seconds = answer.at("setup_seconds");
    trial.steps = answer.at("steps");
    trial.evaluations = answer.at("evaluations");
    // A number that JSON has no word for arrives as null.
    for (const Json& sample : answer.at("values")) {
      Values& values = trial.values.emplace_back();
      for (const Json& value : sample)
        values.push_back(value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN());
    }
    return trial;
  }

  std::filesystem::path program_;
  std::string name_, version_;
  Formulation formulation_ = Formulation::equations;
  std::vector<Way> ways_;
};

}  // namespace

std::vector<std::unique_ptr<Competitor>> competitors(std::vector<std::string>& missing) {
  std::vector<std::unique_ptr<Competitor>> list;
  list.push_back(std::make_unique<Taut>(Formulation::equations));
  list.push_back(std::make_unique<Taut>(Formulation::bodies));
  for (const char* name : {"taut_peer_sundials", "taut_peer_simbody", "taut_peer_mujoco"}) {
    if (const auto program = sibling(name))
      list.push_back(std::make_unique<Peer>(*program));
    else
      missing.emplace_back(name);
  }
  return list;
}

}  // namespace taut::cli
