#include "simulation/switched_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Repetitions of a step until it ends on a zero: Newton doubles the digits each time.
constexpr int most_attempts = 8;
/// Repetitions of a step, for whatever reason, until its formulas decide by themselves.
constexpr int most_repetitions = 30;
/// A function that turns at this share of its values at the ends of a step, or below, may reach zero there; the turn is
/// looked at unless it is this near to an end, and so many times in a step at most.
constexpr double next_to_zero = 0.05, least_turn = 0.02;
constexpr int most_turns = 3;
/// A function that is on the wrong side by this share of its size has jumped there: what ends on its zero is off by
/// less.
constexpr double no_rounding = 1e-6;
/// Of all speeds, and of all that friction pulls: what is below this is rounding.
constexpr double at_rest = 1e-12;
/// Changes of branch one after the other in steps as short as the resolution of time: there is no end of them.
constexpr int most_short_steps = 50;
/// So are as many as this within a millionth of the run.
constexpr long many_changes = 1000;
/// A sign may leave its bounds by this much before the motion leaves the surface. At the bound itself the rate on the
/// other side is zero, and rounding would say where it leads.
constexpr double beyond_bounds = 1e-8;
/// Where less resists in motion than at rest, it does not, and the sooner it leaves the better.
constexpr double beyond_breakaway = 1e-12;

/// Signs are found to this, or to `signs_rounded` where rounding allows no better.
constexpr double signs_found = 1e-13, signs_rounded = 1e-9;
/// Slopes are found by changing a sign by this: so much that rounding does not matter, and so little that the bend of
/// rational functions does not, either.
constexpr double sign_step = 1e-4;
/// Rounds where rates are linear in the signs, and rounding has the last word; with slopes from where a step began; and
/// of Newton's method altogether.
constexpr int linear_rounds = 6, chord_rounds = 3, most_newton = 40;
/// A change of signs serves if it lessens the rates to this share, or more.
constexpr double enough_less = 0.7;

}  // namespace

SwitchedMotion::SwitchedMotion(Motion& motion, System& system, double resolution)
    : motion_(motion),
      system_(system),
      least_step_(resolution),
      switches_(system.shape().switches.size()),
      branches_(switches_.size()),
      watch_(static_cast<int>(switches_.size()), [this](double t) -> const Vector& {
        (*between_)(t, y_);
        values(t, y_, found_);
        return found_;
      }) {
  const Shape& shape = system.shape();
  q_ = Vector::Zero(shape.n_q());
  v_ = a_ = unpulled_ = Vector::Zero(shape.n_v());
  lambda_ = Vector::Zero(shape.rows());
  y_ = kept_ = Vector::Zero(motion.size());
  for (std::size_t k = 0; k < shape.switch_reach.size(); ++k) switches_[k].reach = shape.switch_reach[k];
  sizes_ = s_ = rates_ = g_ = before_ = found_ = Vector::Zero(static_cast<Eigen::Index>(switches_.size()));
}

// ---- choosing branches ----------------------------------------------------------------------------

void SwitchedMotion::start(double t, const Vector& q, const Vector& v) {
  system_.switching(t, q, v, s_);
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const double s = s_[static_cast<Eigen::Index>(k)];
    switches_[k] = Switch{.reach = switches_[k].reach};
    if (s != 0 && std::isfinite(s)) hold(static_cast<int>(k), s > 0 ? 1 : -1);
  }
  apply();
}

void SwitchedMotion::settle(double t, const Vector& y) {
  for (std::size_t k = 0; k < switches_.size(); ++k)
    if (switches_[k].side == Side::free) switches_[k].arrived = arrived_ = true;
  if (arrived_) change(t, y);
}

