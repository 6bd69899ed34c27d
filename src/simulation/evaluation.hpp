#pragma once

#include "enforcement/manifold.hpp"
#include "simulation/evaluation_memory.hpp"
#include "simulation/state_layout.hpp"

namespace taut {

/// A point of the motion, and what was found there. Shared by the parts of a motion, which fill it in turn.
struct EvaluatedPoint {
  explicit EvaluatedPoint(const Shape& shape);

  Vector q, v, qdot, a;
  Vector c, lambda;  ///< what was asked of the accelerations, H v̇ = c, and the multipliers that gave it
  double power = 0;
  Vector scratch_q, scratch_v;  ///< room for whoever is at work
};

/// Evaluates the equations where a state stands, and remembers where that was. How a state becomes a point of the
/// equations is a matter of the motion's kind: as it is, projected onto the constraints, or lifted from a chart. The
/// parts of a motion (its terms, energy balance, review of steps, observation) evaluate through this and nothing else.
class Evaluation {
 public:
  explicit Evaluation(Manifold& manifold);
  Evaluation(const Evaluation&) = delete;
  virtual ~Evaluation() = default;

  /// Evaluates the equations at y, at its projection or at its lift, unless they stand there still. Afterwards at() has
  /// q and v of that place.
  virtual bool evaluate(double t, const Vector& y);
  /// The coordinates and speeds that a state stands for. False, and neither is a number, where there are none.
  virtual bool physical(double t, const Vector& y, Vector& q, Vector& v);
  /// The same, into at().
  bool physical(double t, const Vector& y) { return physical(t, y, at_.q, at_.v); }
  /// Do the equations stand where y was asked for?
  virtual bool knows(double t, const Vector& y) const { return memory_.knows(t, y); }
  /// Are Φ and χ of the manifold's point those of y, as it is written?
  virtual bool stands_at(double t, const Vector& y) const { return memory_.was_found(t, y); }
  /// Φ and χ at the point at().
  virtual void find_violations(double t, Vector& Phi, Vector& chi);
  /// The next step begins at y, which is no further along the motion than the last accepted state.
  virtual void mark_start(double /*t*/, const Vector& /*y*/) {}
  /// Stands at y, the end of a step of an earlier run, and does not move it, before it is accepted again.
  virtual void stand_at(double /*t*/, const Vector& /*y*/) {}
  /// The state has jumped to y, with q and v in at().
  virtual void jump_to(double t, const Vector& y) { mark_start(t, y); }

  /// The equations have changed since they were last evaluated, or stand elsewhere.
  void forget() { memory_.forget(); }
  /// Retracted coordinates mean the same, and the derivative is evaluated at them anyway. False where there are none.
  bool retract(double t, Vector& y);
  /// q and v of at() become again those where the equations stand, if they do.
  void restore();

  Manifold& manifold() { return manifold_; }
  System& system() { return manifold_.system(); }
  const StateLayout& layout() const { return layout_; }
  EvaluatedPoint& at() { return at_; }

 protected:
  /// Brings q and v of y into at(), with coordinates that are retracted; the equations stand nowhere then.
  void load(double t, const Vector& y);
  /// The manifold stands at at(), which is where y was evaluated.
  bool remember(double t, const Vector& y);
  /// ẏ from what was found at at(). False where it is not finite.
  bool write_slopes(Vector& ydot) const;

  Manifold& manifold_;
  const StateLayout layout_;
  EvaluationMemory memory_;
  EvaluatedPoint at_;
};

}  // namespace taut
