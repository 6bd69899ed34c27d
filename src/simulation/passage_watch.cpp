#include "simulation/passage_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace taut {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// A pivot this small, relative to its row, is as near as a passage is worth approaching: pivots fall
/// from about 1 within the time scale of the motion, so this is that fraction of it.
constexpr double floor = 1e-3;
/// Below this the factor 1/pivot in the accelerations lets rounding errors be felt.
constexpr double near = 0.03;
/// A pivot below this may soon be zero.
constexpr double small = 0.3;
/// Steps whose lengths differ by this share are not even.
constexpr double uneven = 1e-6;
/// A suspected zero is one if the pivot there is below this fraction of the pivots around it.
constexpr double convincing = 0.05;
/// A pivot that would have to fall that many times faster than it is thought to has no zero.
constexpr double steeper = 30;

/// The zero of a pivot that falls and rises with about this slope, near `t` and within `first` and `last`: a pivot that
/// hardly changes points anywhere. Infinity if it has none there.
double confirm_zero(double t, double slope, double size, double first, double last, const PassageWatch::Probe& probe) {
  const auto pivot_at = [&](double time) { return time >= first && time <= last ? probe(time) : infinity; };
  double pivot = pivot_at(t), distance = pivot / slope;
  for (int k = 0; k < 25; ++k) {
    if (!(pivot > convincing * size)) return t;
    distance = std::min(distance, last - first);
    const double left = pivot_at(t - distance), right = pivot_at(t + distance);
    if (std::min(left, right) < pivot) {
      t += left < right ? -distance : distance;
      const double fall = pivot - std::min(left, right);
      pivot -= fall;
      distance *= pivot / fall;
    } else {
      distance *= 0.5;
      if (pivot > steeper * slope * distance) return infinity;
    }
  }
  return infinity;
}

}  // namespace

void PassageWatch::reset() {
  count_ = even_ = 0;
  ahead_ = {};
  last_passage_ = -infinity;
}

std::optional<double> PassageWatch::add(double t, double pivot, const Probe& between) {
  std::optional<double> crossed;
  if (count_ >= 2 && suspicious(t, pivot, between)) {
    const double before = last_[0].pivot, width = t - last_[0].t;
    const double guess = last_[0].t + width * before / (before + pivot);
    // A step may end on the passage: then it is seen from the next one, a little outside of it, but not twice.
    const double zero =
        confirm_zero(guess, (before + pivot) / width, 0.5 * (before + pivot), last_[0].t - 0.1 * width, t, between);
    if (zero < t && !(std::abs(zero - last_passage_) < 0.2 * width)) {
      crossed = zero;
      cross(zero);
    }
  }
  record(t, pivot);
  return crossed;
}

/// Pivots from before a passage are negative from now on.
void PassageWatch::cross(double zero) {
  last_passage_ = zero;
  for (auto& sample : last_) sample.pivot = -sample.pivot;
}

void PassageWatch::record(double t, double pivot) {
  last_[2] = last_[1];
  last_[1] = last_[0];
  last_[0] = {t, pivot};
  count_ = std::min(count_ + 1, 3);
  if (ahead_.time <= t) ahead_ = {};
}

std::optional<double> PassageWatch::add_evenly(double t, double pivot, const Probe& between) {
  double x = 0;
  const Verdict verdict = remember_square(t, pivot) ? judge_squares(x) : Verdict::unsure;
  if (verdict == Verdict::unsure) return add(t, pivot, between);
  std::optional<double> crossed;
  const double zero = last_[0].t + x * spacing_;
  if (verdict == Verdict::passed && !(std::abs(zero - last_passage_) < 0.2 * spacing_)) {
    crossed = zero;
    cross(zero);
  }
  record(t, pivot);
  return crossed;
}

/// Are there enough of them to judge by?
bool PassageWatch::remember_square(double t, double pivot) {
  const double spacing = t - square_t_;
  if (!(std::abs(spacing - spacing_) <= uneven * spacing)) even_ = std::min(even_, 1);
  std::copy_backward(squares_, squares_ + 4, squares_ + 5);
  squares_[0] = pivot * pivot;
  even_ = std::min(even_ + 1, 5);
  square_t_ = t;
  spacing_ = spacing;
  return even_ == 5;
}

