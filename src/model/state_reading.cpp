#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "expression/derivative.hpp"
#include "model/declare.hpp"
#include "model/reader.hpp"

/// First-order states: `states: {z: {value: 0, rate: FORMULA}}`.
///
/// A state is a speed with the rate for its force and the inertia 1: a constraint of states alone is then a velocity
/// constraint, which every method keeps in its own way. One that stands in a constraint beside coordinates drives
/// these, and nothing acts back on it: it is a coordinate whose rate is given.
namespace taut {

/// Coordinates, or speeds where the model declares any, that are no states.
std::size_t Reader::mechanical_count() const {
  const auto moves = [](const auto& unknown) { return !unknown.is_state; };
  return static_cast<std::size_t>(first_of("speeds") == nullptr ? std::ranges::count_if(model_.coordinates, moves)
                                                                : std::ranges::count_if(model_.speeds, moves));
}

void Reader::read_state(const Entry& entry) {
  const std::string what = fmt::format("the initial value of state '{}'", entry.name);
  const Expression given = formula(state_part(entry, false), what, context::initial, entry.part);
  const Expression initial = assigned(entry.name + "(0)", context::initial).value_or(given);
  if (driving_.contains(entry.name)) {
    Coordinate& z = add_coordinate(model_, entry.name, entry.place, "a state");
    z.initial = initial;
    z.initial_claim = InitialClaim::fixed;
    z.is_state = true;
    z.kinematics = Expression(0);  // read when all names are known
    scope_.add(z);
    coordinates_[z.name] = model_.coordinates.size() - 1;
    return;
  }
  Speed& z = add_speed(model_, entry.name, entry.place, "a state");
  z.initial = initial;
  z.claim = InitialClaim::given;
  z.is_state = true;
  scope_.add(z);
}

void Reader::read_state_rates() {
  std::size_t speed = 0;
  each_entry("states", [&](const Entry& entry) {
    const std::string what = fmt::format("the rate of state '{}'", entry.name);
    const bool drives = driving_.contains(entry.name);
    const Expression rate =
        formula(state_part(entry, true), what, drives ? context::driving_rate : context::state_rate, entry.part);
    if (drives) {
      find_coordinate(entry.name)->kinematics = rate;
    } else {
      while (!model_.speeds[speed].is_state) ++speed;
      model_.speeds[speed++].force = rate;  // they stand there in the order of the entries
    }
  });
}

/// {value: …, rate: …} or [value, rate].
const Reader::Node& Reader::state_part(const Entry& entry, bool rate) const {
  const std::string what = fmt::format("state '{}'", entry.name), remedy = "write {value: NUMBER, rate: FORMULA}";
  const Node& node = entry.value;
  if (node.kind == Node::Kind::list && node.items.size() == 2) return node.items[rate ? 1 : 0];
  if (node.kind != Node::Kind::mapping) refuse(node, what + " has no rate", remedy);
  check_keys(node, what, {"value", "initial", "rate"});
  const Node* initial = node.find("value");
  if (initial != nullptr && node.find("initial") != nullptr)
    refuse(node, what + " has a 'value' and an 'initial'", "give one of them");
  if (initial == nullptr) initial = node.find("initial");
  const Node* found = rate ? node.find("rate") : initial;
  if (found == nullptr) refuse(node, fmt::format("{} lacks '{}'", what, rate ? "rate" : "value"), remedy);
  return *found;
}

std::set<std::string> Reader::states_that_drive() const {
  std::set<std::string> found;
  if (first_of("states") == nullptr) return found;
  std::map<SymbolId, std::string> states;  // by symbol; those that are known to drive have no name here
  for (const Speed& u : model_.speeds)
    if (u.is_state) states[u.symbol] = u.name;
  for (const Coordinate& x : model_.coordinates)
    if (x.is_state) states[x.symbol] = states[x.rate] = "";
  const auto moves = [&](SymbolId s) {
    const SymbolKind kind = model_.graph->info(s).kind;
    return !states.contains(s) && kind != SymbolKind::parameter && kind != SymbolKind::time;
  };
  for (const Constraint& constraint : model_.constraints) {
    const std::vector<SymbolId> symbols = symbols_of(constraint.residual);
    const bool is_of_states = std::ranges::none_of(symbols, moves);
    for (const SymbolId s : symbols) {
      const auto state = states.find(s);
      if (state == states.end()) continue;
      if (is_of_states && state->second.empty())
        throw InputError(constraint.place,
                         fmt::format("constraint '{}' is of states alone, and '{}' drives coordinates in another",
                                     constraint.name, model_.graph->info(s).name),
                         "a state that drives coordinates follows its rate alone: leave it out of this constraint");
      if (!is_of_states && !state->second.empty()) found.insert(state->second);
    }
  }
  return found;
}

}  // namespace taut