/// An impulse may tear loose what friction held. What was on one side of zero and is now on the other is found when the
/// next step begins.
void SwitchedMotion::leave_stop(double before, double after, Vector& y) {
  const long jumps = motion_.speed_jumps();
  motion_.leave_stop(before, after, y);
  if (motion_.speed_jumps() == jumps || !motion_.physical(after, y, q_, v_)) return;
  system_.switching(after, q_, v_, s_);
  const double rounding = at_rest * v_.lpNorm<Eigen::Infinity>();
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const double s = s_[static_cast<Eigen::Index>(k)];
    if (switches_[k].side != Side::sliding || !(std::abs(s) > rounding)) continue;
    set_sliding(static_cast<int>(k), false, after);
    hold(static_cast<int>(k), s > 0 ? 1 : -1);
  }
  apply();
}

void SwitchedMotion::apply() {
  for (std::size_t k = 0; k < switches_.size(); ++k)
    branches_[k] = switches_[k].side == Side::free ? System::Branch() : System::Branch(switches_[k].value());
  system_.set_branches(branches_);
  motion_.forget_point();
}

void SwitchedMotion::hold(int which, double sign) {
  Switch& s = switches_[static_cast<std::size_t>(which)];
  s.side = Side::held;
  s.sign = sign;
}

/// Where functions have arrived at zero: all of them, and those that the motion slides along, find their sides
/// together.
void SwitchedMotion::change(double t, const Vector& y) {
  arrived_ = false;
  aimed_ = -1;
  at_zero_ = sliding_;
  leaving_ = false;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const bool arrived = std::exchange(switches_[k].arrived, false);
    switches_[k].leaves = arrived && switches_[k].side == Side::sliding;
    leaving_ = leaving_ || switches_[k].leaves;
    if (arrived && !switches_[k].leaves) at_zero_.push_back(static_cast<int>(k));
  }
  for (const int k : at_zero_) switches_[static_cast<std::size_t>(k)].deciding = true;
  if (!choose_signs(t, y))
    for (const int k : at_zero_) set_sliding(k, false, t);
  for (Switch& s : switches_) s.deciding = false;
  apply();
  for (std::size_t pass = 0; pass <= switches_.size() && follow_jumps(t, y); ++pass) {
  }
  if (slides()) linearize(sliding_, t, y);
  motion_.begin_anew(t, y);
}

/// A function that has kinks itself may jump past zero where one of these changes sides, and then changes sides, too.
/// It may also leave zero there, where it was for a while, or come to stay at it, as max(0, x) does.
bool SwitchedMotion::follow_jumps(double t, const Vector& y) {
  motion_.physical(t, y, q_, v_);
  system_.switching(t, q_, v_, s_);
  const bool moves = rates(t, y, rates_);
  // How far in time the state may be from where functions are zero: as far as those are that were found to be.
  double off = 0;
  for (const int k : at_zero_)
    if (moves && switches_[static_cast<std::size_t>(k)].side == Side::held)
      off = std::max(off, 2 * std::abs(s_[k] / rates_[k]));
  off = std::min(off, 1e-9 * width_) + 8 * epsilon * std::abs(t);
  bool any = false;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    Switch& self = switches_[k];
    const auto i = static_cast<Eigen::Index>(k);
    const bool is_zero = s_[i] == 0 || (moves && std::abs(s_[i]) <= off * std::abs(rates_[i]));
    const bool at_zero = std::ranges::find(at_zero_, static_cast<int>(k)) != at_zero_.end();
    const double tends = !is_zero ? s_[i] : moves ? rates_[i] : self.sign;  // to this side
    const bool jumped = self.side == Side::held && !at_zero && tends * self.sign < 0;
    const bool leaves = self.side == Side::free && tends != 0;
    const bool stays = self.side == Side::held && tends == 0;
    if (jumped || leaves) hold(static_cast<int>(k), tends > 0 ? 1 : -1);
    if (stays) self.side = Side::free;
    any = any || jumped || leaves || stays;
  }
  if (any) apply();
  return any;
}

