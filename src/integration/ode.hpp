#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "taut/vector.hpp"

/// What an integrator sees: y' = f(t, y), and nothing of where it comes from.
namespace taut {

struct Tableau;

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
  /// Does it bring a norm of its own for errors of the state, instead of tolerances for each entry? …
  virtual bool has_norm() const { return false; }
  /// … the size of such an error over what it may be.
  virtual double norm(const Vector& /*error*/) { return 0; }
  /// Takes out of an error of y, the result of correct(), what correct() would remove of it. False where it removes
  /// nothing.
  virtual bool correct_error(double /*t*/, const Vector& /*y*/, Vector& /*error*/) { return false; }
  /// Told of each accepted step; may write the state in other coordinates, which it uses from the next
  /// begin_step on: states between the ends of this step are still the old ones.
  virtual Acceptance accept(double /*t*/, Vector& /*y*/) { return Acceptance::same_derivative; }
  /// Does the derivative depend on the size of the step, or on what begin_step held?
  virtual bool depends_on_step() const { return false; }
  /// All slopes of a formula's stages for a step of h from (t, y), where that is faster than by begin_step and
  /// derivative; false where it is not, or where those two must look closer.
  virtual bool all_slopes(const Tableau& /*tableau*/, double /*t*/, const Vector& /*y*/, double /*h*/,
                          std::vector<Vector>& /*k*/) {
    return false;
  }
  /// The last word on a step that has passed its error test. False asks for a shorter one, not longer than
  /// longest_step(); objection() says why.
  virtual bool approves(double /*t*/, const Vector& /*y*/) { return true; }
  virtual std::string objection() const { return {}; }
  /// Steps from here on may not be longer.
  virtual double longest_step() const { return std::numeric_limits<double>::infinity(); }
  /// Formulas of time have a corner or a jump between these two times, a few units in the last place apart: the step to
  /// `before` has been accepted, and the next begins at `after`, with nothing that belongs before it. Takes y along
  /// where it must jump with them, and may write it in other coordinates then, as accept() may.
  virtual void leave_stop(double /*before*/, double /*after*/, Vector& /*y*/) {}
  /// The next singular moment after t, as far as it can be foreseen.
  virtual Passage passage(double /*t*/) const { return {}; }

  /// Does the right-hand side have branches, each of them smooth? Steps are then shown to step_end().
  virtual bool switches() const { return false; }
  /// States within a step.
  using Between = std::function<void(double t, Vector& y)>;
  /// Where a step from t0 to t1 that has passed its error test ends: at t1, or else at another time, to which it is to
  /// be repeated from a fresh derivative and shown again. From accept() on, the right-hand side may be another.
  virtual double step_end(double /*t0*/, double t1, const Vector& /*y1*/, const Between& /*between*/) { return t1; }

  /// Told by a formula at whose stages no step ends: it hands every result to correct() before it asks for its
  /// derivative.
  virtual void correct_all_results() {}
  /// A formula with a memory asks for terms that belong to one step only to be left out of the
  /// derivative; it then adds h times held(t, y, h), taken at the step's beginning, to the result.
  virtual void leave_out_held_terms() {}
  /// The terms left out. False where there are none.
  virtual bool held(double /*t*/, const Vector& /*y*/, double /*h*/, Vector& /*rate*/) { return false; }

  // ---- for integrators that solve 0 = F(t, y, y') ------------------------------------------------
  /// Is the problem given as F, with algebraic unknowns, rather than as y' = f?
  virtual bool implicit() const { return false; }
  /// F(t, y, y'), by default y' − f(t, y).
  virtual bool residual(double t, const Vector& y, const Vector& ydot, Vector& F) {
    if (!derivative(t, y, 0, F)) return false;
    F = ydot - F;
    return true;
  }
  /// 1 for unknowns whose derivative stands in F, 0 for algebraic ones.
  virtual void mark_differential(Vector& id) const { id.setOnes(); }
};

}  // namespace taut
