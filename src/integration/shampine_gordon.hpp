#pragma once

#include <array>

#include "integration/adams_formula.hpp"
#include "integration/integrator.hpp"

namespace taut {

/// Adams predictor and corrector of variable step and order, 1 to 12, after Shampine & Gordon, Computer
/// Solution of Ordinary Differential Equations (1975): predict, evaluate, correct with local extrapolation,
/// evaluate. The corrected value is put right by the Ode (Ode::correct) before the last evaluation, so that
/// the history is that of the points which were accepted.
///
/// A failed attempt leaves nothing to undo: the accepted differences are overwritten at acceptance only.
class ShampineGordon : public Integrator {
 public:
  void start(Ode& ode, double t, const Vector& y, const StepControl& control) override;
  const Step& advance() override;
  void set_end(double until) override {
    control_.until = until;
    limits_.set_end(until);
  }
  bool interpolate(double t, Vector& y) override;

  /// Order of the last step.
  int order() const override { return last_order_; }

 private:
  static constexpr int highest_order = AdamsFormula::highest_order;
  enum class Attempt { accepted, inaccurate, impossible, refused };
  /// Estimates of the error a step would have had with equal steps at other orders; see estimate_errors().
  struct Estimates {
    double two_below = 0, below = 0, here = 0;
  };

  void weigh();
  bool begin_anew();
  double step_to_try();
  Attempt attempt_on_branch(double& h);
  Attempt attempt(double h);
  void predict(double h);
  void estimate_errors(double h);
  bool should_lower() const;
  bool shrink(double h, Attempt outcome);
  const Step& accept(double h);
  void update_differences();
  void choose_order(double h);
  double choose_step(double h) const;
  const Step& give_up(Attempt outcome);
  /// Euclidean, each tested entry times its weight; or that of the Ode.
  double norm(const auto& e) {
    if (extensions_.norm) {
      probe_ = e;
      return extensions_.norm->norm(probe_);
    }
    return e.head(control_.tested).cwiseProduct(weight_.head(control_.tested)).norm();
  }
  void prepare_dense();
  void evaluate_polynomial(double t, Vector& y) const;

  StepControl control_;
  StepLimits limits_;
  ErrorScale scale_;
  Ode* ode_ = nullptr;
  OdeExtensions extensions_;  ///< what it has beside
  Step step_;
  AdamsFormula formula_;

  // The accepted history.
  using Differences = std::array<Vector, highest_order + 3>;
  Differences phi_;                 ///< φ₁..φₖ₊₂
  AdamsFormula::Row psi_ = {};      ///< sums of the last steps
  int order_ = 1, last_order_ = 0;  ///< of the next step, and of the last
  int equal_steps_ = 0;             ///< steps of the present size, this one included, as far as the history tells
  double h_ = 0, last_h_ = 0;       ///< the next step, and the last
  bool starting_ = true;            ///< order and step still grow at every step
  bool restart_ = true;             ///< there is no history
  int failures_ = 0;                ///< of the step being tried

  // The attempt.
  Differences phi_e_;  ///< differences at the new point if f there were as extrapolated
  int new_order_ = 1;
  Estimates errors_;
  Vector rate_;    ///< terms held through the step
  Vector weight_;  ///< one over what an entry may err
  Vector probe_;   ///< what a norm of the Ode's own is shown
  Vector y_new_, slope_, surprise_;

  Switching::Between within_step_;  ///< states within the step just tried …
  double tried_ = 0;                ///< … and its length

  Vector y_old_, y_end_, gap_;
  bool dense_ready_ = false;
};

}  // namespace taut