/// By the rates that follow from the signs; see SlidingSigns.
bool SwitchedMotion::choose_signs(double t, const Vector& y) {
  for (const int k : at_zero_) {
    const Switch& s = switches_[static_cast<std::size_t>(k)];
    if (s.side != Side::sliding) hold(k, s.side == Side::held ? -s.sign : 0);
  }
  apply();
  Vector signs, rates, before;
  // Rates are linear in the signs, unless forces depend on reactions: Newton's method finds them then.
  for (int round = 0; round < most_newton; ++round) {
    if (!linearize(at_zero_, t, y) || !this->rates(t, y, rates_)) {
      // On the far side there may be no reactions, as in Painlevé's paradox, but at standstill there are.
      if (round > 0 || !system_.shape().forces_need_multipliers) return false;
      set_signs(at_zero_, Vector::Zero(static_cast<Eigen::Index>(at_zero_.size())));
      continue;
    }
    gather(at_zero_, signs, rates);
    before = signs;
    signs_.settle(rates, signs);
    if (!signs.allFinite()) return false;
    if (!system_.shape().forces_need_multipliers || (signs - before).lpNorm<Eigen::Infinity>() <= signs_found) break;
    set_signs(at_zero_, signs);
  }
  for (std::size_t i = 0; i < at_zero_.size(); ++i) choose_side(at_zero_[i], signs[static_cast<Eigen::Index>(i)], t);
  return true;
}

/// A function whose rate is zero by its own sign, or by those of others, is slid along, unless its sign has just come
/// to its bounds. One whose rate no sign changes has passed through zero, or begins at it.
void SwitchedMotion::choose_side(int which, double sign, double t) {
  const auto at = std::ranges::find(at_zero_, which) - at_zero_.begin();
  Switch& s = switches_[static_cast<std::size_t>(which)];
  const bool may_leave = s.leaves || (leaving_ && !signs_.are_independent() && std::ranges::count(sliding_, which) > 0);
  const bool leaves = may_leave && std::abs(sign) > 1 - 1e-6;
  if (leaves) sign = sign > 0 ? 1 : -1;
  set_sliding(which, signs_.is_kept(at) && signs_.is_steered(at) && !leaves, t);
  if (s.side == Side::sliding || std::abs(sign) == 1) {
    s.sign = sign;
  } else {
    s.side = Side::free;
  }
}

bool SwitchedMotion::rates(double t, const Vector& y, Vector& rates) {
  const bool known = motion_.accelerations(t, y, a_, lambda_) && motion_.physical(t, y, q_, v_);
  if (known) system_.switching_rates(t, q_, v_, a_, rates);
  return known && rates.allFinite();
}

// ---- sliding --------------------------------------------------------------------------------------

void SwitchedMotion::set_sliding(int which, bool slides, double t) {
  Switch& s = switches_[static_cast<std::size_t>(which)];
  const bool slid = std::ranges::find(sliding_, which) != sliding_.end();
  s.side = slides ? Side::sliding : Side::held;
  if (!slides) s.sign = s.sign < 0 ? -1 : 1;
  if (slides == slid) return;
  if (slides) sliding_.push_back(which);
  if (!slides) std::erase(sliding_, which);
  changes_.push_back({t, which, slides});
}

/// How the rates of functions depend on their signs.
bool SwitchedMotion::linearize(const std::vector<int>& which, double t, const Vector& y) {
  const auto m = static_cast<Eigen::Index>(which.size());
  Matrix slopes(m, m);
  if (!rates(t, y, before_)) return false;
  unpulled_ = a_;
  pulls_.resize(a_.size(), m);
  for (Eigen::Index j = 0; j < m; ++j) {
    double& sign = switches_[static_cast<std::size_t>(which[static_cast<std::size_t>(j)])].sign;
    const double old = sign, step = old > 0 ? -sign_step : sign_step;
    sign += step;
    apply();
    const bool known = rates(t, y, rates_);
    sign = old;
    if (!known) {
      apply();
      return false;
    }
    pulls_.col(j) = (a_ - unpulled_) / step;
    pull_ = std::max(pull_, pulls_.col(j).lpNorm<Eigen::Infinity>());
    for (Eigen::Index i = 0; i < m; ++i) {
      const int row = which[static_cast<std::size_t>(i)];
      slopes(i, j) = (rates_[row] - before_[row]) / step;
    }
  }
  apply();
  return signs_.set_slopes(slopes);
}

