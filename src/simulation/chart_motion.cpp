#include "simulation/chart_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

/// Newton finds coordinates of a chart to this share of the largest, or better.
constexpr double lift_rounding = 1e-10;

double largest(const auto& x) { return x.template lpNorm<Eigen::Infinity>(); }

}  // namespace

ChartMotion::ChartMotion(Manifold& manifold, Method& method, EnergyLaw* law, const Settings& settings)
    : Motion(manifold, method, law, settings), chart_(*method.chart()) {
  lifted_q_ = lifted_qdot_ = at_.q;
  lifted_v_ = at_.v;
  manifold.pivots().make_own_kernel();
}

void ChartMotion::take_first_decision(double t) {
  chart_.base(manifold_);
  mark_lifted(t);
  outgrown_ = false;
}

// ---- evaluating -----------------------------------------------------------------------------------

bool ChartMotion::evaluate(double t, const Vector& y) {
  if (knows(t, y)) {
    restore();
    return true;
  }
  load(t, y);
  return chart_.lift(manifold_, t, at_.q, at_.v) && manifold_.evaluate(t, at_.q, at_.v) && remember(t, y);
}

bool ChartMotion::physical(double t, const Vector& y, Vector& q, Vector& v) {
  if (knows(t, y)) return Motion::physical(t, memory_.found(), q, v);
  q = y.head(layout_.n_q);
  v = y.segment(layout_.n_q, layout_.n_v);
  forget();
  if (!chart_.lift(manifold_, t, q, v)) {
    q.setConstant(std::numeric_limits<double>::quiet_NaN());
    v.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return q.allFinite() && v.allFinite();
}

bool ChartMotion::derivative(double t, const Vector& y, double h, Vector& ydot) {
  if (!evaluate(t, y)) return false;
  if (terms_.in_stages()) {
    terms_.enter_stage(t, y);
    terms_.find_slopes_with_terms(t, h);
  } else {
    terms_.find_slopes(t);
  }
  chart_.restrict(at_.qdot, at_.a);
  return write_slopes(ydot);
}

// ---- the chart's base -----------------------------------------------------------------------------

void ChartMotion::begin_step(double t, const Vector& y, double h) {
  if (outgrown_) move_base(t, y);
  Motion::begin_step(t, y, h);
}

/// Where the chart is outgrown, the present point becomes its new base: when the next step begins, since
/// points within the step just taken are still to be lifted with the old one.
Acceptance ChartMotion::determine_rank(double t, Vector& y, bool /*derivative_known*/) {
  mark_lifted(t);
  report_.passed = passages_.accept(t, at_.q, at_.v, at_.a);
  if (!chart_.outgrown(manifold_, at_.v)) return Acceptance::same_derivative;
  ++report_.charts;
  outgrown_ = true;
  layout_.pack(at_.q, at_.v, y);
  memory_.remember(t, y);
  return Acceptance::new_coordinates;
}

void ChartMotion::move_base(double t, const Vector& y) {
  outgrown_ = false;
  layout_.unpack(y, at_.q, at_.v);
  forget();
  if (!manifold_.evaluate(t, at_.q, at_.v)) return;
  const int rank = manifold_.rank();
  manifold_.determine_rank(t, at_.q, at_.v);
  rank_change_pending_ = manifold_.rank() != rank;
  if (rank_change_pending_) passages_.reset();
  chart_.base(manifold_);
  remember(t, y);
}

/// A state that has jumped is no point of the plane, which may not even lead to it any more.
void ChartMotion::begin_anew(double t, const Vector& y) {
  at_.q = lifted_q_;
  at_.v = lifted_v_;
  forget();
  if (outgrown_) move_base(t, y);
}

void ChartMotion::jump_to(double t, const Vector& /*y*/) {
  mark_lifted(t);
  outgrown_ = true;
}

void ChartMotion::mark_lifted(double t) {
  manifold_.see_coordinates(at_.q);
  lifted_t_ = t;
  lifted_q_ = at_.q;
  lifted_v_ = at_.v;
  system().rates(t, at_.q, at_.v, lifted_qdot_);
}

// ---- branches of the constraints ------------------------------------------------------------------

Correction ChartMotion::correct_result(double t, Vector& y) {
  const Correction result = Motion::correct_result(t, y);
  return result == Correction::failed || stays_on_branch(t, y) ? result : Correction::failed;
}

/// Branches of the constraints meet at singular positions, and Newton may find the wrong one behind them.
bool ChartMotion::stays_on_branch(double t, const Vector& y) {
  report_.left_branch = false;
  if (!evaluate(t, y)) return false;
  report_.left_branch = has_left_branch(t);
  return !report_.left_branch;
}

/// Where Newton finds the wrong branch, speeds jump by as much as they are, and by much more than the acceleration
/// accounts for; or Newton goes far, and coordinates jump by much more than speeds and accelerations do.
bool ChartMotion::has_left_branch(double t) {
  const double h = std::abs(t - lifted_t_);
  const double jump = largest(at_.v - lifted_v_), scale = std::max({largest(at_.v), largest(lifted_v_), 1e-3});
  system().rates(t, at_.q, at_.v, at_.qdot);
  const double way = h * std::max(largest(at_.qdot), largest(lifted_qdot_));
  const double missed = largest(at_.q - lifted_q_ - 0.5 * h * (at_.qdot + lifted_qdot_));
  const double rounding = lift_rounding * manifold_.coordinate_scale(at_.q);
  if (jump < 0.5 * scale && missed <= 0.5 * way + rounding) return false;
  manifold_.here().accelerate(manifold_.point().b, at_.a, at_.lambda);
  const bool speeds_jump = jump > 4 * h * largest(at_.a) && jump >= 0.5 * scale;
  return speeds_jump || missed > 0.75 * way + 2 * h * h * largest(at_.a) + rounding;
}

}  // namespace taut
