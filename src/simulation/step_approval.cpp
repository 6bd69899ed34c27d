#include "simulation/step_approval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

/// The correction of a step is taken for an error that its test did not see where it is that many times what the test
/// lets pass.
constexpr double too_far = 1e3;
/// … and more than this share of the sizes: less may be rounding of rows whose inertias differ much.
constexpr double least_leap = 1e-6;

/// Terms that pull a motion to its constraints do work, and so do constraints that are not met. Those of an energy law
/// do, too, but only to mend the balance. Soft constraints do work where they give way.
double audited_tolerance(const Method& method, const Shape& shape, const MotionSettings& settings) {
  if (std::ranges::any_of(shape.softness, [](double square) { return square > 0; })) return 0;
  const bool meets_constraints = method.corrects() || method.kind() == Method::Kind::chart || method.is_dae();
  return meets_constraints && !settings.fixed_steps ? settings.rtol : 0;
}

}  // namespace

StepApproval::StepApproval(Evaluation& evaluation, const Method& method, const Witnesses& witnesses,
                           const MotionSettings& settings)
    : evaluation_(evaluation),
      seen_(witnesses),
      settings_(settings),
      follows_bends_(method.needs_consistent_start() || method.uses_step()),
      audits_balance_(evaluation.manifold().shape().has_energy),
      audit_(evaluation.system(), audited_tolerance(method, evaluation.manifold().shape(), settings),
             settings.absolute()) {}

double StepApproval::longest_step() const {
  const double before_feature = features_ ? features_->longest_step() : std::numeric_limits<double>::infinity();
  return std::min({seen_.passages.longest_step(), seen_.terms.longest_step(), before_feature});
}

bool StepApproval::approves(double t, const Vector& y) {
  if (leaps(t, y)) {
    objection_ = "the step leaps over a sharp bend of the constraints, next to a singular position";
    return false;
  }
  if (overlooks_feature(t, y)) {
    objection_ = "the step leaps over a narrow feature of a formula, however short it is";
    return false;
  }
  if (!settings_.has_tolerance()) return true;
  if (moves_too_far(y)) {
    objection_ = "correcting a step moves it by far more than its error estimate, however short it is";
    return false;
  }
  if (gains_energy(t, y)) {
    objection_ = "the energy jumps by far more than the errors of a step account for";
    return false;
  }
  return true;
}

void StepApproval::accept(double t, const Vector& y) {
  audit_.accept(t, audits_balance_ && !settings_.fixed_steps ? seen_.balance.error(t, y) : 0);
  EvaluatedPoint& at = evaluation_.at();
  if (settings_.fixed_steps && audit_.counts_given_step() && evaluation_.physical(t, y))
    audit_.look_at_given_step(t, at.q, at.v, at.scratch_v);
  accept_features(t, y);
}

bool StepApproval::leaps(double t, const Vector& y) {
  if (!follows_bends_ || evaluation_.manifold().shape().position_rows == 0) return false;
  if (seen_.passages.cannot_leap(t) || !evaluation_.physical(t, y)) return false;
  const bool leaps = seen_.passages.leaps(t, evaluation_.at().q);
  evaluation_.restore();
  return leaps;
}

/// The correction of a step is part of its error: it is of the size of what the error test lets pass, or something
/// happened between the stages that the test did not see.
bool StepApproval::moves_too_far(const Vector& y) const {
  const double correction = seen_.report.correction;
  if (correction == 0) return false;
  const Vector& before = seen_.passages.q();
  double size = evaluation_.manifold().shape().least_size;
  for (Eigen::Index i = 0; i < before.size(); ++i) size = std::max({size, std::abs(y[i]), std::abs(before[i])});
  if (correction <= least_leap * size) return false;
  return correction > too_far * settings_.allowed(size);
}

bool StepApproval::gains_energy(double t, const Vector& y) {
  if (!audits_balance_) return false;
  const double balance = seen_.balance.error(t, y);
  if (!evaluation_.physical(t, y)) return false;
  EvaluatedPoint& at = evaluation_.at();
  return !audit_.approves(t, at.q, at.v, balance, at.scratch_q, at.scratch_v);
}

// ---- features of formulas -------------------------------------------------------------------------

void StepApproval::watch_features(std::unique_ptr<FeatureWatch> features) {
  features_ = std::move(features);
  if (!features_) return;
  for (PathPoint* point : {&features_->start(), &features_->end()})
    *point = {seen_.passages.t(), seen_.passages.q(), seen_.passages.qdot(), evaluation_.at().v};
}

/// Given steps are taken all the same; what they miss is said.
bool StepApproval::overlooks_feature(double t, const Vector& y) {
  if (!features_ || !show_end(t, y) || !features_->leaps_over()) return false;
  if (settings_.fixed_steps) features_->note_missed();
  return !settings_.fixed_steps;
}

void StepApproval::accept_features(double t, const Vector& y) {
  if (features_ && show_end(t, y)) features_->accept();
}

/// Shows the watch for features where a step ends.
bool StepApproval::show_end(double t, const Vector& y) {
  PathPoint& end = features_->end();
  if (!evaluation_.physical(t, y, end.q, end.v)) return false;
  end.t = t;
  evaluation_.system().rates(t, end.q, end.v, end.qdot);
  return true;
}

}  // namespace taut
