#pragma once

#include <functional>
#include <optional>

#include "integration/ode.hpp"

namespace taut {

/// Watches the smallest pivot of the constraints from step to step. Where a linkage passes a singular
/// position that pivot goes through zero linearly; seen with a sign it is smooth, so it can be
/// extrapolated: to foresee the next passage, and to tell afterwards that one took place. What the
/// extrapolation suspects is believed only after looking at the pivot there.
class PassageWatch {
 public:
  /// The pivot at another time, on an estimate of the motion there.
  using Probe = std::function<double(double t)>;

  /// A new pivot at an accepted point, with a probe for the times since the last one. Returns the
  /// time of a passage in between.
  std::optional<double> add(double t, double pivot, const Probe& between);
  /// As add(), for pivots that are smooth but for their sign and times that are evenly spaced: four values before the
  /// new one mostly tell what a probe would, and what looking costs is then the same at every step.
  std::optional<double> add_evenly(double t, double pivot, const Probe& between);
  /// Looks for the passage ahead, not farther than `horizon`, with a probe for the times to come.
  void look_ahead(double horizon, const Probe& beyond);
  const Passage& ahead() const { return ahead_; }
  /// Could the pivot reach zero on the way to `t`, if it changed so many times faster than it did? Always, where little
  /// is known of it.
  bool may_reach_zero(double t, double faster = 4) const;
  /// Forgets the past: the constraints that count have changed.
  void reset();

 private:
  struct Sample {
    double t, pivot;
  };
  /// What the squares of the last pivots tell of a zero in the last step.
  enum class Verdict { passed, not_passed, unsure };
  Verdict judge_squares(double& x) const;
  bool remember_square(double t, double pivot);
  void cross(double zero);
  void record(double t, double pivot);
  double extrapolated(double t) const;
  double foreseen_zero() const;
  bool suspicious(double t, double pivot, const Probe& between) const;
  bool turns(double t, double pivot, const Probe& between) const;

  Sample last_[3] = {};  ///< newest first; the newest is positive, those before a passage negative
  int count_ = 0;
  double squares_[5] = {};  ///< of the last pivots at even times, newest first
  int even_ = 0;            ///< how many of them there are
  double square_t_ = 0, spacing_ = 0;
  double last_passage_ = -std::numeric_limits<double>::infinity();
  Passage ahead_;
};

}  // namespace taut
