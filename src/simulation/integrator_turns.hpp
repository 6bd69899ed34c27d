#pragma once

#include <optional>
#include <string>

#include "simulation/progress.hpp"
#include "simulation/run_state.hpp"
#include "simulation/stiffness.hpp"

namespace taut {

/// Watches whether a run gets anywhere, and ends it if not. Where steps are short for stability alone and the
/// integrator was left to be chosen, an implicit formula has its turn, and gives way again if it is no faster.
class IntegratorTurns {
 public:
  explicit IntegratorTurns(RunState& run) : run_(run), parts_(run.parts) {}

  /// The integrator has been started.
  void start();
  /// After each step that did not end the run.
  void judge_step();
  /// The equations have changed: the integrator begins anew at this state, with nothing remembered.
  void restart(double t, const Vector& y);
  /// The integrator has found no further step. True if another one has taken over.
  bool replace_failed();
  /// Steps that failed, of all integrators.
  long rejected() const { return rejected_before_ + parts_.integrator->rejected(); }

 private:
  void judge_cut_steps();
  void end_or_turn();
  void judge_stiffness();
  long attempts_in_vain() const;
  bool may_turn_implicit() const;
  void turn_implicit();
  void turn_explicit(const std::string& why);
  void change_integrator(const std::string& name);
  StepControl control() const;

  RunState& run_;
  RunParts& parts_;
  std::optional<Progress> progress_;
  std::optional<StiffnessWatch> stiffness_;
  std::optional<ImplicitTurn> implicit_;
  long rejected_before_ = 0;  ///< by integrators before the present one
};

}  // namespace taut
