#pragma once

#include <cstdint>

#include "taut/expression.hpp"

/// One operation of a straight-line program.
namespace taut {

struct Instruction {
  Op op;
  std::int8_t exponent;  ///< of a power with a small whole exponent; of a link, which; else 0
  int target, a, b;      ///< registers; b is a where the operation has one operand
};

/// Are these sine and cosine of one argument, to be computed together?
inline bool is_pair(const Instruction& first, const Instruction& second) {
  return first.op == Op::sin && second.op == Op::cos && first.a == second.a;
}

/// What the interpreter tells apart. An operation is a kind; so are squares, other whole powers, and what is two
/// instructions one after the other: pairs, and links.
///
/// A link is a sum, difference or product x of two operands that the next instruction alone uses, as x + c, x − c, c −
/// x or x c. Over many lanes x then needs no register. The first of the two has the target of the second, and the
/// second has c for both its operands.
inline constexpr int operations = static_cast<int>(Op::less) + 1;
inline constexpr int square_kind = operations, whole_power_kind = operations + 1, pair_kind = operations + 2;
inline constexpr int kinds = operations + 3;
inline constexpr Op linked[] = {Op::add, Op::subtract, Op::multiply};
enum class Use : std::int8_t { plus, minus, taken_from, times };
inline constexpr int uses = 4;
inline constexpr int first_link = kinds, kinds_and_links = first_link + 3 * uses;

/// Two instructions that are to be run at one go?
inline bool is_link(const Instruction& first) { return first.exponent != 0 && first.op != Op::power; }
inline bool go_together(const Instruction& first, const Instruction& second) {
  return is_link(first) || is_pair(first, second);
}

inline int link_kind(Op first, Use use) {
  int place = 0;
  while (linked[place] != first) ++place;
  return first_link + place * uses + static_cast<int>(use);
}

inline int kind_of(const Instruction& step) {
  if (is_link(step)) return link_kind(step.op, static_cast<Use>(step.exponent - 1));
  if (step.exponent == 0) return static_cast<int>(step.op);
  return step.exponent == 2 ? square_kind : whole_power_kind;
}

/// How many instructions are run at one go.
inline int together(int kind) { return kind == pair_kind || kind >= first_link ? 2 : 1; }

}  // namespace taut
