#pragma once

#include <cmath>

namespace taut {

/// The times of fixed steps: multiples of the step, the last of them on the end itself, with no sliver left over.
class FixedSteps {
 public:
  FixedSteps() = default;
  FixedSteps(double start, double step, double until) : start_(start), step_(step), until_(until) {
    // A run that goes on at a multiple of its step has the same steps, to the last bit, as one that never stopped.
    const double multiple = std::round(start / step);
    if (std::abs(start - multiple * step) >= sliver * step) return;
    taken_ = std::lround(multiple);
    start_ = 0;
  }

  double next() const { return next_multiple() > until_ - sliver * step_ ? until_ : next_multiple(); }
  /// A step has ended at t; one that was cut short ends before its time.
  void count(double t) {
    if (t >= next_multiple() - sliver * step_) ++taken_;
  }
  void set_end(double until) { until_ = until; }
  /// Is h the step, but for the rounding of times?
  bool is_whole(double h) const { return h > (1 - sliver) * step_ && h < (1 + 2 * sliver) * step_; }

 private:
  static constexpr double sliver = 1e-9;

  double next_multiple() const { return start_ + static_cast<double>(taken_ + 1) * step_; }

  double start_ = 0, step_ = 0, until_ = 0;
  long taken_ = 0;
};

}  // namespace taut
