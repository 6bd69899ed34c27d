#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.hpp"
#include "taut/error.hpp"
#include "taut/expression.hpp"

/// Reads formulas: + - * / ^, parentheses, the functions of the contract, numbers, pi, names.
/// A name may contain dots (crank.omega_z) and end in primes (x', x''). `^` binds tighter than a
/// minus before it and to the right: -x^2 is -(x^2), 2^3^2 is 2^9.
namespace taut {

/// NAME(argument-as-text), or NAME(argument-as-text).component.
struct Call {
  std::string function, argument, component;
};

/// What a formula's names mean: asked by the parser, answered by whoever owns the names.
struct Names {
  Graph* graph = nullptr;
  /// The meaning of a name, primes included as written ("x'"). Throws InputError at `place` if unknown.
  std::function<Expression(const std::string& name, const Place& place)> name;
  /// d(NAME), lambda(NAME), point(BODY, [...]).x and whatever else a model offers beyond the
  /// functions every formula has. Null, or throws unknown_function(...), where there is none.
  /// `place` is that of the function's name.
  std::function<Expression(const Call& call, const Place& place)> call;
  /// The names a misspelt one may have meant, for "did you mean".
  std::function<std::vector<std::string>()> known;
};

/// Brackets deeper than this are refused with a message.
inline constexpr int deepest_nesting = 200;

/// Reads one formula. `place` is where the text begins; errors point at the exact column in it.
Expression parse(std::string_view text, const Names& names, const Place& place);

/// Reads "left = right" as left - right, or a formula that means = 0.
Expression parse_equation(std::string_view text, const Names& names, const Place& place);

/// The error for a function that neither formulas in general nor this model have.
InputError unknown_function(const std::string& function, const Names& names, const Place& place);

/// The functions every formula may use, by name, with the number of their arguments.
struct Function {
  std::string_view name;
  Op op;
  int arguments;
};
const std::vector<Function>& functions();

}  // namespace taut
