#include "enforcement/newton_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

constexpr int most_iterations = 20;

}  // namespace

void NewtonChart::base(Manifold& manifold) {
  positions_.base(manifold.point().H, manifold.decided_matrices().position_kernel());
  all_.base(manifold.point().H, manifold.kernel());
}

bool NewtonChart::lift(Manifold& manifold, double t, Vector& q, Vector& v) {
  return lift_position(manifold, t, q, v) && lift_velocity(manifold, t, q, v);
}

void NewtonChart::restrict(Vector& qdot, Vector& vdot) {
  positions_.remove_from(qdot);
  all_.remove_from(vdot);
}

bool NewtonChart::lift_position(Manifold& manifold, double t, Vector& q, const Vector& v) {
  if (Phi_.size() == 0) return true;
  const double scale = manifold.coordinate_scale(q);
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_iterations; ++k) {
    if (!manifold.rows_at(t, q, v)) return false;
    positions_.factor(manifold.point().H);
    manifold.system().position(t, q, Phi_);
    Phi_ = -Phi_;
    const double change = positions_.solve(Phi_, q);
    if (!std::isfinite(change)) return false;
    // Converged, or the rounding errors of Φ keep the corrections from shrinking further.
    if (change <= manifold.tolerance * scale || (change < 1e-11 * scale && change > 0.3 * last)) return true;
    last = change;
  }
  return false;
}

bool NewtonChart::lift_velocity(Manifold& manifold, double t, const Vector& q, Vector& v) {
  if (chi_.size() == 0) return true;
  const bool linear = !manifold.shape().jacobian_of_speeds;
  const double scale = std::max(v.lpNorm<Eigen::Infinity>(), 1e-3);
  for (int k = 0; k < most_iterations; ++k) {
    if (k == 0 || !linear) {
      if (!manifold.rows_at(t, q, v)) return false;
      all_.factor(manifold.point().H);
    }
    manifold.system().velocity(t, q, v, chi_);
    chi_ = -chi_;
    const double change = all_.solve(chi_, v);
    if (!std::isfinite(change)) return false;
    // A second pass removes the rounding errors of a large first one.
    if (change <= 1e3 * manifold.tolerance * scale || (k > 0 && linear)) return true;
  }
  return false;
}

}  // namespace taut
