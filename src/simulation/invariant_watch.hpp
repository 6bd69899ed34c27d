#pragma once

#include <string>
#include <vector>

#include "taut/system.hpp"

/// A constraint of states alone is an invariant: their rates keep it by themselves, and methods correct rounding and
/// truncation. If the rates do not, its multiplier changes the motion, which then obeys neither the rates that were
/// given nor anything else that was written. How far the rates alone would have left the constraint is added up here.
/// A constraint that says what a state without a rate is, is none: that state follows, and no rate is changed.
namespace taut {

class InvariantWatch {
 public:
  explicit InvariantWatch(System& system);

  bool is_needed() const { return !rows_.empty(); }
  /// Looks at the end of a step, or at the beginning of all; multipliers count where rates depend on them.
  void observe(double t, const Vector& q, const Vector& v, const Vector& lambda);

  struct Loss {
    int row = -1;      ///< −1: the rates keep all of them
    double share = 0;  ///< how far they would have led away from it, of the sizes it constrains
    double rate = 0;   ///< the fastest at which they did
  };
  /// The worst, beside the sizes of all rows.
  Loss worst(const Vector& sizes) const;

 private:
  void find_rows();

  System& system_;
  std::vector<int> rows_;  ///< those that rates have to keep
  Point point_;
  ReactionForces reactions_;
  Vector rates_, along_;         ///< v̇ without constraints, and what becomes of the rows by it
  Vector last_, sum_, fastest_;  ///< of each row's rate: as last seen, added up over time, largest
  double t_ = 0;
};

}  // namespace taut
