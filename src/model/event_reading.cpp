#include "model/event_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "model/declare.hpp"
#include "model/keys.hpp"
#include "model/switching_reading.hpp"

namespace taut {
namespace {

struct GivenEvent {
  std::optional<Value> when, stop, direction, set, engage, release, hold, restitution;

  bool acts() const { return set || engage || release || hold; }
};

template <std::optional<Value> GivenEvent::*member>
void keep_of_event(const Value& value, GivenEvent& event) {
  event.*member = value;
}

constexpr const char* write_an_event = "write {when: FORMULA, stop: true}";
const Keys<GivenEvent> event_keys{{
    {"when", keep_of_event<&GivenEvent::when>, write_an_event},
    {"stop", keep_of_event<&GivenEvent::stop>},
    {"direction", keep_of_event<&GivenEvent::direction>},
    {"set", keep_of_event<&GivenEvent::set>},
    {"engage", keep_of_event<&GivenEvent::engage>},
    {"release", keep_of_event<&GivenEvent::release>},
    {"hold", keep_of_event<&GivenEvent::hold>},
    {"restitution", keep_of_event<&GivenEvent::restitution>},
}};

GivenEvent given_event(const Entry& entry) {
  GivenEvent event;
  const Value value = entry.value.called(fmt::format("event '{}'", entry.name));
  if (value.is_mapping())
    read_keys(value, event_keys, event);
  else
    event.when = value;
  return event;
}

/// A name, or a list of names, as the whole model has them.
std::vector<std::string> names_in(const std::optional<Value>& value) {
  std::vector<std::string> names;
  if (!value) return names;
  if (!value->is_list()) return {value->name()};
  for (const yaml::Node& item : value->node().items) names.push_back(value->beside(item, value->what()).name());
  return names;
}

CrossingDirection direction_of(const std::optional<Value>& value) {
  if (!value) return CrossingDirection::both;
  const std::string& text = value->scalar().text;
  if (text == "rising") return CrossingDirection::rising;
  if (text == "falling") return CrossingDirection::falling;
  if (text != "both") value->refuse(fmt::format("{} is '{}'", value->what(), text), "write rising, falling or both");
  return CrossingDirection::both;
}

/// One event after the other, and what they do.
class EventReader {
 public:
  explicit EventReader(ReadingContext& in) : in_(in), rows_(in) {}

  void connect_switchables() {
    for (Switchable& switchable : in_.model.switchables) {
      const Parameter& engaged = in_.model.parameters[static_cast<std::size_t>(switchable.engaged)];
      rows_.connect(switchable, engaged.place);
    }
  }

  void read(const Entry& entry) {
    const GivenEvent given = given_event(entry);
    const std::string what = fmt::format("event '{}'", entry.name);
    if (given.restitution) return read_contact(entry, given);
    Watch watch{.name = entry.name,
                .value = given.when->called(what).formula(context::output),
                .stop = given.stop && given.stop->flag(),
                .place = entry.place,
                .direction = direction_of(given.direction)};
    if (given.acts()) read_action(given, watch.action);
    in_.model.events.push_back(std::move(watch));
  }

  void finish() { rows_.write_factors(); }

 private:
  void read_action(const GivenEvent& given, Action& action) {
    if (given.set) read_changes(*given.set, action);
    for (const std::string& name : names_in(given.hold)) {
      const Switchable& switchable = find(name);
      for (Action::Change& change : rows_.held(switchable, given.hold->place()))
        action.changes.push_back(std::move(change));
      switch_to(switchable, 1, "holds where it is", given.hold->place(), action);
    }
    for (const std::string& name : names_in(given.engage))
      switch_to(find(name), 1, "engaged", given.engage->place(), action);
    for (const std::string& name : names_in(given.release))
      switch_to(find(name), 0, "released", given.release->place(), action);
  }

  const Switchable& find(const std::string& name) const {
    return *std::ranges::find(in_.model.switchables, name, &Switchable::name);
  }

  void switch_to(const Switchable& switchable, double engaged, const char* word, const Place& place, Action& action) {
    const Parameter& parameter = in_.model.parameters[static_cast<std::size_t>(switchable.engaged)];
    action.changes.push_back({parameter.name, parameter.symbol, engaged, place});
    say(fmt::format("'{}' {}", switchable.name, word), action);
  }

  static void say(const std::string& words, Action& action) {
    action.words += (action.words.empty() ? "" : ", ") + words;
  }

  void read_changes(const Value& set, Action& action) {
    const yaml::Node& node = expect_mapping(set.node(), set.what(), in_.file);
    for (std::size_t k = 0; k < node.keys.size(); ++k) {
      const yaml::PlacedText name = in_.repetition.filled(node.keys[k].text, set.part().indices);
      const Place place = in_.place(node.keys[k]);
      const SymbolId symbol = target(name, set.part().indices, place);
      const Value value = set.beside(node.items[k], fmt::format("what '{}' becomes", name.text));
      action.changes.push_back({name.text, symbol, value.formula(context::output), place});
      say(fmt::format("{} := {}", name.text, value.filled().text), action);
    }
  }

