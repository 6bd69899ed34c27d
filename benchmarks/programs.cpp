#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <span>

#include "expression/native.hpp"
#include "expression/program.hpp"
#include "system/equations.hpp"
#include "taut/taut.hpp"

/// What evaluating M, Φ, H, f, b and χ of every gallery model once costs: by the interpreter over 1 to 1024 lanes, per
/// lane, and as native code. Each is the shortest of some windows, so that what else the machine does hardly counts.
/// What starting costs, from the model to its system: by the interpreter, with native code out of the cache, and
/// compiled.
namespace {

/// A cache for this process alone.
class PrivateCache {
 public:
  PrivateCache() {
    std::string name = std::filesystem::temp_directory_path() / "taut-bench-XXXXXX";
    folder_ = mkdtemp(name.data());
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~PrivateCache() { std::filesystem::remove_all(folder_); }
  void clear() const { std::filesystem::remove_all(folder_ / "taut"); }

 private:
  std::filesystem::path folder_;
};

const PrivateCache& private_cache() {
  static const PrivateCache cache;
  return cache;
}

/// The program of a model's dynamics, near the initial state; each lane at a place of its own, so that nothing is zero
/// by chance and no branch is foreseen.
class Dynamics {
 public:
  explicit Dynamics(const std::string& name)
      : model_(taut::load_model(name)), equations_(taut::derive(model_)), initial_(taut::initial_values(model_)) {
    std::vector<taut::Program::Input> inputs;
    const auto add = [&](const std::vector<taut::SymbolId>& symbols, int level) {
      for (const taut::SymbolId symbol : symbols) inputs.push_back({symbol, level});
    };
    add(equations_.parameters, 0);
    add({equations_.time}, 1);
    add(equations_.q, 1);
    add(equations_.v, 2);
    add(equations_.a, 3);
    add(equations_.multipliers, 3);
    std::vector<taut::Expression> outputs;
    for (const auto& part :
         {equations_.M.entries, equations_.Phi, equations_.H.entries, equations_.f, equations_.b, equations_.chi})
      outputs.insert(outputs.end(), part.begin(), part.end());
    program = taut::Program(*equations_.graph, inputs, outputs);
  }

  taut::Program::Workspace workspace(int lanes) const {
    taut::Program::Workspace workspace = program.workspace(lanes);
    int at = 0;
    const auto fill = [&](const std::vector<double>& values, double spread) {
      for (const double value : values) {
        for (int lane = 0; lane < lanes; ++lane)
          workspace.input(at)[lane] = value + spread * std::sin(lane + 0.7 * at + 1);
        ++at;
      }
    };
    fill(initial_.parameters, 0);
    fill({0}, 0.1);
    fill(initial_.coordinates, 0.1);
    fill(initial_.speeds, 0.1);
    program.run(0, workspace);
    return workspace;
  }

  taut::Program program;

 private:
  taut::Model model_;
  taut::Equations equations_;
  taut::InitialValues initial_;
};

/// Deriving takes longer than measuring: once for all numbers of lanes.
const Dynamics& dynamics_of(const std::string& name) {
  static std::map<std::string, Dynamics> all;
  return all.try_emplace(name, name).first->second;
}

/// What a call takes, in s: the shortest of the windows.
template <class Call>
double shortest(const Call& call) {
  using Clock = std::chrono::steady_clock;
  constexpr double window = 3e-4;
  constexpr int windows = 30;
  const auto time = [&](long calls) {
    const Clock::time_point begin = Clock::now();
    for (long k = 0; k < calls; ++k) call();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  long calls = 1;
  while (time(calls) < window) calls *= 2;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < windows; ++k) least = std::min(least, time(calls));
  return least / static_cast<double>(calls);
}

void evaluate(benchmark::State& state, const Dynamics& dynamics, int lanes) {
  taut::Program::Workspace workspace = dynamics.workspace(lanes);
  for (auto _ : state) {
    state.SetIterationTime(shortest([&] {
      dynamics.program.run(1, workspace);
      dynamics.program.run(2, workspace);
      benchmark::ClobberMemory();
    }));
  }
  state.counters["instructions"] = static_cast<double>(dynamics.program.instructions());
}

void lanes(benchmark::State& state, const std::string& name) {
  evaluate(state, dynamics_of(name), static_cast<int>(state.range(0)));
}

taut::NativeReport make_native(taut::Program& program) {
  taut::Program* const one = &program;
  return taut::make_native(std::span(&one, 1), taut::Compiling::allowed);
}

void native(benchmark::State& state, const std::string& name) {
  private_cache();
  Dynamics dynamics(name);
  const taut::NativeReport report = make_native(dynamics.program);
  if (!report.used) return state.SkipWithError(report.reason.c_str());
  evaluate(state, dynamics, 1);
}

void start(benchmark::State& state, const std::string& name, taut::Native native, bool is_kept) {
  private_cache();
  const taut::Model model = taut::load_model(name);
  const std::vector<double> parameters = taut::initial_values(model).parameters;
  constexpr double evaluations = 1e6;
  if (is_kept) taut::make_system(model, parameters, native, evaluations);
  for (auto _ : state) {
    if (!is_kept) private_cache().clear();
    const auto system = taut::make_system(model, parameters, native, evaluations);
    if (system->native().used != (native == taut::Native::on)) return state.SkipWithError("no native code");
  }
}

[[maybe_unused]] const bool registered = [] {
  const auto add = [](const std::string& name, auto... arguments) {
    return benchmark::RegisterBenchmark(name.c_str(), arguments...);
  };
  for (const auto& [name, path, about] : taut::gallery()) {
    add("lanes/" + name, lanes, name)->Arg(1)->Arg(16)->Arg(64)->Arg(256)->Arg(1024)->Iterations(1)->UseManualTime();
    add("native/" + name, native, name)->Iterations(1)->UseManualTime();
    const auto add_start = [&](const std::string& title, taut::Native native, bool is_kept) {
      add(title + name, start, name, native, is_kept)
          ->Iterations(is_kept ? 10 : 1)
          ->MeasureProcessCPUTime()
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    };
    add_start("start_interpreter/", taut::Native::off, true);
    add_start("start_from_cache/", taut::Native::on, true);
    add_start("start_compiling/", taut::Native::on, false);
  }
  return true;
}();

}  // namespace
