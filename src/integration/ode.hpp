#pragma once

#include <limits>

#include "taut/vector.hpp"

/// What an integrator sees: y' = f(t, y), and nothing of where it comes from.
namespace taut {

/// What Ode::correct did to a state.
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

/// A moment at which the right-hand side is singular although the solution is smooth.
struct Passage {
  double time = std::numeric_limits<double>::infinity();
  /// Rounding errors are felt: if a step towards it fails its error test, going nearer does not help.
  bool near = false;
  /// So close that going nearer gains nothing: cross now, whatever the error test says.
  bool at_floor = false;
};

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
  /// Told of each accepted step. False: the derivative at (t, y) must be evaluated anew.
  virtual bool accept(double /*t*/, const Vector& /*y*/) { return true; }
  /// Does the derivative depend on the size of the step, or on what begin_step held?
  virtual bool depends_on_step() const { return false; }
  /// The next singular moment after t, as far as it can be foreseen.
  virtual Passage passage(double /*t*/) const { return {}; }
};

}  // namespace taut