  /// What a name stands for, if it can be given another value.
  SymbolId target(const yaml::PlacedText& name, const Indices& indices, const Place& place) const {
    const Expression meaning = in_.scope.formula(name, context::output, indices);
    const auto refuse = [&](const std::string& why, const std::string& remedy) {
      throw InputError(place, fmt::format("an event cannot set '{}': {}", name.text, why), remedy);
    };
    const std::string remedy = "set a parameter, an input, a coordinate, a rate that is a speed, a speed or a state";
    if (meaning.graph() == nullptr) refuse("it is a number", remedy);
    const Graph::Node node = in_.model.graph->node(meaning.in(*in_.model.graph));
    if (node.op != Op::symbol) refuse("it follows from other values", remedy);
    const SymbolId symbol = node.a;
    switch (in_.model.graph->info(symbol).kind) {
      case SymbolKind::parameter:
        if (std::ranges::find(in_.model.parameters, symbol, &Parameter::symbol)->structural)
          refuse("it decides how many parts the model has", "set another value");
        return symbol;
      case SymbolKind::input:
      case SymbolKind::coordinate:
      case SymbolKind::speed:
        return symbol;
      case SymbolKind::rate: {
        const auto coordinate = std::ranges::find(in_.model.coordinates, symbol, &Coordinate::rate);
        if (coordinate->kinematics) refuse("it follows from the speeds", "set these");
        return symbol;
      }
      default:
        refuse("it follows from the motion", remedy);
    }
    return symbol;
  }

  /// A contact is watched twice: by its gap while it is open, and by its force while it holds.
  void read_contact(const Entry& entry, const GivenEvent& given) {
    static constexpr Context gap_context{"a gap", context::positions, "use coordinates and time", true};
    if (given.acts() || given.stop || given.direction)
      entry.value.refuse(fmt::format("event '{}' has a restitution and does something else, too", entry.name),
                         "write a second event with the same formula for that");
    Model& model = in_.model;
    const auto row = std::ranges::find(model.constraints, entry.name, &Constraint::name);
    Contact contact;
    contact.restitution = given.restitution->formula(context::parameter);
    contact.row = static_cast<std::size_t>(row - model.constraints.begin());
    contact.gap = given.when->called(fmt::format("event '{}'", entry.name)).formula(gap_context);
    const auto engaged = std::ranges::find(model.parameters, entry.name + ".engaged", &Parameter::name);
    contact.engaged = static_cast<int>(engaged - model.parameters.begin());
    const Expression on(*model.graph, model.graph->symbol(engaged->symbol));
    const Expression force(*model.graph, model.graph->symbol(row->multiplier));
    set_residual(model, *row, on * contact.gap, entry.place);
    Watch watch{.name = entry.name,
                .value = (1 - on) * contact.gap + on,
                .place = entry.place,
                .direction = CrossingDirection::falling,
                .contact = contact};
    model.events.push_back(watch);
    watch.name += ".release";
    watch.value = on * force + (1 - on);
    watch.contact->holds = true;
    model.events.push_back(std::move(watch));
  }

  ReadingContext& in_;
  SwitchedRows rows_;
};

void declare_contact(ReadingContext& in, const Entry& entry) {
  if (in.scope.has_constraint(entry.name))
    throw InputError(entry.place, fmt::format("a contact and a constraint are named '{}'", entry.name),
                     "choose another name for one of them");
  in.scope.add(add_constraint(in.model, entry.name, entry.place));
  in.give_rows(in.model.constraints.size() - 1, entry.part());
  add_event_value(in, entry.name + ".engaged", 0, entry.place);
}

}  // namespace

void declare_events(ReadingContext& in) {
  declare_given_switchables(in);
  std::unordered_set<std::string> seen;
  in.each_entry("events", [&](const Entry& entry) {
    check_label(entry.name, "an event", entry.place);
    if (!seen.insert(entry.name).second) {
      throw InputError(entry.place, fmt::format("two events are named '{}'", entry.name),
                       "choose another name; in a repetition, put {i} into it");
    }
    const GivenEvent given = given_event(entry);
    if (given.restitution) declare_contact(in, entry);
    for (const auto* list : {&given.engage, &given.release, &given.hold})
      for (const std::string& name : names_in(*list)) declare_switchable(in, name, (*list)->place());
  });
}

void read_events(ReadingContext& in) {
  EventReader reader(in);
  reader.connect_switchables();
  in.each_entry("events", [&](const Entry& entry) { reader.read(entry); });
  reader.finish();
}

}  // namespace taut
