#pragma once

#include <cstdint>

#include "taut/expression.hpp"

/// One operation of a straight-line program.
namespace taut {

struct Instruction {
  Op op;
  std::int8_t exponent;  ///< of a power with a small whole exponent, else 0
  int target, a, b;      ///< registers; b is a where the operation has one operand
};

/// Are these sine and cosine of one argument, to be computed together?
inline bool is_pair(const Instruction& first, const Instruction& second) {
  return first.op == Op::sin && second.op == Op::cos && first.a == second.a;
}

/// What the interpreter tells apart. An operation is a kind; so are squares, other whole powers, and pairs, which are
/// two instructions one after the other.
inline constexpr int operations = static_cast<int>(Op::less) + 1;
inline constexpr int square_kind = operations, whole_power_kind = operations + 1, pair_kind = operations + 2;
inline constexpr int kinds = operations + 3;

inline int kind_of(const Instruction& step) {
  if (step.exponent == 0) return static_cast<int>(step.op);
  return step.exponent == 2 ? square_kind : whole_power_kind;
}

}  // namespace taut
