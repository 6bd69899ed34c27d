#include "simulation/projected_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/tableau.hpp"

namespace taut {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Stages within a step are no results: they may miss the constraints by this share of what the result of a step may
/// err.
constexpr double stage_slack = 1e-3;
/// A stage may be moved so far, relative, however little it has moved itself: implicit formulas differentiate by moving
/// one coordinate at a time by the root of ε, 1.5e-8 of its size, and others follow by what levers and gears make of
/// it.
constexpr double least_reach = 1e-6;

}  // namespace

ProjectedMotion::ProjectedMotion(Manifold& manifold, Method& method, EnergyLaw* law, const Settings& settings)
    : Motion(manifold, method, law, settings), law_(law) {
  start_q_ = start_qdot_ = at_.q;
  start_v_ = at_.v;
  if (!settings.fixed_steps) manifold.reserve_normal_part_removal();
}

/// The system's own solver finds rates along with the result of a step.
void ProjectedMotion::start_formulas(double t, const Vector& q, const Vector& v) {
  result_rates_ = stage_ = Vector::Zero(layout_.size());
  Motion::start_formulas(t, q, v);
}

OdeExtensions ProjectedMotion::extensions() {
  OdeExtensions all = Motion::extensions();
  all.stages = this;
  all.error = this;
  return all;
}

/// Remembers where a step begins, for reach().
void ProjectedMotion::mark_start(double t, const Vector& y) {
  start_t_ = t;
  if (manifold_.shape().rows() == 0) return;
  layout_.unpack(y, start_q_, start_v_);
  system().rates(t, start_q_, start_v_, start_qdot_);
}

// ---- evaluating -----------------------------------------------------------------------------------

/// Where formulas serve, a result was evaluated where it stands: what a second projection would change is rounding, but
/// other digits follow from it. Other results were evaluated at their projections.
void ProjectedMotion::stand_at(double t, const Vector& y) {
  if (law_ || !manifold_.formulas().is_serving()) return;
  layout_.unpack(y, at_.q, at_.v);
  forget();
  has_result_rates_ = false;
  if (manifold_.evaluate(t, at_.q, at_.v)) remember(t, y);
}

bool ProjectedMotion::evaluate(double t, const Vector& y) {
  if (knows(t, y)) {
    restore();
    return true;
  }
  load(t, y);
  double size = 0;
  bool ok = manifold_.evaluate_projected(t, at_.q, at_.v, reach(t, size));
  if (!ok && settings_.fixed_steps) {
    ++report_.unprojected;
    load(t, y);
    ok = manifold_.evaluate(t, at_.q, at_.v);
  }
  has_result_rates_ = false;
  return ok && remember(t, y);
}

/// How far a projection may move a stage: one that moves it farther than the stage itself has moved since
/// the step began has left the branch. Where driven coordinates set off from rest, what counts is how
/// far their change of speed takes them. `size` becomes that of the largest coordinate.
double ProjectedMotion::reach(double t, double& size) {
  const bool plain = manifold_.shape().plain_rates;
  if (!plain) system().rates(t, at_.q, at_.v, at_.qdot);
  const Vector& rates = plain ? at_.v : at_.qdot;
  double moved = 0, turned = 0;
  size = std::max(size, manifold_.shape().least_size);
  for (int i = 0; i < layout_.n_q; ++i) {
    moved = std::max(moved, std::abs(at_.q[i] - start_q_[i]));
    turned = std::max(turned, std::abs(rates[i] - start_qdot_[i]));
    size = std::max(size, std::abs(at_.q[i]));
  }
  return std::max({moved, std::abs(t - start_t_) * turned, least_reach * (size > 0 ? size : 1)});
}

bool ProjectedMotion::derivative(double t, const Vector& y, double h, Vector& ydot) {
  if (terms_.in_stages()) return Motion::derivative(t, y, h, ydot);
  const bool known = knows(t, y);
  if (!known && find_rates_at_once(t, y, ydot)) return true;
  if (known && has_result_rates_) {
    ydot = result_rates_;
    return true;
  }
  return Motion::derivative(t, y, h, ydot);
}

