#pragma once

#include <optional>

#include "questions/targets.hpp"
#include "questions/varied_motion.hpp"

namespace taut {

/// Rates of outputs along the motion; by differences of the fourth order over `d` where accelerations or multipliers
/// are in them.
Vector output_rates(VariedMotion& motion, const VariedState& at, double d);

/// The largest or least value of an output along a motion, which is followed step by step. Where it is found inside a
/// step, the rate is zero there, and so its slopes are those of the output at that moment.
class Extreme {
 public:
  Extreme(int output, TargetKind kind) : output_(output), sign_(kind == TargetKind::largest ? 1 : -1) {}

  struct Found {
    double value = 0;
    std::size_t step = 0;  ///< in which it is, counted from the first
    double offset = 0;     ///< s after the step began
    Matrix slopes = {};
    bool is_corner = false;  ///< at the end of a step, with a rate: its time moves, and that is not in the slopes
  };
  /// Looks at a step that has been begun.
  void look(VariedMotion& motion, const VariedState& begun, double h);
  /// The state at which the run ends counts, too. True where that is the extreme.
  bool finish(const VariedMotion::Shown& end);
  const Found& found() const { return *found_; }
  int output() const { return output_; }

 private:
  struct Sample {
    double offset, value, rate;
  };
  Sample sample(VariedMotion& motion, const VariedState& begun, double h, double offset) const;
  void refine(VariedMotion& motion, const VariedState& begun, double h, Sample left, Sample right);
  void consider(VariedMotion& motion, const VariedState& begun, const Sample& sample);

  int output_;
  double sign_;
  std::size_t steps_ = 0;
  double largest_rate_ = 0;  ///< that was seen
  std::optional<Found> found_;
};

}  // namespace taut
