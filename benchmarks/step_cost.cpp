#include <benchmark/benchmark.h>

#include "taut/taut.hpp"

/// What a step costs: every gallery model under every method, RK4 with a fixed step, per step. The
/// base line for everything that is meant to become faster.
namespace {

constexpr int steps = 2000;

void step_cost(benchmark::State& state, const std::string& model_name, const taut::ListEntry& method) {
  const taut::Model model = taut::load_model(model_name);
  taut::Options options = taut::options_of(model);
  options.step = model_name == "andrews" ? 1e-5 : 1e-3;
  options.until = steps * *options.step;
  options.method = taut::Choice(method.name);
  options.record = false;
  double seconds = 0;
  for (auto _ : state) {
    try {
      const taut::Run run = taut::simulate(model, options);
      if (run.summary.outcome != taut::Outcome::done) return state.SkipWithError(run.summary.reason.c_str());
      state.SetIterationTime(run.summary.wall_seconds);
      seconds += run.summary.wall_seconds;
    } catch (const taut::InputError& error) {
      return state.SkipWithError(error.message().c_str());  // a method that cannot carry this model or these steps
    }
  }
  state.counters["per_step"] = benchmark::Counter(seconds / (steps * static_cast<double>(state.iterations())));
}

/// Setting up: reading, deriving, compiling, assembling.
void setup_cost(benchmark::State& state, const std::string& model_name) {
  for (auto _ : state) {
    const taut::Model model = taut::load_model(model_name);
    benchmark::DoNotOptimize(taut::simulate(model, {.until = 0, .record = false}));
  }
}

/// A whole run to a tolerance, steps chosen by error control.
void tolerance_cost(benchmark::State& state, const std::string& model_name, double rtol) {
  const taut::Model model = taut::load_model(model_name);
  taut::Options options = taut::options_of(model);
  options.rtol = rtol;
  options.record = false;
  for (auto _ : state) state.SetIterationTime(taut::simulate(model, options).summary.wall_seconds);
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto& model : taut::gallery()) {
    for (const auto& method : taut::list_methods())
      benchmark::RegisterBenchmark(("step/" + model.name + "/" + method.name).c_str(), step_cost, model.name, method)
          ->UseManualTime()
          ->MinTime(0.05)
          ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("setup/" + model.name).c_str(), setup_cost, model.name)
        ->MinTime(0.05)
        ->Unit(benchmark::kMillisecond);
    for (const double rtol : {1e-6, 1e-9})
      benchmark::RegisterBenchmark(("run/" + model.name + (rtol == 1e-6 ? "/rtol1e-6" : "/rtol1e-9")).c_str(),
                                   tolerance_cost, model.name, rtol)
          ->UseManualTime()
          ->MinTime(0.05)
          ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
