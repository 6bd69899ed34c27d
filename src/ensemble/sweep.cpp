#include "ensemble/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "ensemble/clerk.hpp"
#include "ensemble/hand_out.hpp"
#include "ensemble/lane_sweep.hpp"
#include "ensemble/result_queue.hpp"

namespace taut {
namespace {

/// As many results are kept in memory at a time.
constexpr std::size_t most_unwritten = 4096;
constexpr std::uint64_t nobody = ~std::uint64_t{0};

/// Threads of this process that run members.
class Crew {
 public:
  Crew(const MemberRunner::Sweep& sweep, HandOut& hand_out, int threads)
      : sweep_(sweep), hand_out_(hand_out), running_(static_cast<std::size_t>(threads)) {
    for (auto& member : running_) member = nobody;
    const double each = static_cast<double>(hand_out.left()) / threads;
    for (int k = 0; k < threads; ++k)
      threads_.emplace_back([this, k, each] { work(static_cast<std::size_t>(k), each); });
  }
  ~Crew() {
    hand_out_.close();
    results_.close();
  }

  std::vector<MemberResult> take() { return results_.take(between_writes, size()); }
  bool has_ended() { return results_.all_gone(size()); }
  std::vector<MemberRange> running() const {
    std::vector<MemberRange> list;
    for (const auto& member : running_)
      if (const std::uint64_t now = member; now != nobody) list.push_back({now, 1});
    return list;
  }

 private:
  int size() const { return static_cast<int>(threads_.size()); }
  void work(std::size_t number, double members) {
    MemberRunner runner(sweep_, members);
    while (const auto taken = hand_out_.take(1)) {
      running_[number] = taken->first;
      auto result = runner.run(taken->first);
      running_[number] = nobody;
      if (!result) break;
      results_.add(std::move(*result));
    }
    results_.leave();
  }

  const MemberRunner::Sweep& sweep_;
  HandOut& hand_out_;
  ResultQueue results_{most_unwritten};
  std::vector<std::atomic<std::uint64_t>> running_;
  std::vector<std::jthread> threads_;
};

}  // namespace

SweepOutcome run_sweep(Ledger& ledger, const SweepSettings& settings, SweepObserver* observer) {
  if (ledger.sweep().device == "gpu") return run_in_lanes(ledger, settings, observer, gpu_compiler());
  HandOut hand_out(ledger.unfinished(settings.retry_failed));
  if (hand_out.left() == 0) return {};
  const SweepDescription& description = ledger.sweep();
  const Model model = model_of(description, {});
  const KeptFigures keep(description.keep, columns_of(description, model), model);
  const MemberRunner::Sweep sweep{description, model, keep, ledger.trajectories(), settings.end_asked};
  Clerk clerk(ledger, observer, settings.end_asked, hand_out.left());
  const auto threads = std::min<std::uint64_t>(static_cast<std::uint64_t>(settings.threads), hand_out.left());
  Crew crew(sweep, hand_out, static_cast<int>(threads));
  return clerk.serve(crew, hand_out);
}

}  // namespace taut
