#pragma once

#include "taut/vector.hpp"

namespace taut {

/// The equations at one point, evaluated and factored, and what a method asks of them there.
///
/// Two classes answer: MatrixSolver, with M and H and a kernel of linear algebra, and FormulaSolver, by the solution
/// written out as formulas. FormulaService decides which of them stands at a point; FactoredEquations::here() is that
/// one.
class PointSolver {
 public:
  virtual ~PointSolver() = default;

  /// Does it go by a rank that it was told, instead of looking at the rows?
  virtual bool assumes_rank() const = 0;

  /// v̇ and λ: M v̇ = f + Hᵀλ, H v̇ = c.
  virtual void accelerate(const Vector& c, Vector& a, Vector& lambda) = 0;
  /// The power of forces and constraints at the state (t, q, v) of this point, with the v̇ and λ that accelerate() gave.
  virtual double power(double t, const Vector& q, const Vector& v, const Vector& a, const Vector& lambda) = 0;
  /// dv = P(r), the smallest in the metric with H dv = r.
  virtual void correct_velocity(const Vector& r, Vector& dv) = 0;
  /// dq = N P_q(r): the smallest change of position, (t, q) of this point, whose rows change by r. False, and dq as it
  /// was, if the position rows cannot be factored here.
  virtual bool correct_position(double t, const Vector& q, const Vector& r, Vector& dq) = 0;
  /// How a position (t, q) near this one comes nearer to the position constraints, with the factor at hand:
  /// dq = N P_q(−Φ(t, q)).
  virtual void position_step(double t, const Vector& q, Vector& dq) = 0;
  /// How v comes nearer to all constraints at the position (t, q) of this point: dv = P(−χ(v)).
  virtual void velocity_step(double t, const Vector& q, const Vector& v, Vector& dv) = 0;
};

}  // namespace taut
