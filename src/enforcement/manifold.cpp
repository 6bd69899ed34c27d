#include "enforcement/manifold.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "enforcement/term_sizes.hpp"
#include "system/stage.hpp"

namespace taut {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_iterations = 25;
/// A correction of a velocity that is at most so many times the tolerance needs no second pass.
constexpr double single_pass = 1e3;
/// Below this accelerations lose more than three digits where products of rows were factored, 1/pivot².
constexpr double loses_digits = 0.03;
/// Above this a predicted state may be evaluated where it stands.
constexpr double far_from_singular = 0.1;

/// Signs of neighbours, of pairs and of fours of coordinates are told apart when rounding errors are estimated. What
/// moves them is so many ε, or rounding might take it back.
constexpr int sign_patterns = 3;
constexpr double rounding_step = 4 * std::numeric_limits<double>::epsilon();
/// A term is itself made of some operations, each with its rounding.
constexpr double term_rounding = 16 * std::numeric_limits<double>::epsilon();

/// Plain loops: what expressions over vectors cost counts where there are two or three entries. Not a number is kept.
double largest(const Vector& x) {
  double most = 0;
  for (const double value : x)
    if (!(std::abs(value) <= most)) most = std::abs(value);
  return most;
}
double largest_difference(const Vector& x, const Vector& y) {
  double most = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}
SparseValues diagonal(const Vector& values) {
  const int n = static_cast<int>(values.size());
  SparseValues matrix{{n, n, {}}, values};
  for (int i = 0; i < n; ++i) matrix.pattern.entries.emplace_back(i, i);
  return matrix;
}
void add_to(Vector& x, const Vector& dx) {
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] += dx[i];
}

}  // namespace

Manifold::Manifold(System& system, const KernelMaker& make_kernel, double rank_tolerance)
    : FactoredEquations(system, make_kernel, rank_tolerance), pivots_(*this) {
  const Shape& shape = system.shape();
  dq_.setZero(shape.n_q());
  q0_.setZero(shape.n_q());
  rounding_.setZero(shape.position_rows);
  largest_coordinate_ = std::max(largest_coordinate_, shape.least_size);
}

// ---- metrics --------------------------------------------------------------------------------------

Manifold::Metric::Metric(const MatrixSolver::Setting& setting, const Vector& values)
    : weights(diagonal(values)), solver(setting, weights) {}

void Manifold::use_metric(const Vector& weights) {
  metric_ = std::make_unique<Metric>(setting_, weights);
  in_other_metrics_.push_back(&metric_->solver);
}

void Manifold::use_velocity_metric(const std::optional<Vector>& weights) {
  velocities_in_mass_ = !weights;
  if (!weights) return;
  velocity_metric_ = std::make_unique<Metric>(setting_, *weights);
  in_other_metrics_.push_back(&velocity_metric_->solver);
}

PointSolver& Manifold::velocity_solver() {
  if (velocity_metric_) return velocity_metric_->solver;
  if (metric_ && !velocities_in_mass_) return metric_->solver;
  return here();
}

// ---- evaluating on the constraints ----------------------------------------------------------------

bool Manifold::evaluate_projected(double t, Vector& q, Vector& v, double reach) {
  if (shape().rows() == 0) return evaluate(t, q, v);
  return project_position(t, q, reach).ok && evaluate_here(t, q, v);
}

bool Manifold::evaluate_result(double t, Vector& q, Vector& v) {
  if (shape().rows() == 0) return evaluate(t, q, v);
  PointSolver& newest = metric_ ? metric_->solver : solver_of(Normals::newest);
  return project_along(newest, t, q, infinity).ok && evaluate_here(t, q, v);
}

/// Evaluates at a position on the constraints, moving v onto them.
bool Manifold::evaluate_here(double t, Vector& q, Vector& v) {
  ++counts.evaluations;
  return factor_at(t, q, v) && project_velocity(t, q, v).ok && complete_at(t, q, v);
}

