#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <vector>

#include "ensemble/hand_out.hpp"
#include "ensemble/sweep.hpp"

namespace taut {

/// What a killed program can lose of results that were there already.
inline constexpr std::chrono::milliseconds between_writes{300};

/// Writes down what comes, until nobody is left who could bring more.
class Clerk {
 public:
  Clerk(Ledger& ledger, SweepObserver* observer, const std::atomic<bool>& end_asked, std::uint64_t of)
      : ledger_(ledger), observer_(observer), end_asked_(end_asked) {
    outcome_.progress.of = of;
  }

  /// A crew has take(), results that came within some time, running(), and has_ended().
  template <class Crew>
  SweepOutcome serve(Crew& crew, HandOut& hand_out) {
    while (!crew.has_ended()) {
      if (end_asked_) hand_out.close();
      if (!keep(crew.take(), crew.running())) break;
    }
    outcome_.interrupted = end_asked_;
    return outcome_;
  }

 private:
  bool keep(std::vector<MemberResult> results, const std::vector<MemberRange>& running) {
    std::string not_kept;
    for (const MemberResult& result : results)
      if (not_kept.empty()) not_kept = result.not_kept;
    std::erase_if(results, [](const MemberResult& result) { return !result.not_kept.empty(); });
    try {
      ledger_.record(results, running);
    } catch (const std::runtime_error& error) {
      outcome_.failure = error.what();
      return false;
    }
    SweepProgress& progress = outcome_.progress;
    progress.ended += results.size();
    progress.failed += static_cast<std::uint64_t>(std::ranges::count_if(results, &MemberResult::failed));
    progress.seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    if (observer_ != nullptr) observer_->progress(progress);
    outcome_.failure = not_kept;
    return not_kept.empty();
  }

  using Clock = std::chrono::steady_clock;
  Ledger& ledger_;
  SweepObserver* observer_;
  const std::atomic<bool>& end_asked_;
  SweepOutcome outcome_;
  Clock::time_point begun_ = Clock::now();
};

}  // namespace taut
