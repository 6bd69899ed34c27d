#include "simulation/switched_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// A function that is on the wrong side by this share of its size has jumped there: what ends on its zero is off by
/// less.
constexpr double no_rounding = 1e-6;
/// Of all speeds, and of all that friction pulls: what is below this is rounding.
constexpr double at_rest = 1e-12;
/// Of what friction pulls, an acceleration that is none.
constexpr double no_motion = 1e-6;

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
      ahead_(*this, switches_, functions_, shape_),
      endless_(resolution),
      changed_(switches_.size(), 0),
      sizes_(functions_.zeros()),
      rates_(sizes_),
      kept_(Vector::Zero(motion.size())) {}

OdeExtensions SwitchedMotion::extensions() {
  OdeExtensions all = smooth_;
  all.switching = &search_;
  all.judge = this;
  all.stops = this;
  if (smooth_.stages) all.stages = &stages_;
  return all;
}

bool SwitchedMotion::Stages::all_slopes(const Tableau& tableau, double t, const Vector& y, double h,
                                        std::vector<Vector>& k) {
  return !switches.slides() && smooth->all_slopes(tableau, t, y, h, k);
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

void SwitchedMotion::leave_stop(double before, double after, Vector& y) {
  const long jumps = motion_.speed_jumps().count();
  smooth_.stops->leave_stop(before, after, y);
  if (motion_.speed_jumps().count() > jumps) tear_loose(after, y);
}

void SwitchedMotion::change_equations(double t, Vector& y, const std::function<void()>& change) {
  const long jumps = motion_.speed_jumps().count();
  motion_.change_equations(t, y, change);
  if (motion_.speed_jumps().count() > jumps) tear_loose(t, y);
  begun_at_ = -1;
}

/// An impulse may tear loose what friction held. What was on one side of zero and is now on the other is found when the
/// next step begins.
void SwitchedMotion::tear_loose(double t, const Vector& y) {
  if (!functions_.find(t, y)) return;
  const double rounding = at_rest * functions_.speeds().lpNorm<Eigen::Infinity>();
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const double s = functions_[k];
    if (!switches_[k].is_sliding() || !(std::abs(s) > rounding)) continue;
    switches_.set_sliding(k, false, t);
    switches_.hold(k, s > 0 ? 1 : -1);
  }
  switches_.apply();
}

/// Where functions have arrived at zero: all of them, and those that the motion slides along, find their sides
/// together.
void SwitchedMotion::change_branches(double t, const Vector& y) {
  search_.leave_zero();
  switches_.gather_arrived(at_zero_);
  gather_gathering();
  if (functions_.find_rates(t, y, rates_)) functions_.find_reach(t);
  choose_sides(t, y);
  if (endless_.gathers()) check_rest(t, y);
  if (!motion_.has_chart() && ahead_.hold(t, y, 10 * search_.width())) choose_sides_again(t, y);
  motion_.begin_anew(t, y);
}

void SwitchedMotion::choose_sides(double t, const Vector& y) {
  for (const int k : at_zero_) switches_[static_cast<std::size_t>(k)].deciding = true;
  if (!sliding_.choose_sides(at_zero_, t, y))
    for (const int k : at_zero_) switches_.set_sliding(static_cast<std::size_t>(k), false, t);
  for (Switch& s : switches_.all()) s.deciding = false;
  switches_.apply();
  for (std::size_t pass = 0; pass <= switches_.size() && follow_jumps(t, y); ++pass) {
  }
  sliding_.begin_step(t, y);
}

/// With the signs of functions whose sides only the motion ahead has told, others may be held that were not, or let go.
void SwitchedMotion::choose_sides_again(double t, const Vector& y) {
  std::erase_if(at_zero_, [this](int k) {
    return !switches_[static_cast<std::size_t>(k)].is_sliding() && !switches_[static_cast<std::size_t>(k)].leaves;
  });
  // Where choosing begins, functions have come to zero from the other side.
  if (at_zero_.empty()) return sliding_.begin_step(t, y);
  for (const int k : at_zero_)
    if (const Switch& s = switches_[static_cast<std::size_t>(k)]; s.is_held())
      switches_.hold(static_cast<std::size_t>(k), -s.sign);
  choose_sides(t, y);
}

/// Functions that change sides again and again, in shorter and shorter times, come to zero together where these have no
/// length any more, as x and x' under −2 sign(x) − sign(x') do. Those among them whose rates no sign steers rest there
/// as long as the others are held.
void SwitchedMotion::gather_gathering() {
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const bool gathers = endless_.gathers() && endless_.changes() - changed_[k] < EndlessChanges::to_gather;
    switches_[k].rests = gathers;
    const bool is_in = std::ranges::find(at_zero_, static_cast<int>(k)) != at_zero_.end();
    if (gathers && !is_in) at_zero_.push_back(static_cast<int>(k));
  }
}