bool Manifold::projected_rates(double t, const Vector& y, const StageTolerance& stage, Vector& found, Vector& ydot) {
  const double pivot = formulas().factor_pivot();
  const bool stands = stage.predicted && pivot > far_from_singular;
  // Next to singular positions what is missing from a position is felt the more in the rates.
  const double slack = stands ? infinity : stage.slack * pivot;
  const bool refine = pivot < loses_digits;
  return run_stage(Normals::decided, {formulas().stage_trust(), t, y, stage.reach, largest_coordinate_, tolerance,
                                      slack, refine, found, ydot});
}

/// Refined however large the pivots are: the next step begins with these rates, and one that begins there anew finds
/// the same.
bool Manifold::result_rates(double t, const Vector& y, Vector& found, Vector& ydot) {
  return run_stage(Normals::newest,
                   {formulas().stage_trust(), t, y, infinity, largest_coordinate_, tolerance, 0, true, found, ydot});
}

// ---- correcting -----------------------------------------------------------------------------------

Projection Manifold::project(double t, Vector& q, Vector& v) {
  const Projection position = project_position(t, q, infinity);
  if (!position.ok || !factor_at(t, q, v)) return {false, 0};
  return {project_velocity(t, q, v).ok, position.change};
}

/// Keerthi et al. Eq. (2.15)-(2.17): q ← q − N P_q Φ(q) with one and the same factor.
Projection Manifold::project_position(double t, Vector& q, double reach) {
  return project_along(metric_ ? metric_->solver : solver_of(Normals::decided), t, q, reach);
}

Projection Manifold::project_along(PointSolver& decided, double t, Vector& q, double reach) {
  if (shape().position_rows == 0) return {};
  q0_ = q;
  const double scale = coordinate_scale(q);
  PointSolver* normals = &decided;
  taut_newton newton = {};
  newton.cautious = formulas().rows_depend() && normals->assumes_rank();
  while (newton.count < most_iterations) {
    normals->position_step(t, q, dq_);
    const double change = largest(dq_);
    if (!std::isfinite(change)) break;
    add_to(q, dq_);
    if (shape().retracts) system_.retract(t, q);
    const int verdict = taut_judge(&newton, change, tolerance * scale, scale);
    const bool at_rounding = verdict == taut_converges_badly && is_rounding(t, q);
    if (at_rounding) coarsest_projection_ = std::max(coarsest_projection_, change / scale);
    if (verdict == taut_converged || at_rounding) {
      const double moved = largest_difference(q, q0_);
      if (moved > reach) break;
      return {true, moved};
    }
    if (verdict == taut_converges_badly) {
      newton.cautious = false;
      normals = factor_normals(t, q, metric_ ? metric_->weights : point_.M);
      if (!normals) break;
    }
  }
  q = q0_;
  return {false, 0};
}

/// Is what the position constraints miss at q no more than what rounding of q makes of them? Moving coordinates by one
/// ε of their sizes tells, with signs in several patterns, since terms of a row may move against each other. One that
/// happens to be next to nought has a thousandth of the largest size. Or no more than what rounding of their terms
/// makes, which may be large where coordinates are small. Where rows or coordinates have very different sizes, changes
/// that come of it may be far above any tolerance.
bool Manifold::is_rounding(double t, const Vector& q) {
  const double least = 1e-3 * coordinate_scale(q);
  const int rows = shape().position_rows;
  system_.position(t, q, scratch_.Phi);
  scratch_.chi.head(rows) = scratch_.Phi;
  rounding_.setZero();
  for (int pattern = 0; pattern < sign_patterns; ++pattern) {
    for (Eigen::Index j = 0; j < q.size(); ++j) {
      const double sign = (j >> pattern) % 2 == 0 ? 1 : -1;
      dq_[j] = q[j] + sign * rounding_step * std::max(std::abs(q[j]), least);
    }
    if (shape().retracts) system_.retract(t, dq_);  // a small angle has the rounding errors of what it comes from
    system_.position(t, dq_, scratch_.Phi);
    rounding_ += (scratch_.Phi - scratch_.chi.head(rows)).cwiseAbs();
  }
  if ((scratch_.chi.head(rows).cwiseAbs().array() <= rounding_.array()).all()) return true;
  find_term_sizes(system_, t, q, std::max(coordinate_scale(q), 1.0), {dq_, scratch_.Phi}, rounding_);
  return (scratch_.chi.head(rows).cwiseAbs().array() <= term_rounding * rounding_.array()).all();
}

