#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "integration/ode.hpp"

namespace taut {

/// Shorter steps than this hardly move time any more. Near t = 0 the length of the run tells what is short, up to some
/// days: who asks for a run "until something happens" may give any end.
inline double resolution_of_time(double t, double until) {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), 1e-3 * std::min(std::abs(until), 1e6));
}

/// A step that begins, ends or lies at a time from `from` on, until the next such entry, is no longer than `longest`.
struct StepBound {
  double from = 0;
  double longest = std::numeric_limits<double>::infinity();
};

/// A time at which the right-hand side is not smooth. A step ends at `at`, where it still is what it was before, and
/// the next begins at `resume`, a few units in the last place later, where it is what it will be.
struct Stop {
  double at = 0, resume = 0;
};

/// What is known of a run's time before it begins. Both lists ascend.
struct TimeSchedule {
  std::vector<StepBound> bounds;
  std::vector<Stop> stops;
};

struct StepControl;

/// How far a step may go: not beyond the end, nor a stop, and not farther than bounds allow. Times asked for must not
/// go back.
class StepLimits {
 public:
  StepLimits() = default;
  explicit StepLimits(const StepControl& control);
  void set_end(double until) { until_ = until; }

  /// The latest time at which a step from t may end.
  double end(double t);
  /// The next time after t at which one must end.
  double stop(double t);
  /// The time that a step reached, freed of rounding where that is a stop or the end of the run.
  double reached(double t);
  /// Told of an accepted step from the time last asked for, and its error, 1 being the limit. Where one step after the
  /// other is as long as a bound allows and has next to no error, what the bound is for does not matter here, and the
  /// bound goes.
  void judge(double h, double error);
  /// Where t is a stop, takes it and the state to where the next step begins, and forgets the stop. The listener, if
  /// there is one, takes the state along.
  bool leave_stop(StopListener* listener, double& t, Vector& y);

 private:
  const Stop* next_stop(double t);

  std::shared_ptr<const TimeSchedule> schedule_;
  double until_ = 0, max_step_ = std::numeric_limits<double>::infinity();
  std::size_t bound_ = 0, stop_ = 0;  ///< those at or after the last time asked for
  std::size_t idle_bound_ = 0;        ///< by which the last steps were bound for nothing, …
  int idle_steps_ = 0;                ///< … and how many: at `most_idle_steps` it holds no longer
};

}  // namespace taut
