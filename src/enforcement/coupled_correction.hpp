#pragma once

#include <memory>

#include "enforcement/state_metric.hpp"

namespace taut {

/// The nearest state on the constraints, positions and velocities together: Keerthi, Sudarsan & Sancheti (2.12), (3.2),
///   min ‖x − x̄‖_W,  x = (q, v),  subject to  g(x) = (Φ(t, q), χ(t, q, v)) = 0,
/// solved as in (2.15)-(2.17): x = x̄ + W⁻¹ g_x(x̄)ᵀ μ by modified Newton with one factor. Positions are corrected for
/// what velocities would have to be changed otherwise, through ∂χ/∂q, which is found by central differences of χ: a
/// factor that is off by ε^⅔ converges as well.
class CoupledCorrection {
 public:
  CoupledCorrection(Manifold& manifold, StateMetric positions, StateMetric velocities, double rank_tolerance);

  /// False, and q and v as they were, where Newton does not converge. Leaves M and H factored at the result.
  Projection project(Manifold& manifold, double t, Vector& q, Vector& v);

 private:
  void start(Manifold& manifold, double rank_tolerance);
  bool evaluate(Manifold& manifold, double t, const Vector& q, const Vector& v);
  void differentiate(Manifold& manifold, double t, const Vector& q, const Vector& v);
  bool decide_on_constraints(Manifold& manifold, double t, const Vector& q, const Vector& v);
  bool converge(Manifold& manifold, double t, Vector& q, Vector& v);
  double step(Manifold& manifold, double t, Vector& q, Vector& v);

  StateMetric positions_, velocities_;
  std::unique_ptr<LinearKernel> kernel_;
  SparseValues W_, G_;
  Eigen::Index position_weights_ = 0;  ///< how many of W's entries are those of positions
  bool has_decided_ = false;           ///< on rank and order, at a state on the constraints
  Vector q0_, v0_, dq_, dw_, Phi_, chi_, ahead_, behind_, probe_, r_, x_;
};

}  // namespace taut
