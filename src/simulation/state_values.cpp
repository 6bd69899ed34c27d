#include "simulation/state_values.hpp"

namespace taut {

StateValues::StateValues(RunState& run) : run_(run), system_(run.parts.system), shape_(run.parts.shape) {
  const auto zero = [](auto count) { return Vector::Zero(static_cast<Eigen::Index>(count)); };
  q_ = zero(shape_.n_q());
  v_ = zero(shape_.n_v());
  qdot_ = zero(shape_.n_q());
  a_ = zero(shape_.n_v());
  lambda_ = zero(shape_.rows());
  following_ = zero(shape_.following.size());
  outputs_ = zero(shape_.outputs.size() + shape_.watches.size());
  watched_ = zero(shape_.watches.size());
}

bool StateValues::find_state(double t, const Vector& y) { return motion().physical(t, y, q_, v_); }

bool StateValues::find_rates(double t, const Vector& y) {
  const bool known = find_state(t, y);
  system_.rates(t, q_, v_, qdot_);
  return known;
}

bool StateValues::find_row(double t, const Vector& y) {
  const bool known = find_rates(t, y);
  // Accelerations are not recorded: any do for what follows from the state.
  if (following_.size() > 0) system_.following(t, q_, v_, a_, following_);
  if (!shape_.outputs.empty()) find_outputs(t, y);
  return known;
}

/// Outputs, too, may hold signs that friction has there.
void StateValues::find_outputs(double t, const Vector& y) {
  run_.parts.observe_at(t, y, [&] {
    if (shape_.outputs_need_accelerations) find_accelerations(t, y);
    find_state(t, y);
    system_.outputs(t, q_, v_, a_, lambda_, outputs_);
  });
}

const Vector& StateValues::watched(double t, const Vector& y) {
  find_outputs(t, y);
  watched_ = outputs_.tail(watched_.size());
  return watched_;
}

bool StateValues::find_accelerations(double t, const Vector& y) {
  return run_.parts.observe_at(t, y, [&] { return motion().observe().accelerations(t, y, a_, lambda_); });
}

void StateValues::complete(double t) {
  system_.rates(t, q_, v_, qdot_);
  if (following_.size() > 0) system_.following(t, q_, v_, a_, following_);
  if (!shape_.outputs.empty()) system_.outputs(t, q_, v_, a_, lambda_, outputs_);
}

}  // namespace taut
