#pragma once

#include "simulation/run_state.hpp"

namespace taut {

/// What is asked of a state of the motion, evaluated there once: coordinates and their rates, what follows from them,
/// outputs and watched functions, and the accelerations and multipliers that these need.
class StateValues {
 public:
  explicit StateValues(RunState& run);

  /// q and v of a state. False, and neither is a number, where there are none.
  bool find_state(double t, const Vector& y);
  /// … and q̇.
  bool find_rates(double t, const Vector& y);
  /// … and what a row has of it: q̇, what follows, outputs.
  bool find_row(double t, const Vector& y);
  /// q, v, outputs and watched functions.
  void find_outputs(double t, const Vector& y);
  /// The watched functions alone.
  const Vector& watched(double t, const Vector& y);
  /// v̇ and λ. False, and neither is a number, where there are none.
  bool find_accelerations(double t, const Vector& y);
  /// q̇, what follows and outputs at the q, v, v̇ and λ found last, for which no motion is needed.
  void complete(double t);

  bool has_outputs() const { return outputs_.size() > 0; }
  Eigen::Index watched_functions() const { return watched_.size(); }
  const Vector& q() const { return q_; }
  const Vector& v() const { return v_; }
  const Vector& qdot() const { return qdot_; }
  const Vector& a() const { return a_; }
  const Vector& lambda() const { return lambda_; }
  const Vector& following() const { return following_; }
  /// Outputs, and behind them watched functions.
  const Vector& outputs() const { return outputs_; }

 private:
  Motion& motion() const { return *run_.parts.motion; }

  RunState& run_;
  System& system_;
  const Shape& shape_;
  Vector q_, v_, qdot_, a_, lambda_, following_, outputs_, watched_;
};

}  // namespace taut
