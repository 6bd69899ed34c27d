#include "model/scope.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/derivative.hpp"

namespace taut {
namespace {

constexpr Kinds late = bit(SymbolKind::acceleration) | bit(SymbolKind::multiplier);

/// "an acceleration" and so on: the most telling among several kinds.
std::string_view describe(Kinds kinds) {
  if ((kinds & bit(SymbolKind::multiplier)) != 0) return "a multiplier";
  if ((kinds & bit(SymbolKind::acceleration)) != 0) return "an acceleration";
  if ((kinds & bit(SymbolKind::speed)) != 0) return "a speed";
  if ((kinds & bit(SymbolKind::rate)) != 0) return "a rate";
  if ((kinds & bit(SymbolKind::coordinate)) != 0) return "a coordinate";
  return "the time";
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// In quotes, unless there are primes in it.
std::string quoted(const std::string& name) { return name.find('\'') == name.npos ? fmt::format("'{}'", name) : name; }

std::string without_primes(const std::string& name) { return name.substr(0, name.find('\'')); }

}  // namespace

Scope::Scope(Model& model, std::string file) : model_(model), file_(std::move(file)) { add("t", model.time); }

void Scope::add(const std::string& name, SymbolId symbol) {
  meanings_[name] = {Expression(*model_.graph, model_.graph->symbol(symbol)), bit(model_.graph->info(symbol).kind)};
}

void Scope::add(const Parameter& parameter) { add(parameter.name, parameter.symbol); }

void Scope::add(const Coordinate& x) {
  add(x.name, x.symbol);
  add(x.name + "'", x.rate);
  add(x.name + "''", x.acceleration);
}

void Scope::add(const Speed& u) {
  add(u.name, u.symbol);
  add(u.name + "'", u.acceleration);
}

void Scope::add(const Constraint& constraint) { constraints_[constraint.name] = constraint.multiplier; }

void Scope::add_definition(const std::string& name, const Expression& value) {
  meanings_[name] = {value, kinds_of(value)};
}

Kinds Scope::kinds_of(const Expression& value) const {
  Kinds kinds = 0;
  for (const SymbolId id : symbols_of(value)) kinds |= bit(model_.graph->info(id).kind);
  return kinds;
}

void Scope::check(const std::string& name, Kinds kinds, const Place& place, const Context& context) const {
  const Kinds excess = kinds & ~context.allowed;
  if (excess == 0) return;
  const auto declared = model_.names.find(without_primes(name));
  const bool is_definition = declared != model_.names.end() && declared->second.what == "a definition";
  const std::string message =
      fmt::format("{} {} {}, and {} may not depend on {}", quoted(name), is_definition ? "holds" : "is",
                  describe(excess), context.where, excess == bit(SymbolKind::time) ? "it" : "one");
  throw InputError(place, message,
                   (excess & late) != 0 ? "accelerations and multipliers may stand in outputs, events and draw"
                                        : std::string(context.remedy));
}

Expression Scope::meaning(const std::string& name, const Place& place, const Context& context,
                          const Indices& indices) const {
  for (const Index& index : indices) {
    if (index.name == name) return static_cast<double>(index.value);
  }
  const auto found = meanings_.find(name);
  if (found == meanings_.end()) refuse(name, place, context);
  check(name, found->second.kinds, place, context);
  return found->second.value;
}

void Scope::refuse(const std::string& name, const Place& place, const Context& context) const {
  if (const auto later = expected_.find(name); later != expected_.end()) {
    const bool is_constant = (context.allowed & ~context::constants) == 0;
    const std::string& what = later->second;
    if (is_constant && what != "a parameter") {
      throw InputError(place, fmt::format("'{}' is {}, and {} may not depend on one", name, what, context.where),
                       std::string(context.remedy));
    }
    throw InputError(place, fmt::format("'{}' is used before it is given", name),
                     fmt::format("move '{}' up, before what uses it", name));
  }
  const std::string base = without_primes(name);
  const auto declared = model_.names.find(base);
  if (base != name && declared != model_.names.end()) {
    const std::string& what = declared->second.what;
    if (what == "a definition") {
      throw InputError(place, fmt::format("'{}' is a definition, and primes follow coordinates only", base),
                       fmt::format("write d({}) for its time derivative", base));
    }
    throw InputError(place, fmt::format("'{}' is {}: there is no {}", base, what, name),
                     "x' is a coordinate's rate and x'' its acceleration; a speed u has u'");
  }
  const std::string near = nearest(name, known(context));
  throw InputError(place, fmt::format("nothing is named {}", quoted(name)),
                   near.empty() ? "declare it as a parameter, a coordinate or a definition"
                                : fmt::format("did you mean '{}'?", near));
}

std::vector<std::string> Scope::known(const Context& context) const {
  std::vector<std::string> list{"pi"};
  for (const auto& [name, meaning] : meanings_) {
    if ((meaning.kinds & ~context.allowed) == 0) list.push_back(name);
  }
  std::ranges::sort(list);
  return list;
}

Expression Scope::time_derivative(const std::string& name, const Place& place, const Context& context) const {
  if (name.find_first_of("+-*/^() ") != name.npos) {
    throw InputError(place, fmt::format("d() takes one name, and '{}' is a formula", name),
                     "give the formula a name under definitions, or write d*(...) for a product");
  }
  const auto found = meanings_.find(name);
  if (found == meanings_.end()) refuse(name, place, context);
  if ((found->second.kinds & late) != 0) {
    throw InputError(place, fmt::format("d({}) would be the derivative of {}", name, describe(found->second.kinds)),
                     "derive coordinates, rates, speeds and definitions made of them");
  }
  const Expression value = dot(found->second.value);
  check(fmt::format("d({})", name), kinds_of(value), place, context);
  return value;
}

Expression Scope::multiplier(const std::string& name, const Place& place, const Context& context) const {
  const auto found = constraints_.find(name);
  if (found == constraints_.end()) {
    std::vector<std::string> known;
    for (const auto& [constraint, symbol] : constraints_) known.push_back(constraint);
    std::ranges::sort(known);
    const std::string near = nearest(name, known);
    throw InputError(place, fmt::format("lambda({}): there is no constraint '{}'", name, name),
                     near.empty() ? "name one of the constraints" : fmt::format("did you mean '{}'?", near));
  }
  check(fmt::format("lambda({})", name), bit(SymbolKind::multiplier), place, context);
  return {*model_.graph, model_.graph->symbol(found->second)};
}

Expression Scope::call(const std::string& function, const std::string& argument, const Place& place,
                       const Context& context) const {
  if (function == "d") return time_derivative(trimmed(argument), place, context);
  if (function == "lambda") return multiplier(trimmed(argument), place, context);
  std::vector<std::string> known{"d", "lambda"};
  for (const Function& f : functions()) known.emplace_back(f.name);
  const std::string near = nearest(function, known);
  throw InputError(place, fmt::format("there is no function '{}'", function),
                   near.empty() ? fmt::format("write * between '{}' and the bracket if a product is meant", function)
                                : fmt::format("did you mean '{}'?", near));
}

Names Scope::names(const Context& context, const Indices& indices) const {
  Names names;
  names.graph = model_.graph.get();
  names.name = [this, &context, &indices](const std::string& name, const Place& place) {
    return meaning(name, place, context, indices);
  };
  names.call = [this, &context](const std::string& function, const std::string& argument, const Place& place) {
    return call(function, argument, place, context);
  };
  names.known = [this, &context] { return known(context); };
  return names;
}

Expression Scope::read(Parse parse, const yaml::PlacedText& text, const Context& context,
                       const Indices& indices) const {
  return with_places(text, file_, [&](const Place& start) { return parse(text.text, names(context, indices), start); });
}

Expression Scope::formula(const yaml::PlacedText& text, const Context& context, const Indices& indices) const {
  return read(&parse, text, context, indices);
}

Expression Scope::equation(const yaml::PlacedText& text, const Context& context, const Indices& indices) const {
  return read(&parse_equation, text, context, indices);
}

}  // namespace taut