/// What rests must not begin to move: its rate stays what it is. Elsewhere nothing is known of the motion from here on.
void SwitchedMotion::check_rest(double t, const Vector& y) {
  const double h = 1e5 * endless_.least_step();
  if (!derivative(t, y, h, kept_) || !functions_.find_rates(t, y, rates_)) return endless_.give_up();
  Vector later = rates_;
  const Vector then = y + h * kept_;
  if (!functions_.find_rates(t + h, then, later)) return endless_.give_up();
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const auto place = static_cast<Eigen::Index>(k);
    if (switches_[k].rests && !(std::abs(later[place] - rates_[place]) <= no_motion * h * sliding_.pull()))
      endless_.give_up();
  }
}

/// A function that has kinks itself may jump past zero where one of these changes sides, and then changes sides, too.
/// It may also leave zero there, where it was for a while, or come to stay at it, as max(0, x) does.
bool SwitchedMotion::follow_jumps(double t, const Vector& y) {
  functions_.find(t, y);
  const bool moves = functions_.find_rates(t, y, rates_);
  const double off = time_off_zero(t, moves);
  bool any = false;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    Switch& self = switches_[k];
    const double s = functions_[k], rate = rates_[static_cast<Eigen::Index>(k)];
    const bool is_zero = s == 0 || (moves && std::abs(s) <= off * std::abs(rate));
    const bool at_zero = std::ranges::find(at_zero_, static_cast<int>(k)) != at_zero_.end();
    const bool is_noise = is_zero && moves && sliding_.is_rounding(rate, k);
    if (is_noise && self.is_held() && functions_.reach()[static_cast<Eigen::Index>(k)] > 0) continue;
    const double tends = !is_zero ? s : moves ? rate : self.sign;  // to this side
    const bool jumped = self.is_held() && !at_zero && tends * self.sign < 0;
    const bool leaves = self.is_free() && tends != 0 && !is_noise;
    const bool stays = self.is_held() && tends == 0;
    if (jumped || leaves) switches_.hold(k, tends > 0 ? 1 : -1);
    if (stays) self.side = Switch::Side::free;
    any = any || jumped || leaves || stays;
  }
  if (any) switches_.apply();
  return any;
}

/// How far in time the state may be from where functions are zero: as far as those are that were found to be.
double SwitchedMotion::time_off_zero(double t, bool rates_known) const {
  double off = 0;
  for (const int k : at_zero_)
    if (rates_known && switches_[static_cast<std::size_t>(k)].is_held())
      off = std::max(off, 2 * std::abs(functions_.values()[k] / rates_[k]));
  return std::min(off, 1e-9 * search_.width()) + 8 * epsilon * std::abs(t);
}

// ---- within a step --------------------------------------------------------------------------------

void SwitchedMotion::begin_step(double t, const Vector& y, double h) {
  if (search_.has_arrived()) {
    change_branches(t, y);
  } else {
    if (t != begun_at_) follow_time_jumps(t, y);
    sliding_.begin_step(t, y);
  }
  begun_at_ = t;
  sliding_.keep_signs();
  motion_.begin_step(t, y, h);
}

/// A function may jump past zero where a formula of time does: the step before has ended there.
void SwitchedMotion::follow_time_jumps(double t, const Vector& y) {
  functions_.find(t, y);
  sizes_ = sizes_.cwiseMax(functions_.values().cwiseAbs());
  bool any = false;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const double s = functions_[k];
    const bool jumped =
        switches_[k].is_held() && s * switches_[k].sign < -no_rounding * sizes_[static_cast<Eigen::Index>(k)];
    if (jumped) switches_.hold(k, s > 0 ? 1 : -1);
    any = any || jumped;
  }
  if (!any) return;
  switches_.apply();
  motion_.begin_anew(t, y);
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
    for (std::size_t k = 0; k < switches_.size(); ++k)
      if (switches_[k].arrived) changed_[k] = endless_.changes();
    if (endless_.gathers()) come_to_surfaces(t, y);
    return Acceptance::new_coordinates;
  }
  const Acceptance acceptance = motion_.accept(t, y);
  endless_.count_step();
  functions_.find(t, y);
  return hold_what_has_left_zero() ? Acceptance::new_coordinates : acceptance;
}

/// Where functions gather, what is left of their swings goes.
void SwitchedMotion::come_to_surfaces(double t, Vector& y) {
  change_branches(t, y);
  if (switches_.slides() && !motion_.has_chart() && sliding_.return_to_surfaces(t, y)) motion_.begin_anew(t, y);
}

bool SwitchedMotion::hold_what_has_left_zero() {
  bool changed = false;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const double s = functions_[k];
    if (!switches_[k].is_free() || s == 0) continue;
    switches_.hold(k, s > 0 ? 1 : -1);
    changed = true;
  }
  if (changed) switches_.apply();
  return changed;
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
      "the equations change sides without end where '{}' is zero: replace sign(u) by tanh(u/w), with a small width w",
      shape_.switches[static_cast<std::size_t>(search_.last_arrived())]);
}

}  // namespace taut
