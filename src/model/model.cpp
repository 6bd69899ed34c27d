#include "taut/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "expression/derivative.hpp"
#include "expression/parser.hpp"
#include "model/declare.hpp"

namespace taut {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// What a name means in every formula, "" if nothing.
std::string reserved_meaning(const std::string& name) {
  if (name == "t") return "the time";
  if (name == "pi") return "the number pi";
  const bool is_function = std::ranges::any_of(functions(), [&](const Function& f) { return f.name == name; });
  return is_function ? "a function" : "";
}

/// A name as the part declares it to which it belongs: "angle" of left.knee.angle, where left.knee is a part.
std::string bare_name(const Model& model, const std::string& name) {
  for (std::size_t dot = name.rfind('.'); dot != name.npos && dot > 0; dot = name.rfind('.', dot - 1)) {
    const auto whole = model.names.find(name.substr(0, dot));
    if (whole != model.names.end() && whole->second.what == "a part") return name.substr(dot + 1);
  }
  return name;
}

void check_name(const std::string& name, const std::string& what, const Place& place) {
  const auto fits = [](char c) { return is_letter(c) || is_digit(c); };
  if (!name.empty() && is_letter(name[0]) && std::ranges::all_of(name, fits)) return;
  throw InputError(place, fmt::format("'{}' cannot be the name of {}", name, what),
                   "begin with a letter and go on with letters, digits and _");
}

bool is_on_velocity(const Model& model, const Expression& residual, const Constraint& constraint, const Place& place) {
  bool on_position = false;
  bool on_velocity = false;
  for (const SymbolId id : symbols_of(residual)) {
    const Symbol symbol = model.graph->info(id);
    on_position |= symbol.kind == SymbolKind::coordinate;
    on_velocity |= symbol.kind == SymbolKind::rate || symbol.kind == SymbolKind::speed;
    if (symbol.kind == SymbolKind::acceleration || symbol.kind == SymbolKind::multiplier) {
      throw InputError(place, fmt::format("constraint '{}' depends on {}", constraint.name, symbol.name),
                       "write it in coordinates, rates, speeds and time");
    }
  }
  if (!on_position && !on_velocity) {
    throw InputError(place, fmt::format("constraint '{}' is a constraint on a constant", constraint.name),
                     "let it depend on a coordinate, a rate or a speed, or leave it out");
  }
  return on_velocity;
}

/// The symbol an expression is, if it is one of this kind.
std::optional<Symbol> as_symbol(const Model& model, const Expression& a, SymbolKind kind) {
  if (a.graph() != model.graph.get()) return std::nullopt;
  const Graph::Node& node = model.graph->node(a.in(*model.graph));
  if (node.op != Op::symbol) return std::nullopt;
  const Symbol symbol = model.graph->info(node.a);
  return symbol.kind == kind ? std::optional(symbol) : std::nullopt;
}

Expression expression(const Model& model, SymbolId id) { return {*model.graph, model.graph->symbol(id)}; }

}  // namespace

std::string to_string(const Place& place) {
  return fmt::format("{}:{}:{}", place.file.text(), place.line, place.column);
}

void claim_name(Model& model, const std::string& name, const std::string& what, const Place& place) {
  const std::string bare = bare_name(model, name);
  check_name(bare, what, place);
  if (const std::string meaning = reserved_meaning(bare); !meaning.empty()) {
    throw InputError(place,
                     fmt::format("'{}' cannot be the name of {}: it is {} in every formula", bare, what, meaning),
                     "choose another name");
  }
  const auto [taken, is_new] = model.names.emplace(name, Declaration{what, place});
  if (is_new) return;
  const Place& first = taken->second.place;
  const std::string where = first.line > 0 ? fmt::format(" at {}", to_string(first)) : "";
  throw InputError(place, fmt::format("{} is named '{}', as is {}{}", what, name, taken->second.what.text(), where),
                   "choose another name for one of them");
}

void check_label(const std::string& name, const std::string& what, const Place& place) {
  const auto fits = [](char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '-'; };
  if (!name.empty() && is_letter(name[0]) && std::ranges::all_of(name, fits)) return;
  throw InputError(place, fmt::format("'{}' cannot be the name of {}", name, what),
                   "begin with a letter and go on with letters, digits, _, . and -");
}

