#pragma once

#include "expression/formula_cursor.hpp"

/// What is said of formulas that cannot be read, and what would mend them. Each throws InputError with the place.
namespace taut {

/// Something else stands where a number, a name or a bracket should.
[[noreturn]] void refuse_operand(FormulaCursor& at);
/// Something stands where an operator or the end should.
[[noreturn]] void refuse_after_operand(FormulaCursor& at);
[[noreturn]] void refuse_equals(FormulaCursor& at);
[[noreturn]] void refuse_unclosed(FormulaCursor& at, std::size_t open);
/// ** for a power; nothing where there is none.
void refuse_double_star(FormulaCursor& at);

}  // namespace taut
