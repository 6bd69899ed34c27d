#include "expression/parser.hpp"

#include <algorithm>
#include <charconv>
#include <numbers>
#include <utility>

#include "expression/formula_cursor.hpp"
#include "expression/formula_mistakes.hpp"
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

/// The grammar of formulas: a function for each kind of phrase, which reads one where the cursor stands.
class Parser {
 public:
  Parser(std::string_view text, const Names& names, const Place& start) : at_(text, start), names_(names) {}

  Expression formula() {
    at_.skip_space();
    if (at_.at_end()) at_.fail(0, "the formula is empty", "write a number, a name or a formula, such as 2*x");
    const Expression result = sum();
    if (at_.peek() == '=') refuse_equals(at_);
    if (!at_.at_end()) refuse_after_operand(at_);
    return result;
  }

  Expression equation() {
    const Expression left = side("left");
    if (at_.at_end()) return left;
    const std::size_t equals = at_.position();
    at_.advance();
    if (at_.peek() == '=') at_.fail(equals, "'==' is not part of an equation", "write a single =");
    at_.skip_space();
    if (at_.at_end()) at_.fail(equals, "nothing stands to the right of '='", "write 0 if nothing is meant");
    const Expression right = side("right");
    if (!at_.at_end())
      at_.fail(at_.position(), "this is the second '=' of one equation", "write two equations instead");
    return left - right;
  }

 private:
  // Only brackets recurse; chains of signs, powers, terms and factors are loops.

  Expression side(std::string_view which) {
    at_.skip_space();
    if (at_.at_end()) at_.fail(0, "the equation is empty", "write left = right, or a formula that is to be 0");
    if (at_.peek() == '=') {
      at_.fail(at_.position(), "nothing stands to the " + std::string(which) + " of '='",
               "write 0 if nothing is meant");
    }
    const Expression result = sum();
    if (!at_.at_end() && at_.peek() != '=') refuse_after_operand(at_);
    return result;
  }

  Expression sum() {
    Expression result = product();
    for (char sign = at_.peek(); sign == '+' || sign == '-'; sign = at_.peek()) {
      at_.advance_over_operator();
      const Expression term = product();
      result = sign == '+' ? result + term : result - term;
    }
    return result;
  }