Parameter& add_parameter(Model& model, const std::string& name, const Place& place) {
  claim_name(model, name, "a parameter", place);
  const SymbolId symbol = model.graph->declare(name, SymbolKind::parameter);
  return model.parameters.emplace_back(Parameter{.name = name, .symbol = symbol, .value = 0, .place = place});
}

namespace {

Expression declare_input(Model& model, Input input) {
  const auto is_time = [&](SymbolId s) { return model.graph->info(s).kind == SymbolKind::time; };
  if (std::ranges::none_of(symbols_of(input.value), is_time)) {
    input.parameter = static_cast<int>(model.parameters.size());
    const SymbolId symbol = model.graph->declare(input.name, SymbolKind::input);
    model.parameters.push_back({.name = input.name, .symbol = symbol, .value = input.value, .place = input.place});
    input.value = Expression(*model.graph, model.graph->symbol(symbol));
  }
  model.outputs.push_back({.name = input.name, .value = input.value, .place = input.place, .unit = input.role.unit});
  return model.inputs.emplace_back(std::move(input)).value;
}

}  // namespace

Expression add_input(Model& model, Input input) {
  claim_name(model, input.name, "an input", input.place);
  return declare_input(model, std::move(input));
}

Expression add_part_input(Model& model, const Input& input) {
  model.names.emplace(input.name, Declaration{"an input", input.place});
  return declare_input(model, input);
}

namespace {

Coordinate& declare_coordinate(Model& model, const std::string& name, const Place& place) {
  Graph& graph = *model.graph;
  Coordinate& x = model.coordinates.emplace_back();
  x.name = name;
  x.place = place;
  x.symbol = graph.declare(name, SymbolKind::coordinate);
  x.rate = graph.declare(name + "'", SymbolKind::rate);
  x.acceleration = graph.declare(name + "''", SymbolKind::acceleration);
  graph.set_rate(x.symbol, x.rate);
  graph.set_rate(x.rate, x.acceleration);
  return x;
}

Speed& declare_speed(Model& model, const std::string& name, const Place& place) {
  Graph& graph = *model.graph;
  Speed& u = model.speeds.emplace_back();
  u.name = name;
  u.place = place;
  u.symbol = graph.declare(name, SymbolKind::speed);
  u.acceleration = graph.declare(name + "'", SymbolKind::acceleration);
  graph.set_rate(u.symbol, u.acceleration);
  return u;
}

}  // namespace

Coordinate& add_coordinate(Model& model, const std::string& name, const Place& place, const std::string& what) {
  claim_name(model, name, what, place);
  return declare_coordinate(model, name, place);
}

Speed& add_speed(Model& model, const std::string& name, const Place& place, const std::string& what) {
  claim_name(model, name, what, place);
  return declare_speed(model, name, place);
}

Coordinate& add_part_coordinate(Model& model, const std::string& whole, const std::string& part, const Place& place) {
  const std::string name = whole + "." + part;
  model.names.emplace(name, Declaration{"a coordinate", place});
  return declare_coordinate(model, name, place);
}

Speed& add_part_speed(Model& model, const std::string& whole, const std::string& part, const Place& place) {
  const std::string name = whole + "." + part;
  model.names.emplace(name, Declaration{"a speed", place});
  return declare_speed(model, name, place);
}

Constraint& add_constraint(Model& model, const std::string& name, const Place& place) {
  check_label(name, "a constraint", place);
  Constraint& constraint = model.constraints.emplace_back();
  constraint.name = name;
  constraint.place = place;
  constraint.multiplier = model.graph->declare(fmt::format("lambda({})", name), SymbolKind::multiplier);
  return constraint;
}

Output& add_output(Model& model, const std::string& name, const Place& place) {
  check_label(name, "an output", place);
  const auto taken = model.names.find(name);
  const auto is_one_of = [&](auto... kinds) { return ((taken->second.what == kinds) || ...); };
  const bool is_column = taken != model.names.end() && is_one_of("a coordinate", "a speed", "a state", "an input");
  if (is_column || name == "t") {
    throw InputError(
        place,
        fmt::format("an output is named '{}', as is {}", name, is_column ? taken->second.what.text() : "the time"),
        "leave it out, for it is recorded anyway, or choose another name");
  }
  return model.outputs.emplace_back(Output{.name = name, .value = 0, .place = place});
}

