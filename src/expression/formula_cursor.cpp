#include "expression/formula_cursor.hpp"

#include <algorithm>

#include "expression/formula_mistakes.hpp"

namespace taut {
namespace {

/// Columns count from 1 even where the text's own place is unknown.
Place beginning(Place start) {
  start.column = std::max(start.column, 1);
  return start;
}

}  // namespace

FormulaCursor::FormulaCursor(std::string_view text, const Place& start)
    : text_(text), start_(start), location_(beginning(start)) {}

std::string_view FormulaCursor::following_word() const {
  std::size_t end = position_;
  while (is_in_name(peek_at(end)) || peek_at(end) == '\'') ++end;
  return text_.substr(position_, end - position_);
}

void FormulaCursor::skip_space() {
  while (!at_end() && is_space(text_[position_])) ++position_;
}

void FormulaCursor::skip_digits() {
  while (is_digit(peek())) ++position_;
}

void FormulaCursor::skip_exponent() {
  if (peek() != 'e' && peek() != 'E') return;
  const char sign = peek_at(position_ + 1);
  const std::size_t digits = position_ + (sign == '+' || sign == '-' ? 2 : 1);
  if (!is_digit(peek_at(digits))) return;
  position_ = digits;
  skip_digits();
}

void FormulaCursor::advance_over_operator(std::size_t characters) {
  position_ += characters;
  last_operator_ = position_ - 1;
  skip_space();
}

void FormulaCursor::end_operand(std::size_t begin) {
  last_operand_ = text_.substr(begin, position_ - begin);
  skip_space();
}

std::size_t FormulaCursor::enter_bracket() {
  if (++depth_ > deepest_nesting) {
    fail(position_, "brackets are nested deeper than " + std::to_string(deepest_nesting),
         "name parts of the formula as definitions");
  }
  const std::size_t open = position_;
  advance_over_operator();
  return open;
}

void FormulaCursor::leave_bracket(std::size_t open, std::size_t operand_begin) {
  if (at_end() || peek() == '=') refuse_unclosed(*this, open);
  if (peek() != ')') refuse_after_operand(*this);
  --depth_;
  ++position_;
  end_operand(operand_begin);
}

Place FormulaCursor::place(std::size_t position) {
  if (position < located_) {
    located_ = 0;
    location_ = beginning(start_);
  }
  for (; located_ < position; ++located_) {
    if (text_[located_] == '\n') {
      location_.line = std::max(location_.line, 1) + 1;
      location_.column = 1;
    } else if (!is_continuation(text_[located_])) {
      ++location_.column;
    }
  }
  return location_;
}

}  // namespace taut