/// The square of a pivot is smooth where the pivot itself has a kink, and touches zero there. With x from 0 to 1 over
/// the last step: the least value of the quartic through the last five squares; what its last term adds bounds its
/// error.
PassageWatch::Verdict PassageWatch::judge_squares(double& x) const {
  const double *f = squares_, rise = (f[0] - f[2]) / 2, bend = f[0] - 2 * f[1] + f[2];
  const double third = (f[0] - 3 * f[1] + 3 * f[2] - f[3]) / 6;
  const double fourth = (f[0] - 4 * f[1] + 6 * f[2] - 4 * f[3] + f[4]) / 24;
  const double sizes = 0.5 * convincing * (std::sqrt(f[0]) + std::sqrt(f[1])), enough = sizes * sizes;
  const double error = std::abs(fourth);
  // Mostly the square cannot fall that far within a step.
  if (f[1] - std::abs(rise) - std::abs(bend) - std::abs(third) - 2 * error > enough) return Verdict::not_passed;
  const auto slope = [&](double s) {
    return rise + bend * s + third * (3 * s * s - 1) + fourth * (((4 * s + 6) * s - 2) * s - 2);
  };
  const auto curvature = [&](double s) { return bend + 6 * third * s + fourth * ((12 * s + 12) * s - 2); };
  x = 0.5;
  for (int k = 0; k < 4; ++k) {
    const double c = curvature(x), s = slope(x);
    x = std::clamp(c > 0 ? x - s / c : (s > 0 ? -1.0 : 2.0), -0.5, 1.5);
  }
  // As in add(): a step may end on the passage, which is then seen from the next one.
  const bool inside = x > -0.1 && x < 1;
  const double at = std::clamp(x, 0.0, 1.0);
  const double least = f[1] + at * (rise + at * bend / 2 + (at * at - 1) * (third + fourth * (at + 2)));
  if (least - error > enough) return Verdict::not_passed;
  if (!(std::abs(least) + error <= enough)) return Verdict::unsure;
  return inside ? Verdict::passed : Verdict::not_passed;
}

bool PassageWatch::may_reach_zero(double t, double faster) const {
  if (ahead_.time < t || count_ < 3) return true;
  const double h = t - last_[0].t, slope = (last_[0].pivot - last_[1].pivot) / (last_[0].t - last_[1].t);
  const double before = (last_[1].pivot - last_[2].pivot) / (last_[1].t - last_[2].t);
  const double bend = (slope - before) / (last_[0].t - last_[2].t);
  return last_[0].pivot < faster * h * (std::abs(slope) + std::abs(bend) * (t - last_[1].t));
}

bool PassageWatch::suspicious(double t, double pivot, const Probe& between) const {
  const bool expected = ahead_.time > last_[0].t && ahead_.time < t;
  const bool began_on_it = last_[0].pivot < 0.1 * pivot;
  return expected || began_on_it || extrapolated(t) < 0 || turns(t, pivot, between);
}

/// Does the pivot fall at the beginning of the step and rise at its end?
bool PassageWatch::turns(double t, double pivot, const Probe& between) const {
  const double before = last_[0].pivot, width = t - last_[0].t, inside = 0.05 * width;
  // To fall to zero and rise again it would have to change that much faster than it is seen to.
  const double seen =
      std::max(std::abs(pivot - before), std::abs(before - last_[1].pivot) * width / (last_[0].t - last_[1].t));
  if (before + pivot > (std::min(before, pivot) > small ? 20 : 200) * seen) return false;
  return between(last_[0].t + inside) < before && between(t - inside) < pivot;
}

void PassageWatch::look_ahead(double horizon, const Probe& beyond) {
  const double known = ahead_.time, now = last_[0].t, pivot = last_[0].pivot;
  ahead_ = {};
  if (count_ < 2) return;
  // What has been foreseen stays in sight, however small the steps become, but does not hide what comes long before it.
  double first = known, second = foreseen_zero();
  if (second - now < 0.5 * (first - now)) std::swap(first, second);
  for (const double guess : {first, second}) {
    if (!(guess > now) || !(guess <= now + horizon || guess == known) || guess == infinity) continue;
    const double last = now + 2 * std::max(horizon, guess - now);
    const double zero = confirm_zero(guess, pivot / (guess - now), pivot, now, last, beyond);
    if (!(zero > now) || zero == infinity) continue;
    ahead_ = {zero, pivot <= near, pivot <= floor};
    return;
  }
}

/// The parabola (or line) through the last points, at t: Newton's form.
double PassageWatch::extrapolated(double t) const {
  const double slope = (last_[0].pivot - last_[1].pivot) / (last_[0].t - last_[1].t);
  const double value = last_[0].pivot + slope * (t - last_[0].t);
  if (count_ < 3) return value;
  const double before = (last_[1].pivot - last_[2].pivot) / (last_[1].t - last_[2].t);
  const double bend = (slope - before) / (last_[0].t - last_[2].t);
  return std::min(value, value + bend * (t - last_[0].t) * (t - last_[1].t));
}

/// The first zero of that parabola after the newest point, of the line where the parabola has none.
double PassageWatch::foreseen_zero() const {
  const double pivot = last_[0].pivot;
  const double slope = (pivot - last_[1].pivot) / (last_[0].t - last_[1].t);
  const double by_line = slope < 0 ? last_[0].t - pivot / slope : infinity;
  if (count_ < 3) return by_line;
  const double before = (last_[1].pivot - last_[2].pivot) / (last_[1].t - last_[2].t);
  const double a = (slope - before) / (last_[0].t - last_[2].t);
  const double b = slope + a * (last_[0].t - last_[1].t);
  const double discriminant = b * b - 4 * a * pivot;
  if (discriminant < 0) return by_line;
  // The form that does not cancel; a falling parabola that opens downwards may still be rising here.
  const double tau = 2 * pivot / (-b + std::sqrt(discriminant));
  return tau > 0 ? last_[0].t + tau : by_line;
}

}  // namespace taut
