#include "ensemble/ranks.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "base/interruption.hpp"
#include "ensemble/clerk.hpp"
#include "ensemble/hand_out.hpp"
#include "ensemble/member_bytes.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
/// A rank gets members for about this time, so that messages cost little and a rank that dies loses little.
constexpr double chunk_seconds = 0.25;
constexpr Seconds patience{0.5};
/// How long ranks that were asked to end may take to bring what they have.
constexpr Seconds last_wait{3};

/// The other ranks, as rank 0 sees them.
class Ranks {
 public:
  Ranks(Messenger& messenger, HandOut& hand_out, const Ledger& ledger) : messenger_(messenger), hand_out_(hand_out) {
    for (int rank = 1; rank < messenger.size(); ++rank) {
      messenger.send(rank, to_json(ledger.sweep()));
      messenger.send(rank, ledger.file());
    }
  }

  bool has_ended() const {
    return gone_ == messenger_.size() - 1 || (interruption() && Clock::now() - last_news_ > last_wait);
  }
  bool all_gone() const { return gone_ == messenger_.size() - 1; }

  std::vector<MemberResult> take() {
    std::vector<MemberResult> results;
    const auto end = Clock::now() + between_writes;
    for (Seconds left = between_writes; left.count() > 0 && !all_gone(); left = end - Clock::now()) {
      const auto message = messenger_.receive(left);
      if (!message) break;
      last_news_ = Clock::now();
      const std::vector<MemberResult> some = read_results(message->bytes);
      results.insert(results.end(), some.begin(), some.end());
      learn_cost(message->from, some.size());
      answer(message->from);
    }
    return results;
  }

  std::vector<MemberRange> running() const {
    std::vector<MemberRange> list;
    for (const auto& [rank, work] : works_) list.push_back(work.range);
    return list;
  }

 private:
  struct Work {
    MemberRange range;
    Clock::time_point begun;
  };

  /// Members cost what they have cost of late.
  void learn_cost(int rank, std::size_t members) {
    const auto work = works_.find(rank);
    if (work == works_.end()) return;
    const double seconds = Seconds(Clock::now() - work->second.begun).count();
    works_.erase(work);
    if (members == 0) return;
    const double each = seconds / static_cast<double>(members);
    cost_ = cost_ == 0 ? each : 0.8 * cost_ + 0.2 * each;
  }

  /// At the end shares become small, so that all end together.
  std::uint64_t share() const {
    const double by_time = cost_ > 0 ? chunk_seconds / cost_ : 1;
    const double fair = static_cast<double>(hand_out_.left()) / (2 * (messenger_.size() - 1));
    return static_cast<std::uint64_t>(std::max(1.0, std::min(by_time, fair)));
  }

  void answer(int rank) {
    const auto range = hand_out_.take(share());
    gone_ += range ? 0 : 1;
    messenger_.send(rank, to_bytes(range.value_or(MemberRange{})));
    if (range) works_[rank] = {*range, Clock::now()};
  }

  Messenger& messenger_;
  HandOut& hand_out_;
  std::map<int, Work> works_;
  double cost_ = 0;  ///< s a member
  int gone_ = 0;
  Clock::time_point last_news_ = Clock::now();
};

/// Waits for rank 0, and gives up when the user does.
std::optional<std::string> next_message(const Messenger& messenger) {
  for (int silent = 0; silent < 20; silent += interruption() ? 1 : 0)
    if (auto message = messenger.receive(patience)) return message->bytes;
  return std::nullopt;
}

}  // namespace

SweepOutcome lead_ranks(Ledger& ledger, Messenger& messenger, bool retry_failed, SweepObserver* observer) {
  if (ledger.sweep().device == "gpu")
    throw InputError("--device gpu: one process feeds one GPU, and several were started", "leave out mpirun");
  HandOut hand_out(ledger.unfinished(retry_failed));
  if (hand_out.left() == 0) {
    dismiss_ranks(messenger);
    return {};
  }
  model_of(ledger.sweep(), {});  // what is wrong is said once
  Clerk clerk(ledger, observer, interruption(), hand_out.left());
  Ranks ranks(messenger, hand_out, ledger);
  const SweepOutcome outcome = clerk.serve(ranks, hand_out);
  if (!ranks.all_gone()) messenger.give_up();
  return outcome;
}

void dismiss_ranks(Messenger& messenger) {
  for (int rank = 1; rank < messenger.size(); ++rank) messenger.send(rank, "");
}

void serve_rank(Messenger& messenger) {
  const auto description = next_message(messenger);
  if (!description || description->empty()) return;
  const auto ledger = next_message(messenger);
  if (!ledger) return;
  const SweepDescription sweep = read_description(*description);
  const Model model = model_of(sweep, {});
  const KeptFigures keep(sweep.keep, columns_of(sweep, model), model);
  const MemberRunner::Sweep shared{sweep, model, keep,
                                   keeps_trajectories(sweep.keep) ? TrajectoryFiles(*ledger) : TrajectoryFiles(),
                                   interruption()};
  MemberRunner runner(shared, static_cast<double>(sweep.size()) / messenger.size());
  std::vector<MemberResult> results;
  for (;;) {
    messenger.send(0, to_bytes(results));
    results.clear();
    const auto answer = next_message(messenger);
    const MemberRange range = answer ? read_range(*answer) : MemberRange{};
    if (range.count == 0) return;
    for (std::uint64_t k = 0; k < range.count && !interruption(); ++k)
      if (auto result = runner.run(range.first + k)) results.push_back(std::move(*result));
  }
}

}  // namespace taut
