#include "simulation/switched_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "expression/formula_text.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Of all speeds, and of all that friction pulls: what is below this is rounding.
constexpr double at_rest = 1e-12;

}  // namespace

SwitchedMotion::SwitchedMotion(Motion& motion, System& system, double resolution)
    : motion_(motion),
      smooth_(motion.extensions()),
      shape_(system.shape()),
      switches_(motion, system),
      functions_(motion, system),
      sliding_(switches_, functions_, shape_),
      search_(switches_, functions_, sliding_, motion.size()),
      stages_(smooth_.stages, switches_),
      residual_(smooth_.implicit, switches_, sliding_),
      endless_(resolution),
      choice_(motion, *this, switches_, functions_, sliding_, endless_),
      kept_(Vector::Zero(motion.size())) {}

OdeExtensions SwitchedMotion::extensions() {
  OdeExtensions all = smooth_;
  all.switching = &search_;
  all.judge = this;
  all.stops = this;
  if (smooth_.stages) all.stages = &stages_;
  if (smooth_.implicit) all.implicit = &residual_;
  return all;
}

bool SwitchedMotion::Stages::all_slopes(const Tableau& tableau, double t, const Vector& y, double h,
                                        std::vector<Vector>& k) {
  return !switches.slides() && smooth->all_slopes(tableau, t, y, h, k);
}

bool SwitchedMotion::Residual::residual(double t, const Vector& y, const Vector& ydot, Vector& F) {
  return (!switches.slides() || sliding.solve_signs(t, y)) && smooth->residual(t, y, ydot, F);
}

// ---- choosing branches ----------------------------------------------------------------------------

void SwitchedMotion::start(double t, const Vector& q, const Vector& v) {
  functions_.find(t, q, v);
  switches_.start(functions_.values());
}

void SwitchedMotion::settle(double t, const Vector& y) {
  search_.arrive_at_free();
  if (search_.has_arrived()) change_branches(t, y);
}

void SwitchedMotion::change_branches(double t, const Vector& y) {
  search_.leave_zero();
  choice_.choose(t, y, search_.width());
}

void SwitchedMotion::leave_stop(double before, double after, Vector& y) {
  const long jumps = motion_.speed_jumps().count();
  smooth_.stops->leave_stop(before, after, y);
  if (motion_.speed_jumps().count() > jumps) choice_.tear_loose(after, y);
}

void SwitchedMotion::change_equations(double t, Vector& y, const std::function<void()>& change) {
  const long jumps = motion_.speed_jumps().count();
  motion_.change_equations(t, y, change);
  if (motion_.speed_jumps().count() > jumps) choice_.tear_loose(t, y);
  begun_at_ = -1;
}

// ---- within a step --------------------------------------------------------------------------------

void SwitchedMotion::begin_step(double t, const Vector& y, double h) {
  if (search_.has_arrived()) {
    change_branches(t, y);
  } else {
    if (t != begun_at_) choice_.follow_time_jumps(t, y);
    sliding_.begin_step(t, y);
  }
  begun_at_ = t;
  sliding_.keep_signs();
  motion_.begin_step(t, y, h);
}

Correction SwitchedMotion::correct(double t, Vector& y) {
  kept_ = y;
  Correction correction = motion_.correct(t, y);
  if (correction == Correction::failed) {
    y = kept_;
    switches_.apply_freely([&] { correction = motion_.correct(t, y); });
    return correction;
  }
  const bool may_return = switches_.slides() && !motion_.has_chart();
  return may_return && sliding_.return_to_surfaces(t, y) ? Correction::new_derivative : correction;
}

/// A branch may have no value beyond its zero, as that of abs(s)^1.5: the formula itself then decides.
bool SwitchedMotion::derivative(double t, const Vector& y, double h, Vector& ydot) {
  if (switches_.slides() && !sliding_.solve_signs(t, y)) return false;
  if (motion_.derivative(t, y, h, ydot)) {
    if (switches_.slides() && rests(y, ydot)) ydot.setZero();
    return true;
  }
  bool known = false;
  switches_.apply_freely([&] { known = motion_.derivative(t, y, h, ydot); });
  return known;
}

