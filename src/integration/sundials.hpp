#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

#include <limits>
#include <memory>
#include <type_traits>

#include "integration/integrator.hpp"

namespace taut {

/// Hands what SUNDIALS made back to it.
template <auto release>
struct Release {
  void operator()(auto* handle) const { release(handle); }
};
inline void release_context(SUNContext context) { SUNContext_Free(&context); }

using SundialsContext = std::unique_ptr<std::remove_pointer_t<SUNContext>, Release<release_context>>;
using SundialsVector = std::unique_ptr<std::remove_pointer_t<N_Vector>, Release<N_VDestroy>>;
using SundialsMatrix = std::unique_ptr<std::remove_pointer_t<SUNMatrix>, Release<SUNMatDestroy>>;
using SundialsLinear = std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, Release<SUNLinSolFree>>;
using SundialsNonlinear = std::unique_ptr<std::remove_pointer_t<SUNNonlinearSolver>, Release<SUNNonlinSolFree>>;

/// What the integrators of SUNDIALS share: vectors, error weights, and what is told of a step.
class SundialsIntegrator : public Integrator {
 public:
  void set_end(double until) override {
    control_.until = until;
    limits_.set_end(until);
  }

 protected:
  using View = Eigen::Map<Vector>;

  void prepare(Ode& ode, double t, const Vector& y, const StepControl& control);
  SundialsVector wrap(Vector& data) const;
  View view(N_Vector v) const { return {N_VGetArrayPointer(v), y_.size()}; }
  /// The result stands in result_.
  const Step& accept(double t);
  double end_on_branch(double t);
  const Step& refuse(double t);
  const Step& fail(const std::string& reason);
  /// Where the next step has to end at the latest.
  double step_end();
  bool ready() const { return broken_.empty(); }
  /// Steps below this are lost in the rounding of t; SUNDIALS itself would go on creeping.
  double smallest_step() const;

  /// One over what each entry may err, so that SUNDIALS' norm is the root mean square over the entries to be tested.
  static int weigh(N_Vector y, N_Vector weights, void* self);
  static void say_nothing(int, const char*, const char*, char*, void*) {}

  SundialsContext context_;
  Ode* ode_ = nullptr;
  OdeExtensions extensions_;  ///< what it has beside
  StepControl control_;
  StepLimits limits_;
  double longest_ = std::numeric_limits<double>::infinity();  ///< what a step that was refused leaves to the next
  ErrorScale scale_;
  Step step_;
  Vector result_, stage_, slope_;
  long rejected_before_ = 0;  ///< before the last restart
  bool restart_ = false;      ///< the state was written in other coordinates
  std::string broken_;        ///< why there will be no step
};

}  // namespace taut
