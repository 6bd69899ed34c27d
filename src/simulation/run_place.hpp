#pragma once

#include "simulation/run_state.hpp"

namespace taut {

/// Where a run stands: where its last step has ended, or, if it has none to take, where it begins.
class RunPlace {
 public:
  explicit RunPlace(const RunState& run) : run_(run) {}

  /// It begins at this time.
  void start(double t) { start_ = t; }
  double start() const { return start_; }
  /// Is there any step to take? Else the state where it begins is only looked at.
  bool moves() const { return run_.parts.options.until > start_; }

  double t() const { return moves() ? run_.t() : start_; }
  const Vector& y() const { return moves() ? run_.state() : run_.y; }

 private:
  const RunState& run_;
  double start_ = 0;
};

}  // namespace taut
