#include <benchmark/benchmark.h>

#include "taut/taut.hpp"

/// What a step costs as models grow, and what setting them up does: chains of loops as equations and as bodies, an open
/// chain, a closed ring, a net. Google Benchmark fits the exponent if asked to; `per_step` divided by N shows it at a
/// glance.
namespace {

constexpr int steps = 10;

taut::Model grown(const std::string& name, long size) {
  const std::string file =
      name == "n-four-bar" ? name : std::string(TAUT_BENCH_SOURCE) + "/models/mechanisms/" + name + ".yaml";
  return taut::load_model(file, {{"N", std::to_string(size)}});
}

void step_scaling(benchmark::State& state, const std::string& name) {
  const taut::Model model = grown(name, state.range(0));
  taut::Options options = taut::options_of(model);
  options.step = 1e-3;
  options.until = steps * *options.step;
  options.linear = taut::Choice("sparse");
  options.record = false;
  options.native = taut::Native::off;
  double seconds = 0;
  for (auto _ : state) {
    const taut::Run run = taut::simulate(model, options);
    if (run.summary.outcome != taut::Outcome::done) return state.SkipWithError(run.summary.reason.c_str());
    state.SetIterationTime(run.summary.wall_seconds);
    seconds += run.summary.wall_seconds;
  }
  const double per_step = seconds / (steps * static_cast<double>(state.iterations()));
  state.counters["per_step"] = per_step;
  state.counters["per_step_and_N"] = per_step / static_cast<double>(state.range(0));
  state.SetComplexityN(state.range(0));
}

void setup_scaling(benchmark::State& state, const std::string& name) {
  for (auto _ : state) {
    const taut::Model model = grown(name, state.range(0));
    benchmark::DoNotOptimize(
        taut::simulate(model, {.until = 0, .linear = taut::Choice("sparse"), .native = taut::Native::off}));
  }
  state.SetComplexityN(state.range(0));
}

const bool registered = [] {
  for (const char* name : {"n-four-bar", "a02-n-four-bar", "chain", "ring", "net"}) {
    const bool net = std::string(name) == "net";
    const std::vector<std::int64_t> sizes =
        net ? std::vector<std::int64_t>{5, 10, 20, 40} : std::vector<std::int64_t>{10, 100, 1000, 10000};
    auto* step = benchmark::RegisterBenchmark(("scaling/step/" + std::string(name)).c_str(), step_scaling, name);
    auto* setup = benchmark::RegisterBenchmark(("scaling/setup/" + std::string(name)).c_str(), setup_scaling, name);
    step->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(1);
    setup->Unit(benchmark::kMillisecond)->Iterations(1);
    for (const std::int64_t size : sizes) {
      step->Arg(size);
      setup->Arg(size);
    }
  }
  return true;
}();

}  // namespace
