#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <span>

#include "expression/native.hpp"
#include "expression/program.hpp"
#include "system/equations.hpp"
#include "taut/taut.hpp"

/// What evaluating M, Φ, H, f, b and χ once costs: by the interpreter over 1 to 1024 lanes, per lane, and as native
/// code. What making the code costs, with an empty cache and from the cache.
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

/// The program of a model's dynamics with the initial state in every lane.
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
    const auto fill = [&](const std::vector<double>& values) {
      for (const double value : values) std::fill_n(workspace.input(at++), lanes, value);
    };
    fill(initial_.parameters);
    fill({0});
    fill(initial_.coordinates);
    fill(initial_.speeds);
    program.run(0, workspace);
    return workspace;
  }

  taut::Program program;

 private:
  taut::Model model_;
  taut::Equations equations_;
  taut::InitialValues initial_;
};

void evaluate(benchmark::State& state, const Dynamics& dynamics, int lanes) {
  taut::Program::Workspace workspace = dynamics.workspace(lanes);
  for (auto _ : state) {
    dynamics.program.run(1, workspace);
    dynamics.program.run(2, workspace);
    benchmark::ClobberMemory();
  }
  state.counters["per_lane"] =
      benchmark::Counter(lanes, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["instructions"] = static_cast<double>(dynamics.program.instructions());
}

void lanes(benchmark::State& state, const std::string& name) {
  evaluate(state, Dynamics(name), static_cast<int>(state.range(0)));
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

void compile(benchmark::State& state, const std::string& name) {
  Dynamics dynamics(name);
  for (auto _ : state) {
    private_cache().clear();
    if (!make_native(dynamics.program).used) return state.SkipWithError("there is no native code");
  }
}

void find_in_cache(benchmark::State& state, const std::string& name) {
  private_cache();
  Dynamics dynamics(name);
  const taut::NativeReport report = make_native(dynamics.program);
  if (!report.used) return state.SkipWithError(report.reason.c_str());
  for (auto _ : state) make_native(dynamics.program);
}

#define TAUT_PROGRAM(title, model)                                                                                 \
  BENCHMARK_CAPTURE(lanes, title, model)->Arg(1)->Arg(16)->Arg(64)->Arg(256)->Arg(1024);                           \
  BENCHMARK_CAPTURE(native, title, model);                                                                         \
  BENCHMARK_CAPTURE(compile, title, model)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(find_in_cache, title, model)->Unit(benchmark::kMillisecond)

TAUT_PROGRAM(bricard, "bricard");
TAUT_PROGRAM(biped, "papers/biped-exercise-1");
TAUT_PROGRAM(slider_crank, "slider-crank");
TAUT_PROGRAM(andrews, "andrews");

}  // namespace
