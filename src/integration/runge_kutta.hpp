#pragma once

#include <vector>

#include "integration/fixed_steps.hpp"
#include "integration/integrator.hpp"
#include "integration/singular_crossing.hpp"
#include "integration/tableau.hpp"

namespace taut {

/// Any explicit Runge–Kutta formula, with fixed steps or with error control.
/// A singular moment that the Ode foresees is stepped across, see SingularCrossing.
class RungeKutta : public Integrator {
 public:
  explicit RungeKutta(Tableau tableau) : tableau_(std::move(tableau)), crossing_(tableau_.widest_gap) {}

  void start(Ode& ode, double t, const Vector& y, const StepControl& control) override;
  const Step& advance() override;
  void set_end(double until) override {
    control_.until = until;
    limits_.set_end(until);
    fixed_.set_end(until);
  }
  bool interpolate(double t, Vector& y) override;
  int order() const override { return tableau_.order; }

 private:
  enum class Attempt { accepted, inaccurate, impossible, refused };

  bool adaptive() const { return !control_.step; }
  double first_step();
  double plan(double h);
  bool acceptable(Attempt outcome) const;
  Attempt judge(Attempt outcome, double h);
  Attempt attempt_on_branch(double& h);
  Attempt attempt(double h);
  bool slopes_one_by_one(double h);
  double find_error(double h);
  double error_norm() const;
  bool is_rounding(double error, double h) const;
  double scaled_norm(const Vector& e, const Vector& y) const;
  double norm_at_start(const Vector& e) const;
  const Step& accept(double h);
  const Step& give_up(Attempt outcome);
  bool shrink(double h, Attempt outcome);
  bool prepare_dense();
  void leave_stop();

  Tableau tableau_;
  StepControl control_;
  StepLimits limits_;
  ErrorScale scale_;
  Ode* ode_ = nullptr;
  OdeExtensions extensions_;  ///< what it has beside
  Step step_;

  std::vector<Vector> k_;  ///< one slope per stage, those of dense output last
  Vector y_new_;           ///< the stage at hand, and in the end the result
  Vector y_old_, y_end_, slope_;
  Vector error_;  ///< in dense output: the slope at the end of the step
  Vector damping_, zero_;
  Vector branch_end_;               ///< where steps may end early: the derivative at the end of the one just tried
  Switching::Between within_step_;  ///< … and states within it
  std::vector<Vector> dense_;       ///< what refines the cubic
  bool new_coordinates_ = false;    ///< since the last step
  bool slope_known_ = false;        ///< slope_ is the derivative at (t_, y_)
  bool slope_carries_ = false;      ///< the last stage of the step just tried is the derivative at its result
  bool dense_ready_ = false;
  double h_ = 0, h_last_ = 0, last_error_ = 1e-4;
  bool after_failure_ = false;              ///< the last attempt failed: the next step does not grow
  double failed_h_ = 0, failed_error_ = 0;  ///< of the last attempt at the present step; none: 0
  bool noisy_ = false;                      ///< errors have been of rounding since a step passed its test by itself
  FixedSteps fixed_;

  SingularCrossing crossing_;
  double planned_ = 0;  ///< the step the controller would have taken
};

}  // namespace taut
