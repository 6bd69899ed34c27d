#pragma once

#include <optional>

#include "enforcement/correction_polynomial.hpp"
#include "enforcement/dense_projection.hpp"
#include "simulation/run_state.hpp"

namespace taut {

/// States between the ends of the last step, from the integrator's interpolation.
class StepInterior {
 public:
  explicit StepInterior(RunState& run) : run_(run) {}

  /// The run begins with this state.
  void start(const Vector& y);
  /// A step has been accepted.
  void begin_step(const Step& step);

  /// As the integrator has it, which may be off the constraints by what steps may err.
  const Vector& near(double t);
  /// Put onto the constraints, where the method keeps them. False if they cannot be reached there, or there is no
  /// state, which then is not a number.
  bool project_at(double t);
  /// The same for rows. Where many fall into a step only some of its states are projected, and the corrections of the
  /// rows interpolated between theirs.
  bool project_row_at(double t);
  /// The state last asked for by these two.
  const Vector& y() const { return y_; }

 private:
  enum class By { projection, polynomial, polynomial_to_be_found };

  bool put_onto_constraints(double t);
  bool find_corrections();
  void make_room();
  void return_to_surfaces(double t);

  RunState& run_;
  Vector y_;
  std::optional<DenseProjection> rows_;  ///< none where the method does not keep constraints, or it cannot serve
  std::optional<CorrectionPolynomial> corrections_;  ///< of rows of the last step
  By corrected_by_ = By::projection;
  double t0_ = 0, h_ = 0;  ///< of the last step
  Vector projected_, foreseen_;
};

}  // namespace taut
