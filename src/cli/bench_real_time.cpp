#include "cli/bench_real_time.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "cli/bench_system_calls.hpp"
#include "cli/bench_table.hpp"
#include "cli/signals.hpp"

namespace taut::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

double nanoseconds(Clock::duration span) { return std::chrono::duration<double, std::nano>(span).count(); }

/// All memory of this process stays in place, and the heap neither grows nor shrinks while a loop runs.
class LockedMemory {
 public:
  LockedMemory() {
    // Room that is there, and touched, when the loop wants some; and more with it whenever setting up needs more.
    constexpr int room = 32 << 20;
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    mallopt(M_TOP_PAD, room);
    locked_ = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
    if (!locked_) reason_ = std::strerror(errno);
    void* volatile const space = std::malloc(room);
    if (space) std::memset(space, 1, room);
    std::free(space);
  }
  ~LockedMemory() {
    if (locked_) munlockall();
  }
  LockedMemory(const LockedMemory&) = delete;
  LockedMemory& operator=(const LockedMemory&) = delete;

  bool locked() const { return locked_; }
  const std::string& reason() const { return reason_; }

 private:
  bool locked_ = false;
  std::string reason_;
};

/// Looks at the clock at the end of every step. The first one is not timed: it begins before the loop does.
class StepClock : public Observer {
 public:
  StepClock(long steps, SystemCallWatch& calls) : steps_(steps), calls_(calls), costs_(steps) {}

  Detail detail() const override { return Detail::figures; }
  void step(const std::vector<double>&) override {
    const Clock::time_point now = Clock::now();
    if (done_ > 1) costs_[static_cast<std::size_t>(done_ - 2)] = static_cast<float>(nanoseconds(now - last_));
    if (done_ == 1) getrusage(RUSAGE_SELF, &before_);
    ++done_;  // the initial state is told of before the first step
    if (done_ > steps_)
      end();
    else if (done_ > 1)
      calls_.begin();
    last_ = done_ == 2 ? Clock::now() : now;
  }
  bool progress(double, double, double) override { return !interrupted(); }

  /// Of each step, in ns, unsorted.
  std::vector<float> costs() const { return {costs_.begin(), costs_.begin() + std::max(0L, steps_ - 1)}; }
  long faults() const { return after_.ru_minflt - before_.ru_minflt + after_.ru_majflt - before_.ru_majflt; }
  long interruptions() const { return after_.ru_nivcsw - before_.ru_nivcsw; }

 private:
  void end() {
    calls_.end();
    getrusage(RUSAGE_SELF, &after_);
  }

  long steps_, done_ = 0;
  SystemCallWatch& calls_;
  std::vector<float> costs_;
  Clock::time_point last_;
  rusage before_{}, after_{};
};

Options options_for(const RealTimeRequest& request, long steps) {
  Options options = request.options;
  options.until = static_cast<double>(steps) * *options.step;
  options.every = options.until;
  options.record = false;
  return options;
}

/// Evaluations of M, f, H, b: in a step, and how many more a run took than if each of its steps had taken as many.
struct Work {
  long each, more;
};
Work work_of(const RealTimeRequest& request, long steps, long evaluations) {
  const auto of = [&](long count) { return simulate(request.model, options_for(request, count)).summary.evaluations; };
  const long one = of(1), each = of(2) - one;
  return {each, evaluations - one - (steps - 1) * each};
}

/// A step of Braun & Goldfarb's method whose formulas are given up at its last stage is done once more by a kernel, but
/// for the stage where it begins.
std::string work_text(const Json& result) {
  const Json& each = result.at("evaluations_a_step");
  const long more = result.value("further_evaluations", 0L);
  if (each.is_null() || more < 0) return "  work           not the same in every step\n";
  if (more == 0)
    return fmt::format("  work           {} evaluations in every step, no more and no less\n", each.get<long>());
  std::string text =
      fmt::format("  work           {} evaluations in a step, and {} more in all next to singular positions",
                  each.get<long>(), more);
  if (result.at("method") == "braun-goldfarb" && result.at("linear") == "formulas")
    text += fmt::format("; at most {} in a step", 2 * each.get<long>() - 1);
  return text + "\n";
}

/// What a run says of evaluations that were solved by another kernel: they cost more than the rest.
std::string told_of_kernels(const Summary& summary) {
  const auto note = std::ranges::find_if(
      summary.notes, [](const std::string& text) { return text.find("were solved by") != std::string::npos; });
  return note == summary.notes.end() ? "" : *note;
}

/// What looking at the clock takes, in ns, when nothing comes between.
double clock_cost() {
  constexpr int looks = 1000, rounds = 10;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const Clock::time_point begin = Clock::now();
    for (int k = 1; k < looks; ++k) static_cast<void>(Clock::now());
    least = std::min(least, nanoseconds(Clock::now() - begin) / looks);
  }
  return least;
}

double quantile(const std::vector<float>& sorted, double share) {
  const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(at, sorted.size() - 1)];
}

