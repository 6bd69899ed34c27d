#include "simulation/switching_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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
/// A sign may leave its bounds by this much before the motion leaves the surface. At the bound itself the rate on the
/// other side is zero, and rounding would say where it leads.
constexpr double beyond_bounds = 1e-8;
/// Where less resists in motion than at rest, it does not, and the sooner it leaves the better.
constexpr double beyond_breakaway = 1e-12;

/// How exactly the zero of a step is found, in time.
double resolution(double t0, double t1) { return 1e-12 * (t1 - t0) + 4 * epsilon * std::abs(t1); }

}  // namespace

SwitchingSearch::SwitchingSearch(Switches& switches, SwitchingFunctions& functions, Sliding& sliding, int entries)
    : switches_(switches),
      functions_(functions),
      sliding_(sliding),
      watch_(static_cast<int>(switches.size()),
             [this](double t) -> const Vector& {
               (*between_)(t, y_);
               find_values(t, y_, found_);
               return found_;
             }),
      y_(Vector::Zero(entries)),
      values_(functions.zeros()),
      found_(values_) {}

double SwitchingSearch::step_end(double t0, double t1, const Between& between) {
  between_ = &between;
  from_ = t0;
  width_ = t1 - t0;
  if (shown_from_ != t0) aimed_ = -1;
  repetitions_ = shown_from_ == t0 ? repetitions_ + 1 : 0;
  shown_from_ = t0;
  if (repetitions_ == most_repetitions) return release_all(t0, t1);
  if (aimed_ < 0) attempts_ = 0;
  find_offsets(t0);
  const auto& crossings = watch_.in_step(t0, t1);
  if (!crossings.empty()) return aim(t0, t1, crossings.front().function, crossings.front().t);
  if (aimed_ >= 0 || ends_at_zero(resolution(t0, t1))) return arrive(t0, t1);
  for (std::size_t k = 0; k < switches_.size(); ++k)
    if (watch_.at_end()[k].value < 0) return change_at_start(t0, t1, k);
  return repetitions_ < most_turns ? nearest_turn(t0, t1) : t1;
}

// ---- what a step follows --------------------------------------------------------------------------

/// Functions that a step may follow while they are above zero.
void SwitchingSearch::find_values(double t, const Vector& y, Vector& values) {
  if (switches_.slides()) sliding_.solve_signs(t, y);
  functions_.find(t, y);
  const double left = 1 - (t - from_) / width_;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const Switch& s = switches_[k];
    const double held = s.sign * functions_[k] - left * s.offset;
    const double beyond = s.reach > 1 ? beyond_breakaway : beyond_bounds;
    values[static_cast<Eigen::Index>(k)] = s.is_held() ? held : s.is_sliding() ? s.room + beyond : 1;
  }
}

/// A step that begins at a zero begins there to rounding only, or on the wrong side by as much.
void SwitchingSearch::find_offsets(double t) {
  for (Switch& s : switches_.all()) s.offset = 0;
  (*between_)(t, y_);
  find_values(t, y_, values_);
  for (std::size_t k = 0; k < switches_.size(); ++k)
    if (switches_[k].is_held()) switches_[k].offset = std::min(0.0, values_[static_cast<Eigen::Index>(k)]);
}

/// States within a step are less exact than its end. Where a function turns next to zero, the step ends at the turn,
/// and tells whether zero was reached. Elsewhere at t1.
double SwitchingSearch::nearest_turn(double t0, double t1) const {
  double first = t1;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const Sample &a = watch_.at_begin()[k], &b = watch_.at_end()[k];
    if (!switches_[k].is_held() || !(a.rate < 0 && b.rate > 0)) continue;
    const double share = -a.rate / (b.rate - a.rate), turn = t0 + share * (t1 - t0);
    const double height = a.value + 0.5 * a.rate * (turn - t0);
    const bool inside = share > least_turn && share < 1 - least_turn;
    if (inside && height < next_to_zero * std::max(a.value, b.value)) first = std::min(first, turn);
  }
  return first;
}

// ---- ending on a zero -----------------------------------------------------------------------------

/// A function becomes zero within the step.
double SwitchingSearch::aim(double t0, double t1, int which, double at) {
  if (at - t0 <= 4 * epsilon * std::abs(t0)) return change_at_start(t0, t1, static_cast<std::size_t>(which));
  aimed_ = which;
  if (t1 - at > resolution(t0, t1) && ++attempts_ < most_attempts) return at;
  return arrive(t0, t1);
}

/// The time that a function takes from the end of the step to its zero; below zero where it lies behind.
double SwitchingSearch::time_to_zero(std::size_t which) const {
  const Sample& end = watch_.at_end()[which];
  return end.rate < 0 ? -end.value / end.rate : std::numeric_limits<double>::infinity();
}

bool SwitchingSearch::ends_at_zero(double tolerance) {
  for (std::size_t k = 0; k < switches_.size(); ++k)
    if (!switches_[k].is_free() && std::abs(time_to_zero(k)) <= tolerance) aimed_ = static_cast<int>(k);
  return aimed_ >= 0;
}

/// The step ends where the function aimed at is zero, or would be if states within a step were exact: that much is put
/// right by Newton. Others that are zero there, too, change at the same time.
double SwitchingSearch::arrive(double t0, double t1) {
  const auto aimed = static_cast<std::size_t>(aimed_);
  const double tolerance = resolution(t0, t1), left = time_to_zero(aimed);
  if (std::abs(left) > tolerance && std::abs(left) < 0.1 * (t1 - t0) && ++attempts_ < most_attempts) return t1 + left;
  if (switches_[aimed].is_held() && left >= 0.1 * (t1 - t0)) {
    // States within the longer step that showed a zero here were off: the function is far from it.
    aimed_ = -1;
    return t1;
  }
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const bool is_zero = !switches_[k].is_free() && std::abs(time_to_zero(k)) <= 1e3 * tolerance;
    switches_[k].arrival = is_zero ? Switch::Arrival::arrived : Switch::Arrival::none;
  }
  mark_arrived(aimed);
  return t1;
}

void SwitchingSearch::mark_arrived(std::size_t which) {
  switches_[which].arrival = Switch::Arrival::arrived;
  arrived_ = true;
  last_ = static_cast<int>(which);
}

void SwitchingSearch::arrive_at_free() {
  for (Switch& s : switches_.all()) {
    if (!s.is_free()) continue;
    s.arrival = Switch::Arrival::arrived;
    arrived_ = true;
  }
}

void SwitchingSearch::leave_zero() {
  arrived_ = false;
  aimed_ = -1;
}

void SwitchingSearch::forget_arrival() {
  leave_zero();
  for (Switch& s : switches_.all()) s.arrival = Switch::Arrival::none;
}

// ---- where no branch is the right one -------------------------------------------------------------

/// A function is on the wrong side from the beginning of the step on. The branch changes there, once.
double SwitchingSearch::change_at_start(double t0, double t1, std::size_t which) {
  if (std::exchange(changed_at_, t0) == t0) return release(t0, t1, which);
  mark_arrived(which);
  return 0.5 * (t0 + t1);
}

/// Where neither branch is the right one, the formula decides by itself for a while.
double SwitchingSearch::release(double t0, double t1, std::size_t which) {
  switches_.release(which, t0);
  aimed_ = -1;
  switches_.apply();
  return 0.5 * (t0 + t1);
}

double SwitchingSearch::release_all(double t0, double t1) {
  for (std::size_t k = 0; k < switches_.size(); ++k) release(t0, t1, k);
  return 0.5 * (t0 + t1);
}

}  // namespace taut