/// What Motion::derivative() does, where the system's own solver can.
bool ProjectedMotion::find_rates_at_once(double t, const Vector& y, Vector& ydot) {
  const bool may_be_result = stages_are_results_ && t == start_t_ + terms_.step();
  Manifold::StageTolerance stage{infinity, may_be_result ? 0 : infinity, !stages_are_results_};
  if (manifold_.shape().rows() > 0) {
    layout_.unpack(y, at_.q, at_.v);
    double size = 0;
    stage.reach = reach(t, size);
    const double atol = settings_.atol.value_or(0.01 * settings_.rtol * size);
    stage.slack = may_be_result ? 0 : std::min(settings_.rtol * size, atol) * stage_slack;
  }
  forget();
  if (!manifold_.projected_rates(t, y, stage, memory_.found(), ydot)) return false;
  layout_.unpack(memory_.found(), at_.q, at_.v);
  std::copy_n(ydot.data() + layout_.n_q, layout_.n_v, at_.a.data());
  memory_.remember(t, y);
  memory_.set_slack(stages_are_results_ ? stage.slack : infinity);
  has_result_rates_ = false;
  return true;
}

/// Where nothing is to be met, a stage stands where it is, and what derivative() would find out of it is not asked.
bool ProjectedMotion::all_slopes(const Tableau& tableau, double t, const Vector& y, double h, std::vector<Vector>& k) {
  if (manifold_.shape().rows() > 0 || terms_.exist() || !has_result_rates_ || !knows(t, y)) return false;
  terms_.begin_step_of_others(h);
  k[0] = result_rates_;
  forget();
  for (int i = 1; i < tableau.stages(); ++i) {
    combine(tableau.a[i], h, y, k, stage_);
    if (!manifold_.projected_rates(t + tableau.c[i] * h, stage_, {infinity, infinity, true}, memory_.found(), k[i]))
      return false;
  }
  return true;
}

// ---- correcting -----------------------------------------------------------------------------------

bool ProjectedMotion::correct_by_method(double t, Vector& y, Correction& result) {
  if (result == Correction::none && memory_.slack() == 0 && memory_.was_asked(t, y)) {
    take_what_was_found(y);
    result = Correction::same_derivative;
    return true;
  }
  if (result == Correction::none && manifold_.formulas().is_serving()) return evaluate_result(t, y, result);
  return apply_correction(t, y, result);
}

/// The last stage was the result, and has been projected already.
void ProjectedMotion::take_what_was_found(Vector& y) {
  const Vector& found = memory_.found();
  const int n_q = layout_.n_q, moving = layout_.moving();
  report_.correction = (y.head(n_q) - found.head(n_q)).lpNorm<Eigen::Infinity>();
  report_.moved = found.head(n_q) - y.head(n_q);
  y.head(moving) = found.head(moving);
}

/// Where the equations are solved by formulas, evaluating them at the projection is little more than projecting, and
/// the derivative is wanted next.
bool ProjectedMotion::evaluate_result(double t, Vector& y, Correction& result) {
  const bool at_once = !law_ && manifold_.result_rates(t, y, memory_.found(), result_rates_);
  if (at_once) {
    layout_.unpack(memory_.found(), at_.q, at_.v);
  } else {
    load(t, y);
    if (!manifold_.evaluate_result(t, at_.q, at_.v)) return false;
    layout_.pack(at_.q, at_.v, memory_.found());
  }
  report_.note_moved(y, at_.q);
  report_.correction = 0;
  for (const double change : report_.moved) report_.correction = std::max(report_.correction, std::abs(change));
  layout_.pack(at_.q, at_.v, y);
  result = Correction::new_derivative;
  memory_.remember(t, y);
  if (at_once) std::copy_n(result_rates_.data() + layout_.n_q, layout_.n_v, at_.a.data());
  has_result_rates_ = at_once;
  return true;
}

void ProjectedMotion::correct_error(double t, const Vector& y, Vector& error) {
  layout_.unpack(y, at_.q, at_.v);
  at_.scratch_q = error.head(layout_.n_q);
  at_.scratch_v = error.segment(layout_.n_q, layout_.n_v);
  manifold_.remove_normal_part(t, at_.q, at_.v, at_.scratch_q, at_.scratch_v);
  layout_.pack(at_.scratch_q, at_.scratch_v, error);
}

}  // namespace taut
