#include "simulation/sliding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();
/// Signs are found to this, or to `signs_rounded` where rounding allows no better.
constexpr double signs_found = 1e-13, signs_rounded = 1e-9;
/// Slopes are found by changing a sign by this: so much that rounding does not matter, and so little that the bend of
/// rational functions does not, either.
constexpr double sign_step = 1e-4;
/// Of the most that accelerations could change it, what is rounding of a rate, or of what signs change of it.
constexpr double no_rate = 1e-10;
/// Rounds where rates are linear in the signs, and rounding has the last word; with slopes from where a step began; and
/// of Newton's method altogether.
constexpr int linear_rounds = 6, chord_rounds = 3, most_newton = 40;
/// A change of signs serves if it lessens the rates to this share, or more.
constexpr double enough_less = 0.7;

}  // namespace

Sliding::Sliding(Switches& switches, SwitchingFunctions& functions, const Shape& shape)
    : switches_(switches),
      functions_(functions),
      shape_(shape),
      shared_(switches.size(), 0),
      rates_(functions.zeros()),
      before_(rates_),
      unpulled_(Vector::Zero(shape.n_v())) {}

void Sliding::begin_step(double t, const Vector& y) {
  if (switches_.slides() && linearize(switches_.sliding(), t, y) && !signs_.are_independent()) note_shared();
}

void Sliding::note_shared() {
  const std::vector<int>& sliding = switches_.sliding();
  for (std::size_t i = 0; i < sliding.size(); ++i)
    if (signs_.is_shared(static_cast<Eigen::Index>(i))) shared_[static_cast<std::size_t>(sliding[i])] = 1;
}

void Sliding::keep_signs() { switches_.get_signs(switches_.sliding(), start_signs_); }

// ---- choosing sides -------------------------------------------------------------------------------

bool Sliding::choose_sides(const std::vector<int>& at_zero, double t, const Vector& y) {
  for (const int k : at_zero) {
    const auto which = static_cast<std::size_t>(k);
    const Switch& s = switches_[which];
    if (!s.is_sliding()) switches_.hold(which, s.is_held() ? -s.sign : 0);
  }
  switches_.apply();
  Vector signs, rates, before;
  // Rates are linear in the signs, unless forces depend on reactions: Newton's method finds them then.
  for (int round = 0; round < most_newton; ++round) {
    if (!linearize(at_zero, t, y) || !find_rates(t, y)) {
      // On the far side there may be no reactions, as in Painlevé's paradox, but at standstill there are.
      if (round > 0 || !shape_.forces_need_multipliers) return false;
      switches_.set_signs(at_zero, Vector::Zero(static_cast<Eigen::Index>(at_zero.size())));
      continue;
    }
    gather(at_zero, signs, rates);
    before = signs;
    signs_.settle(rates, signs);
    if (!signs.allFinite()) return false;
    if (!shape_.forces_need_multipliers || (signs - before).lpNorm<Eigen::Infinity>() <= signs_found) break;
    switches_.set_signs(at_zero, signs);
  }
  bool others_hold = false;
  for (std::size_t i = 0; i < at_zero.size(); ++i) {
    const auto place = static_cast<Eigen::Index>(i);
    others_hold = others_hold || holds(static_cast<std::size_t>(at_zero[i]), place, signs[place]);
  }
  for (std::size_t i = 0; i < at_zero.size(); ++i) {
    const auto place = static_cast<Eigen::Index>(i);
    choose_side(static_cast<std::size_t>(at_zero[i]), place, signs[place], others_hold, t);
  }
  return true;
}

/// Has the sign just come to its bounds, or another that it shares its load with?
bool Sliding::leaves(std::size_t which, double sign) const {
  const bool leaving = std::ranges::any_of(switches_.all(), [](const Switch& other) { return other.is_leaving(); });
  const bool slid = std::ranges::count(switches_.sliding(), static_cast<int>(which)) > 0;
  const bool may_leave = switches_[which].is_leaving() || (leaving && !signs_.are_independent() && slid);
  return may_leave && std::abs(sign) > 1 - 1e-6;
}

/// Is the rate kept at zero by signs that steer it?
bool Sliding::holds(std::size_t which, Eigen::Index place, double sign) const {
  return signs_.is_kept(place) && signs_.is_steered(place) && !leaves(which, sign);
}

/// A function whose rate signs keep at zero is slid along, unless its sign has just come to its bounds. One that no
/// sign steers, and has no rate, rests as long as others are held; when they are not, no sign here tells its side. Any
/// other that no sign steers has passed through zero, or begins at it.
void Sliding::choose_side(std::size_t which, Eigen::Index place, double sign, bool others_hold, double t) {
  Switch& s = switches_[which];
  const bool left = leaves(which, sign), rests = !signs_.is_steered(place) && signs_.is_kept(place);
  if (left) sign = sign > 0 ? 1 : -1;
  switches_.set_sliding(which, holds(which, place, sign) || (rests && others_hold && !left), t);
  s.rests = rests && s.is_sliding();
  if (s.is_sliding() || (std::abs(sign) == 1 && !rests)) {
    s.sign = sign;
  } else {
    s.side = Switch::Side::free;
  }
}

// ---- how rates depend on signs --------------------------------------------------------------------

