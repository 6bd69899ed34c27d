#include "simulation/impulse_solver.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace taut {
namespace {

/// Rows that miss what they are asked for by more than this share of the speeds cannot be met.
constexpr double contradiction = 1e-7;

}  // namespace

ImpulseSolver::ImpulseSolver(RunParts& parts) : parts_(parts) {
  dv_ = Vector::Zero(parts.shape.n_v());
  lambda_ = asked_ = found_ = Vector::Zero(parts.shape.rows());
}

Manifold& ImpulseSolver::manifold() {
  if (!manifold_) {
    std::string kernel;
    manifold_ = std::make_unique<Manifold>(
        parts_.system, [&] { return parts_.make_kernel(kernel); }, parts_.rank_tolerance);
  }
  return *manifold_;
}

bool ImpulseSolver::evaluate(double t, const Vector& q, const Vector& v) {
  return manifold().evaluate(t, q, v, Manifold::Factoring::at_decision) &&
         manifold().determine_rank_afresh(t, q, v, parts_.rank_tolerance);
}

std::string ImpulseSolver::correct(double t, const Vector& q, Vector& v, const Vector& asked) {
  if (asked_.size() == 0) return {};
  if (!evaluate(t, q, v)) return fmt::format("the equations have no value behind the event at t = {:.9g}", t);
  const Point& point = manifold().point();
  asked_ = asked - point.chi;
  manifold().here().correct_velocity(asked_, dv_);
  point.H.multiply(dv_, found_);
  Eigen::Index row = 0;
  const double missed = (found_ - asked_).cwiseAbs().maxCoeff(&row);
  const double speed = std::max(v.lpNorm<Eigen::Infinity>(), dv_.lpNorm<Eigen::Infinity>());
  if (!(missed <= contradiction * speed) && missed > 0)
    return fmt::format(
        "constraints contradict each other behind the event at t = {:.9g}: no speeds meet all of them, "
        "'{}' misses by {:.3g}",
        t, parts_.shape.constraints[static_cast<std::size_t>(row)], missed);
  v += dv_;
  return {};
}

bool ImpulseSolver::accelerate(double t, const Vector& q, const Vector& v, Vector& a) {
  if (!evaluate(t, q, v)) return false;
  manifold().here().accelerate(manifold().point().b, a, lambda_);
  return a.allFinite();
}

bool ImpulseSolver::find_row_accelerations(double t, const Vector& q, const Vector& v, const Vector& a, Vector& out) {
  if (!evaluate(t, q, v)) return false;
  const Point& point = manifold().point();
  point.H.multiply(a, out);
  out -= point.b;
  return true;
}

bool ImpulseSolver::find_impulse(double t, const Vector& q, const Vector& dv, Vector& impulse) {
  if (!evaluate(t, q, dv)) return false;
  manifold().point().M.multiply(dv, impulse);
  return true;
}

}  // namespace taut
