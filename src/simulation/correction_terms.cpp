#include "simulation/correction_terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {

CorrectionTerms::CorrectionTerms(Evaluation& evaluation, const Sources& sources, const MotionSettings& settings,
                                 EnergyBalance& balance, MotionReport& report)
    : evaluation_(evaluation),
      method_(sources.method),
      law_(sources.law),
      settings_(settings),
      balance_(balance),
      report_(report),
      bounds_steps_(!settings.fixed_steps && settings.control != Control::stages &&
                    (evaluation.manifold().shape().rows() > 0 || law_)) {
  if (exist()) reserve();
}

void CorrectionTerms::reserve() {
  const Shape& shape = evaluation_.manifold().shape();
  plain_rates_ = Vector::Zero(shape.n_q());
  violation_.chi = Vector::Zero(shape.rows());
  violation_.Phi = Vector::Zero(shape.position_rows);
  rate_ = Vector::Zero(evaluation_.layout().size());
}

bool CorrectionTerms::exist() const { return method_.adds_terms() || (law_ && law_->adds_terms()); }

bool CorrectionTerms::in_result() const {
  return exist() && (settings_.control == Control::forward_euler || settings_.control == Control::backward_euler);
}

bool CorrectionTerms::depends_on_step() const {
  const bool with_step = method_.uses_step() || (law_ && law_->uses_step());
  return in_stages() && (with_step || settings_.control == Control::euler);
}

bool CorrectionTerms::held_terms(double t, const Vector& y, double h, Vector& rate) {
  return separated_ && exist() && find(t, y, h, rate);
}

/// A term that is held through a step decays by gain times h: more than all of it would be too much, and no error test
/// sees what is held.
double CorrectionTerms::longest_step() const {
  const double gain = bounds_steps_ ? std::max(method_.gain(), law_ ? law_->gain() : 0) : 0;
  return gain > 0 ? 1 / gain : std::numeric_limits<double>::infinity();
}

// ---- the violation that terms act on --------------------------------------------------------------

void CorrectionTerms::begin_step(double t, const Vector& y, double h) {
  h_ = h;
  report_.term = 0;
  if (!exist()) return;
  if (settings_.control == Control::forward_euler && !find(t, y, h, rate_))
    rate_.setConstant(std::numeric_limits<double>::quiet_NaN());  // no way to say so here: the step fails when they
                                                                  // are added
  if (!in_stages() || settings_.control != Control::euler) return;
  evaluation_.physical(t, y);
  see_violation(t, y);
}

ViolationNow& CorrectionTerms::begin_step_of_others(double h) {
  h_ = h;
  report_.term = 0;
  return violation_;
}

/// That at the point of the evaluation, which is where y stands.
void CorrectionTerms::see_violation(double t, const Vector& y) {
  violation_.energy = law_ ? balance_.error_here(t, y) : 0;
  evaluation_.find_violations(t, violation_.Phi, violation_.chi);
}

void CorrectionTerms::enter_stage(double t, const Vector& y) {
  if (settings_.control != Control::stages) return;
  violation_.Phi = evaluation_.manifold().point().Phi;
  violation_.chi = evaluation_.manifold().point().chi;
  if (law_) violation_.energy = balance_.error_here(t, y);
}

// ---- slopes ---------------------------------------------------------------------------------------

void CorrectionTerms::find_slopes(double t) {
  evaluation_.at().c = evaluation_.manifold().point().b;
  solve(t);
}

void CorrectionTerms::find_slopes_with_terms(double t, double h) {
  Manifold& manifold = evaluation_.manifold();
  EvaluatedPoint& at = evaluation_.at();
  at.c = manifold.point().b;
  method_.demand(manifold.point(), violation_, h, at.c);
  solve(t);
  plain_rates_ = at.qdot;
  method_.add_to_rates(manifold, t, at.q, violation_, h, at.qdot);
  if (law_) law_->add(manifold, {t, at.q, at.v, violation_.energy, at.power, h}, at.qdot, at.a);
  measure(h, at.qdot.data(), plain_rates_.data());
}

void CorrectionTerms::solve(double t) {
  PointSolver& solver = evaluation_.manifold().here();
  EvaluatedPoint& at = evaluation_.at();
  solver.accelerate(at.c, at.a, at.lambda);
  evaluation_.system().rates(t, at.q, at.v, at.qdot);
  at.power = evaluation_.layout().does_work ? solver.power(t, at.q, at.v, at.a, at.lambda) : 0;
}

void CorrectionTerms::measure(double h, const double* rates, const double* plain_rates) {
  for (int i = 0; i < evaluation_.layout().n_q; ++i)
    report_.term = std::max(report_.term, h * std::abs(rates[i] - plain_rates[i]));
}

bool CorrectionTerms::find(double t, const Vector& y, double h, Vector& rate) {
  if (!evaluation_.evaluate(t, y)) return false;
  const int n_q = evaluation_.layout().n_q, n_v = evaluation_.layout().n_v;
  EvaluatedPoint& at = evaluation_.at();
  see_violation(t, y);
  find_slopes(t);
  at.scratch_v = at.a;
  rate.setZero();
  rate.head(n_q) = -at.qdot;
  find_slopes_with_terms(t, h);
  rate.head(n_q) += at.qdot;
  rate.segment(n_q, n_v) = at.a - at.scratch_v;
  return rate.allFinite();
}

bool CorrectionTerms::add_to_result(double t, Vector& y) {
  const bool found = settings_.control == Control::forward_euler ? rate_.allFinite() : find(t, y, h_, rate_);
  if (!found) return false;
  const int moving = evaluation_.layout().moving();
  y.head(moving) += h_ * rate_.head(moving);
  return true;
}

}  // namespace taut
