#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "expression/derivative.hpp"
#include "model/declare.hpp"
#include "model/reader.hpp"

/// First-order states: `states: {z: {value: 0, rate: FORMULA}}`. One without a rate, `w: 0`, is what a constraint of
/// states makes it: its value at the start is a guess.
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
    if (is_without_rate(entry))
      throw InputError(entry.place,
                       fmt::format("state '{}' has no rate, and stands beside coordinates or rates", entry.name),
                       "what constraints alone say beside coordinates is a coordinate without inertia: write it under "
                       "'coordinates', or give the state a rate");
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
  z.is_state = true;
  z.is_algebraic = is_without_rate(entry);
  z.claim = z.is_algebraic ? InitialClaim::none : InitialClaim::given;
  scope_.add(z);
}

void Reader::read_state_rates() {
  std::size_t speed = 0;
  each_entry("states", [&](const Entry& entry) {
    const std::string what = fmt::format("the rate of state '{}'", entry.name);
    const bool drives = driving_.contains(entry.name);
    if (is_without_rate(entry)) {
      while (!model_.speeds[speed].is_state) ++speed;
      ++speed;
      return;
    }
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

bool Reader::is_without_rate(const Entry& entry) {
  const Node& node = entry.value;
  return node.kind == Node::Kind::scalar || (node.kind == Node::Kind::mapping && node.find("rate") == nullptr);
}

/// {value: …, rate: …}, [value, rate], or a value alone.
const Reader::Node& Reader::state_part(const Entry& entry, bool rate) const {
  const std::string what = fmt::format("state '{}'", entry.name), remedy = "write {value: NUMBER, rate: FORMULA}";
  const Node& node = entry.value;
  if (node.kind == Node::Kind::list && node.items.size() == 2) return node.items[rate ? 1 : 0];
  if (node.kind == Node::Kind::scalar && !rate) return node;
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

namespace {

/// Which states drive coordinates. One that stands in a position constraint brings its rate into the constraint's own
/// rate, and with it the states that this rate is made of: these drive, too, or that rate would act back on them. So do
/// states in the rate of a coordinate, beside speeds.
class DrivingStates {
 public:
  explicit DrivingStates(const Model& model) : model_(model) {
    for (const Speed& u : model.speeds)
      if (u.is_state) states_[u.symbol] = {u.name, u.force, false};
    for (const Coordinate& x : model.coordinates)
      if (x.is_state) states_[x.symbol] = {x.name, *x.kinematics, true};
  }

  std::set<std::string> find() {
    for (const Coordinate& x : model_.coordinates)
      if (!x.is_state && x.kinematics) take(*x.kinematics);
    for (const Constraint& constraint : model_.constraints)
      is_of_states(constraint) ? refuse_driving(constraint) : take(constraint);
    return found_;
  }

 private:
  struct State {
    std::string name;
    Expression rate;
    bool drives = false;  ///< as an earlier reading has found
  };

  bool is_of_states(const Constraint& constraint) const {
    return std::ranges::none_of(symbols_of(constraint.residual), [this](SymbolId s) {
      const SymbolKind kind = model_.graph->info(s).kind;
      return !states_.contains(s) && kind != SymbolKind::parameter && kind != SymbolKind::time;
    });
  }

  bool is_on_velocity(const Constraint& constraint) const {
    return std::ranges::any_of(symbols_of(constraint.residual), [this](SymbolId s) {
      const SymbolKind kind = model_.graph->info(s).kind;
      return !states_.contains(s) && (kind == SymbolKind::rate || kind == SymbolKind::speed);
    });
  }

  void take(const Constraint& constraint) {
    take(constraint.residual);
    if (is_on_velocity(constraint)) return;
    for (const State* z : states_in(constraint.residual)) take(z->rate);
  }

  void take(const Expression& formula) {
    for (const State* z : states_in(formula)) found_.insert(z->name);
  }

  void refuse_driving(const Constraint& constraint) const {
    for (const State* z : states_in(constraint.residual))
      if (z->drives)
        throw InputError(constraint.place,
                         fmt::format("constraint '{}' is of states alone, and '{}' drives coordinates in another",
                                     constraint.name, z->name),
                         "a state that drives coordinates, by itself or by the rate of one that does, follows its rate "
                         "alone: leave it out of this constraint");
  }

  std::vector<const State*> states_in(const Expression& formula) const {
    std::vector<const State*> list;
    for (const SymbolId s : symbols_of(formula))
      if (const auto z = states_.find(s); z != states_.end()) list.push_back(&z->second);
    return list;
  }

  const Model& model_;
  std::map<SymbolId, State> states_;
  std::set<std::string> found_;
};

}  // namespace

std::set<std::string> Reader::states_that_drive() const {
  if (first_of("states") == nullptr) return {};
  for (const Speed& z : model_.speeds) {
    const auto holds = [&](const Constraint& c) { return std::ranges::count(symbols_of(c.residual), z.symbol) > 0; };
    if (z.is_algebraic && std::ranges::none_of(model_.constraints, holds))
      throw InputError(z.place, fmt::format("state '{}' has no rate, and no constraint says what it is", z.name),
                       "write {value: NUMBER, rate: FORMULA}");
  }
  return DrivingStates(model_).find();
}

}  // namespace taut
