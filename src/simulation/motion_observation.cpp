#include "simulation/motion_observation.hpp"

#include <cmath>
#include <limits>

namespace taut {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

MotionObservation::MotionObservation(Evaluation& evaluation, const Method& method, CorrectionTerms& terms,
                                     EnergyBalance& balance, const MotionReport& report)
    : evaluation_(evaluation), method_(method), terms_(terms), balance_(balance), report_(report) {}

bool MotionObservation::project(double t, Vector& y) {
  evaluation_.retract(t, y);
  if (!method_.corrects()) return true;
  EvaluatedPoint& at = evaluation_.at();
  evaluation_.layout().unpack(y, at.q, at.v);
  evaluation_.forget();
  if (!evaluation_.manifold().project(t, at.q, at.v).ok) return false;
  evaluation_.layout().pack(at.q, at.v, y);
  return true;
}

bool MotionObservation::accelerations(double t, const Vector& y, Vector& a, Vector& lambda) {
  Manifold& manifold = evaluation_.manifold();
  if (evaluation_.evaluate(t, y) && find_smallest_multipliers(t)) {
    manifold.here().accelerate(manifold.point().b, a, lambda);
    if (a.allFinite()) return true;
  }
  a.setConstant(not_a_number);
  lambda.setConstant(not_a_number);
  return false;
}

/// Formulas find some multipliers of many, and matrices the smallest.
bool MotionObservation::find_smallest_multipliers(double t) {
  Manifold& manifold = evaluation_.manifold();
  const bool some = manifold.formulas_here() && manifold.formulas().rows_depend();
  return !some || manifold.evaluate_by_matrices(t, evaluation_.at().q, evaluation_.at().v);
}

bool MotionObservation::constraint_forces(double t, const Vector& y, Vector& Q) {
  Manifold& manifold = evaluation_.manifold();
  EvaluatedPoint& at = evaluation_.at();
  const bool known = evaluation_.physical(t, y) && manifold.evaluate_by_matrices(t, at.q, at.v);
  evaluation_.forget();
  if (known) {
    manifold.here().accelerate(manifold.point().b, at.a, at.lambda);
    manifold.point().H.multiply_transposed(at.lambda, Q);
    if (Q.allFinite()) return true;
  }
  Q.setConstant(not_a_number);
  return false;
}

// ---- corrections ----------------------------------------------------------------------------------

bool MotionObservation::moves_positions() const {
  return evaluation_.manifold().shape().position_rows > 0 && (method_.corrects() || terms_.exist());
}

bool MotionObservation::has_impulses() const {
  return moves_positions() && method_.kind() != Method::Kind::chart && !method_.is_dae();
}

bool MotionObservation::impulses(const TakenStep& step, Vector& mu) {
  if (!has_impulses() || !(step.h() > 0)) return false;
  mu.setZero();
  if (terms_.exist() && !add_impulses_of_terms(step, mu)) return false;
  if (!method_.corrects()) return true;
  moving_ = report_.moved / step.h();
  return add_impulses_of(step.to, step.y_to, moving_, mu);
}

bool MotionObservation::add_impulses_of_terms(const TakenStep& step, Vector& mu) {
  const Eigen::Index n_q = evaluation_.layout().n_q;
  if (terms_.act_at_end()) {
    moving_ = terms_.added().head(n_q);
    return add_impulses_of(step.to, step.y_to, moving_, mu);
  }
  const Vector* rates = terms_.find(step.from, step.y_from, step.h());
  if (!rates) return false;
  moving_ = rates->head(n_q);
  return add_impulses_of(step.from, step.y_from, moving_, mu);
}

/// Those of a correction that moves coordinates at this rate, where they are in y.
bool MotionObservation::add_impulses_of(double t, const Vector& y, const Vector& rate, Vector& mu) {
  Manifold& manifold = evaluation_.manifold();
  EvaluatedPoint& at = evaluation_.at();
  const bool known = evaluation_.physical(t, y) && manifold.evaluate_by_matrices(t, at.q, at.v);
  evaluation_.forget();
  if (!known) return false;
  find_position_rates(t, rate);
  if (!manifold.matrices_here().impulses(ahead_, at.a, at.lambda)) return false;
  mu += at.lambda.head(mu.size());
  return true;
}

/// How fast the position constraints change where coordinates do: by central differences, over a way at which rounding
/// and curvature count alike. In ahead_.
void MotionObservation::find_position_rates(double t, const Vector& rate) {
  EvaluatedPoint& at = evaluation_.at();
  ahead_.setZero(evaluation_.manifold().shape().position_rows);
  const double fastest = rate.lpNorm<Eigen::Infinity>();
  if (!(fastest > 0)) return;
  const double step =
      std::cbrt(std::numeric_limits<double>::epsilon()) * evaluation_.manifold().coordinate_scale(at.q) / fastest;
  at.scratch_q = at.q + step * rate;
  evaluation_.system().position(t, at.scratch_q, ahead_);
  at.scratch_q = at.q - step * rate;
  behind_.setZero(ahead_.size());
  evaluation_.system().position(t, at.scratch_q, behind_);
  ahead_ = (ahead_ - behind_) / (2 * step);
}

// ---- violations -----------------------------------------------------------------------------------

bool MotionObservation::violations(double t, const Vector& y, Vector& Phi, Vector& chi) {
  if (evaluation_.stands_at(t, y)) {
    Phi = evaluation_.manifold().point().Phi;
    chi = evaluation_.manifold().point().chi;
    return true;
  }
  if (evaluation_.physical(t, y)) {
    evaluation_.find_violations(t, Phi, chi);
    return true;
  }
  Phi.setConstant(not_a_number);
  chi.setConstant(not_a_number);
  return false;
}

void MotionObservation::tell_sizes(const Vector& y, ViolationScale& scale) const {
  if (method_.kind() == Method::Kind::chart) return scale.see(evaluation_.at().q.data(), evaluation_.at().v.data());
  scale.see(y.data(), y.data() + evaluation_.layout().n_q);
}

}  // namespace taut
