#pragma once

#include <string>

#include "enforcement/manifold.hpp"

namespace taut {

/// A norm of changes of positions, or of velocities: M, or one weight for each speed; times a number.
struct StateMetric {
  bool mass = true;
  Vector weights;     ///< where it is not M
  double factor = 1;  ///< α² of velocities

  /// xᵀW x; `room` has the size of x.
  double square(const SparseValues& M, const Vector& x, Vector& room) const;
  /// Its entries are W's, in the order of its pattern.
  Pattern pattern(const SparseValues& M) const;
  void fill(const SparseValues& M, Eigen::Ref<Vector> values) const;
};

}  // namespace taut
