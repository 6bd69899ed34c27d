#pragma once

#include "simulation/event_search.hpp"
#include "simulation/final_state.hpp"
#include "simulation/integrator_turns.hpp"
#include "simulation/recorder.hpp"
#include "simulation/run_changes.hpp"
#include "simulation/run_place.hpp"
#include "simulation/run_start.hpp"
#include "simulation/run_state.hpp"
#include "simulation/step_reports.hpp"
#include "simulation/step_review.hpp"

namespace taut {

/// A run, one step at a time: start() once, step() as long as it goes on, finish() once.
///
/// After each step that the integrator has taken, the others have their turn in one order: the step is reviewed, events
/// in it are looked for, its rows are recorded, events act and controllers sample, the row at its end is recorded, the
/// observer is told, and whether the run gets anywhere is judged.
class RunLoop {
 public:
  /// Puts the parts together. Throws InputError, or OptionError where single options are to blame, if they do not fit.
  RunLoop(System& system, ModelKnowledge known, const Options& options, Observer* observer);

  /// Throws InputError where the state is refused, or the equations cannot be evaluated there.
  void start(InitialState initial);
  /// Is there a further step to take?
  bool goes_on() const { return state_.log.goes_on() && t() < state_.parts.options.until; }
  /// Takes one step, as long as the integrator makes it. False if there was none, and the run has ended.
  bool step();
  /// … and not beyond a time.
  bool step(double until);
  /// Takes steps up to a time, or until the run ends; the last ends exactly there. Not beyond the end of the run.
  void advance(double until);

  /// What the caller, events and controllers change, and the values that parameters have.
  RunChanges& changes() { return changes_; }
  const RunChanges& changes() const { return changes_; }

  /// Where the run stands.
  double t() const { return place_.t(); }
  const Vector& y() const { return place_.y(); }
  const Summary& log() const { return state_.log.summary(); }
  RunParts& parts() { return state_.parts; }

  /// What came of the run so far; it may go on.
  Summary summary();
  /// Ends the run where it stands. Nothing else may be asked of it then.
  Run finish();

 private:
  void describe();
  void start_on_constraints(InitialState& initial);
  void start_integrator();
  void set_end(double until);
  void follow_up(const Step& step);
  void cut_step_at_event();
  Evidence gather(FinalState& final_state);
  void fill(FinalState& final_state, Evidence evidence);

  RunState state_;
  RunPlace place_;
  StateValues values_;
  StepInterior interior_;
  StepReview review_;
  EventSearch events_;
  Recorder recorder_;
  StepReports reports_;
  IntegratorTurns turns_;
  std::unique_ptr<FeatureWatch> features_;  ///< until the motion has it
  const Model* model_;                      ///< null of a system that is not made of one
  RunChanges changes_;
};

}  // namespace taut
