#pragma once

#include "integration/sundials.hpp"

namespace taut {

/// SUNDIALS' CVODE: Adams formulas solved by fixed-point iteration, or BDF solved by Newton's method with dense
/// Jacobians by differences. With BDF the Ode corrects the result of a step before its error test; the Adams
/// formulas of CVODE have no such hook, and Ode::correct is not called.
class CvodeIntegrator : public SundialsIntegrator {
 public:
  enum class Formula { adams, bdf };
  explicit CvodeIntegrator(Formula formula) : formula_(formula) {}

  void start(Ode& ode, double t, const Vector& y, const StepControl& control) override;
  const Step& advance() override;
  bool interpolate(double t, Vector& y) override;
  int order() const override;

 private:
  struct Memory {
    void operator()(void* cvode) const;
  };

  bool set_up();
  bool set_up_solver();
  void begin_anew();
  void count_rejected();
  double local_error();
  double step_to(double t) const;
  int evaluate(double t, N_Vector y, N_Vector ydot);
  int differentiate(double t, N_Vector y, N_Vector f, SUNMatrix J);
  int project(double t, N_Vector y, N_Vector correction);

  Formula formula_;
  Vector estimate_, weights_;
  SundialsVector wrapped_result_, wrapped_estimate_, wrapped_weights_;
  SundialsMatrix jacobian_;
  SundialsLinear linear_;
  SundialsNonlinear nonlinear_;
  std::unique_ptr<void, Memory> cvode_;
};

}  // namespace taut
