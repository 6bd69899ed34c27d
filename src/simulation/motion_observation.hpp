#pragma once

#include "simulation/correction_terms.hpp"
#include "simulation/energy_balance.hpp"
#include "simulation/violation_scale.hpp"

namespace taut {

/// A step that was accepted, from one state to another.
struct TakenStep {
  double from;
  const Vector& y_from;
  double to;
  const Vector& y_to;
  double h() const { return to - from; }
};

/// What observers ask of a motion at a state: accelerations and reactions, what corrections take, violations, the
/// energy balance. Nothing here changes the motion; what was evaluated for a step may have to be evaluated anew.
class MotionObservation {
 public:
  MotionObservation(Evaluation& evaluation, const Method& method, CorrectionTerms& terms, EnergyBalance& balance,
                    const MotionReport& report);

  /// Accelerations and multipliers, without any correction in them. False, and neither is a number, where there are
  /// none.
  bool accelerations(double t, const Vector& y, Vector& a, Vector& lambda);
  /// Hᵀλ, without any correction in it: unique even where multipliers are not. False, and not a number, where there is
  /// none.
  bool constraint_forces(double t, const Vector& y, Vector& Q);

  /// Are coordinates moved by corrections or terms at all?
  bool moves_positions() const;
  /// Has the correction an impulse? A chart has none, and multipliers that are unknowns have their own.
  bool has_impulses() const;
  /// Do impulses depend on where the step began?
  bool impulses_need_start() const { return has_impulses() && terms_.exist() && !terms_.act_at_end(); }
  /// μ of each position constraint: what the step was corrected with, as q̇ = N(v + M⁻¹Hᵀμ) + n. Terms act where the
  /// step began, or where --control has them added to its result, at its end, where results are corrected as well.
  /// False where positions are not corrected, or there is no such number.
  bool impulses(const TakenStep& step, Vector& mu);

  /// Puts a state between steps onto the constraints, where the method keeps them. False, and y as it was, if they
  /// cannot be reached.
  bool project(double t, Vector& y);
  /// Φ and χ. False, and neither is a number, where there are none.
  bool violations(double t, const Vector& y, Vector& Phi, Vector& chi);
  /// Tells the sizes of coordinates and speeds at the state whose violations were just asked for.
  void tell_sizes(const Vector& y, ViolationScale& scale) const;
  /// E − E₀ − work.
  double energy_error(double t, const Vector& y) { return balance_.error(t, y); }

 private:
  bool find_smallest_multipliers(double t);
  bool add_impulses_of_terms(const TakenStep& step, Vector& mu);
  bool add_impulses_of(double t, const Vector& y, const Vector& rate, Vector& mu);
  void find_position_rates(double t, const Vector& rate);

  Evaluation& evaluation_;
  const Method& method_;
  CorrectionTerms& terms_;
  EnergyBalance& balance_;
  const MotionReport& report_;
  Vector moving_;          ///< the rate at which a correction moves coordinates
  Vector ahead_, behind_;  ///< Φ a little after and before, see find_position_rates()
};

}  // namespace taut
