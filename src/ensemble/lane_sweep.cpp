#include "ensemble/lane_sweep.hpp"

#include <algorithm>
#include <deque>
#include <thread>

#include "ensemble/clerk.hpp"
#include "ensemble/gpu.hpp"
#include "ensemble/lane_library.hpp"
#include "ensemble/lane_members.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

/// Enough to keep all of a GPU busy several times over; results of so many are in memory at a time.
constexpr std::uint64_t most_lanes = 1u << 17;

struct LaneWork {
  const LaneMembers& members;
  const LaneLibrary& library;
  const KeptFigures& keep;
  std::vector<std::string> columns;
};

/// One device that runs chunks of members, and threads that find where these start.
class LaneCrew {
 public:
  LaneCrew(const LaneWork& work, HandOut& hand_out, const SweepSettings& settings)
      : work_(work), members_(work.members), hand_out_(hand_out), end_asked_(settings.end_asked) {
    for (int k = 0; k < settings.threads; ++k) starts_.push_back(members_.starts());
    next_ = hand_out_.take(most_lanes);
  }

  bool has_ended() const { return !next_; }
  /// Who is under way, or next.
  std::vector<MemberRange> running() const { return next_ ? std::vector{*next_} : std::vector<MemberRange>{}; }
  /// Why the device could not go on; "" where it could.
  const std::string& failure() const { return failure_; }

  std::vector<MemberResult> take() {
    const MemberRange range = *next_;
    next_.reset();
    if (end_asked_) return {};
    try {
      std::vector<MemberResult> results = run(range);
      next_ = hand_out_.take(most_lanes);
      return results;
    } catch (const std::runtime_error& error) {
      failure_ = error.what();
      return {};
    }
  }

 private:
  std::vector<MemberResult> run(const MemberRange& range) {
    std::vector<MemberResult> results(range.count);
    std::vector<std::vector<double>> states(range.count);
    find_starts(range.first, results, states);
    std::vector<std::size_t> lanes;
    for (std::size_t k = 0; k < results.size(); ++k)
      if (!results[k].failed) lanes.push_back(k);
    const auto in_each = static_cast<std::size_t>(members_.kernel().in());
    const auto out_each = static_cast<std::size_t>(members_.kernel().out());
    const std::size_t n = lanes.size();
    if (n == 0) return results;
    std::vector<double> in(in_each * n), out(out_each * n), one(out_each);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < in_each; ++i) in[i * n + k] = states[lanes[k]][i];
    work_.library.run(in, out, static_cast<long>(n), members_.step(), members_.steps());
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < out_each; ++i) one[i] = out[i * n + k];
      members_.finish(one, work_.keep, work_.columns, results[lanes[k]]);
    }
    return results;
  }

  void find_starts(std::uint64_t first, std::vector<MemberResult>& results, std::vector<std::vector<double>>& states) {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < starts_.size(); ++t)
      threads.emplace_back([&, t] {
        for (std::size_t k = t; k < results.size(); k += starts_.size())
          states[k] = members_.start(starts_[t], first + k, results[k]);
      });
  }

  const LaneWork& work_;
  const LaneMembers& members_;
  HandOut& hand_out_;
  const std::atomic<bool>& end_asked_;
  std::deque<RepeatedRuns> starts_;  ///< one for each thread
  std::optional<MemberRange> next_;
  std::string failure_;
};

/// Lanes leave behind where they end, and what was largest on the way.
void require_ends(const SweepDescription& sweep, const KeptFigures& keep) {
  if (keep.needs_rows() || keeps_trajectories(sweep.keep))
    throw InputError("--keep " + sweep.keep + ": members in lanes have no rows between start and end",
                     "keep summary, final or outputs, or leave out --device");
}

}  // namespace

SystemCompiler gpu_compiler() {
  const Gpu gpu = find_gpu();
  try {
    return find_cuda_compiler(gpu.architecture);
  } catch (const std::runtime_error& error) {
    throw InputError(std::string("--device gpu: ") + error.what(),
                     "install the CUDA toolkit, put nvcc on the PATH, or leave out --device");
  }
}

void require_gpu(const SweepDescription& sweep, const Model& model, const KeptFigures& keep) {
  require_ends(sweep, keep);
  const LaneMembers members(sweep, model);  // says what cannot go in lanes
  gpu_compiler();
}

SweepOutcome run_in_lanes(Ledger& ledger, const SweepSettings& settings, SweepObserver* observer,
                          const SystemCompiler& compiler) {
  HandOut hand_out(ledger.unfinished(settings.retry_failed));
  if (hand_out.left() == 0) return {};
  const SweepDescription& sweep = ledger.sweep();
  const Model model = model_of(sweep, {});
  const std::vector<std::string> columns = columns_of(sweep, model);
  const KeptFigures keep(sweep.keep, columns, model);
  require_ends(sweep, keep);
  const LaneMembers members(sweep, model);
  Clerk clerk(ledger, observer, settings.end_asked, hand_out.left());
  const LaneLibrary library(members.kernel(), compiler);
  const LaneWork work{members, library, keep, columns};
  LaneCrew crew(work, hand_out, settings);
  SweepOutcome outcome = clerk.serve(crew, hand_out);
  if (!crew.failure().empty()) outcome.failure = crew.failure();
  return outcome;
}

}  // namespace taut
