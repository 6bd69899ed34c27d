#include "simulation/integrator_turns.hpp"

#include <fmt/format.h>

#include "integration/list.hpp"

namespace taut {
namespace {

/// An integrator that was asked for may take this many more steps at the boundary of its stability: half a minute for
/// a small model.
constexpr double too_many_stiff_steps = 2e6;
/// Of entries of the state: Jacobians are dense, and found by differences.
constexpr Eigen::Index most_implicit = 300;
constexpr long implicit_trial = 1000;  ///< steps
constexpr double many_cut_steps = 20'000;

}  // namespace

void IntegratorTurns::start() {
  if (parts_.has_fixed_steps()) return;
  progress_.emplace(parts_.options.until, parts_.options.max_steps);
  const double boundary = find_integrator(parts_.chosen.integrator).stability;
  if (boundary > 0) stiffness_.emplace(parts_.ode(), parts_.options.until, boundary);
}

void IntegratorTurns::judge_step() {
  if (run_.ended_at) return;
  if (parts_.has_fixed_steps()) return judge_cut_steps();
  const double t = parts_.integrator->t();
  if (progress_->step(t, attempts_in_vain()) && progress_->is_stuck()) end_or_turn();
  if (implicit_ && run_.log.summary().steps == implicit_->judge_at &&
      !implicit_->pays(t, parts_.manifold.counts.evaluations))
    turn_explicit("is no faster");
  if (stiffness_ && stiffness_->step(t, parts_.integrator->y())) judge_stiffness();
}

bool IntegratorTurns::replace_failed() {
  if (!implicit_ || !implicit_->in_force) return false;
  turn_explicit("cannot go on");
  return true;
}

/// Given steps end early where equations change sides; far more of them than there are to be have no end.
void IntegratorTurns::judge_cut_steps() {
  const double expected = parts_.integrator->t() / *parts_.options.step;
  if (parts_.switched && static_cast<double>(run_.log.summary().steps) > 50 * expected + many_cut_steps)
    run_.fail(
        fmt::format("the equations change sides without end near t = {:.6g}: replace sign(u) by tanh(u/w), with a "
                    "small width w",
                    parts_.integrator->t()));
}

/// A run that gets nowhere may do so with an implicit formula.
void IntegratorTurns::end_or_turn() {
  if (!may_turn_implicit()) return run_.fail(progress_->description());
  stiffness_->measure_rate(parts_.integrator->t(), parts_.integrator->y(), progress_->mean_step());
  turn_implicit();
  progress_.emplace(parts_.options.until, parts_.options.max_steps);
}

/// Steps that failed, and such as ended early for a change of branch.
long IntegratorTurns::attempts_in_vain() const {
  return rejected() + (parts_.switched ? parts_.switched->changes() : 0);
}

/// Steps at the boundary of stability: an integrator that was left to be chosen is chosen anew, one that was asked for
/// goes on as long as there is an end in sight.
void IntegratorTurns::judge_stiffness() {
  if (may_turn_implicit()) return turn_implicit();
  if (stiffness_->steps_left() < too_many_stiff_steps) return;
  run_.log.stop(
      Outcome::failed,
      fmt::format("the equations are stiff: steps of {:.2g} are all that {} bears at a fastest rate of {:.2g} 1/s, "
                  "and {:.2g} more would be needed; choose --integrator cvode-bdf",
                  stiffness_->mean_step(), parts_.chosen.integrator, stiffness_->rate(), stiffness_->steps_left()));
}

bool IntegratorTurns::may_turn_implicit() const {
  return parts_.options.integrator.name == "auto" && parts_.options.method.name == "auto" && !parts_.law &&
         !implicit_ && stiffness_ && parts_.integrator->y().size() <= most_implicit;
}

void IntegratorTurns::turn_implicit() {
  const double t = parts_.integrator->t();
  const long steps = run_.log.summary().steps, evaluations = parts_.manifold.counts.evaluations;
  const double each = static_cast<double>(evaluations) / static_cast<double>(steps);
  implicit_ = {t, each / stiffness_->mean_step(), evaluations, steps + implicit_trial};
  run_.log.note(
      fmt::format("the equations are stiff (fastest rate {:.2g} 1/s): from t = {:.6g} on, cvode-bdf integrated them",
                  stiffness_->rate(), t));
  change_integrator("cvode-bdf");
  stiffness_.reset();
}

/// Errors of a formula of low order add up more than those of one of order 8, tested alike.
StepControl IntegratorTurns::control() const {
  StepControl control = parts_.control;
  if (!implicit_ || !implicit_->in_force) return control;
  control.rtol *= 0.1;
  if (control.atol) *control.atol *= 0.1;
  return control;
}

void IntegratorTurns::turn_explicit(const std::string& why) {
  implicit_->in_force = false;
  run_.log.note(fmt::format("at t = {:.6g}, {} took over again: cvode-bdf {}", parts_.integrator->t(),
                            parts_.chosen.integrator, why));
  change_integrator(parts_.chosen.integrator);
}

void IntegratorTurns::change_integrator(const std::string& name) {
  const Vector y = parts_.integrator->y();
  const double t = parts_.integrator->t();
  rejected_before_ = rejected();
  parts_.integrator = find_integrator(name).make();
  parts_.integrator->start(parts_.ode(), t, y, control());
}

void IntegratorTurns::restart(double t, const Vector& y) {
  rejected_before_ = rejected();
  parts_.integrator->start(parts_.ode(), t, y, control());
}

}  // namespace taut
