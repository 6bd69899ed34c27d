#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulation/event_jump.hpp"
#include "simulation/event_search.hpp"
#include "simulation/integrator_turns.hpp"
#include "simulation/run_place.hpp"
#include "simulation/run_start.hpp"
#include "simulation/run_state.hpp"
#include "simulation/sampling.hpp"
#include "simulation/state_values.hpp"

namespace taut {

/// What changes a run from outside its equations, at single moments: inputs that the caller sets, events that act, and
/// controllers that sample. It owns the values that parameters have, and does what follows from new ones: equations and
/// speeds change, watches are renewed, and the integrator begins anew.
class RunChanges {
 public:
  /// What a run shares, and who is to be told of changes. All outlive this.
  struct Told {
    RunState& state;
    const RunPlace& place;
    StateValues& values;
    EventSearch& events;
    IntegratorTurns& turns;
  };
  /// The model is null of a system that is not made of one; then there are no parameters.
  RunChanges(const Told& told, const Model* model, std::vector<double> parameters);

  /// Makes what acts ready. Throws InputError where events that act do not go with the method.
  void prepare();
  /// Are there controllers, or events that act?
  bool exist() const { return sampling_.exists() || jump_; }
  /// What is found where a run begins is in its first row, and what touches there has struck.
  void begin(const InitialState& initial);

  /// Parameters take other values where the run stands, indexed like the model's; the run goes on with nothing
  /// remembered of its steps. Throws InputError, with nothing changed, where positions would have to jump.
  void set_parameters(const std::vector<double>& values);
  /// Has events change the state where the run stands, or contacts that touch where it begins.
  void act(const std::vector<int>& events);
  /// The next step goes no farther than to where a controller samples.
  void end_step_at_sample();
  /// Controllers that are due find new values where the run stands.
  void sample();

  /// Their present values; empty of a system that is not made of a model.
  const std::vector<double>& parameters() const { return parameters_; }
  const std::vector<Sampler>& samplers() const { return sampling_.samplers(); }
  /// What controllers remember, for InitialState::memory.
  std::vector<double> memory() const { return sampling_.memory(); }
  /// May that be so many numbers? What units remember is of any size.
  bool remembers(std::ptrdiff_t numbers) const;

  /// For an action that looks at all constraints, also at those that are switched off where the run stands.
  template <class Action>
  void with_all_engaged(const Action& action) {
    if (!jump_) return action();
    engage_all();
    action();
    state_.parts.system.change_parameters(parameters_);
  }

 private:
  std::optional<InputError> position_jump(const std::vector<double>& values);
  void take(const std::vector<double>& values);
  void change_equations(const std::vector<double>& values);
  void renew_watches(const std::vector<double>& values);
  void engage_all();

  RunState& state_;
  const RunPlace& place_;
  StateValues& values_;
  EventSearch& events_;
  IntegratorTurns& turns_;
  const Model* model_;
  std::vector<double> parameters_, sampled_;  ///< as they are, and as controllers would have them
  std::vector<char> acts_;                    ///< does the motion depend on a parameter that controllers set?
  Sampling sampling_;
  std::optional<EventJump> jump_;  ///< none where no event acts
};

}  // namespace taut
