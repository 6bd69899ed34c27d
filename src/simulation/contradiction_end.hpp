#pragma once

#include <string>

#include "simulation/contradiction.hpp"
#include "simulation/run_state.hpp"
#include "simulation/state_values.hpp"
#include "simulation/step_interior.hpp"

namespace taut {

/// Ends a run whose constraints have come to contradict each other, at the last time at which they could be met.
class ContradictionEnd {
 public:
  ContradictionEnd(RunState& run, StateValues& values, StepInterior& interior)
      : run_(run),
        values_(values),
        interior_(interior),
        watch_(run.parts.manifold, *run.parts.method, run.conformance) {}

  /// After a step whose end has been observed by Conformance.
  void check(const Step& step);
  /// There is no further step: is a contradiction the reason? Then the run has been ended for it.
  bool explains_failure();

 private:
  double last_good_time(const Step& step, double threshold);
  void end_run(const std::string& names);

  RunState& run_;
  StateValues& values_;
  StepInterior& interior_;
  ContradictionWatch watch_;
};

}  // namespace taut
