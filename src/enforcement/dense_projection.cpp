#include "enforcement/dense_projection.hpp"

#include <algorithm>
#include <cmath>

#include "system/stage.hpp"

namespace taut {
namespace {

constexpr int most_iterations = 8;
/// A contraction can be told from changes that are this many times what counts as found.
constexpr double clear_change = 100;
/// By how much a contraction may be worse than expected.
constexpr double safety = 4;
/// Speeds count as no smaller.
constexpr double least_speed = 1e-3;
/// What is left may be this share of the tolerance.
constexpr double share_left = 0.1;

/// Adds dx to x, and gives its largest entry.
double add(const Vector& dx, Vector& x) {
  double most = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    x[i] += dx[i];
    if (!(std::abs(dx[i]) <= most)) most = std::abs(dx[i]);  // not a number is kept
  }
  return most;
}

}  // namespace

DenseProjection::DenseProjection(Manifold& manifold) : manifold_(manifold) {
  const Shape& shape = manifold.shape();
  q_ = dq_ = Vector::Zero(shape.n_q());
  v_ = dv_ = Vector::Zero(shape.n_v());
  chi_ = probed_ = Vector::Zero(shape.rows());
  probe_ = v_;
}

bool DenseProjection::serves(Manifold& manifold) {
  return manifold.shape().rows() > 0 && !manifold.shape().jacobian_of_speeds && manifold.decided_solver();
}

void DenseProjection::begin_step(double end) {
  solver_ = manifold_.decided_solver();
  end_ = end;
  contraction_ = {};
}

void DenseProjection::Contraction::add(double seen, double at_distance) {
  if (distance > 0 && seen <= at(at_distance)) return;
  rate = seen;
  distance = at_distance;
}

double DenseProjection::Contraction::at(double other_distance) const {
  return safety * rate * other_distance / distance;
}

/// What Newton's method leaves of a change of all speeds: with the factor P of the step's end, |P(r − H P r)| / |P r|
/// for r = H w, and w as irregular as can be. χ is linear in the speeds.
void DenseProjection::measure_contraction(double t) {
  System& system = manifold_.system();
  const double size = std::max(v_.lpNorm<Eigen::Infinity>(), least_speed);
  for (Eigen::Index i = 0; i < v_.size(); ++i) probe_[i] = v_[i] + size * std::cos(static_cast<double>(i * i + 1));
  system.velocity(t, q_, v_, chi_);
  system.velocity(t, q_, probe_, probed_);
  probed_ -= chi_;
  solver_->correct_velocity(probed_, dv_);
  const double whole = dv_.lpNorm<Eigen::Infinity>();
  probe_ = v_ + dv_;
  chi_ += probed_;
  system.velocity(t, q_, probe_, probed_);
  chi_ -= probed_;
  solver_->correct_velocity(chi_, dv_);
  const double left = dv_.lpNorm<Eigen::Infinity>();
  contraction_.add(whole > 0 && std::isfinite(left) ? left / whole : 1, distance_);
}

/// Newton's method with one factor; `correct` applies a correction and returns its size.
template <class Correct>
bool DenseProjection::iterate(double scale, bool cautious, Correct&& correct) {
  const double enough = manifold_.tolerance * scale;
  taut_newton newton = {};
  newton.cautious = cautious;
  double last = 0;
  while (newton.count < most_iterations) {
    const double change = correct();
    if (!std::isfinite(change)) return false;
    if (newton.count == 1 && last > clear_change * enough) contraction_.add(change / last, distance_);
    const double rate = contraction_.at(distance_);
    if (newton.count == 0 && !cautious && rate < 0.5 && change * rate <= share_left * enough) return true;
    const int verdict = taut_judge(&newton, change, enough, scale);
    if (verdict != taut_go_on) return verdict == taut_converged;
    last = change;
  }
  return false;
}

bool DenseProjection::project(double t, Vector& y) {
  distance_ = std::abs(end_ - t);
  std::copy_n(y.data(), q_.size(), q_.data());
  std::copy_n(y.data() + q_.size(), v_.size(), v_.data());
  if (manifold_.shape().retracts) manifold_.system().retract(t, q_);
  if (contraction_.distance == 0) measure_contraction(t);
  if (!move_position(t) || !move_velocity(t)) return false;
  std::copy_n(q_.data(), q_.size(), y.data());
  std::copy_n(v_.data(), v_.size(), y.data() + q_.size());
  return true;
}

bool DenseProjection::move_position(double t) {
  const Shape& shape = manifold_.shape();
  if (shape.position_rows == 0) return true;
  const double scale = manifold_.coordinate_scale(q_);
  const bool cautious = manifold_.formulas().rows_depend() && solver_->assumes_rank();
  return iterate(scale, cautious, [&] {
    solver_->position_step(t, q_, dq_);
    const double change = add(dq_, q_);
    if (shape.retracts) manifold_.system().retract(t, q_);
    return change;
  });
}

bool DenseProjection::move_velocity(double t) {
  const double scale = std::max(v_.lpNorm<Eigen::Infinity>(), least_speed);
  return iterate(scale, false, [&] {
    manifold_.system().velocity(t, q_, v_, chi_);
    chi_ = -chi_;
    solver_->correct_velocity(chi_, dv_);
    return add(dv_, v_);
  });
}

bool DenseProjection::are_same(const Vector& a, const Vector& b) const {
  const Eigen::Index n_q = q_.size(), n_v = v_.size();
  const double size = manifold_.coordinate_scale(q_), speed = std::max(v_.lpNorm<Eigen::Infinity>(), least_speed);
  return (a - b).head(n_q).lpNorm<Eigen::Infinity>() <= manifold_.tolerance * size &&
         (a - b).segment(n_q, n_v).lpNorm<Eigen::Infinity>() <= manifold_.tolerance * speed;
}

}  // namespace taut
