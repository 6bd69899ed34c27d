#pragma once

#include <array>
#include <vector>

#include "integration/fixed_steps.hpp"
#include "integration/integrator.hpp"

namespace taut {

/// Adams–Bashforth with fixed steps: y⁺ = y + h Σ βⱼ f(tₙ₋ⱼ, yₙ₋ⱼ) + h · (terms held through the step).
///
/// Steps without enough history (at the start, after a change of coordinates or a step that was cut short), and those
/// that are shorter than the others, are those of the classical Runge–Kutta formula.
class AdamsBashforth : public Integrator {
 public:
  /// `beta`: the weights of the derivatives, newest first.
  explicit AdamsBashforth(std::vector<double> beta) : beta_(std::move(beta)) {}

  void start(Ode& ode, double t, const Vector& y, const StepControl& control) override;
  const Step& advance() override;
  void set_end(double until) override { steps_.set_end(until); }
  bool interpolate(double t, Vector& y) override;
  int order() const override { return order_; }

 private:
  bool attempt(double end);
  double end_on_branch(double end);
  bool find_slope(double h);
  bool enough_history() const { return known_ + 1 >= beta_.size(); }
  void extrapolate(double h);
  bool runge_kutta(double h);
  const Step& accept(double end, double h);
  const Step& give_up();
  const Step& object();
  bool prepare_dense();

  std::vector<double> beta_;
  Ode* ode_ = nullptr;
  OdeExtensions extensions_;  ///< what it has beside
  FixedSteps steps_;
  Step step_;
  int order_ = 0;  ///< of the step last tried

  Vector slope_;              ///< the derivative at (t_, y_), if known
  std::vector<Vector> past_;  ///< derivatives at the points before, newest first
  std::size_t known_ = 0;     ///< how many of them there are
  bool slope_known_ = false;
  Vector rate_;  ///< terms held through the step
  Vector y_new_, y_old_, y_end_, stage_, stage_slope_;

  std::array<Vector, 3> dense_;
  bool dense_ready_ = false, same_coordinates_ = true;
};

}  // namespace taut