void SwitchedMotion::gather(const std::vector<int>& which, Vector& signs, Vector& rates) const {
  signs.resize(static_cast<Eigen::Index>(which.size()));
  rates.resize(signs.size());
  for (Eigen::Index i = 0; i < signs.size(); ++i) {
    const int k = which[static_cast<std::size_t>(i)];
    signs[i] = switches_[static_cast<std::size_t>(k)].sign;
    rates[i] = rates_[k];
  }
}

/// The signs that keep ṡ = 0 at a state.
bool SwitchedMotion::solve_signs(double t, const Vector& y) {
  if (system_.shape().forces_need_multipliers) return search_signs(t, y);
  for (int round = 0; round < linear_rounds; ++round) {
    if (!rates(t, y, rates_)) return false;
    const double change = update_signs();
    if (change > 4 * epsilon) apply();
    if (change <= signs_found) break;
  }
  return true;
}

/// The same where forces depend on reactions: by Newton's method, with slopes from where the step began as long as
/// these serve. Where reactions are turned round, rates have kinks in the signs, and for large signs none at all: a
/// change that does not lessen the rates is halved. Signs that were not found are those of the step's start.
bool SwitchedMotion::search_signs(double t, const Vector& y) {
  double change = 0, least = std::numeric_limits<double>::infinity();
  int chords = 0;
  if (start_signs_.size() != static_cast<Eigen::Index>(sliding_.size())) gather(sliding_, start_signs_, rates_now_);
  good_signs_ = start_signs_;
  for (int round = 0; round < most_newton; ++round) {
    const double size = rates(t, y, rates_) ? largest_rate() : std::numeric_limits<double>::infinity();
    const bool is_rounding = round > 0 && change <= signs_rounded;
    gather(sliding_, signs_now_, rates_now_);
    if (!(size < enough_less * least) && !is_rounding) {
      set_signs(sliding_, 0.5 * (signs_now_ + good_signs_));
      continue;
    }
    least = size;
    good_signs_ = signs_now_;
    if (++chords > chord_rounds && (!linearize(sliding_, t, y) || !rates(t, y, rates_))) break;
    const double before = std::exchange(change, update_signs());
    if (change > 4 * epsilon) apply();
    if (change <= signs_found || (change <= signs_rounded && change > 0.5 * before)) return true;
  }
  set_signs(sliding_, start_signs_);
  return false;
}

double SwitchedMotion::largest_rate() const {
  double largest = 0;
  for (const int k : sliding_) largest = std::max(largest, std::abs(rates_[k]));
  return largest;
}

void SwitchedMotion::set_signs(const std::vector<int>& which, const Vector& signs) {
  for (std::size_t i = 0; i < which.size(); ++i)
    switches_[static_cast<std::size_t>(which[i])].sign = signs[static_cast<Eigen::Index>(i)];
  apply();
}

/// From the rates with the present signs. The largest change of one.
double SwitchedMotion::update_signs() {
  double change = 0;
  gather(sliding_, signs_now_, rates_now_);
  signs_.keep(rates_now_, signs_now_);
  for (Eigen::Index i = 0; i < signs_now_.size(); ++i) {
    Switch& s = switches_[static_cast<std::size_t>(sliding_[static_cast<std::size_t>(i)])];
    change = std::max(change, std::abs(signs_now_[i] - s.sign));
    s.sign = signs_now_[i];
    s.room = signs_.room()[i];
  }
  return change;
}

// ---- within a step --------------------------------------------------------------------------------

void SwitchedMotion::begin_step(double t, const Vector& y, double h) {
  if (arrived_) {
    change(t, y);
  } else {
    if (t != looked_at_) look_behind(t, y);
    if (slides()) linearize(sliding_, t, y);
  }
  looked_at_ = t;
  gather(sliding_, start_signs_, rates_now_);
  motion_.begin_step(t, y, h);
}

