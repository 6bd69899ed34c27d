#include "simulation/invariant_watch.hpp"

#include <algorithm>
#include <cmath>

namespace taut {

InvariantWatch::InvariantWatch(System& system) : system_(system) {
  if (!is_needed()) return;
  point_ = system.make_point();
  reactions_ = system.make_reaction_forces();
  rates_ = Vector::Zero(system.shape().n_v());
  along_ = last_ = sum_ = fastest_ = Vector::Zero(system.shape().rows());
}

/// χ̇ = H v̇ − b; a state's inertia is 1, so that its own rate is the force on it.
void InvariantWatch::look(double t, const Vector& q, const Vector& v, const Vector& lambda) {
  system_.at_position(t, q, point_);
  system_.at_velocity(t, q, v, point_);
  rates_ = point_.f;
  if (system_.shape().forces_need_multipliers) {
    system_.react_at(t, q, v);
    system_.reaction_forces(lambda, reactions_);
    rates_ += reactions_.R;
  }
  point_.H.multiply(rates_, along_);
  for (const int row : system_.shape().state_rows) {
    const double rate = std::abs(along_[row] - point_.b[row]);
    sum_[row] += (t - t_) * (last_[row] + rate) / 2;
    fastest_[row] = std::max(fastest_[row], rate);
    last_[row] = rate;
  }
  t_ = t;
}

InvariantWatch::Loss InvariantWatch::worst(const Vector& sizes) const {
  Loss loss;
  for (const int row : system_.shape().state_rows)
    if (const double share = sum_[row] / sizes[row]; share > loss.share) loss = {row, share, fastest_[row]};
  return loss;
}

}  // namespace taut
