#include <benchmark/benchmark.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

#include "taut/taut.hpp"

/// What a step costs as models grow, and what setting them up does: chains of loops as equations and as bodies, an open
/// chain, a closed ring, a net. Each line says, beside its own time, the exponent p of time ∝ Nᵖ fitted in log-log over
/// the sizes of its family so far, from 100 on; for the net, N is the number of knots. `scaling/memory` gives the peak
/// memory of a whole run in a process of its own, and from its second size on what each further part adds.
namespace {

constexpr int steps = 12;

/// How many parts a model has for a value of its N.
double parts(const std::string& name, long size) {
  const auto n = static_cast<double>(size);
  return name == "net" ? (n + 1) * (n + 1) : n;
}

taut::Model grown(const std::string& name, long size) {
  const bool of_equations = name == "n-four-bar" || name == "net";
  const std::string folder = std::string(TAUT_BENCH_SOURCE) + "/models/";
  return taut::load_model(folder + (of_equations ? "" : "mechanisms/") + name + ".yaml", {{"N", std::to_string(size)}});
}

/// Of this process: other work on the machine counts less than in the time of the day.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The least time between two accepted steps: what a step costs when nothing disturbs it.
class StepClock : public taut::Observer {
 public:
  void start(const std::vector<std::string>&) override { last_ = processor_seconds(); }
  void row(const std::vector<double>&) override {
    const double now = processor_seconds();
    if (rows_++ > 0) least = std::min(least, now - last_);  // the first row is the initial state
    last_ = now;
  }
  double least = INFINITY;

 private:
  double last_ = 0;
  int rows_ = 0;
};

/// Times by size, of one family; the slope of the line of least squares through their logarithms.
class Family {
 public:
  void add(double size, double seconds) {
    if (size >= 100) times_[std::log(size)] = std::log(seconds);
  }
  double exponent() const {
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto n = static_cast<double>(times_.size());
    for (const auto& [size, time] : times_) {
      x += size / n;
      y += time / n;
    }
    for (const auto& [size, time] : times_) {
      xx += (size - x) * (size - x);
      xy += (size - x) * (time - y);
    }
    return times_.size() < 2 ? NAN : xy / xx;
  }

 private:
  std::map<double, double> times_;
};

Family& family(const std::string& name) {
  static std::map<std::string, Family> all;
  return all[name];
}

void tell(benchmark::State& state, const std::string& kind, const std::string& name, double seconds) {
  const double size = parts(name, state.range(0));
  Family& times = family(kind + name);
  times.add(size, seconds);
  state.counters["per_part"] = seconds / size;
  if (const double p = times.exponent(); std::isfinite(p)) state.counters["p"] = p;
}

taut::Options options_for(const taut::Model& model) {
  taut::Options options = taut::options_of(model);
  options.step = 1e-3;
  options.until = steps * *options.step;
  options.linear = taut::Choice("sparse");
  options.record = false;
  options.native = taut::Native::off;
  return options;
}

void step_scaling(benchmark::State& state, const std::string& name) {
  const taut::Model model = grown(name, state.range(0));
  StepClock clock;
  for (auto _ : state) {
    const taut::Run run = taut::simulate(model, options_for(model), &clock);
    if (run.summary.outcome != taut::Outcome::done) return state.SkipWithError(run.summary.reason.c_str());
    state.SetIterationTime(clock.least);
  }
  tell(state, "step", name, clock.least);
}

void setup_scaling(benchmark::State& state, const std::string& name) {
  double least = INFINITY;
  for (auto _ : state) {
    const double before = processor_seconds();
    const taut::Model model = grown(name, state.range(0));
    taut::Options options = options_for(model);
    options.until = 0;
    benchmark::DoNotOptimize(taut::simulate(model, options));
    least = std::min(least, processor_seconds() - before);
    state.SetIterationTime(least);
  }
  tell(state, "setup", name, least);
}

/// The peak memory of a run in a process of its own, in bytes; 0 if it cannot be had.
double peak_memory(const std::string& name, long size) {
  malloc_trim(0);  // the child begins with what this process holds
  const pid_t child = fork();
  if (child == 0) {
    const taut::Model model = grown(name, size);
    _exit(taut::simulate(model, options_for(model)).summary.outcome == taut::Outcome::done ? 0 : 1);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) return 0;
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

void memory_scaling(benchmark::State& state, const std::string& name) {
  static std::map<std::string, std::pair<double, double>> before;
  double bytes = 0;
  for (auto _ : state) bytes = peak_memory(name, state.range(0));
  if (bytes == 0) return state.SkipWithError("the run did not end");
  const double size = parts(name, state.range(0));
  state.counters["bytes"] = bytes;
  if (const auto last = before.find(name); last != before.end())
    state.counters["bytes_per_part"] = (bytes - last->second.second) / (size - last->second.first);
  before[name] = {size, bytes};
}

const bool registered = [] {
  using Measure = void (*)(benchmark::State&, const std::string&);
  const auto add = [](const std::string& kind, Measure measure, std::int64_t least) {
    for (const std::string name : {"n-four-bar", "a02-n-four-bar", "chain", "ring", "net"}) {
      const std::vector<std::int64_t> sizes =
          name == "net" ? std::vector<std::int64_t>{5, 10, 20, 40} : std::vector<std::int64_t>{10, 100, 1000, 10000};
      auto* one = benchmark::RegisterBenchmark(("scaling/" + kind + "/" + name).c_str(), measure, name);
      one->Unit(benchmark::kMillisecond)->Iterations(1);
      if (measure != memory_scaling) one->UseManualTime();
      for (const std::int64_t size : sizes)
        if (parts(name, size) >= static_cast<double>(least)) one->Arg(size);
    }
  };
  add("memory", memory_scaling, 400);  // first, while this process is small
  add("step", step_scaling, 1);
  add("setup", setup_scaling, 1);
  return true;
}();

}  // namespace