Projection Manifold::project_velocity(double t, const Vector& q, Vector& v) {
  if (shape().rows() == 0) return {};
  const double scale = std::max(largest(v), 1e-3);
  double total = 0, last = 0;
  for (int k = 0; k < most_iterations; ++k) {
    velocity_solver().velocity_step(t, q, v, scratch_.dv);
    const double change = largest(scratch_.dv);
    if (!std::isfinite(change)) return {false, 0};
    add_to(v, scratch_.dv);
    total = std::max(total, change);
    // A second pass removes the rounding errors of a large first one.
    if (change <= single_pass * tolerance * scale || (k > 0 && !shape().jacobian_of_speeds)) return {true, total};
    if (k > 2 && change > 0.5 * last && change < 1e6 * tolerance * scale) return {true, total};
    if (shape().jacobian_of_speeds) {
      system_.at_velocity(t, q, v, point_);
      if (!factor()) return {false, 0};
    }
    last = change;
  }
  return {false, 0};
}

void Manifold::reserve_normal_part_removal() {
  v0_.setZero(shape().n_v());
  Phi0_.setZero(shape().position_rows);
  chi0_.setZero(shape().rows());
}

/// The constraints change along dq and dv as they do over a longer way, half way in digits between rounding and
/// curvature.
void Manifold::remove_normal_part(double t, const Vector& q, const Vector& v, Vector& dq, Vector& dv) {
  const double size = std::max(largest(dq) / std::max(largest(q), 1e-3), largest(dv) / std::max(largest(v), 1e-3));
  if (shape().rows() == 0 || !(size > 0)) return;
  if (v0_.size() == 0) reserve_normal_part_removal();
  const double factor = 1e-8 / size;
  if (shape().position_rows > 0) {
    system_.position(t, q, Phi0_);
    q0_ = q + factor * dq;
    system_.position(t, q0_, scratch_.Phi);
    scratch_.Phi = (Phi0_ - scratch_.Phi) / factor;
    if (here().correct_position(t, q, scratch_.Phi, dq_)) dq += dq_;
  }
  system_.velocity(t, q, v, chi0_);
  q0_ = q + factor * dq;
  v0_ = v + factor * dv;
  system_.velocity(t, q0_, v0_, scratch_.chi);
  scratch_.chi = (chi0_ - scratch_.chi) / factor;
  here().correct_velocity(scratch_.chi, scratch_.dv);
  dv += scratch_.dv;
}

// ---- rank -----------------------------------------------------------------------------------------

FactoredEquations::RankOutcome Manifold::determine_rank(double t, const Vector& q, const Vector& v) {
  see_coordinates(q);
  return FactoredEquations::determine_rank(t, q, v);
}

void Manifold::row(int i, Vector& out) const {
  out.setZero();
  rows_.for_row(point_.H, i, [&](int column, double value) { out[column] = value; });
}

double Manifold::coordinate_scale(const Vector& q) const { return std::max(largest(q), largest_coordinate_); }

Effort Manifold::effort() const {
  Effort effort = FactoredEquations::effort();
  effort.coarsest_projection = coarsest_projection_;
  return effort;
}

std::vector<std::string> dependent_constraints(const Manifold& manifold) {
  const LinearKernel& kernel = manifold.kernel();
  std::vector<std::string> names;
  for (int k = kernel.rank(); k < kernel.rows(); ++k) names.push_back(manifold.shape().constraints[kernel.order()[k]]);
  std::sort(names.begin(), names.end());
  return names;
}

int speed_without_inertia(const Manifold& manifold) {
  Eigen::Index i = 0;
  manifold.kernel().missing_direction().cwiseAbs().maxCoeff(&i);
  return static_cast<int>(i);
}

}  // namespace taut
