#include "model/switching_reading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.hpp"
#include "model/declare.hpp"

namespace taut {
namespace {

Switchable* find_switchable(Model& model, const std::string& name) {
  const auto found = std::ranges::find(model.switchables, name, &Switchable::name);
  return found == model.switchables.end() ? nullptr : &*found;
}

/// A constraint by its name, the rows of one on a vector, or those of a joint, its motor's included.
std::vector<std::size_t> rows_of(const Model& model, const std::string& name) {
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < model.constraints.size(); ++k) {
    const std::string& own = model.constraints[k].name;
    const bool is_component = own.size() == name.size() + 2 && own.starts_with(name) && own[name.size()] == '.' &&
                              std::string_view("xyz").find(own.back()) != std::string_view::npos;
    if (own == name || is_component) rows.push_back(k);
  }
  for (const Joint& joint : model.joints) {
    if (joint.name != name) continue;
    rows = joint.rows;
    if (joint.motor) rows.push_back(*joint.motor);
  }
  return rows;
}

}  // namespace

int add_event_value(ReadingContext& in, const std::string& name, double value, const Place& place) {
  in.scope.add_definition(name,
                          add_part_input(in.model, {.name = name, .value = value, .place = place, .setter = "events"}));
  in.parameter_values.resize(in.model.graph->symbols(), 0.0);
  in.parameter_values[in.model.parameters.back().symbol] = value;
  return static_cast<int>(in.model.parameters.size()) - 1;
}

std::size_t declare_switchable(ReadingContext& in, const std::string& name, const Place& place, bool engaged) {
  std::vector<Switchable>& all = in.model.switchables;
  if (const Switchable* known = find_switchable(in.model, name)) return static_cast<std::size_t>(known - all.data());
  const int parameter = add_event_value(in, name + ".engaged", engaged ? 1 : 0, place);
  all.push_back({.name = name, .engaged = parameter});
  return all.size() - 1;
}

void declare_given_switchables(ReadingContext& in) {
  for (const char* section : {"constraints", "joints"})
    in.each_entry(section, [&](const Entry& entry) {
      const yaml::Node* node = entry.value.is_mapping() ? entry.value.node().find("engaged") : nullptr;
      if (node == nullptr) return;
      const Value value = entry.value.beside(*node, fmt::format("'engaged' of '{}'", entry.name));
      declare_switchable(in, entry.name, value.place(), value.flag());
    });
}

Expression SwitchedRows::symbol(int parameter) const {
  const Parameter& p = in_.model.parameters[static_cast<std::size_t>(parameter)];
  return {*in_.model.graph, in_.model.graph->symbol(p.symbol)};
}

void SwitchedRows::connect(Switchable& switchable, const Place& place) {
  switchable.rows = rows_of(in_.model, switchable.name);
  if (!switchable.rows.empty()) return;
  std::vector<std::string> known;
  for (const Constraint& constraint : in_.model.constraints) known.push_back(constraint.name);
  for (const Joint& joint : in_.model.joints) known.push_back(joint.name);
  const std::string near = nearest(switchable.name, known);
  throw InputError(place,
                   fmt::format("there is no constraint and no joint '{}' that could be switched", switchable.name),
                   near.empty() ? "name one of the model's" : fmt::format("did you mean '{}'?", near));
}

int SwitchedRows::offset_of(const Switchable& switchable, std::size_t row, const Place& place) {
  const auto known = offsets_.find(row);
  if (known != offsets_.end()) return known->second;
  const std::string name = switchable.rows.size() == 1
                               ? switchable.name + ".offset"
                               : fmt::format("{}.offset{}", switchable.name, offsets_.size() + 1);
  return offsets_[row] = add_event_value(in_, name, 0, place);
}

/// Rows of most joints are components in world axes: kept at a value other than zero they would hold no joint.
std::vector<Action::Change> SwitchedRows::held(const Switchable& switchable, const Place& place) {
  const auto joint = std::ranges::find(in_.model.joints, switchable.name, &Joint::name);
  if (joint != in_.model.joints.end() && joint->type != "distance")
    throw InputError(place,
                     fmt::format("joint '{}', of type {}, cannot hold where it is", switchable.name, joint->type),
                     "engage it where it is met, or write what is to stay as constraints, and hold these");
  std::vector<Action::Change> changes;
  for (const std::size_t row : switchable.rows) {
    const Constraint& constraint = in_.model.constraints[row];
    if (constraint.on_velocity)
      throw InputError(place,
                       fmt::format("'{}' cannot hold where it is: it is a constraint on speeds", switchable.name),
                       "engage it instead");
    const int offset = offset_of(switchable, row, place);
    const Parameter& p = in_.model.parameters[static_cast<std::size_t>(offset)];
    changes.push_back({p.name, p.symbol, constraint.residual, place});
  }
  return changes;
}

void SwitchedRows::write_factors() {
  for (const Switchable& switchable : in_.model.switchables)
    for (const std::size_t row : switchable.rows) {
      Expression& residual = in_.model.constraints[row].residual;
      const auto offset = offsets_.find(row);
      const Expression held = offset == offsets_.end() ? residual : residual - symbol(offset->second);
      residual = symbol(switchable.engaged) * held;
    }
}

}  // namespace taut
