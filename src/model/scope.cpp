#include "model/scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "expression/derivative.hpp"
#include "model/formula_in_scope.hpp"

namespace taut {
namespace {

/// Where something may stand that may not stand here.
std::string_view remedy(std::string_view what, const Context& context) {
  if (what == "a multiplier") return "multipliers may stand in forces, rates of states, outputs, events and draw";
  if (what == "an acceleration") return "accelerations may stand in outputs, events and draw";
  if (what == "the rate of a state") return "write its formula in its place";
  const bool moves = (context.allowed & bit(SymbolKind::coordinate)) != 0;
  if (what == "a state" && moves) return "states may stand in forces, rates of states, constraints and outputs";
  return context.remedy;
}

/// In quotes, unless there are primes in it.
std::string quoted(const std::string& name) { return name.find('\'') == name.npos ? fmt::format("'{}'", name) : name; }

std::string without_primes(const std::string& name) { return name.substr(0, name.find('\'')); }

/// Is a symbol a state of the model, or its rate?
bool is_state(const Model& model, SymbolId symbol) {
  const auto declared = model.names.find(without_primes(std::string(model.graph->info(symbol).name)));
  return declared != model.names.end() && declared->second.what == "a state";
}

/// Is what a formula holds in excess nothing but states that stand for speeds?
bool exceeds_by_states(const Model& model, const Expression& value, Kinds excess) {
  return excess == bit(SymbolKind::speed) && std::ranges::all_of(symbols_of(value), [&](SymbolId s) {
           return model.graph->info(s).kind != SymbolKind::speed || is_state(model, s);
         });
}

/// What a formula holds that it may not, in the words of a model file: there a state is no speed.
std::string describe_excess(const Model& model, const Expression& value, Kinds excess) {
  for (const SymbolId s : symbols_of(value)) {
    const Symbol symbol = model.graph->info(s);
    if ((bit(symbol.kind) & excess) != 0 && is_state(model, s))
      return symbol.name.ends_with('\'') ? "the rate of a state" : "a state";
  }
  return std::string(described(excess));
}

/// BODY.POINT.x, BODY.POINT.vx: where a point of a body that has a name is, and how fast it moves.
std::optional<Expression> point_component(const Model& model, const std::string& name) {
  const std::size_t last = name.rfind('.');
  const std::size_t middle = last == name.npos || last == 0 ? name.npos : name.rfind('.', last - 1);
  if (middle == name.npos) return std::nullopt;
  const auto body = model.names.find(name.substr(0, middle));
  if (body == model.names.end() || body->second.what != "a body") return std::nullopt;
  const Body& of = model.bodies[static_cast<std::size_t>(body->second.index)];
  const auto point = std::ranges::find(of.points, name.substr(middle + 1, last - middle - 1), &BodyPoint::name);
  const std::string component = name.substr(last + 1);
  const std::size_t axis = std::string("xyz").find(component.back());
  const bool is_velocity = component.size() == 2 && component[0] == 'v';
  if (point == of.points.end() || axis == std::string::npos || !(component.size() == 1 || is_velocity))
    return std::nullopt;
  const Vector3 at = of.point(point->at);
  return (is_velocity ? of.velocity_at(at) : at)[static_cast<int>(axis)];
}

}  // namespace

std::string_view described(Kinds kinds) {
  if ((kinds & bit(SymbolKind::multiplier)) != 0) return "a multiplier";
  if ((kinds & bit(SymbolKind::acceleration)) != 0) return "an acceleration";
  if ((kinds & bit(SymbolKind::speed)) != 0) return "a speed";
  if ((kinds & bit(SymbolKind::rate)) != 0) return "a rate";
  if ((kinds & bit(SymbolKind::coordinate)) != 0) return "a coordinate";
  if ((kinds & bit(SymbolKind::input)) != 0) return "an input";
  return "the time";
}

std::vector<std::string> seen_from(const Instance* part, const std::vector<std::string>& names) {
  if (part == nullptr) return names;
  std::vector<std::string> seen;
  for (const std::string& name : names)
    if (name.starts_with(part->prefix)) seen.push_back(name.substr(part->prefix.size()));
  return seen;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

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

void Scope::check(const std::string& name, const Expression& value, Kinds kinds, const Place& place,
                  const Context& context) const {
  const Kinds excess = kinds & ~context.allowed;
  if (excess == 0 || (context.takes_states && exceeds_by_states(model_, value, excess))) return;
  const std::string what = describe_excess(model_, value, excess);
  const auto declared = model_.names.find(without_primes(name));
  const bool is_definition =
      (declared != model_.names.end() && declared->second.what == "a definition") || derivable_.contains(name);
  const std::string message =
      fmt::format("{} {} {}, and {} may not depend on {}", quoted(name), is_definition ? "holds" : "is", what,
                  context.where, excess == bit(SymbolKind::time) ? "it" : "one");
  throw InputError(place, message, std::string(remedy(what, context)));
}

/// What a name means here; some meanings are worked out when they are first asked for.
const Scope::Meaning* Scope::find(const std::string& name) const {
  if (const auto found = meanings_.find(name); found != meanings_.end()) return &found->second;
  const auto keep = [&](const Expression& value) {
    return &meanings_.insert_or_assign(name, Meaning{value, kinds_of(value)}).first->second;
  };
  const auto later = derivable_.find(name);
  if (later == derivable_.end()) {
    const auto component = point_component(model_, name);
    return component ? keep(*component) : nullptr;
  }
  try {
    return keep(later->second());
  } catch (const InputError& error) {
    throw PlacedError(error);
  }
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
  const FormulaInScope formula(*this, context, indices);
  return with_places(text, file_, [&](const Place& start) { return formula.vector(called, start); });
}

Expression Scope::read(Parse parse, const yaml::PlacedText& text, const Context& context,
                       const Indices& indices) const {
  const FormulaInScope formula(*this, context, indices);
  return with_places(text, file_, [&](const Place& start) { return parse(text.text, formula.names(), start); });
}

Expression Scope::formula(const yaml::PlacedText& text, const Context& context, const Indices& indices) const {
  return read(&parse, text, context, indices);
}

Expression Scope::equation(const yaml::PlacedText& text, const Context& context, const Indices& indices) const {
  return read(&parse_equation, text, context, indices);
}

}  // namespace taut
