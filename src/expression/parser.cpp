#include "expression/parser.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numbers>
#include <utility>

#include "expression/formula_text.hpp"
#include "expression/written_functions.hpp"

namespace taut {
namespace {

const Function* find_function(std::string_view name) {
  const auto& all = functions();
  const auto found = std::find_if(all.begin(), all.end(), [name](const Function& f) { return f.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const WrittenFunction* find_written(std::string_view name) {
  const auto found = std::ranges::find(written_functions(), name, &WrittenFunction::name);
  return found == written_functions().end() ? nullptr : &*found;
}

constexpr std::string_view write_a_choice =
    "write if(x < 1, 2*x, 2): a comparison, what holds if it is true, what else";

/// An example of a call, for remedies.
std::string usage(const Function& function) {
  const std::string name(function.name);
  if (function.arguments == 1) return "write " + name + "(x)";
  return "write " + name + (function.op == Op::atan2 ? "(y, x)" : "(a, b)");
}

class Parser {
 public:
  Parser(std::string_view text, const Names& names, const Place& start)
      : text_(text), names_(names), start_(start), location_(beginning(start)) {}

  Expression formula() {
    skip_space();
    if (at_end()) fail(0, "the formula is empty", "write a number, a name or a formula, such as 2*x");
    const Expression result = sum();
    if (peek() == '=') fail_at_equals();
    if (!at_end()) fail_after_operand();
    return result;
  }

  Expression equation() {
    const Expression left = side("left");
    if (at_end()) return left;
    const std::size_t equals = position_++;
    if (peek() == '=') fail(equals, "'==' is not part of an equation", "write a single =");
    skip_space();
    if (at_end()) fail(equals, "nothing stands to the right of '='", "write 0 if nothing is meant");
    const Expression right = side("right");
    if (!at_end()) fail(position_, "this is the second '=' of one equation", "write two equations instead");
    return left - right;
  }

 private:
  // The grammar. Only brackets recurse; chains of signs, powers, terms and factors are loops.

  Expression side(std::string_view which) {
    skip_space();
    if (at_end()) fail(0, "the equation is empty", "write left = right, or a formula that is to be 0");
    if (peek() == '=') {
      fail(position_, "nothing stands to the " + std::string(which) + " of '='", "write 0 if nothing is meant");
    }
    const Expression result = sum();
    if (!at_end() && peek() != '=') fail_after_operand();
    return result;
  }

  Expression sum() {
    Expression result = product();
    for (char sign = peek(); sign == '+' || sign == '-'; sign = peek()) {
      advance_over_operator();
      const Expression term = product();
      result = sign == '+' ? result + term : result - term;
    }
    return result;
  }

  Expression product() {
    Expression result = signed_power();
    for (char sign = peek(); sign == '*' || sign == '/'; sign = peek()) {
      refuse_double_star();
      advance_over_operator();
      const Expression factor = signed_power();
      result = sign == '*' ? result * factor : result / factor;
    }
    return result;
  }

  /// -a^-b^c is -(a^(-(b^c))): operands are gathered first, then raised from the right.
  Expression signed_power() {
    struct Base {
      bool minus;
      Expression value;
    };
    std::vector<Base> bases;
    for (bool more = true; more;) {
      const bool minus = signs();
      bases.push_back({minus, operand()});
      more = peek() == '^';
      if (more) advance_over_operator();
    }
    Expression result = bases.back().value;
    if (bases.back().minus) result = -result;
    for (std::size_t k = bases.size() - 1; k-- > 0;) {
      result = pow(bases[k].value, result);
      if (bases[k].minus) result = -result;
    }
    return result;
  }

  /// Skips signs; true if together they are a minus.
  bool signs() {
    bool minus = false;
    for (char sign = peek(); sign == '+' || sign == '-'; sign = peek()) {
      minus = minus != (sign == '-');
      advance_over_operator();
    }
    return minus;
  }

  Expression operand() {
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek_at(position_ + 1)))) return number();
    if (is_letter(c)) return name_or_call();
    if (c == '(') return bracketed();
    fail_for_want_of_operand();
  }

  Expression bracketed() {
    const std::size_t open = enter_bracket();
    if (peek() == ')') fail(position_, "there is nothing between the brackets", "write a formula in them");
    const Expression result = sum();
    leave_bracket(open, open);
    return result;
  }

  Expression number() {
    const std::size_t begin = position_;
    skip_digits();
    if (peek() == '.') {
      ++position_;
      skip_digits();
    }
    skip_exponent();
    const std::string_view digits = text_.substr(begin, position_ - begin);
    if (peek() == '.') fail(position_, "a number has one decimal point", "remove the second");
    double value = 0;
    const auto status = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec;
    if (status != std::errc{}) {
      fail(begin, "the number " + in_quotes(digits) + " is too large or too small to compute with",
           "numbers go from 1e-307 to 1e308");
    }
    end_operand(begin);
    return constant(value);
  }

  void skip_digits() {
    while (is_digit(peek())) ++position_;
  }

  /// An e belongs to the number only if digits follow: 2e3, but 2*e in "2e".
  void skip_exponent() {
    if (peek() != 'e' && peek() != 'E') return;
    const char sign = peek_at(position_ + 1);
    const std::size_t digits = position_ + (sign == '+' || sign == '-' ? 2 : 1);
    if (!is_digit(peek_at(digits))) return;
    position_ = digits;
    skip_digits();
  }

  Expression name_or_call() {
    const std::size_t begin = position_;
    while (is_in_name(peek())) ++position_;
    while (peek() == '\'') ++position_;
    const std::string name(text_.substr(begin, position_ - begin));
    end_operand(begin);
    if (peek() == '(') return call(name, begin);
    if (const Function* function = find_function(name)) {
      fail(begin, "the function " + in_quotes(name) + " needs its argument in brackets", usage(*function));
    }
    if (name == "pi") return constant(std::numbers::pi);
    if (names_.name) return names_.name(name, place(begin));
    std::vector<std::string> known = known_names(names_);
    known.emplace_back("pi");
    fail(begin, "unknown name " + in_quotes(name), perhaps(name, known));
  }

  Expression call(const std::string& name, std::size_t begin) {
    if (const Function* function = find_function(name)) return built_in(*function, begin);
    if (const WrittenFunction* function = find_written(name)) return written(*function, begin);
    if (name == "if") return choice(begin);
    if (!names_.call) throw unknown_function(name, names_, place(begin));
    const std::string argument = argument_text();
    const std::string component = component_after_call();
    end_operand(begin);
    return names_.call({name, argument, component}, place(begin));
  }

  /// The x of point(b, [1, 0, 0]).x, or "".
  std::string component_after_call() {
    if (peek() != '.' || !is_letter(peek_at(position_ + 1))) return "";
    const std::size_t begin = ++position_;
    while (is_in_name(peek())) ++position_;
    return std::string(text_.substr(begin, position_ - begin));
  }

  std::vector<Expression> argument_list(std::size_t begin) {
    const std::size_t open = enter_bracket();
    std::vector<Expression> arguments;
    if (peek() != ')') arguments.push_back(sum());
    while (peek() == ',') {
      advance_over_operator();
      arguments.push_back(sum());
    }
    leave_bracket(open, begin);
    return arguments;
  }

  Expression written(const WrittenFunction& function, std::size_t begin) {
    const std::vector<Expression> arguments = argument_list(begin);
    if (static_cast<int>(arguments.size()) != function.arguments)
      fail(begin,
           in_quotes(function.name) + " takes " + std::to_string(function.arguments) +
               (function.arguments == 1 ? " argument" : " arguments") + ", not " + std::to_string(arguments.size()),
           "write " + std::string(function.usage));
    return function.write(arguments);
  }

  /// if(a < b, then, otherwise).
  Expression choice(std::size_t begin) {
    const std::size_t open = enter_bracket();
    const Expression holds = condition(begin);
    Expression parts[2];
    for (Expression& part : parts) {
      if (peek() != ',') fail(begin, "'if' takes a comparison and two formulas", std::string(write_a_choice));
      advance_over_operator();
      part = sum();
    }
    if (peek() == ',') fail(position_, "'if' takes a comparison and two formulas", std::string(write_a_choice));
    leave_bracket(open, begin);
    return choose(holds, parts[0], parts[1]);
  }

  /// Comparisons, joined by and, or; `and` binds tighter.
  Expression condition(std::size_t begin) {
    Expression any = every(begin);
    while (following_word() == "or") {
      skip_word();
      const Expression other = every(begin);
      any = any + other - any * other;
    }
    return any;
  }
  Expression every(std::size_t begin) {
    Expression all = comparison(begin);
    while (following_word() == "and") {
      skip_word();
      all = all * comparison(begin);
    }
    return all;
  }
  void skip_word() {
    position_ += following_word().size();
    skip_space();
  }

  Expression comparison(std::size_t begin) {
    const Expression left = sum();
    const char sign = peek();
    if (sign == '=' || sign == '!')
      fail(position_, "a formula does not ask whether two numbers are equal: they are for a moment only",
           "compare with < or >");
    if (sign != '<' && sign != '>')
      fail(at_end() ? begin : position_, "the first argument of 'if' is not a comparison", std::string(write_a_choice));
    ++position_;
    const bool or_equal = peek() == '=';
    if (or_equal) ++position_;
    last_operator_ = position_ - 1;
    skip_space();
    const Expression right = sum();
    // a ≤ b is not b < a.
    if (sign == '<') return or_equal ? 1 - is_less(right, left) : is_less(left, right);
    return or_equal ? 1 - is_less(left, right) : is_less(right, left);
  }

  Expression built_in(const Function& function, std::size_t begin) {
    const std::vector<Expression> arguments = argument_list(begin);
    const auto given = static_cast<int>(arguments.size());
    if (given != function.arguments) {
      const std::string wanted = function.arguments == 1 ? "1 argument" : "2 arguments";
      fail(begin, in_quotes(function.name) + " takes " + wanted + ", not " + std::to_string(given), usage(function));
    }
    return given == 1 ? apply(function.op, arguments[0]) : apply(function.op, arguments[0], arguments[1]);
  }

  /// The text between this bracket and the one that closes it, without the space around it.
  std::string argument_text() {
    const std::size_t open = position_;
    std::size_t end = open;
    for (int depth = 0; depth > 0 || end == open; ++end) {
      if (end == text_.size()) fail_unclosed(open);
      depth += text_[end] == '(' ? 1 : text_[end] == ')' ? -1 : 0;
    }
    position_ = end;
    std::string_view argument = text_.substr(open + 1, end - open - 2);
    while (!argument.empty() && is_space(argument.front())) argument.remove_prefix(1);
    while (!argument.empty() && is_space(argument.back())) argument.remove_suffix(1);
    return std::string(argument);
  }

  // Moving through the text. Between tokens, position_ stands on the next character that is no space.

  bool at_end() const { return position_ == text_.size(); }
  char peek_at(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }
  char peek() const { return peek_at(position_); }

  void skip_space() {
    while (!at_end() && is_space(text_[position_])) ++position_;
  }

  void advance_over_operator() {
    last_operator_ = position_++;
    skip_space();
  }

  void end_operand(std::size_t begin) {
    last_operand_ = text_.substr(begin, position_ - begin);
    skip_space();
  }

  std::size_t enter_bracket() {
    if (++depth_ > deepest_nesting) {
      fail(position_, "brackets are nested deeper than " + std::to_string(deepest_nesting),
           "name parts of the formula as definitions");
    }
    const std::size_t open = position_;
    advance_over_operator();
    return open;
  }

  void leave_bracket(std::size_t open, std::size_t operand_begin) {
    if (at_end() || peek() == '=') fail_unclosed(open);
    if (peek() != ')') fail_after_operand();
    --depth_;
    ++position_;
    end_operand(operand_begin);
  }

  Expression constant(double value) const {
    if (names_.graph == nullptr) return value;
    return {*names_.graph, names_.graph->constant(value)};
  }

  // Mistakes.

  /// Counts on from the last place asked for, lest a formula of many names be read over and over.
  Place place(std::size_t position) {
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

  /// Columns count from 1 even where the text's own place is unknown.
  static Place beginning(Place start) {
    start.column = std::max(start.column, 1);
    return start;
  }

  [[noreturn]] void fail(std::size_t position, const std::string& message, const std::string& remedy) {
    throw InputError(place(position), message, remedy);
  }

  [[noreturn]] void fail_unclosed(std::size_t open) { fail(open, "this '(' is never closed", "add the missing ')'"); }

  [[noreturn]] void fail_at_equals() {
    fail(position_, "'=' does not belong in a formula", "write only what stands on one side of it");
  }

  void refuse_double_star() {
    if (peek() == '*' && peek_at(position_ + 1) == '*')
      fail(position_, "'**' is not an operator", "write ^ for a power");
  }

  /// The character at this position, however many bytes it has; "" if they are not UTF-8.
  std::string_view character(std::size_t position) const {
    const auto lead = static_cast<unsigned char>(text_[position]);
    if (lead < 0x80) return std::iscntrl(lead) != 0 ? std::string_view() : text_.substr(position, 1);
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
    const std::string_view bytes = text_.substr(position, length);
    const bool whole = bytes.size() == length && length > 0 &&
                       std::all_of(bytes.begin() + 1, bytes.end(), [](char c) { return is_continuation(c); });
    return whole ? bytes : std::string_view();
  }

  [[noreturn]] void fail_at_character() {
    const std::string_view found = character(position_);
    if (found.empty()) {
      const int code = static_cast<unsigned char>(text_[position_]);
      fail(position_, "a character that cannot be shown (code " + std::to_string(code) + ") is not allowed here",
           "remove it");
    }
    fail(position_, in_quotes(found) + " is not allowed in a formula", replacement(found));
  }

  [[noreturn]] void fail_for_want_of_operand() {
    const char c = peek();
    if (depth_ == 0 && c == ')') fail_stray_bracket();
    const bool is_missing = at_end() || c == ')' || c == '*' || c == '/' || c == '^' || c == ',' || c == '=';
    if (c == '\'') fail(position_, "a prime must follow a name", "write x' for the rate of x");
    if (c == '.') fail(position_, "this '.' belongs to no number and no name", "write a digit before or after it");
    if (!is_missing) fail_at_character();
    if (c == '*' && last_operator_ + 1 == position_ && peek_at(last_operator_) == '*') refuse_double_star();
    const bool at_begin = last_operator_ == nowhere;
    const std::string where = at_begin ? "at the beginning" : "after " + in_quotes(text_.substr(last_operator_, 1));
    fail(at_end() && !at_begin ? last_operator_ : position_, "a number, a name or a bracket is missing " + where,
         "complete the formula or remove the sign");
  }

  [[noreturn]] void fail_stray_bracket() {
    fail(position_, "this ')' closes nothing", "remove it, or add the '(' that is missing before it");
  }

  /// Something stands where an operator or the end should.
  [[noreturn]] void fail_after_operand() {
    const char c = peek();
    if (c == ')') fail_stray_bracket();
    if (c == '=') fail_at_equals();
    if (c == ',') fail_at_comma();
    if (c == '\'') fail(position_, "a prime must follow a name", "write d(NAME) for the rate of a definition");
    if (!is_letter(c) && !is_digit(c) && c != '.' && c != '(') fail_at_character();
    const std::string_view next = c == '(' ? "(" : following_word();
    const std::string before(last_operand_.size() > 20 ? "…" : last_operand_);
    const std::string after = (next.size() > 20 ? "…" : std::string(next)) + (c == '(' ? "…)" : "");
    fail(position_, "an operator is missing before " + in_quotes(next), "to multiply, write " + before + "*" + after);
  }

  [[noreturn]] void fail_at_comma() {
    const bool is_decimal = is_digit(peek_at(position_ + 1)) && position_ > 0 && is_digit(text_[position_ - 1]);
    fail(position_, "a ',' does not belong here",
         is_decimal ? "write a decimal point instead" : "commas stand only between the arguments of a function");
  }

  std::string_view following_word() const {
    std::size_t end = position_;
    while (is_in_name(peek_at(end)) || peek_at(end) == '\'') ++end;
    return text_.substr(position_, end - position_);
  }

  static constexpr std::size_t nowhere = ~std::size_t{0};

  std::string_view text_;
  const Names& names_;
  const Place& start_;
  std::size_t position_ = 0;
  std::size_t last_operator_ = nowhere;  ///< where the sign or bracket before position_ stands
  std::string_view last_operand_;
  int depth_ = 0;
  std::size_t located_ = 0;
  Place location_;  ///< of located_
};

}  // namespace

Expression parse(std::string_view text, const Names& names, const Place& place) {
  return Parser(text, names, place).formula();
}

Expression parse_equation(std::string_view text, const Names& names, const Place& place) {
  return Parser(text, names, place).equation();
}

}  // namespace taut