/// A function may jump past zero where a formula of time does: the step before has ended there.
void SwitchedMotion::look_behind(double t, const Vector& y) {
  motion_.physical(t, y, q_, v_);
  system_.switching(t, q_, v_, s_);
  sizes_ = sizes_.cwiseMax(s_.cwiseAbs());
  bool any = false;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const bool jumped = switches_[k].side == Side::held && s_[i] * switches_[k].sign < -no_rounding * sizes_[i];
    if (jumped) hold(static_cast<int>(k), s_[i] > 0 ? 1 : -1);
    any = any || jumped;
  }
  if (!any) return;
  apply();
  motion_.begin_anew(t, y);
}

Correction SwitchedMotion::correct(double t, Vector& y) {
  kept_ = y;
  Correction correction = motion_.correct(t, y);
  if (correction != Correction::failed) return slides() ? return_to_surfaces(t, y, correction) : correction;
  y = kept_;
  let_go_while([&] { correction = motion_.correct(t, y); });
  return correction;
}

/// What is slid along is kept to the tolerance of steps only, and would be left bit by bit. Speeds are taken back to it
/// the way that the signs act, which leaves the constraints alone.
Correction SwitchedMotion::return_to_surfaces(double t, Vector& y, Correction correction) {
  if (motion_.has_chart() || pulls_.cols() != static_cast<Eigen::Index>(sliding_.size())) return correction;
  for (int round = 0; round < chord_rounds; ++round) {
    if (!motion_.physical(t, y, q_, v_)) return correction;
    system_.switching(t, q_, v_, s_);
    rates_now_.resize(static_cast<Eigen::Index>(sliding_.size()));
    for (std::size_t i = 0; i < sliding_.size(); ++i) rates_now_[static_cast<Eigen::Index>(i)] = s_[sliding_[i]];
    if (!(rates_now_.lpNorm<Eigen::Infinity>() > 0)) break;
    signs_now_.noalias() = signs_.inverse() * rates_now_;
    y.segment(q_.size(), v_.size()).noalias() -= pulls_ * signs_now_;
    correction = Correction::new_derivative;
  }
  return correction;
}

/// A branch may have no value beyond its zero, as that of abs(s)^1.5: the formula itself then decides.
bool SwitchedMotion::derivative(double t, const Vector& y, double h, Vector& ydot) {
  if (slides() && !solve_signs(t, y)) return false;
  if (motion_.derivative(t, y, h, ydot)) {
    if (slides() && rests(y, ydot)) ydot.setZero();
    return true;
  }
  bool known = false;
  let_go_while([&] { known = motion_.derivative(t, y, h, ydot); });
  return known;
}

/// Where nothing moves, and friction balances all forces to rounding, nothing begins to.
bool SwitchedMotion::rests(const Vector& y, const Vector& ydot) const {
  if (motion_.has_chart()) return false;
  const auto n_q = q_.size(), n_v = v_.size();
  return (y.segment(n_q, n_v).array() == 0).all() &&
         ydot.segment(n_q, n_v).lpNorm<Eigen::Infinity>() <= at_rest * pull_;
}

/// Speeds that are rounding where a switching function has become zero, or is held there, are zero.
void SwitchedMotion::come_to_rest(Vector& y) {
  if (motion_.has_chart()) return;
  auto v = y.segment(q_.size(), v_.size());
  const double fastest = v.lpNorm<Eigen::Infinity>();
  largest_speed_ = std::max(largest_speed_, fastest);
  if ((arrived_ || slides()) && fastest <= at_rest * largest_speed_) v.setZero();
}

void SwitchedMotion::let_go_while(const std::function<void()>& action) {
  std::ranges::fill(branches_, System::Branch());
  system_.set_branches(branches_);
  motion_.forget_point();
  action();
  apply();
}

