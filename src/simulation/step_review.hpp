#pragma once

#include "simulation/contradiction_end.hpp"
#include "simulation/invariant_watch.hpp"
#include "simulation/run_state.hpp"
#include "simulation/state_values.hpp"
#include "simulation/step_interior.hpp"

namespace taut {

/// Looks at every accepted step: violations, rank, passages, contradictions, limits. Logs what it finds, and ends the
/// run where it cannot be trusted any more.
class StepReview {
 public:
  StepReview(RunState& run, StateValues& values, StepInterior& interior)
      : run_(run),
        values_(values),
        interior_(interior),
        contradictions_(run, values, interior),
        invariants_(run.parts.system) {}

  /// Where the run begins, at (t, y) that stands for (q, v).
  void start(double t, const Vector& y, const Vector& q, const Vector& v);
  void review(const Step& step);
  /// Where equations have kinks: on which sides of them the step has begun. Before all that happened within the step.
  void review_branches();
  /// There is no further step, and this is why, unless there is a better reason.
  void explain_failure(const std::string& reason);
  const InvariantWatch& invariants() const { return invariants_; }
  /// Figures of every step, where they were asked for.
  Trajectory take_diagnostics() { return std::move(diagnostics_); }

 private:
  void diagnose(double t, double h);
  void review_passage(double t, const Step& step);
  double locate_passage(double guess, const Step& step);
  void log_sliding(const SwitchedMotion::Change& change);
  void check_divergence(bool finite);
  void check_limit(double t);
  void measure_coupling(double t, const Vector& y);
  void observe_invariants(double t, const Vector& y);

  RunState& run_;
  StateValues& values_;
  StepInterior& interior_;
  ContradictionEnd contradictions_;
  InvariantWatch invariants_;
  Trajectory diagnostics_;
  double lost_above_ = 0;  ///< a violation above this has nothing to do with the mechanism any more
};

}  // namespace taut
