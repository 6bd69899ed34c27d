#pragma once

#include "enforcement/chart.hpp"

namespace taut {

/// The directions along which one level of a chart is lifted: rows of H that are met by moving along as many
/// directions, found at a base point and kept from there on.
class Directions {
 public:
  virtual ~Directions() = default;
  /// Takes rows and directions from the present point.
  virtual void base(const SparseValues& H, const LinearKernel& kernel) = 0;
  /// Factors the rows as they are at another point, over the directions of the base.
  virtual void factor(const SparseValues& H) = 0;
  /// Adds to x, along the directions, what changes the rows by r; returns the largest change of an entry.
  virtual double solve(const Vector& r, Vector& x) = 0;
  /// Leaves of x what lies in the plane.
  virtual void remove_from(Vector& x) = 0;
};

/// A chart whose points are lifted by Newton, with H at the newest point: q along the directions of the position
/// rows, then v along those of all rows.
class NewtonChart : public Chart {
 public:
  NewtonChart(Directions& positions, Directions& all, const Shape& shape)
      : positions_(positions), all_(all), Phi_(Vector::Zero(shape.position_rows)), chi_(Vector::Zero(shape.rows())) {}

  void base(Manifold& manifold) override;
  bool lift(Manifold& manifold, double t, Vector& q, Vector& v) override;
  void restrict(Vector& qdot, Vector& vdot) override;

 private:
  bool lift_position(Manifold& manifold, double t, Vector& q, const Vector& v);
  bool lift_velocity(Manifold& manifold, double t, const Vector& q, Vector& v);

  Directions &positions_, &all_;
  Vector Phi_, chi_;
};

}  // namespace taut