/// Functions that a step may follow while they are above zero.
void SwitchedMotion::values(double t, const Vector& y, Vector& g) {
  if (slides()) solve_signs(t, y);
  motion_.physical(t, y, q_, v_);
  system_.switching(t, q_, v_, s_);
  const double left = 1 - (t - from_) / width_;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const Switch& s = switches_[k];
    const auto i = static_cast<Eigen::Index>(k);
    const double held = s.sign * s_[i] - left * s.offset;
    const double beyond = s.reach > 1 ? beyond_breakaway : beyond_bounds;
    g[i] = s.side == Side::held ? held : s.side == Side::sliding ? s.room + beyond : 1;
  }
}

/// A step that begins at a zero begins there to rounding only, or on the wrong side by as much.
void SwitchedMotion::find_offsets(double t, const Between& between) {
  for (Switch& s : switches_) s.offset = 0;
  between(t, y_);
  values(t, y_, g_);
  for (std::size_t k = 0; k < switches_.size(); ++k)
    if (switches_[k].side == Side::held) switches_[k].offset = std::min(0.0, g_[static_cast<Eigen::Index>(k)]);
}

double SwitchedMotion::resolution(double t0, double t1) const { return 1e-12 * (t1 - t0) + 4 * epsilon * std::abs(t1); }

double SwitchedMotion::step_end(double t0, double t1, const Vector& /*y1*/, const Between& between) {
  between_ = &between;
  from_ = t0;
  width_ = t1 - t0;
  if (aimed_from_ != t0) aimed_ = -1;
  repetitions_ = aimed_from_ == t0 ? repetitions_ + 1 : 0;
  aimed_from_ = t0;
  if (repetitions_ == most_repetitions) return let_all_go(t0, t1);
  if (aimed_ < 0) attempts_ = 0;
  find_offsets(t0, between);
  const auto& crossings = watch_.in_step(t0, t1);
  if (!crossings.empty()) return aim(t0, t1, crossings.front().function, crossings.front().t);
  if (aimed_ >= 0 || ends_at_zero(resolution(t0, t1))) return arrive(t0, t1);
  for (std::size_t k = 0; k < switches_.size(); ++k)
    if (watch_.at_end()[k].value < 0) return change_at_start(t0, t1, static_cast<int>(k));
  return repetitions_ < most_turns ? nearest_turn(t0, t1) : t1;
}

/// States within a step are less exact than its end. Where a function turns next to zero, the step ends at the turn,
/// and tells whether zero was reached. Elsewhere at t1.
double SwitchedMotion::nearest_turn(double t0, double t1) const {
  double first = t1;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const Sample &a = watch_.at_begin()[k], &b = watch_.at_end()[k];
    if (switches_[k].side != Side::held || !(a.rate < 0 && b.rate > 0)) continue;
    const double share = -a.rate / (b.rate - a.rate), turn = t0 + share * (t1 - t0);
    const double height = a.value + 0.5 * a.rate * (turn - t0);
    const bool inside = share > least_turn && share < 1 - least_turn;
    if (inside && height < next_to_zero * std::max(a.value, b.value)) first = std::min(first, turn);
  }
  return first;
}

/// A function becomes zero within the step.
double SwitchedMotion::aim(double t0, double t1, int which, double at) {
  if (at - t0 <= 4 * epsilon * std::abs(t0)) return change_at_start(t0, t1, which);
  aimed_ = which;
  if (t1 - at > resolution(t0, t1) && ++attempts_ < most_attempts) return at;
  return arrive(t0, t1);
}

/// The time that a function takes from the end of the step to its zero; below zero where it lies behind.
double SwitchedMotion::distance(std::size_t which) const {
  const Sample& end = watch_.at_end()[which];
  return end.rate < 0 ? -end.value / end.rate : std::numeric_limits<double>::infinity();
}

bool SwitchedMotion::ends_at_zero(double tolerance) {
  for (std::size_t k = 0; k < switches_.size(); ++k)
    if (switches_[k].side != Side::free && std::abs(distance(k)) <= tolerance) aimed_ = static_cast<int>(k);
  return aimed_ >= 0;
}

