#pragma once

namespace taut {

/// The times of fixed steps: multiples of the step, the last of them on the end itself, with no sliver left over.
class FixedSteps {
 public:
  FixedSteps() = default;
  FixedSteps(double start, double step, double until) : start_(start), step_(step), until_(until) {}

  double next() const {
    const double t = start_ + static_cast<double>(taken_ + 1) * step_;
    return t > until_ - sliver * step_ ? until_ : t;
  }
  /// A step has ended at t; one that was cut short ends before its time.
  void take(double t) {
    if (t >= next() - sliver * step_) ++taken_;
  }
  /// Is h the step, but for the rounding of times?
  bool is_whole(double h) const { return h > (1 - sliver) * step_ && h < (1 + 2 * sliver) * step_; }

 private:
  static constexpr double sliver = 1e-9;

  double start_ = 0, step_ = 0, until_ = 0;
  long taken_ = 0;
};

}  // namespace taut
