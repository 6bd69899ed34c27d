#pragma once

#include "simulation/motion.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// Keeps the record of how well the constraints and the energy balance held.
class Conformance {
 public:
  /// Violations count from the time `settle` on.
  Conformance(System& system, Motion& motion, double settle);

  /// Looks at an accepted state. False if a violation is not finite.
  bool look(double t, const Vector& y);
  void look_at_rank(int rank);

  double largest() const { return largest_; }
  /// The largest violations and the energy error at the state last looked at.
  double position() const { return position_; }
  double velocity() const { return velocity_; }
  double energy() const { return energy_now_; }
  /// All violations at the state last looked at.
  const Vector& Phi() const { return Phi_; }
  const Vector& chi() const { return chi_; }
  /// The constraint that is violated most at the state last looked at.
  const std::string& worst_name() const { return system_.shape().constraints[worst_]; }
  void fill(Summary& summary) const;

 private:
  static double compare(const Vector& violations, bool counts, Vector& most, int& at);
  void note(double violation, int row);

  System& system_;
  Motion& motion_;
  Vector Phi_, chi_, max_Phi_, max_chi_;
  double settle_, largest_ = 0, energy_error_ = 0, energy_now_ = 0, position_ = 0, velocity_ = 0;
  int worst_ = 0, rank_min_ = 0, rank_max_ = 0;
  bool any_ = false;
};

}  // namespace taut
