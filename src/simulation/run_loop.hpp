#pragma once

#include "simulation/event_jump.hpp"
#include "simulation/event_search.hpp"
#include "simulation/final_state.hpp"
#include "simulation/integrator_turns.hpp"
#include "simulation/recorder.hpp"
#include "simulation/run_start.hpp"
#include "simulation/run_state.hpp"
#include "simulation/sampling.hpp"
#include "simulation/step_reports.hpp"
#include "simulation/step_review.hpp"

namespace taut {

/// A run, one step at a time: start() once, step() as long as it goes on, finish() once.
///
/// After each step that the integrator has taken, the others have their turn in one order: the step is reviewed, events
/// in it are looked for, rows are recorded, the observer is told, and whether the run gets anywhere is judged.
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

  /// Parameters take other values where the run stands, indexed like the model's; the run goes on with nothing
  /// remembered of its steps. Throws InputError, with nothing changed, where positions would have to jump.
  void set_parameters(const std::vector<double>& values);
  /// Their present values; empty of a system that is not made of a model.
  const std::vector<double>& parameters() const { return parameters_; }
  /// What controllers remember, for InitialState::memory.
  std::vector<double> memory() const { return sampling_.memory(); }
  /// May that be so many numbers? What units remember is of any size.
  bool remembers(std::ptrdiff_t numbers) const {
    return sampling_.has_units() ? numbers >= 0 : numbers == static_cast<std::ptrdiff_t>(sampling_.memory_size());
  }

  /// Where the run stands.
  double t() const { return is_started() ? state_.t() : start_time_; }
  const Vector& y() const { return is_started() ? state_.state() : state_.y; }
  const Summary& log() const { return state_.log.summary(); }
  RunParts& parts() { return state_.parts; }

  /// What came of the run so far; it may go on.
  Summary summary();
  /// Ends the run where it stands. Nothing else may be asked of it then.
  Run finish();

 private:
  bool is_started() const { return state_.parts.options.until > start_time_; }
  void describe();
  void start_on_constraints(InitialState& initial);
  void start_integrator();
  void set_end(double until);
  void follow_up(const Step& step);
  void make_moments();
  void begin_moments(const InitialState& initial);
  void cut_step_at_event();
  void act(const std::vector<int>& events);
  void end_step_at_sample();
  void sample();
  std::optional<InputError> position_jump(const std::vector<double>& values);
  void take(const std::vector<double>& values);
  void change_equations(const std::vector<double>& values);
  void renew_watches(const std::vector<double>& values);
  Evidence gather(FinalState& final_state);
  void fill(FinalState& final_state, Evidence evidence);
  void measure_sizes();

  RunState state_;
  StateValues values_;
  StepInterior interior_;
  StepReview review_;
  EventSearch events_;
  Recorder recorder_;
  StepReports reports_;
  IntegratorTurns turns_;
  std::unique_ptr<FeatureWatch> features_;  ///< until the motion has it
  double start_time_ = 0;
  const Model* model_;                        ///< null of a system that is not made of one
  std::vector<double> parameters_, sampled_;  ///< as they are, and as controllers would have them
  std::vector<char> acts_;                    ///< does the motion depend on a parameter that controllers set?
  Sampling sampling_;
  std::optional<EventJump> jump_;  ///< none where no event acts
};

}  // namespace taut
