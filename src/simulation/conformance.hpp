#pragma once

#include <cmath>

#include "simulation/motion.hpp"
#include "simulation/verdict.hpp"
#include "simulation/violation_scale.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// Keeps the record of how well the constraints and the energy balance held.
class Conformance {
 public:
  /// Violations count from the time `settle` on.
  Conformance(System& system, Motion& motion, const Options& options);

  /// Records an accepted state. False if a violation is not finite.
  bool observe(double t, const Vector& y);
  void observe_rank(int rank);
  /// The highest that was observed.
  int highest_rank() const { return rank_max_; }

  double largest() const { return largest_; }
  /// The largest violations and the energy error at the state last observed.
  double position() const { return position_; }
  double velocity() const { return velocity_; }
  double energy() const { return energy_now_; }
  double largest_energy_error() const { return energy_error_; }
  /// All violations at the state last observed.
  const Vector& Phi() const { return Phi_; }
  const Vector& chi() const { return chi_; }
  /// The constraint that is violated most at the state last observed.
  const std::string& worst_name() const { return system_.shape().constraints[worst_]; }
  void fill(Summary& summary) const;

  // ---- relative to the sizes of what is constrained --------------------------------------------
  /// Measures these sizes at a state.
  void measure(double t, const Vector& q, const Vector& v) { scale_.measure(t, q, v); }
  const ViolationScale& scale() const { return scale_; }
  /// By the sizes last measured: at the state last observed, and of what counts.
  RelativeViolation relative_now() const { return relative(Phi_, chi_); }
  /// The same at another state, of which no record is kept.
  double share_at(double t, const Vector& y) {
    return motion_.observe().violations(t, y, Phi_, chi_) ? share_now() : HUGE_VAL;
  }
  double share_now() const { return relative_now().largest(); }
  RelativeViolation relative_largest() const { return relative(max_Phi_, max_chi_); }
  /// At the first state that was observed; zero if that does not count.
  RelativeViolation relative_start() const { return relative(start_Phi_, start_chi_); }

 private:
  static double compare(const Vector& violations, bool counts, Vector& most, int& at);
  void note(double violation, int row);
  void keep_start(bool counts);
  RelativeViolation relative(const Vector& Phi, const Vector& chi) const;

  System& system_;
  Motion& motion_;
  ViolationScale scale_;
  Vector Phi_, chi_, max_Phi_, max_chi_, start_Phi_, start_chi_;
  double settle_, largest_ = 0, energy_error_ = 0, energy_now_ = 0, position_ = 0, velocity_ = 0;
  int worst_ = 0, rank_min_ = 0, rank_max_ = 0;
  bool any_ = false, begun_ = false;
};

}  // namespace taut
