#pragma once

#include "questions/tangent.hpp"
#include "questions/variation.hpp"

namespace taut {

/// Solves M a − (Hᵀ + ∂R/∂λ) λ = r, H a = s for many right-hand sides, where rows of H may depend on each other and M
/// alone may be singular: a = H⁺s + W η with H W = 0, and of the first equation only what acts along free directions.
class ConstrainedSolve {
 public:
  /// At the point where the variation was last evaluated.
  explicit ConstrainedSolve(const Variation& at);
  /// As if no force depended on λ.
  static ConstrainedSolve ideal(const Variation& at) { return {at, at.velocity().by_v}; }

  struct Solution {
    Matrix a, lambda;
  };
  Solution solve(const Matrix& r, const Matrix& s) const;

  const FreeDirections& speeds() const { return speeds_; }
  /// Directions on which reactions do no work; the free ones, unless forces depend on multipliers.
  const Matrix& unresisted() const { return unresisted_.basis(); }
  /// Multipliers with Hᵀλ = force, the least of them.
  Matrix multipliers(const Matrix& force) const { return unresisted_.weights(force); }
  /// Does inertia hold every free direction?
  bool has_inertia() const { return has_inertia_; }

 private:
  /// With the transpose of Hᵀ + ∂R/∂λ.
  ConstrainedSolve(const Variation& at, const Matrix& reactions);

  Matrix M_;
  FreeDirections speeds_, unresisted_;
  Matrix reduced_inverse_;  ///< (Wₗᵀ M W)⁻¹
  bool has_inertia_ = true;
};

/// The multipliers of a point as if no force depended on them, where the search for those of forces that do begins: the
/// size of a reaction, which presses where something rubs, has no slope at zero. Zero where no force depends on them.
/// Leaves the variation evaluated at the point without accelerations and multipliers.
Vector multipliers_to_begin_with(Variation& variation, MotionPoint point);

/// Puts the accelerations and multipliers that belong to a state into the point, and leaves the variation evaluated
/// there. False where there are none.
bool solve_motion(Variation& variation, MotionPoint& point);

}  // namespace taut
