#pragma once

#include <vector>

#include "integration/fixed_steps.hpp"
#include "integration/integrator.hpp"
#include "integration/singular_crossing.hpp"
#include "integration/step_controller.hpp"
#include "integration/tableau.hpp"

namespace taut {

/// Any explicit Runge–Kutta formula, with fixed steps or with error control.
/// A singular moment that the Ode foresees is stepped across, see SingularCrossing.
class RungeKutta : public Integrator {
 public:
  explicit RungeKutta(Tableau tableau)
      : tableau_(std::move(tableau)), controller_(tableau_), crossing_(tableau_.widest_gap) {}

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

  /// What slope_ is: the derivative where the next step begins, or not. Where a step has ended in new coordinates it is
  /// still asked for in the old ones, for dense output, and means nothing to the next step.
  enum class Slope { unknown, known, of_old_coordinates };

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
  const Step& accept(double h);
  void end_adaptive_step(double h);
  void end_fixed_step(double h);
  void keep_slope(const Vector& slope);
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
  Slope slope_at_start_ = Slope::unknown;
  bool slope_carries_ = false;  ///< the last stage of the step just tried is the derivative at its result
  bool dense_ready_ = false;
  bool noisy_ = false;  ///< errors have been of rounding since a step passed its test by itself
  double h_last_ = 0;
  FixedSteps fixed_;

  StepController controller_;
  SingularCrossing crossing_;
};

}  // namespace taut
