#pragma once

#include "simulation/run_state.hpp"
#include "simulation/state_values.hpp"

namespace taut {

/// The state in which a run ends, and the forces there, as the summary lists them.
class FinalState {
 public:
  FinalState(RunState& run, StateValues& values) : run_(run), values_(values) {}

  /// Evaluates it, for which the motion is needed.
  void find(double t, const Vector& y);
  /// Lists it, for which the motion is needed no more.
  void fill(double t, Summary& summary);

 private:
  void fill_coordinates(Summary& summary) const;
  void fill_speeds(Summary& summary) const;
  void fill_following(Summary& summary) const;
  void fill_states(Summary& summary) const;
  void fill_multipliers(Summary& summary) const;
  void fill_forces(Summary& summary) const;
  void fill_outputs(Summary& summary) const;

  RunState& run_;
  StateValues& values_;
  Vector forces_, impulses_;  ///< Hᵀλ and μ
  bool is_complete_ = false;  ///< outputs were found along with the state, since they depend on the motion's branches
};

}  // namespace taut
