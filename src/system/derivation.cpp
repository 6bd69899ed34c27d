#include "system/derivation.hpp"

#include <algorithm>

namespace taut {

Derivation::Derivation(const Model& model)
    : model(model),
      plain(model.speeds.empty() &&
            std::ranges::none_of(model.coordinates, [](const Coordinate& c) { return c.kinematics.has_value(); })),
      v_kind(plain ? SymbolKind::rate : SymbolKind::speed),
      graph_(std::make_shared<Graph>(model.graph)) {
  declare_symbols();
  find_rates();
  find_derivatives();
}

void Derivation::make_room() {
  const std::size_t n = model.coordinates.size(), n_v = n + model.speeds.size(), m = model.constraints.size();
  const auto reserve = [](std::size_t count, auto&... lists) { (lists.reserve(count), ...); };
  reserve(n, eq.q, eq.shape.coordinates, own_speed_, eq.rates);
  reserve(plain ? n : n_v, eq.v, eq.a, eq.shape.speeds, eq.shape.speed_places);
  reserve(m, eq.shape.constraints, eq.shape.constraint_places, eq.softness, eq.Phi, eq.chi, eq.b, eq.multipliers);
}

void Derivation::declare_symbols() {
  make_room();
  eq.graph = graph_;
  eq.time = model.time;
  eq.shape.plain_rates = plain;
  for (const auto& parameter : model.parameters) eq.parameters.push_back(parameter.symbol);
  for (const auto& coordinate : model.coordinates) declare(coordinate);
  eq.shape.leading_rates = static_cast<int>(eq.v.size());
  for (const auto& speed : model.speeds) declare(speed);
  index_of_q_.reserve(graph().symbols());
  index_of_v_.reserve(graph().symbols());
  for (std::size_t i = 0; i < eq.q.size(); ++i) index_of_q_.set(eq.q[i], i);
  for (std::size_t i = 0; i < eq.v.size(); ++i) index_of_v_.set(eq.v[i], i);
}

void Derivation::declare(const Coordinate& c) {
  eq.q.push_back(c.symbol);
  eq.shape.coordinates.push_back(c.name);
  if (c.is_state) eq.shape.states.push_back({c.name, false, static_cast<int>(eq.q.size()) - 1});
  if (c.kinematics) {
    coordinate_accelerations_.set(c.acceleration, eq.q.size() - 1);
    own_speed_.push_back(Graph::no_symbol);
    return;
  }
  own_speed_.push_back(plain ? c.rate : graph().declare(c.name + "'", SymbolKind::speed));
  eq.v.push_back(own_speed_.back());
  eq.a.push_back(c.acceleration);
  eq.shape.speeds.push_back(c.name + "'");
  eq.shape.speed_places.push_back(c.place);
}

void Derivation::declare(const Speed& u) {
  eq.v.push_back(u.symbol);
  eq.a.push_back(u.acceleration);
  eq.shape.speeds.push_back(u.name);
  eq.shape.speed_places.push_back(u.place);
  if (u.is_state) eq.shape.states.push_back({u.name, true, eq.shape.n_v() - 1});
}

/// q̇ in terms of q, v, t.
void Derivation::find_rates() {
  eq.N.pattern = {static_cast<int>(eq.q.size()), eq.shape.n_v(), {}};
  // A rate may be given by the rates of others, as the angle between a planar and a spatial body is.
  Substitution in_speeds(graph(), [this](SymbolId s) -> Expression {
    const Symbol info = graph().info(s);
    const bool own = info.kind == SymbolKind::rate && own_speed_[info.index] != Graph::no_symbol;
    return symbol(own ? own_speed_[info.index] : s);
  });
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const auto& c = model.coordinates[i];
    if (c.is_state) {  // its rate may hold those of all others, and no correction moves it
      eq.rates.emplace_back(0);
      continue;
    }
    eq.rates.push_back(c.kinematics ? in_speeds(here(*c.kinematics)) : symbol(own_speed_[i]));
    for (const auto& [s, value] : gradient(eq.rates.back(), v_kind))
      eq.N.add(static_cast<int>(i), index_of_v_.at(s), value);
  }
}

/// d/dt, and the substitution that puts q̇ into every formula.
void Derivation::find_derivatives() {
  flow_.emplace(graph(), [this](SymbolId s) -> Expression {
    if (s == eq.time) return 1;
    return index_of_q_.contains(s) ? eq.rates[index_of_q_.at(s)] : Expression(0);
  });
  // d/dt with accelerations, for x'' where the model declares speeds.
  motion_.emplace(graph(), [this](SymbolId s) -> Expression {
    if (s == eq.time) return 1;
    if (index_of_q_.contains(s)) return eq.rates[index_of_q_.at(s)];
    if (index_of_v_.contains(s)) return symbol(eq.a[index_of_v_.at(s)]);
    return 0;
  });
  resolve_.emplace(graph(), [this](SymbolId s) -> Expression {
    const Symbol info = graph().info(s);
    if (info.kind == SymbolKind::rate) return eq.rates[info.index];
    if (coordinate_accelerations_.contains(s)) return (*motion_)(eq.rates[coordinate_accelerations_.at(s)]);
    return symbol(s);
  });
  for (std::size_t i = 0; i < model.coordinates.size(); ++i)
    if (model.coordinates[i].is_state) eq.rates[i] = (*resolve_)(here(*model.coordinates[i].kinematics));
}

Expression Derivation::without_speeds(const Expression& e) {
  if (!at_rest_)
    at_rest_.emplace(graph(), [this](SymbolId s) -> Expression {
      return graph().info(s).kind == v_kind ? Expression(0) : symbol(s);
    });
  return (*at_rest_)(e);
}

bool Derivation::depends_on(const Expression& e, SymbolKind kind) const {
  for (const SymbolId s : symbols_of(e))
    if (graph_->info(s).kind == kind) return true;
  return false;
}

bool Derivation::is_state(SymbolId s) const {
  if (!index_of_v_.contains(s)) return false;
  const int i = index_of_v_.at(s);
  return i >= eq.shape.leading_rates && speed(i).is_state;
}

bool Derivation::is_of_states(const Expression& e) const {
  return !eq.shape.states.empty() && std::ranges::all_of(symbols_of(e), [this](SymbolId s) {
    const SymbolKind kind = graph_->info(s).kind;
    return kind == SymbolKind::parameter || kind == SymbolKind::time || is_state(s);
  });
}

void Derivation::declare_multipliers() {
  if (!eq.multipliers.empty()) return;
  for (const bool on_velocity : {false, true})
    for (const auto& c : model.constraints)
      if (c.on_velocity == on_velocity) eq.multipliers.push_back(c.multiplier);
}

}  // namespace taut
