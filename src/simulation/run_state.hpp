#pragma once

#include <optional>
#include <string>

#include "simulation/conformance.hpp"
#include "simulation/run_log.hpp"
#include "simulation/run_parts.hpp"
#include "simulation/step_totals.hpp"

namespace taut {

/// Evaluations and factorisations made to look at a run, which are not its own.
struct ObservationCost {
  long evaluations = 0, factorisations = 0;

  /// What an action costs is added up here.
  template <class Action>
  auto count(const Manifold& manifold, Action&& action) {
    struct Counter {
      ObservationCost& cost;
      const Manifold& manifold;
      WorkCounts before = manifold.counts;
      ~Counter() {
        const WorkCounts& after = manifold.counts;
        cost.evaluations += after.evaluations - before.evaluations;
        cost.factorisations += after.factorisations - before.factorisations;
      }
    } counter{*this, manifold};
    return action();
  }
};

/// Where a run stands, and what everybody shares who has a part in it: its parts, its log, and the records of its
/// steps.
struct RunState {
  RunState(System& system, ModelKnowledge& known, const Options& options)
      : parts(system, known, options), conformance(system, *parts.motion, parts.options) {}

  RunParts parts;
  RunLog log;
  Conformance conformance;
  StepTotals totals;
  ObservationCost observed;
  /// Where the run stands before its first step, and in the end.
  Vector y;
  /// Where the last step began, if its correction is told by that.
  Vector step_start;
  /// Within the last step, where an event has ended the run at y.
  std::optional<double> ended_at;
  /// The run has ended there since constraints contradict each other.
  bool contradictory = false;

  double t() const { return ended_at ? *ended_at : parts.integrator->t(); }
  /// The state there, of a run that has taken a step.
  const Vector& state() const { return ended_at ? y : parts.integrator->y(); }
  /// The next step begins where the run stands.
  void begin_step() {
    if (parts.motion->observe().impulses_need_start()) step_start = parts.integrator->y();
  }
  /// μ of the last step; false where there is none.
  bool find_impulses(Vector& mu);
  /// Ends the run within its last step.
  void end_within_step(double t, const Vector& state) {
    ended_at = t;
    y = state;
  }
  /// Ends the run with a reason, to which the likely cause is added.
  void fail(const std::string& reason);
};

/// What a run most likely failed for, as the end of a sentence.
std::string likely_cause(RunState& run);

}  // namespace taut
