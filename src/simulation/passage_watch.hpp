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
  /// Looks for the passage ahead, not farther than `horizon`, with a probe for the times to come.
  void look_ahead(double horizon, const Probe& beyond);
  const Passage& ahead() const { return ahead_; }
  /// Forgets the past: the constraints that count have changed.
  void reset();

 private:
  struct Sample {
    double t, pivot;
  };
  double extrapolated(double t) const;
  double foreseen_zero() const;
  bool suspicious(double t, double pivot, const Probe& between) const;
  bool turns(double t, double pivot, const Probe& between) const;

  Sample last_[3] = {};  ///< newest first; the newest is positive, those before a passage negative
  int count_ = 0;
  double last_passage_ = -std::numeric_limits<double>::infinity();
  Passage ahead_;
};

}  // namespace taut
