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
  if ((kinds & bit(SymbolKind::input)) != 0) return "an input";
  return "the time";
}

/// Where something may stand that may not stand here.
std::string_view remedy(std::string_view what, const Context& context) {
  if (what == "a multiplier") return "multipliers may stand in forces, rates of states, outputs, events and draw";
  if (what == "an acceleration") return "accelerations may stand in outputs, events and draw";
  if (what == "the rate of a state") return "write its formula in its place";
  const bool moves = (context.allowed & bit(SymbolKind::coordinate)) != 0;
  if (what == "a state" && moves) return "states may stand in forces, rates of states, constraints and outputs";
  return context.remedy;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// In quotes, unless there are primes in it.
std::string quoted(const std::string& name) { return name.find('\'') == name.npos ? fmt::format("'{}'", name) : name; }

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

/// Names of the whole model as a part writes them; those that it does not see are left out.
std::vector<std::string> seen_from(const Instance* part, const std::vector<std::string>& names) {
  if (part == nullptr) return names;
  std::vector<std::string> seen;
  for (const std::string& name : names)
    if (name.starts_with(part->prefix)) seen.push_back(name.substr(part->prefix.size()));
  return seen;
}

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

bool Scope::is_state(SymbolId symbol) const {
  const auto declared = model_.names.find(without_primes(std::string(model_.graph->info(symbol).name)));
  return declared != model_.names.end() && declared->second.what == "a state";
}

bool Scope::exceeds_by_states(const Expression& value, Kinds excess) const {
  return excess == bit(SymbolKind::speed) && std::ranges::all_of(symbols_of(value), [this](SymbolId s) {
           return model_.graph->info(s).kind != SymbolKind::speed || is_state(s);
         });
}

/// What a formula holds that it may not, in the words of a model file: there a state is no speed.
std::string Scope::described(const Expression& value, Kinds excess) const {
  for (const SymbolId s : symbols_of(value)) {
    const Symbol symbol = model_.graph->info(s);
    if ((bit(symbol.kind) & excess) != 0 && is_state(s))
      return symbol.name.ends_with('\'') ? "the rate of a state" : "a state";
  }
  return std::string(describe(excess));
}

void Scope::check(const std::string& name, const Expression& value, Kinds kinds, const Place& place,
                  const Context& context) const {
  const Kinds excess = kinds & ~context.allowed;
  if (excess == 0 || (context.takes_states && exceeds_by_states(value, excess))) return;
  const std::string what = described(value, excess);
  const auto declared = model_.names.find(without_primes(name));
  const bool is_definition =
      (declared != model_.names.end() && declared->second.what == "a definition") || derivable_.contains(name);
  const std::string message =
      fmt::format("{} {} {}, and {} may not depend on {}", quoted(name), is_definition ? "holds" : "is", what,
                  context.where, excess == bit(SymbolKind::time) ? "it" : "one");
  throw InputError(place, message, std::string(remedy(what, context)));
}

Expression Scope::meaning(const std::string& name, const Place& place, const Context& context,
                          const Indices& indices) const {
  for (const Index& index : indices.values) {
    if (index.name == name) return static_cast<double>(index.value);
  }
  const Meaning* found = find(name, indices);
  if (found == nullptr) refuse(name, place, context, indices);
  check(indices.part == nullptr ? name : indices.full(name), found->value, found->kinds, place, context);
  return found->value;
}

/// What a name means here; some meanings are worked out when they are first asked for.
const Scope::Meaning* Scope::find(const std::string& name) const {
  if (const auto found = meanings_.find(name); found != meanings_.end()) return &found->second;
  const auto keep = [&](const Expression& value) {
    return &meanings_.insert_or_assign(name, Meaning{value, kinds_of(value)}).first->second;
  };
  const auto later = derivable_.find(name);
  if (later == derivable_.end()) {
    const auto component = point_component(name);
    return component ? keep(*component) : nullptr;
  }
  try {
    return keep(later->second());
  } catch (const InputError& error) {
    throw PlacedError(error);
  }
}

/// BODY.POINT.x, BODY.POINT.vx: where a point of a body that has a name is, and how fast it moves.
std::optional<Expression> Scope::point_component(const std::string& name) const {
  const std::size_t last = name.rfind('.');
  const std::size_t middle = last == name.npos || last == 0 ? name.npos : name.rfind('.', last - 1);
  if (middle == name.npos) return std::nullopt;
  const auto body = model_.names.find(name.substr(0, middle));
  if (body == model_.names.end() || body->second.what != "a body") return std::nullopt;
  const Body& of = model_.bodies[static_cast<std::size_t>(body->second.index)];
  const auto point = std::ranges::find(of.points, name.substr(middle + 1, last - middle - 1), &BodyPoint::name);
  const std::string component = name.substr(last + 1);
  const std::size_t axis = std::string("xyz").find(component.back());
  const bool is_velocity = component.size() == 2 && component[0] == 'v';
  if (point == of.points.end() || axis == std::string::npos || !(component.size() == 1 || is_velocity))
    return std::nullopt;
  const Vector3 at = of.point(point->at);
  return (is_velocity ? of.velocity_at(at) : at)[static_cast<int>(axis)];
}

const Scope::Meaning* Scope::find(const std::string& name, const Indices& indices) const {
  if (const auto found = locals_.find(name); found != locals_.end()) return &found->second;
  const bool is_common = indices.part == nullptr || name == "t";
  return is_common ? find(name) : find(indices.full(name));
}

void Scope::set_locals(const std::vector<std::pair<std::string, Expression>>& locals) {
  locals_.clear();
  for (const auto& [name, value] : locals) locals_[name] = {value, kinds_of(value)};
}

void Scope::refuse(const std::string& name, const Place& place, const Context& context, const Indices& indices) const {
  if (const auto later = expected_.find(indices.full(name)); later != expected_.end()) {
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
  const auto declared = model_.names.find(indices.full(base));
  if (base != name && declared != model_.names.end()) {
    const std::string& what = declared->second.what;
    if (what == "a definition") {
      throw InputError(place, fmt::format("'{}' is a definition, and primes follow coordinates only", base),
                       fmt::format("write d({}) for its time derivative", base));
    }
    throw InputError(place, fmt::format("'{}' is {}: there is no {}", base, what, name),
                     "x' is a coordinate's rate and x'' its acceleration; a speed u has u'");
  }
  // What the whole has, of which this would be a part: arm.tip of arm.tip.x, or else arm.
  for (std::size_t dot = name.rfind('.'); dot != name.npos && dot > 0; dot = name.rfind('.', dot - 1))
    if (const std::string parts = parts_of(name.substr(0, dot), indices); !parts.empty())
      throw InputError(place, fmt::format("nothing is named {}", quoted(name)), parts);
  const std::string near = nearest(name, known(context, indices));
  throw InputError(place, fmt::format("nothing is named {}", quoted(name)),
                   near.empty() ? "declare it as a parameter, a coordinate or a definition"
                                : fmt::format("did you mean '{}'?", near));
}

/// "'elbow' has angle, rate, …" for a body or a joint, "" for anything else.
std::string Scope::parts_of(const std::string& whole, const Indices& indices) const {
  std::vector<std::string> parts;
  const std::string prefix = indices.full(whole) + ".";
  const auto take = [&](const auto& names) {
    for (const auto& [name, meaning] : names)
      if (name.starts_with(prefix) && name.find('\'') == name.npos) parts.push_back(name.substr(prefix.size()));
  };
  take(meanings_);
  take(derivable_);
  if (const auto body = model_.names.find(indices.full(whole));
      body != model_.names.end() && body->second.what == "a body")
    for (const BodyPoint& point : model_.bodies[static_cast<std::size_t>(body->second.index)].points)
      for (const char* axis : {"x", "y", "z"}) parts.push_back(point.name + "." + axis);
  if (parts.empty()) return "";
  std::ranges::sort(parts);
  parts.erase(std::ranges::unique(parts).begin(), parts.end());
  return fmt::format("'{}' has {}", whole, fmt::join(parts, ", "));
}

std::vector<std::string> Scope::known(const Context& context, const Indices& indices) const {
  std::vector<std::string> list;
  for (const auto& [name, meaning] : meanings_) {
    if ((meaning.kinds & ~context.allowed) == 0) list.push_back(name);
  }
  for (const auto& [name, derive] : derivable_) list.push_back(name);
  list = seen_from(indices.part, list);
  for (const auto& [name, meaning] : locals_) list.push_back(name);
  list.emplace_back("pi");
  std::ranges::sort(list);
  return list;
}

Expression Scope::time_derivative(const std::string& name, const Place& place, const Context& context,
                                  const Indices& indices) const {
  if (name.find_first_of("+-*/^() ") != name.npos) {
    throw InputError(place, fmt::format("d() takes one name, and '{}' is a formula", name),
                     "give the formula a name under definitions, or write d*(...) for a product");
  }
  const Meaning* found = find(name, indices);
  if (found == nullptr) refuse(name, place, context, indices);
  if ((found->kinds & late) != 0) {
    throw InputError(place, fmt::format("d({}) would be the derivative of {}", name, describe(found->kinds)),
                     "derive coordinates, rates, speeds and definitions made of them");
  }
  const Expression value = dot(found->value);
  check(fmt::format("d({})", name), value, kinds_of(value), place, context);
  return value;
}

Expression Scope::multiplier(const std::string& name, const Place& place, const Context& context,
                             const Indices& indices) const {
  const auto found = constraints_.find(indices.full(name));
  if (found == constraints_.end()) {
    std::vector<std::string> known;
    for (const auto& [constraint, symbol] : constraints_) known.push_back(constraint);
    std::ranges::sort(known);
    const std::string near = nearest(name, seen_from(indices.part, known));
    throw InputError(place, fmt::format("lambda({}): there is no constraint '{}'", name, name),
                     near.empty() ? "name one of the constraints" : fmt::format("did you mean '{}'?", near));
  }
  const Expression lambda(*model_.graph, model_.graph->symbol(found->second));
  check(fmt::format("lambda({})", name), lambda, bit(SymbolKind::multiplier), place, context);
  return lambda;
}

Expression Scope::call(const Call& called, const Place& place, const Context& context, const Indices& indices) const {
  const auto& [function, argument, component] = called;
  if (function == "point" || function == "velocity") return vector_component(called, place, context, indices);
  if (!component.empty())
    throw InputError(place, fmt::format("{}() has no component '{}'", function, component),
                     "point(BODY, [X, Y, Z]) and velocity(BODY, [X, Y, Z]) have .x, .y and .z");
  if (function == "d") return time_derivative(trimmed(argument), place, context, indices);
  if (function == "lambda") return multiplier(trimmed(argument), place, context, indices);
  std::vector<std::string> known{"d", "lambda", "point", "velocity"};
  for (const Function& f : functions()) known.emplace_back(f.name);
  const std::string near = nearest(function, known);
  throw InputError(place, fmt::format("there is no function '{}'", function),
                   near.empty() ? fmt::format("write * between '{}' and the bracket if a product is meant", function)
                                : fmt::format("did you mean '{}'?", near));
}

/// point(BODY, [X, Y, Z]).x: where a material point is, or velocity(...).x: how fast it moves.
Expression Scope::vector_component(const Call& called, const Place& place, const Context& context,
                                   const Indices& indices) const {
  const Vector3 value = vector_value(called, place, context, indices);
  const std::string& component = called.component;
  if (component != "x" && component != "y" && component != "z")
    throw InputError(place, fmt::format("{}() is a vector, and a number is needed here", called.function),
                     "add .x, .y or .z for one of its components");
  return value[component[0] - 'x'];
}

Vector3 Scope::vector_value(const Call& called, const Place& place, const Context& context,
                            const Indices& indices) const {
  const auto& [function, argument, component] = called;
  const std::string usage = fmt::format("write {}(BODY, [X, Y, Z]), with the point in body axes", function);
  const std::size_t comma = argument.find(','), open = argument.find('['), close = argument.rfind(']');
  if (comma == argument.npos || open == argument.npos || close == argument.npos || open < comma || close < open)
    throw InputError(place, fmt::format("{}() takes a body and a point", function), usage);
  if (model_.bodies.empty())
    throw InputError(place, fmt::format("{}() is of a body, and the model has none", function),
                     "describe bodies under 'bodies', or write the point in the coordinates");
  const std::string named = trimmed(argument.substr(0, comma));
  const Body& body = model_.bodies[find_body(model_, indices.full_body(named), place)];
  std::vector<Expression> at;
  for (const std::string& part : arguments_in(argument.substr(open + 1, close - open - 1)))
    at.push_back(parse(part, names(context, indices), place));
  if (at.size() == 2) at.emplace_back(0);
  if (at.size() != 3)
    throw InputError(place, fmt::format("the point of {}() does not have three components", function), usage);
  const Vector3 point = body.point({at[0], at[1], at[2]});
  const Vector3 value = function == "point" ? point : body.velocity_at(point);
  for (int k = 0; k < 3; ++k) check(fmt::format("{}()", function), value[k], kinds_of(value[k]), place, context);
  return value;
}

bool Scope::is_vector(const std::string& text) {
  const std::string whole = trimmed(text);
  const std::size_t open = whole.find('(');
  if (open == whole.npos) return false;
  const std::string function = trimmed(whole.substr(0, open));
  if (function != "point" && function != "velocity") return false;
  int depth = 0;
  for (std::size_t k = open; k < whole.size(); ++k) {
    depth += (whole[k] == '(') - (whole[k] == ')');
    if (depth == 0) return k + 1 == whole.size();
  }
  return false;
}

Vector3 Scope::vector(const yaml::PlacedText& text, const Context& context, const Indices& indices) const {
  const std::size_t open = text.text.find('('), close = text.text.rfind(')');
  const Call called{trimmed(text.text.substr(0, open)), text.text.substr(open + 1, close - open - 1), ""};
  return with_places(text, file_, [&](const Place& start) { return vector_value(called, start, context, indices); });
}

Names Scope::names(const Context& context, const Indices& indices) const {
  Names names;
  names.graph = model_.graph.get();
  names.name = [this, &context, &indices](const std::string& name, const Place& place) {
    return meaning(name, place, context, indices);
  };
  names.call = [this, &context, &indices](const Call& called, const Place& place) {
    return call(called, place, context, indices);
  };
  names.known = [this, &context, &indices] { return known(context, indices); };
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
