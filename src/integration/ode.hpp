#pragma once

#include "integration/ode_extensions.hpp"
#include "taut/vector.hpp"

/// What an integrator sees: y' = f(t, y), and nothing of where it comes from.
namespace taut {

/// What Ode::correct did to the result of a step.
enum class Correction {
  none,
  /// The state moved, and the derivative last evaluated is the derivative at the new state: the
  /// right-hand side f∘π is the same at y and at π(y).
  same_derivative,
  /// The state moved; its derivative must be evaluated anew.
  new_derivative,
  /// No correction could be found: the step must be repeated smaller.
  failed,
};

/// What accepting a step means for the next one.
enum class Acceptance {
  /// The derivative evaluated at the end of the step still holds.
  same_derivative,
  /// The derivative at the end must be evaluated anew; what came before is still good history.
  new_derivative,
  /// The state is now written in other coordinates: nothing that came before can be used.
  new_coordinates,
};

/// A right-hand side: what every integrator needs of it. What only some of them have stands in OdeExtensions.
class Ode {
 public:
  virtual ~Ode() = default;

  virtual int size() const = 0;
  /// Told before each attempt at a step of size h from (t, y).
  virtual void begin_step(double /*t*/, const Vector& /*y*/, double /*h*/) {}
  /// y' at (t, y) in a step of size h; false where it has no finite value.
  virtual bool derivative(double t, const Vector& y, double h, Vector& ydot) = 0;
  /// Corrects the result of a step, before its error test.
  virtual Correction correct(double /*t*/, Vector& /*y*/) { return Correction::none; }
  /// Told of each accepted step; may write the state in other coordinates, which it uses from the next
  /// begin_step on: states between the ends of this step are still the old ones.
  virtual Acceptance accept(double /*t*/, Vector& /*y*/) { return Acceptance::same_derivative; }

  /// What it has beside these. An integrator asks once, when it starts.
  virtual OdeExtensions extensions() { return {}; }
};

}  // namespace taut
