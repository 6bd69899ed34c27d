#pragma once

#include "enforcement/manifold.hpp"

namespace taut {

/// Coordinates of the constraints' own: a plane through a base point, and directions along which a
/// point of the plane is lifted onto the constraints. The state that is integrated is the point of
/// the plane, written as a vector of q (and likewise of v), so that its size is always the same.
class Chart {
 public:
  virtual ~Chart() = default;
  /// Takes the point that the manifold has evaluated and decided at as the new base.
  virtual void base(Manifold& manifold) = 0;
  /// From a point of the plane to the constraints. False if they cannot be reached.
  virtual bool lift(Manifold& manifold, double t, Vector& q, Vector& v) = 0;
  /// What of a derivative lies in the plane.
  virtual void restrict(Vector& qdot, Vector& vdot) = 0;
  /// Has the motion left the neighbourhood in which the plane serves well? Asked at an evaluated point.
  virtual bool outgrown(Manifold& manifold, const Vector& v) = 0;
};

}  // namespace taut
