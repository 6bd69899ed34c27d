#include "enforcement/coupled_correction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/list.hpp"
#include "system/stage.hpp"

namespace taut {
namespace {

constexpr int most_iterations = 25;

double largest(const Vector& x) { return x.lpNorm<Eigen::Infinity>(); }

void append(Pattern& pattern, const Pattern& block, int row, int column) {
  for (const auto& [i, j] : block.entries) pattern.entries.emplace_back(row + i, column + j);
}

}  // namespace

CoupledCorrection::CoupledCorrection(Manifold& manifold, StateMetric positions, StateMetric velocities,
                                     double rank_tolerance)
    : positions_(std::move(positions)), velocities_(std::move(velocities)) {
  start(manifold, rank_tolerance);
}

/// Unknowns are a change of position spelt in speeds, dq = N w, and one of the speeds; rows are those of Φ, then of χ:
///   G = [H_Φ  0; ∂χ/∂q N  H].
void CoupledCorrection::start(Manifold& manifold, double rank_tolerance) {
  const Shape& shape = manifold.shape();
  const int n = shape.n_v(), p = shape.position_rows, rows = shape.rows();
  const SparseValues &M = manifold.point().M, &H = manifold.point().H;
  W_.pattern = {2 * n, 2 * n, {}};
  append(W_.pattern, positions_.pattern(M), 0, 0);
  position_weights_ = static_cast<Eigen::Index>(W_.pattern.entries.size());
  append(W_.pattern, velocities_.pattern(M), n, n);
  G_.pattern = {p + rows, 2 * n, {}};
  for (const auto& [i, j] : H.pattern.entries)
    if (i < p) G_.pattern.entries.emplace_back(i, j);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < rows; ++i) G_.pattern.entries.emplace_back(p + i, j);
  append(G_.pattern, H.pattern, p, n);
  W_.values = Vector::Zero(static_cast<Eigen::Index>(W_.pattern.entries.size()));
  G_.values = Vector::Zero(static_cast<Eigen::Index>(G_.pattern.entries.size()));
  std::string chosen;
  kernel_ = make_kernel("cod", chosen);
  kernel_->start(2 * n, p + rows, rank_tolerance);
  kernel_->reserve_patterns(W_.pattern, G_.pattern);
  q0_ = dq_ = probe_ = Vector::Zero(shape.n_q());
  v0_ = dw_ = Vector::Zero(n);
  Phi_ = Vector::Zero(p);
  chi_ = ahead_ = behind_ = Vector::Zero(rows);
  r_ = Vector::Zero(p + rows);
  x_ = Vector::Zero(2 * n);
}

Projection CoupledCorrection::project(Manifold& manifold, double t, Vector& q, Vector& v) {
  q0_ = q;
  v0_ = v;
  const bool found = (has_decided_ || decide_on_constraints(manifold, t, q, v)) && evaluate(manifold, t, q, v) &&
                     kernel_->factor(W_, G_) && converge(manifold, t, q, v);
  if (!found) {
    q = q0_;
    v = v0_;
    return {false, 0};
  }
  q0_ -= q;
  has_decided_ = evaluate(manifold, t, q, v) && kernel_->determine_rank(W_, G_);  // for the next step
  return {has_decided_, largest(q0_)};
}

/// Off the constraints rows that others imply look independent: the first decision is made next to the state given.
bool CoupledCorrection::decide_on_constraints(Manifold& manifold, double t, const Vector& q, const Vector& v) {
  probe_ = q;
  dw_ = v;
  if (!manifold.project(t, probe_, dw_).ok) return false;
  const Vector at_q = probe_, at_v = dw_;
  return evaluate(manifold, t, at_q, at_v) && kernel_->determine_rank(W_, G_);
}

/// W and G at a state.
bool CoupledCorrection::evaluate(Manifold& manifold, double t, const Vector& q, const Vector& v) {
  if (!manifold.factor_at(t, q, v)) return false;
  const SparseValues &M = manifold.point().M, &H = manifold.point().H;
  positions_.fill(M, W_.values.head(position_weights_));
  velocities_.fill(M, W_.values.tail(W_.values.size() - position_weights_));
  Eigen::Index k = 0;
  for (std::size_t e = 0; e < H.pattern.entries.size(); ++e)
    if (H.pattern.entries[e].first < manifold.shape().position_rows)
      G_.values[k++] = H.values[static_cast<Eigen::Index>(e)];
  G_.values.tail(H.values.size()) = H.values;
  differentiate(manifold, t, q, v);
  return G_.values.allFinite();
}

/// ∂χ/∂q N, column after column.
void CoupledCorrection::differentiate(Manifold& manifold, double t, const Vector& q, const Vector& v) {
  System& system = manifold.system();
  const Shape& shape = manifold.shape();
  const Eigen::Index first =
      G_.values.size() - manifold.point().H.values.size() - static_cast<Eigen::Index>(shape.n_v()) * shape.rows();
  const double way = std::cbrt(std::numeric_limits<double>::epsilon()) * manifold.coordinate_scale(q);
  for (int j = 0; j < shape.n_v(); ++j) {
    dw_.setZero();
    dw_[j] = 1;
    system.spread(t, q, dw_, dq_);
    const double size = largest(dq_), step = size > 0 ? way / size : 1;
    probe_ = q + step * dq_;
    system.velocity(t, probe_, v, ahead_);
    probe_ = q - step * dq_;
    system.velocity(t, probe_, v, behind_);
    G_.values.segment(first + static_cast<Eigen::Index>(j) * shape.rows(), shape.rows()) =
        (ahead_ - behind_) / (2 * step);
  }
}

/// (2.16), (2.17). Changes are measured against the largest coordinate and the largest speed.
bool CoupledCorrection::converge(Manifold& manifold, double t, Vector& q, Vector& v) {
  taut_newton newton = {};
  while (newton.count < most_iterations) {
    const double change = step(manifold, t, q, v);
    if (!std::isfinite(change)) return false;
    const int verdict = taut_judge(&newton, change, manifold.tolerance, 1);
    if (verdict != taut_go_on) return verdict == taut_converged;
  }
  return false;
}

double CoupledCorrection::step(Manifold& manifold, double t, Vector& q, Vector& v) {
  System& system = manifold.system();
  const Eigen::Index n = v.size();
  system.position(t, q, Phi_);
  system.velocity(t, q, v, chi_);
  r_.head(Phi_.size()) = -Phi_;
  r_.tail(chi_.size()) = -chi_;
  kernel_->correct(r_, x_);
  dw_ = x_.head(n);
  system.spread(t, q, dw_, dq_);
  q += dq_;
  if (manifold.shape().retracts) system.retract(t, q);
  dw_ = x_.tail(n);
  v += dw_;
  return std::max(largest(dq_) / manifold.coordinate_scale(q), largest(dw_) / std::max(largest(v), 1e-3));
}

}  // namespace taut
