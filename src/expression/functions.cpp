#include <algorithm>

#include "expression/formula_text.hpp"
#include "expression/parser.hpp"
#include "expression/written_functions.hpp"

/// The functions that every formula may use.
namespace taut {

std::string perhaps(const std::string& name, const std::vector<std::string>& known) {
  const std::string guess = nearest(name, known);
  return guess.empty() ? "" : "did you mean " + in_quotes(guess) + "?";
}

std::vector<std::string> known_names(const Names& names) {
  return names.known ? names.known() : std::vector<std::string>{};
}

InputError unknown_function(const std::string& function, const Names& names, const Place& place) {
  const std::vector<std::string> known = known_names(names);
  if (function == "pi" || std::find(known.begin(), known.end(), function) != known.end()) {
    return {place, in_quotes(function) + " is not a function", "to multiply, write " + function + "*(…)"};
  }
  std::vector<std::string> candidates;
  for (const Function& each : functions()) candidates.emplace_back(each.name);
  for (const WrittenFunction& each : written_functions()) candidates.emplace_back(each.name);
  return {place, "unknown function " + in_quotes(function), perhaps(function, candidates)};
}

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {
      {"sin", Op::sin, 1},   {"cos", Op::cos, 1},   {"tan", Op::tan, 1},     {"asin", Op::asin, 1},
      {"acos", Op::acos, 1}, {"atan", Op::atan, 1}, {"atan2", Op::atan2, 2}, {"sinh", Op::sinh, 1},
      {"cosh", Op::cosh, 1}, {"tanh", Op::tanh, 1}, {"exp", Op::exp, 1},     {"log", Op::log, 1},
      {"sqrt", Op::sqrt, 1}, {"abs", Op::abs, 1},   {"sign", Op::sign, 1},   {"min", Op::min, 2},
      {"max", Op::max, 2},
  };
  return all;
}

}  // namespace taut
