#pragma once

#include <array>

#include "taut/vector.hpp"

namespace taut {

/// By how much projecting moves the states within a step, as a polynomial of x, which goes from 0 at the beginning of
/// the step to 1 at its end: states beside the few that have been projected need no evaluation.
///
/// Newton's form, c(x) = x (x − 1) (d₁ + d₂ (x − x₁) + d₃ (x − x₁) (x − x₂) + …): nothing at both ends, which are on
/// the constraints already, and one more term for each further state. The points follow Leja's order, in which every
/// beginning of the sequence interpolates well.
class CorrectionPolynomial {
 public:
  explicit CorrectionPolynomial(Eigen::Index size);

  void begin() { count_ = 0; }
  bool is_full() const { return count_ == most; }
  /// Where the next state is to be projected.
  double next_point() const;
  /// The state there was moved by this, which is spoilt.
  void add(Vector& correction);
  /// y += c(x).
  void add_to(double x, Vector& y);

 private:
  static constexpr int most = 14;

  int count_ = 0;
  std::array<Vector, most> terms_;  ///< d
  Vector sum_;
};

}  // namespace taut
