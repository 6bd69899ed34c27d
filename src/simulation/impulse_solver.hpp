#pragma once

#include <memory>
#include <string>

#include "simulation/run_parts.hpp"

namespace taut {

/// Speeds and accelerations where the equations have just changed. It has a manifold of its own, so that what the run
/// has decided on rank is not disturbed.
class ImpulseSolver {
 public:
  explicit ImpulseSolver(RunParts& parts);

  /// Impulses of the constraints, M Δv = Hᵀμ, after which χ(v) is what is asked for: the smallest change of v in the
  /// metric of M, whatever rows are redundant. Returns what is wrong, where no speeds meet all rows; "" else.
  std::string correct(double t, const Vector& q, Vector& v, const Vector& asked);
  /// v̇ with the rows that hold.
  bool accelerate(double t, const Vector& q, const Vector& v, Vector& a);
  /// Σ_j H_ij a_j − b_i: how fast the rate of row i changes with an acceleration.
  bool find_row_accelerations(double t, const Vector& q, const Vector& v, const Vector& a, Vector& out);
  /// M Δv.
  bool find_impulse(double t, const Vector& q, const Vector& dv, Vector& impulse);

 private:
  bool evaluate(double t, const Vector& q, const Vector& v);
  Manifold& manifold();

  RunParts& parts_;
  std::unique_ptr<Manifold> manifold_;  ///< made when it is first needed
  Vector dv_, lambda_, asked_, found_;
};

}  // namespace taut
