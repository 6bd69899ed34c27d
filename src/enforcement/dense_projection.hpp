#pragma once

#include <array>

#include "enforcement/manifold.hpp"

namespace taut {

/// Puts interpolated states between the ends of a step onto the constraints, with the factor of the step's end alone.
///
/// What interpolation misses is small and changes smoothly within a step. So the correction of a state is predicted
/// from those of the states before it, and Newton's method with one and the same factor has little left to do: mostly
/// one evaluation of Φ and one of χ. Where its contraction is not known to leave rounding errors it goes on, and where
/// it is slow the state is left to others. Nothing of the manifold's point is touched.
class DenseProjection {
 public:
  explicit DenseProjection(Manifold& manifold);

  /// Can it serve at all? Not where H depends on speeds, or projections have a metric of their own.
  static bool serves(Manifold& manifold);

  /// A new step, at whose end rank has been decided. `predicts`: its states will be asked for at equal distances, short
  /// against the step.
  void begin_step(double end, bool predicts);
  /// Moves y = (q, v, …) onto the constraints. False, and y as it was, where the factor at hand does not do.
  bool project(double t, Vector& y);

 private:
  static constexpr int most_remembered = 5;

  /// How fast Newton's method converges in this step: by a factor that is measured at its first state, which is the
  /// farthest from where the equations were factored, and goes at most with that distance.
  struct Contraction {
    double rate = 1;
    double distance = 0;  ///< at which that was seen; 0: not yet

    void add(double seen, double at_distance);
    double at(double other_distance) const;
  };
  /// Of states at equal distances: the sums of what Newton's method has moved them by, the last first, and the next by
  /// extrapolation. Kept as sums, and not as differences of states: what is left of these by rounding lies along the
  /// constraints, where nothing corrects it, and would grow from state to state.
  struct Prediction {
    std::array<Vector, most_remembered> sums;
    Vector next;

    void start(Eigen::Index size);
    void extrapolate(int remembered);
    void remember();
  };
  template <class Correct>
  bool iterate(double scale, bool cautious, Correct&& correct);
  void measure_contraction(double t);
  bool move_position(double t);
  bool move_velocity(double t);
  void predict();
  void remember();

  Manifold& manifold_;
  PointSolver* solver_ = nullptr;
  Contraction contraction_;
  double end_ = 0, distance_ = 0;  ///< of the step, and from it in time
  bool predicts_ = false;
  int remembered_ = 0;  ///< states in a row
  Prediction next_q_, next_v_;
  Vector q_, v_, dq_, dv_, chi_, probe_, probed_;
};

}  // namespace taut
