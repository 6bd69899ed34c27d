#pragma once

#include <optional>
#include <string>

namespace taut {

/// Does a run get anywhere? Judged by steps and never by the clock, so that the same run ends in the same way on every
/// machine.
class Progress {
 public:
  Progress(double until, std::optional<long> most_steps);

  /// Told after each step how far the run is and how many attempts have failed so far. True where a window of steps, or
  /// of failures, is full, which is the time to judge.
  bool step(double t, long rejected) {
    ++steps_;
    if (steps_ - judged_ < window && rejected - rejected_ < 2 * window) return false;
    measure(t, rejected);
    return true;
  }
  /// How many more steps the run would take if it went on as in the last window.
  double steps_left() const { return steps_left_; }
  double mean_step() const { return mean_step_; }

  /// Steps have become shorter by orders of magnitude, or most attempts fail, and there is no end of it; or even the
  /// largest number of steps would not do.
  bool is_stuck() const;
  std::string description() const;

  static constexpr long window = 4'000;

 private:
  void measure(double t, long rejected);

  double until_, most_steps_;
  long steps_ = 0, judged_ = 0, rejected_ = 0;
  double t_ = 0;  ///< at the last judgement
  double mean_step_ = 0, mean_before_ = 0, steps_left_ = 0, failing_ = 0;
  int hopeless_ = 0;  ///< windows in a row after which the largest number of steps would not do
};

}  // namespace taut
