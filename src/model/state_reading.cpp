#include "model/state_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "expression/derivative.hpp"
#include "model/declare.hpp"
#include "model/keys.hpp"

namespace taut {
namespace {

struct GivenState {
  std::optional<Value> value, initial, rate;
};

const Keys<GivenState> state_keys{{
    {"value", [](const Value& v, GivenState& state) { state.value = v; }},
    {"initial", [](const Value& v, GivenState& state) { state.initial = v; }},
    {"rate", [](const Value& v, GivenState& state) { state.rate = v; }},
}};

/// {value: …, rate: …}, [value, rate], or a value alone, of a state that constraints of states say: its value at the
/// start is a guess.
GivenState given_state(const Entry& entry) {
  const Value value = entry.value.called(fmt::format("state '{}'", entry.name));
  const std::string remedy = "write {value: NUMBER, rate: FORMULA}";
  GivenState given;
  if (value.is_list() && value.node().items.size() == 2) {
    given.value = value.beside(value.node().items[0], "");
    given.rate = value.beside(value.node().items[1], "");
    return given;
  }
  if (value.node().kind == yaml::Node::Kind::scalar) {
    given.value = value;
    return given;
  }
  if (!value.is_mapping()) value.refuse(value.what() + " has no rate", remedy);
  read_keys(value, state_keys, given);
  if (given.value && given.initial) value.refuse(value.what() + " has a 'value' and an 'initial'", "give one of them");
  if (!given.value) given.value = given.initial;
  if (!given.value) value.refuse(value.what() + " lacks 'value'", remedy);
  return given;
}

void declare_state(ReadingContext& in, const Entry& entry) {
  const std::string what = fmt::format("the initial value of state '{}'", entry.name);
  const GivenState state = given_state(entry);
  const Expression given = state.value->called(what).formula(context::initial);
  const Expression initial = in.assigned(entry.name + "(0)", context::initial).value_or(given);
  if (in.driving.contains(entry.name)) {
    if (!state.rate)
      throw InputError(entry.place,
                       fmt::format("state '{}' has no rate, and stands beside coordinates or rates", entry.name),
                       "what constraints alone say beside coordinates is a coordinate without inertia: write it under "
                       "'coordinates', or give the state a rate");
    Coordinate& z = add_coordinate(in.model, entry.name, entry.place, "a state");
    z.initial = initial;
    z.initial_claim = InitialClaim::fixed;
    z.is_state = true;
    z.kinematics = Expression(0);  // read when all names are known
    in.scope.add(z);
    in.index_coordinates(in.model.coordinates.size() - 1);
    return;
  }
  Speed& z = add_speed(in.model, entry.name, entry.place, "a state");
  z.initial = initial;
  z.is_state = true;
  z.is_algebraic = !state.rate;
  z.claim = z.is_algebraic ? InitialClaim::none : InitialClaim::given;
  in.scope.add(z);
}

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
      const bool is_given = kind == SymbolKind::parameter || kind == SymbolKind::input || kind == SymbolKind::time;
      return !states_.contains(s) && !is_given;
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

void declare_states(ReadingContext& in) {
  in.each_entry("states", [&](const Entry& entry) { declare_state(in, entry); });
}

void read_state_rates(ReadingContext& in) {
  std::size_t speed = 0;
  in.each_entry("states", [&](const Entry& entry) {
    const bool drives = in.driving.contains(entry.name);
    const GivenState state = given_state(entry);
    const Expression rate = !state.rate ? Expression(0)
                                        : state.rate->called(fmt::format("the rate of state '{}'", entry.name))
                                              .formula(drives ? context::driving_rate : context::state_rate);
    if (drives) {
      in.find_coordinate(entry.name)->kinematics = rate;
    } else {
      while (!in.model.speeds[speed].is_state) ++speed;
      in.model.speeds[speed++].force = rate;  // they stand there in the order of the entries
    }
  });
}

std::set<std::string> states_that_drive(const ReadingContext& in) {
  if (in.first_of("states") == nullptr) return {};
  for (const Speed& z : in.model.speeds) {
    const auto holds = [&](const Constraint& c) { return std::ranges::count(symbols_of(c.residual), z.symbol) > 0; };
    if (z.is_algebraic && std::ranges::none_of(in.model.constraints, holds))
      throw InputError(z.place, fmt::format("state '{}' has no rate, and no constraint says what it is", z.name),
                       "write {value: NUMBER, rate: FORMULA}");
  }
  return DrivingStates(in.model).find();
}

}  // namespace taut
