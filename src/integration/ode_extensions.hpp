#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "taut/vector.hpp"

/// What some right-hand sides have beside that which every integrator needs: one small interface each. An integrator
/// asks an Ode for all of them once, when it starts, and leaves alone those that it has no use for.
namespace taut {

struct Tableau;

/// Terms of the right-hand side that belong to one step.
class StepTerms {
 public:
  virtual ~StepTerms() = default;
  /// Does the derivative depend on the size of the step, or on what begin_step held?
  virtual bool depends_on_step() const = 0;
  /// A formula with a memory asks for terms that are held through a step to be left out of the derivative; it then adds
  /// h times held_terms(t, y, h), taken at the step's beginning, to the result.
  virtual void separate_held_terms() {}
  /// The terms left out. False where there are none.
  virtual bool held_terms(double /*t*/, const Vector& /*y*/, double /*h*/, Vector& /*rate*/) { return false; }
};

/// Ways to evaluate the stages of a formula that are faster than one derivative after the other.
class StageShortcuts {
 public:
  virtual ~StageShortcuts() = default;
  /// All slopes of a formula's stages for a step of h from (t, y), without begin_step and derivative; false where those
  /// two must look closer.
  virtual bool all_slopes(const Tableau& /*tableau*/, double /*t*/, const Vector& /*y*/, double /*h*/,
                          std::vector<Vector>& /*k*/) {
    return false;
  }
  /// Told by a formula at whose stages no step ends: it hands every result to correct() before it asks for its
  /// derivative.
  virtual void correct_all_results() {}
};

/// The last word on steps that have passed their error test.
class StepJudge {
 public:
  virtual ~StepJudge() = default;
  /// False asks for a shorter step, not longer than longest_step(); objection() says why.
  virtual bool approves(double /*t*/, const Vector& /*y*/) { return true; }
  virtual std::string objection() const { return {}; }
  /// Steps from here on may not be longer.
  virtual double longest_step() const { return std::numeric_limits<double>::infinity(); }
};

/// States that jump where formulas of time have a corner or a jump.
class StopListener {
 public:
  virtual ~StopListener() = default;
  /// The two times are a few units in the last place apart: the step to `before` has been accepted, and the next begins
  /// at `after`, with nothing that belongs before it. Takes y along where it must jump with them, and may write it in
  /// other coordinates then, as Ode::accept may.
  virtual void leave_stop(double before, double after, Vector& y) = 0;
};

/// A moment at which the right-hand side is singular although the solution is smooth.
struct Passage {
  double time = std::numeric_limits<double>::infinity();
  /// Rounding errors are felt: if a step towards it fails its error test, going nearer does not help.
  bool near = false;
  /// So close that going nearer gains nothing: cross now, whatever the error test says.
  bool at_floor = false;
};

/// Singular moments that can be foreseen.
class SingularMoments {
 public:
  virtual ~SingularMoments() = default;
  /// The next after t.
  virtual Passage passage(double t) const = 0;
};

/// A norm of its own for errors of the state, instead of tolerances for each entry.
class ErrorNorm {
 public:
  virtual ~ErrorNorm() = default;
  /// The size of an error over what it may be.
  virtual double norm(const Vector& error) = 0;
};

/// Errors that Ode::correct takes back.
class ErrorCorrection {
 public:
  virtual ~ErrorCorrection() = default;
  /// Takes out of an error of y, the result of correct(), what correct() would remove of it.
  virtual void correct_error(double t, const Vector& y, Vector& error) = 0;
};

/// A right-hand side with branches, each of them smooth.
class Switching {
 public:
  virtual ~Switching() = default;
  /// States within a step.
  using Between = std::function<void(double t, Vector& y)>;
  /// Where a step from t0 to t1 that has passed its error test ends: at t1, or else at another time, to which it is to
  /// be repeated from a fresh derivative and shown again. From accept() on, the right-hand side may be another.
  virtual double step_end(double t0, double t1, const Between& between) = 0;
};

/// The problem as 0 = F(t, y, y'), with algebraic unknowns, rather than as y' = f.
class ImplicitForm {
 public:
  virtual ~ImplicitForm() = default;
  /// F(t, y, y'); false where it has no finite value.
  virtual bool residual(double t, const Vector& y, const Vector& ydot, Vector& F) = 0;
  /// 1 for unknowns whose derivative stands in F, 0 for algebraic ones.
  virtual void mark_differential(Vector& id) const = 0;
};

/// Those that an Ode has; null: it has none. They live as long as it does.
struct OdeExtensions {
  StepTerms* terms = nullptr;
  StageShortcuts* stages = nullptr;
  StepJudge* judge = nullptr;
  StopListener* stops = nullptr;
  SingularMoments* singular = nullptr;
  ErrorNorm* norm = nullptr;
  ErrorCorrection* error = nullptr;
  Switching* switching = nullptr;
  ImplicitForm* implicit = nullptr;

  bool depends_on_step() const { return terms && terms->depends_on_step(); }
  bool approves(double t, const Vector& y) const { return !judge || judge->approves(t, y); }
  std::string objection() const { return judge ? judge->objection() : std::string(); }
  double longest_step() const { return judge ? judge->longest_step() : std::numeric_limits<double>::infinity(); }
};

}  // namespace taut
