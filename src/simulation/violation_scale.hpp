#pragma once

#include <vector>

#include "taut/system.hpp"

namespace taut {

/// How large a violation may at most be: how much each row of Φ and of χ changes when the coordinates and speeds it
/// depends on change by as much as they are. A violation relative to that has no unit, and is the same however a row
/// is scaled.
///
/// A coordinate is as large as it has ever been, and at least a hundredth of the largest of all, so that one that is
/// zero by design has a size, too. A row that vanishes where the motion begins, but for rounding errors, has the size
/// that it has a little way off.
class ViolationScale {
 public:
  /// A run of this duration, in s: speeds that move nothing within it are no measure.
  ViolationScale(System& system, double duration);

  /// Takes note of how large coordinates and speeds are.
  void see(const double* q, const double* v);
  /// Measures the rows at a state; sizes that they have had elsewhere stay, if they are larger.
  void measure(double t, const Vector& q, const Vector& v);

  /// Of the rows of Φ and χ as last measured.
  const Vector& position() const { return position_; }
  const Vector& velocity() const { return velocity_; }
  /// How large speeds are, as rows of χ are measured with.
  Vector speeds() const { return largest_v_.cwiseMax(least_share * size_of_speeds()); }

 private:
  /// Of the largest coordinate, or speed: one that is smaller counts as if it were as large as this.
  static constexpr double least_share = 1e-2;
  double size_of_coordinates() const;
  double size_of_speeds() const;
  Vector coordinates() const { return largest_q_.cwiseMax(least_share * size_of_coordinates()); }
  void measure_positions(double t, const Vector& q, const Vector& sizes);
  void measure_velocities(double t, const Vector& q, const Vector& v, const Vector& sizes);
  static void keep_larger(const Vector& changed, const Vector& here, Vector& sizes);
  void measure_nearby(double t, const Vector& q, const Vector& v);
  std::vector<bool> rows_that_grow(double t, const Vector& q, const Vector& v);

  System& system_;
  double duration_;
  Vector largest_q_, largest_v_;  ///< of each coordinate and speed so far
  Vector position_, velocity_;
  bool measured_nearby_ = false;
};

}  // namespace taut