void set_residual(const Model& model, Constraint& constraint, const Expression& residual, const Place& place) {
  constraint.on_velocity = is_on_velocity(model, residual, constraint, place);
  constraint.residual = residual;
}

Model::Model() : graph(std::make_shared<Graph>()), time(graph->declare("t", SymbolKind::time)) {}

Expression Model::t() const { return expression(*this, time); }

Expression Model::parameter(const std::string& name, const Expression& value) {
  Parameter& parameter = add_parameter(*this, name, {});
  parameter.value = value;
  return expression(*this, parameter.symbol);
}

Expression Model::input(const std::string& name, const Expression& value, const InputRole& role) {
  return add_input(*this, {.name = name, .value = value, .role = role});
}

Expression Model::coordinate(const std::string& name, const Expression& initial, const Expression& initial_rate) {
  Coordinate& x = add_coordinate(*this, name, {});
  x.initial = initial;
  x.initial_rate = initial_rate;
  return expression(*this, x.symbol);
}

Expression Model::speed(const std::string& name, const Expression& initial) {
  Speed& u = add_speed(*this, name, {});
  u.initial = initial;
  return expression(*this, u.symbol);
}

void Model::rate(const Expression& coordinate, const Expression& in_terms_of_speeds) {
  const auto symbol = as_symbol(*this, coordinate, SymbolKind::coordinate);
  if (!symbol) throw InputError("a rate is given for what is no coordinate", "give one of the coordinates");
  coordinates[symbol->index].kinematics = in_terms_of_speeds;
}

void Model::force(const Expression& coordinate_or_speed, const Expression& value) {
  if (const auto u = as_symbol(*this, coordinate_or_speed, SymbolKind::speed)) {
    speeds[u->index].force += value;
    return;
  }
  const auto x = as_symbol(*this, coordinate_or_speed, SymbolKind::coordinate);
  if (!x) {
    throw InputError("a generalised force acts on what is neither a coordinate nor a speed",
                     "give a coordinate or a speed");
  }
  coordinates[x->index].force += value;
}

void Model::load(std::vector<Expression> at, std::vector<Expression> force) {
  if (at.size() != force.size()) {
    throw InputError(fmt::format("a load has {} components at a point of {}", force.size(), at.size()),
                     "give both two or three components");
  }
  loads.push_back({fmt::format("load{}", loads.size() + 1), std::move(at), std::move(force), {}});
}

void Model::constraint(const std::string& name, const Expression& residual) {
  const auto is_same = [&](const Constraint& other) { return other.name == name; };
  if (std::ranges::any_of(constraints, is_same)) {
    throw InputError(fmt::format("two constraints are named '{}'", name), "choose another name for one of them");
  }
  set_residual(*this, add_constraint(*this, name, {}), residual, {});
}

void Model::output(const std::string& name, const Expression& value) {
  const auto is_same = [&](const Output& other) { return other.name == name; };
  if (std::ranges::any_of(outputs, is_same)) {
    throw InputError(fmt::format("two outputs are named '{}'", name), "choose another name for one of them");
  }
  add_output(*this, name, {}).value = value;
}

void Model::event(const std::string& name, const Expression& value, AtEvent then) {
  check_label(name, "an event", {});
  if (std::ranges::find(events, name, &Watch::name) != events.end())
    throw InputError(fmt::format("two events are named '{}'", name), "choose another name for one of them");
  events.push_back({name, value, then == AtEvent::stop, {}});
}

Assignment::Assignment(std::string name, double value) : name(std::move(name)), value(fmt::format("{}", value)) {}

Expression Model::lambda(const std::string& name) {
  std::vector<std::string> known;
  for (const Constraint& constraint : constraints) {
    if (constraint.name == name) return expression(*this, constraint.multiplier);
    known.push_back(constraint.name);
  }
  const std::string near = nearest(name, known);
  throw InputError(fmt::format("there is no constraint '{}'", name),
                   near.empty() ? "name one of the model's constraints" : fmt::format("did you mean '{}'?", near));
}

}  // namespace taut
