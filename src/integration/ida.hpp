#pragma once

#include "integration/sundials.hpp"

namespace taut {

/// SUNDIALS' IDA: BDF formulas for 0 = F(t, y, y'), solved by Newton's method with dense Jacobians by differences.
/// Algebraic unknowns are left out of the error test. Ode::correct is not called.
class IdaIntegrator : public SundialsIntegrator {
 public:
  void start(Ode& ode, double t, const Vector& y, const StepControl& control) override;
  const Step& advance() override;
  bool interpolate(double t, Vector& y) override;
  int order() const override;

 private:
  struct Memory {
    void operator()(void* ida) const;
  };

  bool set_up();
  void begin_anew();
  bool find_rates();
  bool find_consistent_rates();
  bool find_residual(double t);
  void count_rejected();
  int evaluate(double t, N_Vector y, N_Vector ydot, N_Vector F);
  int differentiate(double t, double c, N_Vector y, N_Vector ydot, N_Vector F, SUNMatrix J);
  void find_increments(N_Vector y, N_Vector ydot);

  Vector rates_, stage_rates_, differential_, between_, increments_;
  SundialsVector wrapped_result_, wrapped_rates_, wrapped_differential_, wrapped_between_;
  SundialsMatrix jacobian_;
  SundialsLinear linear_;
  std::unique_ptr<void, Memory> ida_;
};

}  // namespace taut
