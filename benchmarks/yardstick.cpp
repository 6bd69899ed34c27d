#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "taut/taut.hpp"
#include "yardstick/ball.hpp"
#include "yardstick/biped.hpp"
#include "yardstick/bricard.hpp"
#include "yardstick/planar.hpp"

/// A step of taut against a step of a program written by hand for one mechanism: braun-goldfarb, rk4, fixed step. Both
/// are timed by windows of 64 steps, and the median counts: what else the machine does falls into few of them. Nothing
/// is timed before the two have been found to arrive at the same state.
namespace {

constexpr int window = 64;
constexpr int steps = 2000;
constexpr double h = 1e-3;
/// Two programs that compute the same in a different order differ by rounding, which a singular position on the way
/// magnifies a thousandfold.
constexpr double agreement = 1e-9;

taut::Options options_for(const taut::Model& model) {
  taut::Options options = taut::options_of(model);
  options.step = h;
  options.until = steps * h;
  options.method = "braun-goldfarb";
  options.integrator = "rk4";
  options.native = taut::Native::on;
  options.record = false;
  options.every = options.until;
  return options;
}

template <class Mechanism>
double difference(const yardstick::BraunGoldfarb<Mechanism>& by_hand, const taut::Summary& summary) {
  double largest = 0;
  for (int i = 0; i < Mechanism::coordinates; ++i) {
    const double q = std::abs(by_hand.q[i] - summary.final_coordinates[i].value);
    const double v = std::abs(by_hand.v[i] - summary.final_rates[i].value);
    if (!(q <= agreement) || !(v <= agreement)) return std::numeric_limits<double>::infinity();
    largest = std::max({largest, q, v});
  }
  return largest;
}

using Clock = std::chrono::steady_clock;

/// Times of windows, in seconds a step.
class Windows : public taut::Observer {
 public:
  Windows() { times_.reserve(1000); }
  void begin() { last_ = Clock::now(); }
  void end() {
    const auto now = Clock::now();
    times_.push_back(std::chrono::duration<double>(now - last_).count() / window);
    last_ = now;
  }
  bool progress(double, double, double) override {
    end();
    return true;
  }
  /// The first window of a run begins before the run does.
  void drop(std::size_t k) { times_.erase(times_.begin() + static_cast<std::ptrdiff_t>(k)); }
  std::size_t size() const { return times_.size(); }
  double median() {
    std::ranges::nth_element(times_, times_.begin() + static_cast<std::ptrdiff_t>(times_.size() / 2));
    return times_[times_.size() / 2];
  }

 private:
  std::vector<double> times_;
  Clock::time_point last_;
};

template <class Mechanism>
void walk(yardstick::BraunGoldfarb<Mechanism>& by_hand, Windows& windows) {
  windows.begin();
  for (int k = 1; k <= steps; ++k) {
    by_hand.step();
    if (k % window == 0) windows.end();
  }
  benchmark::DoNotOptimize(by_hand.q);
}

template <class Mechanism>
void against_yardstick(benchmark::State& state, const std::string& name, const std::string& method) {
  const std::string source = TAUT_BENCH_SOURCE;
  const taut::Model model = taut::load_model(name.find('/') == std::string::npos ? name : source + "/models/" + name);
  taut::Options options = options_for(model);
  Windows by_hand, by_taut;
  {
    yardstick::BraunGoldfarb<Mechanism> program(h);
    walk(program, by_hand);
    const double apart = difference(program, taut::simulate(model, options).summary);
    if (!(apart <= agreement)) return state.SkipWithError("the yardstick arrives at another state");
    state.counters["apart"] = apart;
  }
  options.method = method;
  for (auto _ : state) {
    yardstick::BraunGoldfarb<Mechanism> program(h);
    walk(program, by_hand);
    const std::size_t first = by_taut.size();
    state.SetIterationTime(taut::simulate(model, options, &by_taut).summary.wall_seconds);
    by_taut.drop(first);
  }
  const double hand = by_hand.median(), taut = by_taut.median();
  state.counters["yardstick_ns"] = hand * 1e9;
  state.counters["taut_ns"] = taut * 1e9;
  state.counters["ratio"] = taut / hand;
}

template <class Mechanism>
void add(const std::string& name) {
  for (const char* method : {"braun-goldfarb", "auto"})
    benchmark::RegisterBenchmark(("yardstick/" + name + "/" + method).c_str(), against_yardstick<Mechanism>, name,
                                 method)
        ->UseManualTime()
        ->Iterations(5)
        ->Unit(benchmark::kMillisecond);
}

const bool registered = [] {
  add<yardstick::Pendulum>("pendulum");
  add<yardstick::SliderCrank>("slider-crank");
  add<yardstick::TwoFourBars>("two-four-bars");
  add<yardstick::Biped>("papers/biped-exercise-1.yaml");
  add<yardstick::Ball>("papers/braun-ball.yaml");
  add<yardstick::Bricard>("bricard");
  return true;
}();

}  // namespace
