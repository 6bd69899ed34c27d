#include "expression/formula_mistakes.hpp"

#include <algorithm>
#include <cctype>

namespace taut {
namespace {

/// The character at this position, however many bytes it has; "" if they are not UTF-8.
std::string_view character(std::string_view text, std::size_t position) {
  const auto lead = static_cast<unsigned char>(text[position]);
  if (lead < 0x80) return std::iscntrl(lead) != 0 ? std::string_view() : text.substr(position, 1);
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
  const std::string_view bytes = text.substr(position, length);
  const bool whole = bytes.size() == length && length > 0 &&
                     std::all_of(bytes.begin() + 1, bytes.end(), [](char c) { return is_continuation(c); });
  return whole ? bytes : std::string_view();
}

[[noreturn]] void refuse_character(FormulaCursor& at) {
  const std::string_view found = character(at.text(), at.position());
  if (found.empty()) {
    const int code = static_cast<unsigned char>(at.peek());
    at.fail(at.position(), "a character that cannot be shown (code " + std::to_string(code) + ") is not allowed here",
            "remove it");
  }
  at.fail(at.position(), in_quotes(found) + " is not allowed in a formula", replacement(found));
}

[[noreturn]] void refuse_stray_bracket(FormulaCursor& at) {
  at.fail(at.position(), "this ')' closes nothing", "remove it, or add the '(' that is missing before it");
}

[[noreturn]] void refuse_comma(FormulaCursor& at) {
  const std::size_t here = at.position();
  const bool is_decimal = is_digit(at.peek_at(here + 1)) && here > 0 && is_digit(at.peek_at(here - 1));
  at.fail(here, "a ',' does not belong here",
          is_decimal ? "write a decimal point instead" : "commas stand only between the arguments of a function");
}

}  // namespace

void refuse_unclosed(FormulaCursor& at, std::size_t open) {
  at.fail(open, "this '(' is never closed", "add the missing ')'");
}

void refuse_equals(FormulaCursor& at) {
  at.fail(at.position(), "'=' does not belong in a formula", "write only what stands on one side of it");
}

void refuse_double_star(FormulaCursor& at) {
  if (at.peek() == '*' && at.peek_at(at.position() + 1) == '*')
    at.fail(at.position(), "'**' is not an operator", "write ^ for a power");
}

void refuse_operand(FormulaCursor& at) {
  const char c = at.peek();
  if (at.depth() == 0 && c == ')') refuse_stray_bracket(at);
  const bool is_missing = at.at_end() || c == ')' || c == '*' || c == '/' || c == '^' || c == ',' || c == '=';
  if (c == '\'') at.fail(at.position(), "a prime must follow a name", "write x' for the rate of x");
  if (c == '.') at.fail(at.position(), "this '.' belongs to no number and no name", "write a digit before or after it");
  if (!is_missing) refuse_character(at);
  const std::size_t before = at.last_operator();
  if (c == '*' && before + 1 == at.position() && at.peek_at(before) == '*') refuse_double_star(at);
  const bool at_begin = before == FormulaCursor::nowhere;
  const std::string where = at_begin ? "at the beginning" : "after " + in_quotes(at.text().substr(before, 1));
  at.fail(at.at_end() && !at_begin ? before : at.position(), "a number, a name or a bracket is missing " + where,
          "complete the formula or remove the sign");
}

void refuse_after_operand(FormulaCursor& at) {
  const char c = at.peek();
  if (c == ')') refuse_stray_bracket(at);
  if (c == '=') refuse_equals(at);
  if (c == ',') refuse_comma(at);
  if (c == '\'') at.fail(at.position(), "a prime must follow a name", "write d(NAME) for the rate of a definition");
  if (!is_letter(c) && !is_digit(c) && c != '.' && c != '(') refuse_character(at);
  const std::string_view next = c == '(' ? "(" : at.following_word();
  const std::string before(at.last_operand().size() > 20 ? "…" : at.last_operand());
  const std::string after = (next.size() > 20 ? "…" : std::string(next)) + (c == '(' ? "…)" : "");
  at.fail(at.position(), "an operator is missing before " + in_quotes(next),
          "to multiply, write " + before + "*" + after);
}

}  // namespace taut
