#pragma once

#include <cmath>

#include "expression/sine_cosine.hpp"
#include "taut/expression.hpp"

/// What each operation computes: the one definition that folding, evaluating and running share, so
/// that all of them agree to the last bit. NaN is passed on, never hidden by a comparison.
namespace taut {

constexpr bool is_leaf(Op op) { return op == Op::constant || op == Op::symbol; }

constexpr bool is_binary(Op op) {
  switch (op) {
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::atan2:
    case Op::min:
    case Op::max:
    case Op::less:
      return true;
    default:
      return false;
  }
}

/// Whole exponents up to this size are computed by repeated multiplication.
inline constexpr int largest_whole_exponent = 64;

inline bool is_whole_exponent(double n) { return std::abs(n) <= largest_whole_exponent && n == std::trunc(n); }

/// x^n by squaring. Program's loop over lanes multiplies in the same order.
inline double whole_power(double x, int n) {
  double result = 1;
  for (int left = std::abs(n); left != 0; left /= 2, x *= x) {
    if (left % 2 != 0) result *= x;
  }
  return n < 0 ? 1 / result : result;
}

/// a^b where b is written as a number.
inline double constant_power(double a, double b) {
  return is_whole_exponent(b) ? whole_power(a, static_cast<int>(b)) : std::pow(a, b);
}

/// op(a) or op(a, b). Always inlined: with `op` known, only its own formula remains.
[[gnu::always_inline]] inline double compute(Op op, double a, double b) {
  switch (op) {
    case Op::constant:
    case Op::symbol:
      return a;
    case Op::negate:
      return -a;
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return std::pow(a, b);
    case Op::sin:
      return taut_sin(a);
    case Op::cos:
      return taut_cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::abs:
      return std::abs(a);
    case Op::sign:
      return a > 0 ? 1 : a < 0 ? -1 : a;
    case Op::min:
      return a < b || a != a ? a : b;
    case Op::max:
      return a > b || a != a ? a : b;
    case Op::less:
      return a < b ? 1 : 0;
  }
  return 0;
}

}  // namespace taut
