#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

/// Intervals: every operation encloses what it gives for all points of its operands, its rounding included.
namespace taut {

struct Interval {
  double lo = 0, hi = 0;

  Interval() = default;
  constexpr Interval(double value) : lo(value), hi(value) {}
  constexpr Interval(double from, double to) : lo(from), hi(to) {}

  bool contains(double x) const { return lo <= x && x <= hi; }
  bool is_zero() const { return lo == 0 && hi == 0; }
  bool is_finite() const { return std::isfinite(lo) && std::isfinite(hi); }
  double width() const { return hi - lo; }
  double magnitude() const { return std::max(std::abs(lo), std::abs(hi)); }

  static constexpr Interval everything() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
};

/// A result that is known to some units in the last place. What has no value may have any; nought is exact.
inline Interval widened(double lo, double hi, double ulps = 1) {
  if (!(lo <= hi)) return Interval::everything();
  constexpr double largest = std::numeric_limits<double>::max();
  const double share = ulps * std::numeric_limits<double>::epsilon();
  // What has overflown lies above the largest number, and infinity less a share of it would be no number.
  return {std::min(lo, largest) - share * std::abs(std::min(lo, largest)),
          std::max(hi, -largest) + share * std::abs(std::max(hi, -largest))};
}

inline Interval hull(const Interval& a, const Interval& b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

inline Interval operator-(const Interval& a) { return {-a.hi, -a.lo}; }
inline Interval operator+(const Interval& a, const Interval& b) { return widened(a.lo + b.lo, a.hi + b.hi); }
inline Interval operator-(const Interval& a, const Interval& b) { return widened(a.lo - b.hi, a.hi - b.lo); }

inline Interval operator*(const Interval& a, const Interval& b) {
  if (a.is_zero() || b.is_zero()) return 0;
  // Nought times what is beyond all bounds is nought: it is a bound, and not a value.
  const auto times = [](double x, double y) { return x == 0 || y == 0 ? 0 : x * y; };
  const double p = times(a.lo, b.lo), q = times(a.lo, b.hi), r = times(a.hi, b.lo), s = times(a.hi, b.hi);
  return widened(std::min({p, q, r, s}), std::max({p, q, r, s}));
}

inline Interval operator/(const Interval& a, const Interval& b) {
  if (b.contains(0)) return a.is_zero() ? Interval(0) : Interval::everything();
  return a * widened(1 / b.hi, 1 / b.lo);
}

inline Interval square(const Interval& a) {
  const double least = a.contains(0) ? 0 : std::min(std::abs(a.lo), std::abs(a.hi));
  return widened(least * least, a.magnitude() * a.magnitude());
}

Interval sin(const Interval& a);
Interval cos(const Interval& a);
Interval tan(const Interval& a);
Interval asin(const Interval& a);
Interval acos(const Interval& a);
Interval atan(const Interval& a);
Interval atan2(const Interval& y, const Interval& x);
Interval sinh(const Interval& a);
Interval cosh(const Interval& a);
Interval tanh(const Interval& a);
/// 1/cosh², which tanh has for its slope, without the rounding of 1 − tanh².
Interval squared_secant_of_tanh(const Interval& a);
Interval exp(const Interval& a);
Interval log(const Interval& a);
Interval sqrt(const Interval& a);
Interval abs(const Interval& a);
/// a to the power of a fixed exponent.
Interval pow(const Interval& a, double exponent);

}  // namespace taut
