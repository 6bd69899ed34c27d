#include "simulation/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace taut {
namespace {

/// Steps that are so much shorter than those before are no longer those of the same motion, and so many more of them
/// are no passage that ends by itself.
struct Slowdown {
  double share, steps;
};
constexpr Slowdown slowdowns[] = {{1e-4, 1e6}, {1e-2, 1e7}};
/// Where so large a share of attempts fails, the right-hand side is not smooth: each failure costs as much as a step,
/// and the steps do not grow.
constexpr double mostly_failing = 0.3;
constexpr double many_failing_steps = 1e6;
/// Some minutes for a small model: more steps than these are nobody's wish, unless he says so.
constexpr double most_by_default = 2e7;
/// Windows in a row that must agree before the largest number of steps is taken to be too small.
constexpr int patience = 5;

}  // namespace

Progress::Progress(double until, std::optional<long> most_steps)
    : until_(until), most_steps_(most_steps ? static_cast<double>(*most_steps) : most_by_default) {}

void Progress::measure(double t, long rejected) {
  const auto steps = static_cast<double>(steps_ - judged_);
  if (judged_ > 0) mean_before_ = std::max(mean_before_, mean_step_);
  mean_step_ = (t - t_) / steps;
  failing_ = static_cast<double>(rejected - rejected_) / steps;
  steps_left_ = (until_ - t) / std::max(mean_step_, 1e-300);
  hopeless_ = steps_left_ > most_steps_ ? hopeless_ + 1 : 0;
  t_ = t;
  judged_ = steps_;
  rejected_ = rejected;
}

bool Progress::is_stuck() const {
  const bool slowed = std::ranges::any_of(slowdowns, [this](const Slowdown& slowdown) {
    return steps_left_ > slowdown.steps && mean_step_ < slowdown.share * mean_before_;
  });
  const bool failing = steps_left_ > many_failing_steps && failing_ > mostly_failing;
  return slowed || failing || hopeless_ >= patience;
}

std::string Progress::description() const {
  if (mean_step_ == 0) return "no progress: the last steps are too short to move time at all";
  return fmt::format("no progress: the last steps are {:.2g} long on average, and the end would take {:.2g} more",
                     mean_step_, steps_left_);
}

}  // namespace taut
