#pragma once

#include <memory>
#include <string>
#include <vector>

#include "taut/questions.hpp"

/// The equations of a model as a plain differential equation, for integrators that are not taut's own:
///   FirstOrder equations(model);
///   Vector y = equations.start(), rates;
///   equations.rates(0, y, rates);
namespace taut TAUT_PUBLIC {

/// ẏ = r(t, y) with y = (q, v): q̇ = N v + n and the v̇ of M v̇ = f + Hᵀλ, H v̇ = b. Nothing is corrected: what an
/// integrator gets wrong takes y off the constraints, a little with every step, and project() puts it back. Constraints
/// may depend on each other; r is then that of the constraints that are met best. It belongs to one thread.
class FirstOrder {
 public:
  /// Throws InputError for input that is wrong. The model is copied.
  explicit FirstOrder(const Model& model, const QuestionOptions& options = {});
  ~FirstOrder();
  FirstOrder(FirstOrder&&) noexcept;
  FirstOrder& operator=(FirstOrder&&) noexcept;

  /// Of y: the coordinates, then the speeds.
  const std::vector<std::string>& names() const;
  int coordinates() const;
  /// Where the model starts, on its constraints.
  const Vector& start() const;

  /// Throws InputError where y has another size, or the equations have no value.
  void rates(double t, const Vector& y, Vector& out);
  /// ∂r/∂y, exact: by the implicit function theorem from first derivatives of the formulas. Where constraints depend on
  /// each other it is exact along the constraints.
  Matrix jacobian(double t, const Vector& y);
  /// Moves y to the constraints: q by Newton's method, each step the shortest, then v. False where that does not
  /// converge, and y is then as it was.
  bool project(double t, Vector& y);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace TAUT_PUBLIC
