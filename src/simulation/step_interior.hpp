#pragma once

#include "simulation/run_state.hpp"

namespace taut {

/// States between the ends of the last step, from the integrator's interpolation.
class StepInterior {
 public:
  explicit StepInterior(RunState& run) : run_(run) {}

  /// Room for states like this one.
  void start(const Vector& y) { y_ = y; }
  /// As the integrator has it, which may be off the constraints by what steps may err.
  const Vector& near(double t) {
    run_.parts.integrator->interpolate(t, y_);
    return y_;
  }
  /// Put onto the constraints, where the method keeps them. False if they cannot be reached there, or there is no
  /// state, which then is not a number.
  bool go_to(double t) { return run_.parts.integrator->interpolate(t, y_) && run_.parts.motion->project_output(t, y_); }
  /// The state last gone to.
  const Vector& y() const { return y_; }

 private:
  RunState& run_;
  Vector y_;
};

}  // namespace taut
