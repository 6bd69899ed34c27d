#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "expression/formula_text.hpp"

namespace taut {

/// A place in the text of a formula, which moves from token to token: between tokens it stands on the next character
/// that is no space. It knows what it has passed, for messages, and where each character stands in the file.
class FormulaCursor {
 public:
  static constexpr std::size_t nowhere = ~std::size_t{0};

  FormulaCursor(std::string_view text, const Place& start);

  std::string_view text() const { return text_; }
  std::size_t position() const { return position_; }
  bool at_end() const { return position_ == text_.size(); }
  char peek_at(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }
  char peek() const { return peek_at(position_); }
  /// The name or word that begins here, or "".
  std::string_view following_word() const;

  /// Goes on by so many characters, which are no token of their own.
  void advance(std::size_t characters = 1) { position_ += characters; }
  void skip_space();
  void skip_digits();
  /// An e belongs to a number only if digits follow: 2e3, but 2*e in "2e".
  void skip_exponent();
  /// Over an operator of so many characters.
  void advance_over_operator(std::size_t characters = 1);
  /// Here ends an operand that began there.
  void end_operand(std::size_t begin);
  /// Returns where the bracket stands. Brackets that are nested too deeply are refused.
  std::size_t enter_bracket();
  /// Over the bracket that closes the one at `open`; the operand that it ends began there.
  void leave_bracket(std::size_t open, std::size_t operand_begin);

  int depth() const { return depth_; }  ///< of brackets
  /// Where the sign or bracket before this place stands.
  std::size_t last_operator() const { return last_operator_; }
  std::string_view last_operand() const { return last_operand_; }

  /// Where a character stands in the file. Counts on from the last place asked for, lest a formula of many names be
  /// read over and over.
  Place place(std::size_t position);
  [[noreturn]] void fail(std::size_t position, const std::string& message, const std::string& remedy) {
    throw InputError(place(position), message, remedy);
  }

 private:
  std::string_view text_;
  const Place& start_;
  std::size_t position_ = 0;
  std::size_t last_operator_ = nowhere;
  std::string_view last_operand_;
  int depth_ = 0;
  std::size_t located_ = 0;
  Place location_;  ///< of located_
};

}  // namespace taut