/// The step ends where the function aimed at is zero, or would be if states within a step were exact: that much is put
/// right by Newton. Others that are zero there, too, change at the same time.
double SwitchedMotion::arrive(double t0, double t1) {
  const double tolerance = resolution(t0, t1), left = distance(static_cast<std::size_t>(aimed_));
  if (std::abs(left) > tolerance && std::abs(left) < 0.1 * (t1 - t0) && ++attempts_ < most_attempts) return t1 + left;
  if (switches_[static_cast<std::size_t>(aimed_)].side == Side::held && left >= 0.1 * (t1 - t0)) return pass_by(t1);
  for (std::size_t k = 0; k < switches_.size(); ++k)
    switches_[k].arrived = switches_[k].side != Side::free && std::abs(distance(k)) <= 1e3 * tolerance;
  set_arrived(aimed_);
  return t1;
}

/// States within the longer step that showed a zero here were off: the function is far from it, and the step ends as
/// any.
double SwitchedMotion::pass_by(double t1) {
  aimed_ = -1;
  return t1;
}

/// A function is on the wrong side from the beginning of the step on. The branch changes there, once.
double SwitchedMotion::change_at_start(double t0, double t1, int which) {
  if (std::exchange(changed_at_, t0) == t0) return let_go(t0, t1, which);
  set_arrived(which);
  return 0.5 * (t0 + t1);
}

void SwitchedMotion::set_arrived(int which) {
  switches_[static_cast<std::size_t>(which)].arrived = arrived_ = true;
  last_ = which;
}

/// Where neither branch is the right one, the formula decides by itself for a while.
double SwitchedMotion::let_go(double t0, double t1, int which) {
  set_sliding(which, false, t0);
  switches_[static_cast<std::size_t>(which)].side = Side::free;
  aimed_ = -1;
  apply();
  return 0.5 * (t0 + t1);
}

double SwitchedMotion::let_all_go(double t0, double t1) {
  for (std::size_t k = 0; k < switches_.size(); ++k) let_go(t0, t1, static_cast<int>(k));
  return 0.5 * (t0 + t1);
}

/// A step that is refused has arrived nowhere.
bool SwitchedMotion::approves(double t, const Vector& y) {
  if (motion_.approves(t, y)) return true;
  arrived_ = false;
  aimed_ = -1;
  for (Switch& s : switches_) s.arrived = false;
  return false;
}

Acceptance SwitchedMotion::accept(double t, Vector& y) {
  if (slides()) solve_signs(t, y);
  come_to_rest(y);
  if (arrived_) {
    let_go_while([&] { motion_.accept(t, y); });
    count_change(t);
    return Acceptance::new_coordinates;
  }
  const Acceptance acceptance = motion_.accept(t, y);
  short_steps_ = 0;
  motion_.physical(t, y, q_, v_);
  system_.switching(t, q_, v_, s_);
  bool changed = false;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const double s = s_[static_cast<Eigen::Index>(k)];
    if (switches_[k].side != Side::free || s == 0) continue;
    hold(static_cast<int>(k), s > 0 ? 1 : -1);
    changed = true;
  }
  if (changed) apply();
  return changed ? Acceptance::new_coordinates : acceptance;
}

void SwitchedMotion::count_change(double t) {
  ++changes_made_;
  short_steps_ = t - aimed_from_ <= least_step_ ? short_steps_ + 1 : 0;
  bool endless = short_steps_ >= most_short_steps;
  if (changes_made_ % many_changes == 0)
    endless = endless || t - std::exchange(many_changes_ago_, t) <= 1e4 * least_step_;
  if (!endless) return;
  trouble_ = fmt::format(
      "the equations change sides without end where '{}' is zero: replace sign(u) by tanh(u/w), with a small width w",
      system_.shape().switches[static_cast<std::size_t>(last_)]);
}

}  // namespace taut
