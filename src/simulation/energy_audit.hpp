#pragma once

#include <optional>

#include "taut/system.hpp"

namespace taut {

/// The energy balance as a second opinion on steps whose errors are controlled. A step that passed its error test may
/// still have missed something between its stages; the energy that it made or lost then is far more than the errors
/// that were allowed account for. Such a step is to be repeated, shorter, until the jump is gone or is seen to stay.
class EnergyAudit {
 public:
  /// With no tolerance there is nothing to compare to, and every step is approved.
  EnergyAudit(System& system, double rtol, double atol);

  /// The balance E − E₀ − work where the motion begins.
  void start(double t, double balance) { accept(t, balance); }
  /// Is the balance after a step to (t, q, v) within reach of its errors, or does its jump stay however short the step?
  /// The two vectors are room for derivatives by q and by v.
  bool approves(double t, const Vector& q, const Vector& v, double balance, Vector& slope, Vector& gradient);
  /// A step of given length was taken, whatever its error. Is its energy to be looked at?
  bool counts_given_step();
  void look_at_given_step(double t, const Vector& q, const Vector& v, Vector& gradient);
  /// Of such steps: with an error above this the energy is made up by errors.
  double most_for_given_steps() const;
  /// The step was taken.
  void accept(double t, double balance);

  /// The largest jump that stayed, and how many did.
  struct Jump {
    double t, amount;
  };
  const std::optional<Jump>& worst() const { return worst_; }
  int jumps() const { return jumps_; }
  /// Did the energy's own formula jump?
  bool has_formula_jumped() const { return formula_jumps_ > 0; }

  /// The balance of an exact motion stays as it is, so that the errors of steps add up in it and do not grow. How far
  /// was it off at most, and how much of that do they explain? None where there is nothing to compare to.
  struct Loss {
    double amount, explained;
  };
  /// Speeds jump where a drive has a corner, and nowhere else: without one, many jumps are errors, and no excuse. Nor
  /// is a jump of the energy's own formula.
  std::optional<Loss> loss(bool speeds_may_jump) const;
  /// The same for a motion whose balance a law is to keep: jumps that stay are no excuse.
  std::optional<Loss> loss_despite_law() const;

 private:
  double allowance(double t, const Vector& q, const Vector& v, Vector& slope, Vector& gradient);
  double energy_jump(double t, const Vector& q, const Vector& v, Vector& before);
  void keep(double t, double jump);
  double explained_by_steps() const;
  double explained_loss() const;

  System& system_;
  double rtol_, atol_;
  bool serves_;
  double t_ = 0, balance_ = 0;
  double allowed_ = 0;     ///< the largest so far: where all stands still for an instant, energy has no slope
  double first_rate_ = 0;  ///< the jump for its time, of the first attempt at the present step
  int refusals_ = 0, jumps_ = 0;
  std::optional<Jump> worst_;
  long steps_ = 0, next_look_ = 0;  ///< the allowance is found anew whenever steps have doubled
  double counted_ = 0;              ///< steps, of which tiny ones are parts
  double largest_balance_ = 0, all_jumps_ = 0;
  double formula_jumps_ = 0;  ///< of the energy's own formula, as of a potential with a step: no force stands for them
  bool formula_jumps_here_ = false;
  double largest_kinetic_ = 0, largest_energy_ = 0;  ///< where they were looked at
  double least_kinetic_ = 0;                         ///< that tells a motion from rest
};

}  // namespace taut
