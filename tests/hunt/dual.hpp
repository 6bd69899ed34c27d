#pragma once

#include <cmath>

#include "hunt/real.hpp"

/// a + b ε with ε² = 0: arithmetic with it carries an exact derivative along. Nested once it gives second derivatives.
namespace taut::hunt {

template <class T>
struct Dual {
  T value{}, slope{};

  Dual() = default;
  Dual(Real number) : value(number) {}
  Dual(double number) : value(Real(number)) {}
  Dual(int number) : value(Real(number)) {}
  Dual(T v, T s) requires(!std::is_same_v<T, Real>) : value(v), slope(s) {}
  Dual(Real v, Real s) requires(std::is_same_v<T, Real>) : value(v), slope(s) {}

  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T quotient = a.value / b.value;
    return {quotient, (a.slope - quotient * b.slope) / b.value};
  }
};

template <class T>
Dual<T> sin(const Dual<T>& a) {
  using std::cos, std::sin;
  return {sin(a.value), cos(a.value) * a.slope};
}
template <class T>
Dual<T> cos(const Dual<T>& a) {
  using std::cos, std::sin;
  return {cos(a.value), -(sin(a.value) * a.slope)};
}
template <class T>
Dual<T> sqrt(const Dual<T>& a) {
  using std::sqrt;
  const T root = sqrt(a.value);
  return {root, a.slope / (root + root)};
}
template <class T>
Dual<T> exp(const Dual<T>& a) {
  using std::exp;
  const T power = exp(a.value);
  return {power, power * a.slope};
}
template <class T>
Dual<T> atan2(const Dual<T>& y, const Dual<T>& x) {
  using std::atan2;
  return {atan2(y.value, x.value), (x.value * y.slope - y.value * x.slope) / (x.value * x.value + y.value * y.value)};
}

}  // namespace taut::hunt