/// Where nothing moves, and friction balances all forces to rounding, nothing begins to.
bool SwitchedMotion::rests(const Vector& y, const Vector& ydot) const {
  if (motion_.has_chart()) return false;
  const int n_q = shape_.n_q(), n_v = shape_.n_v();
  return (y.segment(n_q, n_v).array() == 0).all() &&
         ydot.segment(n_q, n_v).lpNorm<Eigen::Infinity>() <= at_rest * sliding_.pull();
}

// ---- accepting ------------------------------------------------------------------------------------

/// A step that is refused has arrived nowhere.
bool SwitchedMotion::approves(double t, const Vector& y) {
  if (smooth_.approves(t, y)) return true;
  search_.forget_arrival();
  return false;
}

Acceptance SwitchedMotion::accept(double t, Vector& y) {
  if (switches_.slides()) sliding_.solve_signs(t, y);
  come_to_rest(y);
  if (search_.has_arrived()) {
    switches_.apply_freely([&] { motion_.accept(t, y); });
    endless_.count_change(search_.from(), t);
    choice_.note_change();
    if (endless_.gathers()) come_to_surfaces(t, y);
    return Acceptance::new_coordinates;
  }
  const Acceptance acceptance = motion_.accept(t, y);
  endless_.count_step();
  functions_.find(t, y);
  return choice_.hold_what_has_left_zero() ? Acceptance::new_coordinates : acceptance;
}

/// Where functions gather, what is left of their swings goes.
void SwitchedMotion::come_to_surfaces(double t, Vector& y) {
  change_branches(t, y);
  if (switches_.slides() && !motion_.has_chart() && sliding_.return_to_surfaces(t, y)) motion_.begin_anew(t, y);
}

/// Speeds that are rounding where a switching function has become zero, or is held there, are zero.
void SwitchedMotion::come_to_rest(Vector& y) {
  if (motion_.has_chart()) return;
  auto v = y.segment(shape_.n_q(), shape_.n_v());
  const double fastest = v.lpNorm<Eigen::Infinity>();
  largest_speed_ = std::max(largest_speed_, fastest);
  if ((search_.has_arrived() || switches_.slides()) && fastest <= at_rest * largest_speed_) v.setZero();
}

// ---- looking ----------------------------------------------------------------------------------------

SwitchedMotion::SignsThere::SignsThere(SwitchedMotion& motion, double t, const Vector& y)
    : motion_(motion.switches_.slides() && !motion.is_observed_ ? &motion : nullptr) {
  if (!motion_) return;
  motion.is_observed_ = true;
  motion.in_force_ = motion.switches_.all();
  motion.sliding_.solve_signs(t, y);
}

SwitchedMotion::SignsThere::~SignsThere() {
  if (!motion_) return;
  motion_->is_observed_ = false;
  motion_->switches_.all() = motion_->in_force_;
  motion_->switches_.apply();
}

/// A speed that is left over by rounding is none: what is watched would change its sign again and again.
void SwitchedMotion::return_to_surfaces(double t, Vector& y) {
  if (!switches_.slides() || motion_.has_chart()) return;
  sliding_.return_to_surfaces(t, y);
  for (double& speed : y.segment(shape_.n_q(), shape_.n_v()))
    if (std::abs(speed) <= epsilon * largest_speed_) speed = 0;
}

std::string SwitchedMotion::trouble() const {
  if (!endless_.is_endless()) return {};
  return fmt::format(
      "the equations change sides without end where {} is zero: replace sign(u) by tanh(u/w), with a small width w",
      in_quotes(shape_.switches[static_cast<std::size_t>(search_.last_arrived())]));
}

}  // namespace taut
