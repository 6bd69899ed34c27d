#include "simulation/speed_jumps.hpp"

namespace taut {
namespace {

/// At a stop, prescribed rates jump that change by more than this share of the largest speed; less is rounding, or what
/// a smooth drive does in the time between both sides of the stop. Only larger changes are told.
constexpr double least_jump = 1e-14;
constexpr double told_jump = 1e-9;

}  // namespace

/// A drive whose rate jumps takes speeds along by an impulse of its constraint: M Δv = Hᵀμ, H Δv = −Δχ. Left to the
/// next step, the impulse would act along the normals where that step ends. What the drive does at once is work like
/// all it does.
void SpeedJumps::leave_stop(double before, double after, Vector& y) {
  take_along(before, after, y, [] {});
}

void SpeedJumps::change_equations(double t, Vector& y, const std::function<void()>& change) {
  take_along(t, t, y, change);
}

void SpeedJumps::take_along(double before, double after, Vector& y, const std::function<void()>& change) {
  Manifold& manifold = evaluation_.manifold();
  System& system = manifold.system();
  const StateLayout& layout = evaluation_.layout();
  EvaluatedPoint& at = evaluation_.at();
  evaluation_.forget();
  if (manifold.shape().rows() == 0 || !evaluation_.physical(before, y)) return change();
  const double speed = at.v.lpNorm<Eigen::Infinity>();
  system.velocity(before, at.q, at.v, at.c);
  change();
  system.velocity(after, at.q, at.v, at.lambda);
  at.c -= at.lambda;
  if (!(at.c.lpNorm<Eigen::Infinity>() > least_jump * speed)) return;
  if (!manifold.evaluate_by_matrices(after, at.q, at.v)) return;
  manifold.here().correct_velocity(at.c, at.a);
  if (!at.a.allFinite()) return;
  const double energy = system.energy(after, at.q, at.v);
  at.v += at.a;
  const double work = system.energy(after, at.q, at.v) - energy;
  if (layout.does_work) y[layout.moving()] += work;
  layout.pack(at.q, at.v, y);
  evaluation_.jump_to(after, y);
  const double largest = at.a.lpNorm<Eigen::Infinity>();
  if (!(largest > told_jump * speed)) return;
  ++count_;
  if (!first_) first_ = {after, largest, work};
}

}  // namespace taut