  Expression product() {
    Expression result = signed_power();
    for (char sign = at_.peek(); sign == '*' || sign == '/'; sign = at_.peek()) {
      refuse_double_star(at_);
      at_.advance_over_operator();
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
      more = at_.peek() == '^';
      if (more) at_.advance_over_operator();
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
    for (char sign = at_.peek(); sign == '+' || sign == '-'; sign = at_.peek()) {
      minus = minus != (sign == '-');
      at_.advance_over_operator();
    }
    return minus;
  }

  Expression operand() {
    const char c = at_.peek();
    if (is_digit(c) || (c == '.' && is_digit(at_.peek_at(at_.position() + 1)))) return number();
    if (is_letter(c)) return name_or_call();
    if (c == '(') return bracketed();
    refuse_operand(at_);
  }

  Expression bracketed() {
    const std::size_t open = at_.enter_bracket();
    if (at_.peek() == ')') at_.fail(at_.position(), "there is nothing between the brackets", "write a formula in them");
    const Expression result = sum();
    at_.leave_bracket(open, open);
    return result;
  }

  Expression number() {
    const std::size_t begin = at_.position();
    at_.skip_digits();
    if (at_.peek() == '.') {
      at_.advance();
      at_.skip_digits();
    }
    at_.skip_exponent();
    const std::string_view digits = at_.text().substr(begin, at_.position() - begin);
    if (at_.peek() == '.') at_.fail(at_.position(), "a number has one decimal point", "remove the second");
    double value = 0;
    const auto status = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec;
    if (status != std::errc{}) {
      at_.fail(begin, "the number " + in_quotes(digits) + " is too large or too small to compute with",
               "numbers go from 1e-307 to 1e308");
    }
    at_.end_operand(begin);
    return constant(value);
  }

  Expression name_or_call() {
    const std::size_t begin = at_.position();
    while (is_in_name(at_.peek())) at_.advance();
    while (at_.peek() == '\'') at_.advance();
    const std::string name(at_.text().substr(begin, at_.position() - begin));
    at_.end_operand(begin);
    if (at_.peek() == '(') return call(name, begin);
    if (const Function* function = find_function(name)) {
      at_.fail(begin, "the function " + in_quotes(name) + " needs its argument in brackets", usage(*function));
    }
    if (name == "pi") return constant(std::numbers::pi);
    if (names_.name) return names_.name(name, at_.place(begin));
    std::vector<std::string> known = known_names(names_);
    known.emplace_back("pi");
    at_.fail(begin, "unknown name " + in_quotes(name), perhaps(name, known));
  }

  Expression call(const std::string& name, std::size_t begin) {
    if (const Function* function = find_function(name)) return built_in(*function, begin);
    if (const WrittenFunction* function = find_written(name)) return written(*function, begin);
    if (name == "if") return choice(begin);
    if (!names_.call) throw unknown_function(name, names_, at_.place(begin));
    const std::string argument = argument_text();
    const std::string component = component_after_call();
    at_.end_operand(begin);
    return names_.call({name, argument, component}, at_.place(begin));
  }

  /// The x of point(b, [1, 0, 0]).x, or "".
  std::string component_after_call() {
    if (at_.peek() != '.' || !is_letter(at_.peek_at(at_.position() + 1))) return "";
    at_.advance();
    const std::size_t begin = at_.position();
    while (is_in_name(at_.peek())) at_.advance();
    return std::string(at_.text().substr(begin, at_.position() - begin));
  }

  std::vector<Expression> argument_list(std::size_t begin) {
    const std::size_t open = at_.enter_bracket();
    std::vector<Expression> arguments;
    if (at_.peek() != ')') arguments.push_back(sum());
    while (at_.peek() == ',') {
      at_.advance_over_operator();
      arguments.push_back(sum());
    }
    at_.leave_bracket(open, begin);
    return arguments;
  }

  Expression written(const WrittenFunction& function, std::size_t begin) {
    const std::vector<Expression> arguments = argument_list(begin);
    if (static_cast<int>(arguments.size()) != function.arguments)
      at_.fail(begin,
               in_quotes(function.name) + " takes " + std::to_string(function.arguments) +
                   (function.arguments == 1 ? " argument" : " arguments") + ", not " + std::to_string(arguments.size()),
               "write " + std::string(function.usage));
    return function.write(arguments);
  }

  /// if(a < b, then, otherwise).
  Expression choice(std::size_t begin) {
    const std::size_t open = at_.enter_bracket();
    const Expression holds = condition(begin);
    Expression parts[2];
    for (Expression& part : parts) {
      if (at_.peek() != ',') at_.fail(begin, "'if' takes a comparison and two formulas", std::string(write_a_choice));
      at_.advance_over_operator();
      part = sum();
    }
    if (at_.peek() == ',')
      at_.fail(at_.position(), "'if' takes a comparison and two formulas", std::string(write_a_choice));
    at_.leave_bracket(open, begin);
    return choose(holds, parts[0], parts[1]);
  }

  /// Comparisons, joined by and, or; `and` binds tighter.
  Expression condition(std::size_t begin) {
    Expression any = every(begin);
    while (at_.following_word() == "or") {
      skip_word();
      const Expression other = every(begin);
      any = any + other - any * other;
    }
    return any;
  }
  Expression every(std::size_t begin) {
    Expression all = comparison(begin);
    while (at_.following_word() == "and") {
      skip_word();
      all = all * comparison(begin);
    }
    return all;
  }
  void skip_word() {
    at_.advance(at_.following_word().size());
    at_.skip_space();
  }

  Expression comparison(std::size_t begin) {
    const Expression left = sum();
    const char sign = at_.peek();
    if (sign == '=' || sign == '!')
      at_.fail(at_.position(), "a formula does not ask whether two numbers are equal: they are for a moment only",
               "compare with < or >");
    if (sign != '<' && sign != '>')
      at_.fail(at_.at_end() ? begin : at_.position(), "the first argument of 'if' is not a comparison",
               std::string(write_a_choice));
    const bool or_equal = at_.peek_at(at_.position() + 1) == '=';
    at_.advance_over_operator(or_equal ? 2 : 1);
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
      at_.fail(begin, in_quotes(function.name) + " takes " + wanted + ", not " + std::to_string(given),
               usage(function));
    }
    return given == 1 ? apply(function.op, arguments[0]) : apply(function.op, arguments[0], arguments[1]);
  }

  /// The text between this bracket and the one that closes it, without the space around it.
  std::string argument_text() {
    const std::string_view text = at_.text();
    const std::size_t open = at_.position();
    std::size_t end = open;
    for (int depth = 0; depth > 0 || end == open; ++end) {
      if (end == text.size()) refuse_unclosed(at_, open);
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    }
    at_.advance(end - open);
    std::string_view argument = text.substr(open + 1, end - open - 2);
    while (!argument.empty() && is_space(argument.front())) argument.remove_prefix(1);
    while (!argument.empty() && is_space(argument.back())) argument.remove_suffix(1);
    return std::string(argument);
  }

  Expression constant(double value) const {
    if (names_.graph == nullptr) return value;
    return {*names_.graph, names_.graph->constant(value)};
  }

  FormulaCursor at_;
  const Names& names_;
};

}  // namespace

Expression parse(std::string_view text, const Names& names, const Place& place) {
  return Parser(text, names, place).formula();
}

Expression parse_equation(std::string_view text, const Names& names, const Place& place) {
  return Parser(text, names, place).equation();
}

}  // namespace taut