/// How many steps fell into each of some spans of cost, evenly spaced on a logarithmic scale.
Json histogram(const std::vector<float>& sorted) {
  constexpr int spans = 40;
  const double least = std::log(std::max(1.0F, sorted.front())), most = std::log(std::max(1.0F, sorted.back()));
  std::vector<long> counts(spans);
  for (const float cost : sorted) {
    const double at = most > least ? (std::log(std::max(1.0F, cost)) - least) / (most - least) * spans : 0;
    ++counts[static_cast<std::size_t>(std::clamp(static_cast<int>(at), 0, spans - 1))];
  }
  return counts;
}

/// One sign a span, its height the decade of the count.
std::string sparkline(const Json& counts) {
  static constexpr const char* signs[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string line;
  for (const long count : counts)
    line += signs[count == 0 ? 0 : std::min(8, 1 + static_cast<int>(std::log10(static_cast<double>(count))))];
  return line;
}

}  // namespace

Json measure_real_time(const RealTimeRequest& request) {
  if (request.steps < 3) throw InputError("--steps: at least three steps make a distribution", "give a larger number");
  SystemCallWatch calls;
  StepClock clock(request.steps, calls);
  const LockedMemory memory;
  const Summary summary = simulate(request.model, options_for(request, request.steps), &clock).summary;
  if (summary.outcome != Outcome::done) throw std::runtime_error(summary.reason);
  std::vector<float> costs = clock.costs();
  std::ranges::sort(costs);
  const double h = *request.options.step * 1e9;
  const auto late = costs.end() - std::ranges::upper_bound(costs, static_cast<float>(h));
  const Work work = work_of(request, request.steps, summary.evaluations);
  Json result{{"model", summary.model},
              {"method", summary.method},
              {"integrator", summary.integrator},
              {"linear", summary.linear},
              {"native", summary.native.used},
              {"step", *request.options.step},
              {"steps", request.steps},
              {"nanoseconds",
               {{"least", costs.front()},
                {"median", quantile(costs, 0.5)},
                {"99%", quantile(costs, 0.99)},
                {"99.9%", quantile(costs, 0.999)},
                {"99.99%", quantile(costs, 0.9999)},
                {"worst", costs.back()}}},
              {"histogram", histogram(costs)},
              {"late_steps", late},
              {"clock_nanoseconds", clock_cost()},
              {"memory_locked", memory.locked()},
              {"page_faults", clock.faults()},
              {"interruptions", clock.interruptions()},
              {"max_position_violation", nullptr}};
  if (!memory.locked()) result["memory_reason"] = memory.reason();
  result["last_system_call"] = calls.last();
  result["steps_with_system_calls"] = calls.count() ? Json(*calls.count()) : Json(nullptr);
  result["evaluations_a_step"] = work.each;
  result["further_evaluations"] = work.more;
  result["kernels"] = told_of_kernels(summary);
  if (summary.max_position_violation) result["max_position_violation"] = *summary.max_position_violation;
  return result;
}

std::string real_time_text(const Json& result) {
  const Json& ns = result.at("nanoseconds");
  const auto taking = [&](const char* which) { return time_text(ns.at(which).get<double>() * 1e-9); };
  const double h = result.at("step");
  std::string text = fmt::format("{}: {} steps of {:g} s, {}, {}, {}{}\n", result.at("model").get<std::string>(),
                                 result.at("steps").get<long>(), h, result.at("method").get<std::string>(),
                                 result.at("integrator").get<std::string>(), result.at("linear").get<std::string>(),
                                 result.at("native").get<bool>() ? ", native code" : "");
  text += fmt::format("  a step takes  median {}, 99 % {}, 99.9 % {}, worst {}\n", taking("median"), taking("99%"),
                      taking("99.9%"), taking("worst"));
  text +=
      fmt::format("                {} {} {}\n", taking("least"), sparkline(result.at("histogram")), taking("worst"));
  text += fmt::format(
      "  of the time    {:.3g} % in the median, {:.3g} % at worst; {} steps took longer than they stand for\n",
      ns.at("median").get<double>() / h / 1e7, ns.at("worst").get<double>() / h / 1e7,
      result.at("late_steps").get<long>());
  text +=
      result.at("memory_locked").get<bool>()
          ? fmt::format("  memory         locked; {} page faults in the loop\n", result.at("page_faults").get<long>())
          : fmt::format("  memory         could not be locked ({}); {} page faults in the loop\n",
                        result.at("memory_reason").get<std::string>(), result.at("page_faults").get<long>());
  const Json& calls = result.at("steps_with_system_calls");
  text += calls.is_null()
              ? "  system calls   cannot be counted here\n"
              : fmt::format("  system calls   in {} steps{}\n", calls.get<long>(),
                            calls.get<long>() > 0
                                ? fmt::format("; the last was number {}", result.at("last_system_call").get<int>())
                                : "");
  text += fmt::format("  interrupted    {} times by the system, which runs other programs as well\n",
                      result.at("interruptions").get<long>());
  text += work_text(result);
  if (const std::string kernels = result.value("kernels", ""); !kernels.empty())
    text += fmt::format("                 {}\n", kernels);
  text += fmt::format("  the clock      takes {:.0f} ns of each step\n", result.at("clock_nanoseconds").get<double>());
  return text;
}

}  // namespace taut::cli
