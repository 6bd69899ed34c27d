#pragma once

#include "integration/ode.hpp"

namespace taut {

/// Are the steps of an explicit formula short for its stability, and not for their accuracy? Then h |λ| stands at the
/// boundary of the formula's stability, where λ is the fastest rate at which small changes of the state grow or die
/// away. Steps that accuracy asks for stay well below it (Hairer & Wanner, Solving ODEs II, IV.2).
class StiffnessWatch {
 public:
  /// `boundary`: h |λ| that the formula bears for real λ.
  StiffnessWatch(Ode& ode, double until, double boundary) : ode_(ode), until_(until), boundary_(boundary) {}

  /// Told after each step. Looks now and then, which costs some evaluations; true where the steps were found to be
  /// those of a stiff system, and many of them are left.
  bool step(double t, const Vector& y);
  /// Measures the fastest rate, whatever the steps are.
  void measure_rate(double t, const Vector& y, double mean_step);
  double rate() const { return rate_; }        ///< |λ| when last measured, 1/s
  double steps_left() const { return left_; }  ///< if the run goes on in this way
  double mean_step() const { return mean_step_; }

 private:
  bool is_slow(double t, const Vector& y);

  Ode& ode_;
  double until_, boundary_;
  long steps_ = 0;
  double t_ = 0, mean_step_ = 0, left_ = 0, rate_ = 0;
  Vector slope_, changed_, direction_;
};

/// An implicit formula that has taken over from an explicit one, and has to show that it costs less.
struct ImplicitTurn {
  double from;                 ///< s
  double explicit_cost;        ///< evaluations for a second of the motion, before
  long evaluations, judge_at;  ///< evaluations when it began, and the step at which it is judged
  bool in_force = true;

  bool pays(double t, long evaluations_now) const {
    return static_cast<double>(evaluations_now - evaluations) < explicit_cost * (t - from);
  }
};

/// The fastest rate at which small changes of a state grow or die away: power iteration with differences. None where
/// the derivative has no value. The vectors are room to work in.
double fastest_rate(Ode& ode, double t, const Vector& y, Vector& slope, Vector& changed, Vector& direction);

}  // namespace taut