bool Sliding::linearize(const std::vector<int>& which, double t, const Vector& y) {
  const auto m = static_cast<Eigen::Index>(which.size());
  slopes_.resize(m, m);
  if (!functions_.find_rates(t, y, before_)) return false;
  unpulled_ = functions_.accelerations();
  pulls_.resize(unpulled_.size(), m);
  for (Eigen::Index j = 0; j < m; ++j) {
    double& sign = switches_[static_cast<std::size_t>(which[static_cast<std::size_t>(j)])].sign;
    const double old = sign, step = old > 0 ? -sign_step : sign_step;
    sign += step;
    switches_.apply();
    const bool known = find_rates(t, y);
    sign = old;
    if (!known) {
      switches_.apply();
      return false;
    }
    pulls_.col(j) = (functions_.accelerations() - unpulled_) / step;
    pull_ = std::max(pull_, pulls_.col(j).lpNorm<Eigen::Infinity>());
    for (Eigen::Index i = 0; i < m; ++i) {
      const int row = which[static_cast<std::size_t>(i)];
      slopes_(i, j) = (rates_[row] - before_[row]) / step;
    }
  }
  switches_.apply();
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j < m; ++j)
      if (is_rounding(slopes_(i, j), static_cast<std::size_t>(which[static_cast<std::size_t>(i)]))) slopes_(i, j) = 0;
  return signs_.set_slopes(slopes_);
}

bool Sliding::is_rounding(double rate, std::size_t which) const {
  const double largest = std::max(pull_, functions_.accelerations().lpNorm<Eigen::Infinity>());
  return std::abs(rate) <= no_rate * largest * functions_.reach()[static_cast<Eigen::Index>(which)];
}

/// Signs, and the rates last found. What no sign steers, and is rounding, is none.
void Sliding::gather(const std::vector<int>& which, Vector& signs, Vector& rates) const {
  switches_.get_signs(which, signs);
  rates.resize(signs.size());
  for (Eigen::Index i = 0; i < signs.size(); ++i) {
    const auto k = static_cast<std::size_t>(which[static_cast<std::size_t>(i)]);
    const double rate = rates_[which[static_cast<std::size_t>(i)]];
    const bool is_none = switches_[k].rests || (slopes_.row(i).isZero(0) && is_rounding(rate, k));
    rates[i] = is_none ? 0 : rate;
  }
}

// ---- keeping to surfaces --------------------------------------------------------------------------

bool Sliding::solve_signs(double t, const Vector& y) {
  if (shape_.forces_need_multipliers) return search_signs(t, y);
  for (int round = 0; round < linear_rounds; ++round) {
    if (!find_rates(t, y)) return false;
    const double change = update_signs();
    if (change > 4 * epsilon) switches_.apply();
    if (change <= signs_found) break;
  }
  return true;
}

/// The same where forces depend on reactions: by Newton's method, with slopes from where the step began as long as
/// these serve. Where reactions are turned round, rates have kinks in the signs, and for large signs none at all: a
/// change that does not lessen the rates is halved. Signs that were not found are those of the step's start.
bool Sliding::search_signs(double t, const Vector& y) {
  const std::vector<int>& sliding = switches_.sliding();
  double change = 0, least = infinity;
  int chords = 0;
  if (start_signs_.size() != static_cast<Eigen::Index>(sliding.size())) keep_signs();
  good_signs_ = start_signs_;
  for (int round = 0; round < most_newton; ++round) {
    const double size = find_rates(t, y) ? largest_rate() : infinity;
    const bool is_rounding = round > 0 && change <= signs_rounded;
    gather(sliding, signs_now_, rates_now_);
    if (!(size < enough_less * least) && !is_rounding) {
      switches_.set_signs(sliding, 0.5 * (signs_now_ + good_signs_));
      continue;
    }
    least = size;
    good_signs_ = signs_now_;
    if (++chords > chord_rounds && (!linearize(sliding, t, y) || !find_rates(t, y))) break;
    const double before = std::exchange(change, update_signs());
    if (change > 4 * epsilon) switches_.apply();
    if (change <= signs_found || (change <= signs_rounded && change > 0.5 * before)) return true;
  }
  switches_.set_signs(sliding, start_signs_);
  return false;
}

double Sliding::largest_rate() const {
  double largest = 0;
  for (const int k : switches_.sliding())
    if (!switches_[static_cast<std::size_t>(k)].rests) largest = std::max(largest, std::abs(rates_[k]));
  return largest;
}

/// From the rates with the present signs. The largest change of one.
double Sliding::update_signs() {
  const std::vector<int>& sliding = switches_.sliding();
  double change = 0;
  gather(sliding, signs_now_, rates_now_);
  signs_.keep(rates_now_, signs_now_);
  for (Eigen::Index i = 0; i < signs_now_.size(); ++i) {
    Switch& s = switches_[static_cast<std::size_t>(sliding[static_cast<std::size_t>(i)])];
    change = std::max(change, std::abs(signs_now_[i] - s.sign));
    s.sign = signs_now_[i];
    s.room = signs_.room()[i];
  }
  return change;
}

/// What is slid along is kept to the tolerance of steps only, and would be left bit by bit. Speeds are taken back to it
/// the way that the signs act, which leaves the constraints alone.
bool Sliding::return_to_surfaces(double t, Vector& y) {
  const std::vector<int>& sliding = switches_.sliding();
  if (pulls_.cols() != static_cast<Eigen::Index>(sliding.size())) return false;
  bool moved = false;
  for (int round = 0; round < chord_rounds && functions_.find(t, y); ++round) {
    rates_now_.resize(static_cast<Eigen::Index>(sliding.size()));
    for (std::size_t i = 0; i < sliding.size(); ++i)
      rates_now_[static_cast<Eigen::Index>(i)] = functions_.values()[sliding[i]];
    if (!(rates_now_.lpNorm<Eigen::Infinity>() > 0)) break;
    signs_now_.noalias() = signs_.inverse() * rates_now_;
    y.segment(shape_.n_q(), shape_.n_v()).noalias() -= pulls_ * signs_now_;
    moved = true;
  }
  return moved;
}

}  // namespace taut
