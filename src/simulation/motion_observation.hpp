#pragma once

#include "simulation/correction_terms.hpp"
#include "simulation/energy_balance.hpp"
#include "simulation/violation_scale.hpp"

namespace taut {

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
  /// μ of each position constraint: what a step of h to this state was corrected with, or the terms at it correct one
  /// with, as q̇ = N(v + M⁻¹Hᵀμ) + n. False where positions are not corrected, or there is no such number.
  bool impulses(double t, const Vector& y, double h, Vector& mu);

  /// Φ and χ. False, and neither is a number, where there are none.
  bool violations(double t, const Vector& y, Vector& Phi, Vector& chi);
  /// Tells the sizes of coordinates and speeds at the state whose violations were just asked for.
  void tell_sizes(const Vector& y, ViolationScale& scale) const;
  /// E − E₀ − work.
  double energy_error(double t, const Vector& y) { return balance_.error(t, y); }

 private:
  bool find_smallest_multipliers(double t);
  void find_position_rates(double t, const Vector& rate, Vector& found);

  Evaluation& evaluation_;
  const Method& method_;
  CorrectionTerms& terms_;
  EnergyBalance& balance_;
  const MotionReport& report_;
  Vector behind_;  ///< Φ a little before, see find_position_rates()
};

}  // namespace taut
