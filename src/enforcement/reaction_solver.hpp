#pragma once

#include <Eigen/LU>
#include <vector>

#include "linear/kernel.hpp"
#include "taut/system.hpp"

namespace taut {

/// Accelerations and multipliers where forces depend on multipliers, as friction in joints does (Braun & Goldfarb 2009
/// §4.6): M v̇ = f + R(λ) + Hᵀλ, H v̇ = c.
///
/// Given R, a kernel finds v̇ and λ; those λ that R depends on, μ, must be the ones that R was evaluated with. Newton's
/// method finds them: how the kernel's λ change with a force is known by solving once for each of them. Nothing here
/// allocates after construction.
class ReactionSolver {
 public:
  explicit ReactionSolver(System& system);

  bool is_needed() const { return system_.shape().forces_need_multipliers; }
  /// The state of the accelerations that are asked for next.
  void stand_at(double t, const Vector& q, const Vector& v);
  /// With a kernel that has factored M and H there. False, and a and lambda not numbers, where no solution is found or
  /// it is not the only one.
  bool accelerate(LinearKernel& kernel, const Vector& f, const Vector& c, Vector& a, Vector& lambda);

  /// Was there none when accelerations were last asked for?
  bool has_failed() const { return failed_; }

 private:
  void solve_with(LinearKernel& kernel, const Vector& f, const Vector& c, Vector& a, Vector& lambda);
  void find_response(LinearKernel& kernel);
  double largest_difference(const Vector& lambda) const;
  bool iterate(LinearKernel& kernel, const Vector& f, const Vector& c, Vector& a, Vector& lambda);

  System& system_;
  ReactionForces forces_;
  std::vector<int> used_;  ///< the multipliers that R depends on
  double t_ = 0;
  Vector q_, v_;
  Vector mu_, trial_;  ///< λ that R is evaluated with
  Vector total_, zero_, column_, x_, response_to_column_, difference_, change_;
  Matrix response_;  ///< how the kernel's used λ change with μ
  Eigen::PartialPivLU<Matrix> lu_;
  bool failed_ = false;
};

}  // namespace taut
