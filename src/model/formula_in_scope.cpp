#include "model/formula_in_scope.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/derivative.hpp"

namespace taut {
namespace {

constexpr Kinds late = bit(SymbolKind::acceleration) | bit(SymbolKind::multiplier);

/// The parts of a text between the commas that stand in no bracket.
std::vector<std::string> arguments_in(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

Names FormulaInScope::names() const {
  Names names;
  names.graph = scope_.model_.graph.get();
  names.name = [this](const std::string& name, const Place& place) { return meaning(name, place); };
  names.call = [this](const Call& called, const Place& place) { return call(called, place); };
  names.known = [this] { return scope_.known(context_, indices_); };
  return names;
}

Expression FormulaInScope::meaning(const std::string& name, const Place& place) const {
  for (const Index& index : indices_.values) {
    if (index.name == name) return static_cast<double>(index.value);
  }
  const Scope::Meaning* found = scope_.find(name, indices_);
  if (found == nullptr) scope_.refuse(name, place, context_, indices_);
  scope_.check(indices_.part == nullptr ? name : indices_.full(name), found->value, found->kinds, place, context_);
  return found->value;
}

Expression FormulaInScope::time_derivative(const std::string& name, const Place& place) const {
  if (name.find_first_of("+-*/^() ") != name.npos) {
    throw InputError(place, fmt::format("d() takes one name, and '{}' is a formula", name),
                     "give the formula a name under definitions, or write d*(...) for a product");
  }
  const Scope::Meaning* found = scope_.find(name, indices_);
  if (found == nullptr) scope_.refuse(name, place, context_, indices_);
  if ((found->kinds & late) != 0) {
    throw InputError(place, fmt::format("d({}) would be the derivative of {}", name, described(found->kinds)),
                     "derive coordinates, rates, speeds and definitions made of them");
  }
  const Expression value = dot(found->value);
  scope_.check(fmt::format("d({})", name), value, scope_.kinds_of(value), place, context_);
  return value;
}

Expression FormulaInScope::multiplier(const std::string& name, const Place& place) const {
  const auto found = scope_.constraints_.find(indices_.full(name));
  if (found == scope_.constraints_.end()) {
    std::vector<std::string> known;
    for (const auto& [constraint, symbol] : scope_.constraints_) known.push_back(constraint);
    std::ranges::sort(known);
    const std::string near = nearest(name, seen_from(indices_.part, known));
    throw InputError(place, fmt::format("lambda({}): there is no constraint '{}'", name, name),
                     near.empty() ? "name one of the constraints" : fmt::format("did you mean '{}'?", near));
  }
  const Expression lambda(*scope_.model_.graph, scope_.model_.graph->symbol(found->second));
  scope_.check(fmt::format("lambda({})", name), lambda, bit(SymbolKind::multiplier), place, context_);
  return lambda;
}

Expression FormulaInScope::call(const Call& called, const Place& place) const {
  const auto& [function, argument, component] = called;
  if (function == "point" || function == "velocity") return vector_component(called, place);
  if (!component.empty())
    throw InputError(place, fmt::format("{}() has no component '{}'", function, component),
                     "point(BODY, [X, Y, Z]) and velocity(BODY, [X, Y, Z]) have .x, .y and .z");
  if (function == "d") return time_derivative(trimmed(argument), place);
  if (function == "lambda") return multiplier(trimmed(argument), place);
  std::vector<std::string> known{"d", "lambda", "point", "velocity"};
  for (const Function& f : functions()) known.emplace_back(f.name);
  const std::string near = nearest(function, known);
  throw InputError(place, fmt::format("there is no function '{}'", function),
                   near.empty() ? fmt::format("write * between '{}' and the bracket if a product is meant", function)
                                : fmt::format("did you mean '{}'?", near));
}

/// point(BODY, [X, Y, Z]).x: where a material point is, or velocity(...).x: how fast it moves.
Expression FormulaInScope::vector_component(const Call& called, const Place& place) const {
  const Vector3 value = vector(called, place);
  const std::string& component = called.component;
  if (component != "x" && component != "y" && component != "z")
    throw InputError(place, fmt::format("{}() is a vector, and a number is needed here", called.function),
                     "add .x, .y or .z for one of its components");
  return value[component[0] - 'x'];
}

Vector3 FormulaInScope::vector(const Call& called, const Place& place) const {
  const auto& [function, argument, component] = called;
  const std::string usage = fmt::format("write {}(BODY, [X, Y, Z]), with the point in body axes", function);
  const std::size_t comma = argument.find(','), open = argument.find('['), close = argument.rfind(']');
  if (comma == argument.npos || open == argument.npos || close == argument.npos || open < comma || close < open)
    throw InputError(place, fmt::format("{}() takes a body and a point", function), usage);
  if (scope_.model_.bodies.empty())
    throw InputError(place, fmt::format("{}() is of a body, and the model has none", function),
                     "describe bodies under 'bodies', or write the point in the coordinates");
  const std::string named = trimmed(argument.substr(0, comma));
  const Body& body = scope_.model_.bodies[find_body(scope_.model_, indices_.full_body(named), place)];
  std::vector<Expression> at;
  for (const std::string& part : arguments_in(argument.substr(open + 1, close - open - 1)))
    at.push_back(parse(part, names(), place));
  if (at.size() == 2) at.emplace_back(0);
  if (at.size() != 3)
    throw InputError(place, fmt::format("the point of {}() does not have three components", function), usage);
  const Vector3 point = body.point({at[0], at[1], at[2]});
  const Vector3 value = function == "point" ? point : body.velocity_at(point);
  for (int k = 0; k < 3; ++k)
    scope_.check(fmt::format("{}()", function), value[k], scope_.kinds_of(value[k]), place, context_);
  return value;
}

}  // namespace taut
