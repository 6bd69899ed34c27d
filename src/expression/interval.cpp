#include "expression/interval.hpp"

#include <numbers>

#include "expression/arithmetic.hpp"

namespace taut {
namespace {

constexpr double pi = std::numbers::pi;
/// What functions of the C library may be off by, in units in the last place.
constexpr double library_ulps = 4;

/// A function that grows throughout, from its values at both ends.
Interval rising(double (*f)(double), const Interval& a) { return widened(f(a.lo), f(a.hi), library_ulps); }

/// Does the interval hold a point of `first`, `first` ± 2π, …? Points that rounding cannot tell from it count.
bool holds_turn(const Interval& a, double first) {
  const double slack = 4 * std::numeric_limits<double>::epsilon() * (a.magnitude() + 1);
  return std::ceil((a.lo - slack - first) / (2 * pi)) <= std::floor((a.hi + slack - first) / (2 * pi));
}

/// A wave of height 1 that has its crests at `crest`, ± 2π …
Interval wave(double (*f)(double), const Interval& a, double crest) {
  if (!(a.width() < 2 * pi)) return {-1, 1};
  const double from = f(a.lo), to = f(a.hi);
  const Interval ends = widened(std::min(from, to), std::max(from, to), library_ulps);
  return {holds_turn(a, crest + pi) ? -1 : std::max(ends.lo, -1.0), holds_turn(a, crest) ? 1 : std::min(ends.hi, 1.0)};
}

double sine(double x) { return taut_sin(x); }
double cosine(double x) { return taut_cos(x); }
Interval within_one(const Interval& a) { return {std::clamp(a.lo, -1.0, 1.0), std::clamp(a.hi, -1.0, 1.0)}; }

}  // namespace

Interval sin(const Interval& a) { return wave(sine, a, pi / 2); }
Interval cos(const Interval& a) { return wave(cosine, a, 0); }

Interval tan(const Interval& a) {
  if (!(a.width() < pi) || holds_turn(a, pi / 2) || holds_turn(a, -pi / 2)) return Interval::everything();
  return rising(std::tan, a);
}

Interval asin(const Interval& a) { return rising(std::asin, within_one(a)); }
Interval acos(const Interval& a) { return Interval(pi / 2) - asin(a); }
Interval atan(const Interval& a) { return rising(std::atan, a); }

Interval atan2(const Interval& y, const Interval& x) {
  if (x.lo > 0) return atan(y / x);
  if (y.lo > 0) return Interval(pi / 2) - atan(x / y);
  if (y.hi < 0) return -Interval(pi / 2) - atan(x / y);
  return {-pi, pi};
}

Interval sinh(const Interval& a) { return rising(std::sinh, a); }

Interval cosh(const Interval& a) {
  const Interval size = abs(a);
  return widened(std::cosh(size.lo), std::cosh(size.hi), library_ulps);
}

Interval tanh(const Interval& a) { return within_one(rising(std::tanh, a)); }
Interval squared_secant_of_tanh(const Interval& a) { return square(Interval(1) / cosh(a)); }
Interval exp(const Interval& a) { return rising(std::exp, a); }

Interval log(const Interval& a) {
  if (!(a.hi > 0)) return Interval::everything();
  const double infinity = std::numeric_limits<double>::infinity();
  return {a.lo > 0 ? rising(std::log, a).lo : -infinity, rising(std::log, {a.hi, a.hi}).hi};
}

Interval sqrt(const Interval& a) { return widened(std::sqrt(std::max(a.lo, 0.0)), std::sqrt(std::max(a.hi, 0.0))); }

Interval abs(const Interval& a) {
  if (a.lo >= 0) return a;
  if (a.hi <= 0) return -a;
  return {0, a.magnitude()};
}

Interval pow(const Interval& a, double exponent) {
  if (is_whole_exponent(exponent)) {
    if (exponent < 0) return Interval(1) / pow(a, -exponent);
    const bool even = std::fmod(exponent, 2) == 0;
    const Interval base = even ? abs(a) : a;
    const double ulps = exponent + 1;
    return widened(constant_power(base.lo, exponent), constant_power(base.hi, exponent), ulps);
  }
  const double from = std::max(a.lo, 0.0), to = std::max(a.hi, 0.0);
  if (exponent >= 0) return widened(std::pow(from, exponent), std::pow(to, exponent), library_ulps);
  return widened(std::pow(to, exponent), std::pow(from, exponent), library_ulps);
}

}  // namespace taut
