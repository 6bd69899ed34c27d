#pragma once

#include "enforcement/manifold.hpp"

namespace taut {

/// Puts interpolated states between the ends of a step onto the constraints, with the factor of the step's end alone.
///
/// What interpolation misses is small: mostly Newton's method with one and the same factor takes one or two evaluations
/// of Φ and χ. Where its contraction is not known to leave rounding errors it goes on, and where it is slow the state
/// is left to others. Nothing of the manifold's point is touched.
class DenseProjection {
 public:
  explicit DenseProjection(Manifold& manifold);

  /// Can it serve at all? Not where H depends on speeds, or projections have a metric of their own.
  static bool serves(Manifold& manifold);

  /// A new step, at whose end rank has been decided.
  void begin_step(double end);
  /// Moves y = (q, v, …) onto the constraints. False, and y as it was, where the factor at hand does not do.
  bool project(double t, Vector& y);
  /// Do two states, the last one projected among them, differ by no more than what counts as found?
  bool are_same(const Vector& a, const Vector& b) const;

 private:
  /// How fast Newton's method converges in this step: by a factor that is measured at its first state, and goes with
  /// the distance from where the equations were factored.
  struct Contraction {
    double rate = 1;
    double distance = 0;  ///< at which that was seen; 0: not yet

    void add(double seen, double at_distance);
    double at(double other_distance) const;
  };
  template <class Correct>
  bool iterate(double scale, bool cautious, Correct&& correct);
  void measure_contraction(double t);
  bool move_position(double t);
  bool move_velocity(double t);

  Manifold& manifold_;
  PointSolver* solver_ = nullptr;
  Contraction contraction_;
  double end_ = 0, distance_ = 0;  ///< of the step, and from it in time
  Vector q_, v_, dq_, dv_, chi_, probe_, probed_;
};

}  // namespace taut
