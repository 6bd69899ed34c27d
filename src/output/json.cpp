#include "output/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace taut {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

/// An object with members in the order in which they came, found by hashing: Json itself would compare a name with all
/// the others.
class Members {
 public:
  /// The member of that name, and whether it is new.
  std::pair<Json&, bool> at(const std::string& name) {
    auto& members = object_.get_ref<Json::object_t&>();
    const auto [place, is_new] = places_.try_emplace(name, members.size());
    if (is_new) members.push_back({name, nullptr});
    return {(members.begin() + static_cast<std::ptrdiff_t>(place->second))->second, is_new};
  }
  Json take() { return std::move(object_); }

 private:
  Json object_ = Json::object();
  std::unordered_map<std::string, std::size_t> places_;
};

Json by_name(const std::vector<NamedValue>& values) {
  Members members;
  for (const auto& [name, value] : values) members.at(name).first = number(value);
  return members.take();
}

/// Values under the names of others, in their order; there may be fewer.
std::vector<NamedValue> named(const std::vector<double>& values, const std::vector<NamedValue>& others) {
  std::vector<NamedValue> list;
  for (std::size_t k = 0; k < values.size(); ++k) list.push_back({others[k].name, values[k]});
  return list;
}

/// One value per constraint, or a list where several multipliers bear the same name.
Json multipliers(const std::vector<NamedValue>& values) {
  Members members;
  for (const auto& [name, value] : values) {
    const auto [entry, is_new] = members.at(name);
    if (is_new) {
      entry = number(value);
      continue;
    }
    if (!entry.is_array()) entry = Json::array({entry});
    entry.push_back(number(value));
  }
  return members.take();
}

Json by_name(const std::vector<Violation>& violations) {
  Members members;
  for (const auto& [name, position, velocity] : violations)
    members.at(name).first = {{"position", number(position)}, {"velocity", number(velocity)}};
  return members.take();
}

Json list(const std::vector<Event>& events) {
  Json array = Json::array();
  for (const Event& event : events) {
    array.push_back(
        {{"t", number(event.t)}, {"kind", event.kind}, {"name", text_or_null(event.name)}, {"message", event.message}});
    if (event.impulse) array.back()["impulse"] = number(event.impulse);
    if (event.energy_change) array.back()["energy_change"] = number(event.energy_change);
  }
  return array;
}

Json list(const std::vector<std::string>& lines) { return Json(lines); }

Json vector(const std::array<double, 3>& a) { return {number(a[0]), number(a[1]), number(a[2])}; }

/// A joint with one coordinate has its `rate`; one with two has `angle_rate` and `travel_rate`.
Json joint(const JointState& state) {
  Json json{{"type", state.type}};
  if (state.turns) json["angle"] = number(state.angle);
  if (state.slides) json["travel"] = number(state.travel);
  if (state.turns && state.slides) {
    json["angle_rate"] = number(state.angle_rate);
    json["travel_rate"] = number(state.travel_rate);
  } else if (state.turns || state.slides) {
    json["rate"] = number(state.turns ? state.angle_rate : state.travel_rate);
  }
  json["force"] = vector(state.force);
  json["torque"] = vector(state.torque);
  if (state.effort) json["effort"] = number(state.effort);
  json["unique"] = state.unique ? Json(*state.unique) : Json(nullptr);
  return json;
}

Json final_state(const Summary& summary) {
  Json json{{"t", number(summary.t)},
            {"coordinates", by_name(summary.final_coordinates)},
            {"rates", by_name(summary.final_rates)},
            {"accelerations", by_name(summary.final_accelerations)},
            {"outputs", by_name(summary.final_outputs)},
            {"multipliers", multipliers(summary.final_multipliers)},
            {"constraint_forces", by_name(named(summary.final_constraint_forces, summary.final_accelerations))},
            {"impulses", summary.final_impulses.empty()
                             ? Json(nullptr)
                             : multipliers(named(summary.final_impulses, summary.final_multipliers))}};
  if (!summary.final_states.empty()) json["states"] = by_name(summary.final_states);
  // Whatever they are to the equations, a state has a value and a rate like a coordinate.
  for (std::size_t k = 0; k < summary.final_states.size(); ++k) {
    const std::string& name = summary.final_states[k].name;
    json["coordinates"][name] = number(summary.final_states[k].value);
    json["rates"][name] = number(summary.final_state_rates[k].value);
    json["accelerations"].erase(name);
  }
  if (summary.final_joints.empty()) return json;
  Members joints;
  for (const JointState& state : summary.final_joints) joints.at(state.name).first = joint(state);
  json["joints"] = joints.take();
  return json;
}

/// A name that is not UTF-8 is mended rather than refused: the figures matter more.
std::string print(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

void add_choices(const Summary& summary, Json& json) {
  json["model"] = summary.model;
  json["verdict"] = to_string(summary.verdict);
  json["verdict_reason"] = text_or_null(summary.verdict_reason);
  json["method"] = summary.method;
  json["coordinates_used"] = text_or_null(summary.coordinates_used);
  json["integrator"] = summary.integrator;
  json["linear"] = summary.linear;
  json["control"] = summary.control;
  json["energy"] = summary.energy;
  json["step"] = number(summary.step);
  json["rtol"] = number(summary.rtol);
  json["atol"] = number(summary.atol);
}

void add_accuracy(const Summary& summary, Json& json) {
  if (!summary.accuracy) return;
  const ResultAccuracy& accuracy = *summary.accuracy;
  json["accuracy"] = {{"asked", number(accuracy.asked)}, {"estimate", number(accuracy.estimate)},
                      {"reached", accuracy.reached},     {"holds_until", number(accuracy.holds_until)},
                      {"runs", accuracy.runs},           {"errors", by_name(accuracy.errors)}};
}

void add_course(const Summary& summary, Json& json) {
  json["outcome"] = to_string(summary.outcome);
  json["reason"] = text_or_null(summary.reason);
  json["t_end"] = number(summary.t_end);
  json["steps"] = summary.steps;
  json["rejected_steps"] = summary.rejected_steps;
  json["evaluations"] = summary.evaluations;
  json["mean_order"] = number(summary.mean_order);
  json["wall_seconds"] = number(summary.wall_seconds);
  json["setup_seconds"] = number(summary.setup_seconds);
  json["native"] = {{"used", summary.native.used}, {"reason", summary.native.reason}};
}

void add_structure(const Summary& summary, Json& json) {
  json["coordinates"] = summary.coordinates;
  json["speeds"] = summary.speeds;
  json["constraints"] = summary.constraints;
  json["degrees_of_freedom"] = summary.degrees_of_freedom;
  json["rank"] = {{"min", summary.rank_min}, {"max", summary.rank_max}};
  json["dependent"] = list(summary.dependent);
}

void add_conformance(const Summary& summary, Json& json) {
  json["max_position_violation"] = number(summary.max_position_violation);
  json["max_velocity_violation"] = number(summary.max_velocity_violation);
  json["max_energy_error"] = number(summary.max_energy_error);
  json["relative_position_violation"] = number(summary.relative_position_violation);
  json["relative_velocity_violation"] = number(summary.relative_velocity_violation);
  json["limit_broken"] = summary.limit_broken;
  json["violations"] = by_name(summary.violations);
  json["largest_correction"] = number(summary.largest_correction);
  json["correction"] = {{"largest", number(summary.correction.largest)},
                        {"mean", number(summary.correction.mean)},
                        {"share", number(summary.correction.share)}};
  json["part_solutions"] = summary.part_solutions
                               ? Json{{"asked", summary.part_solutions->asked}, {"kept", summary.part_solutions->kept}}
                               : Json(nullptr);
  json["coupling"] = summary.coupling.empty() ? Json(nullptr) : multipliers(summary.coupling);
  json["assembly_change"] = number(summary.assembly_change);
  json["passages"] = summary.passages;
  json["events"] = list(summary.events);
  if (!summary.controllers.empty()) {
    Members controllers;
    for (const auto& [name, sample_time, samples] : summary.controllers)
      controllers.at(name).first = {{"sample_time", number(sample_time)}, {"samples", samples}};
    json["controllers"] = controllers.take();
  }
  json["notes"] = list(summary.notes);
}

}  // namespace

std::string to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::done:
      return "done";
    case Outcome::stopped:
      return "stopped";
    case Outcome::interrupted:
      return "interrupted";
    case Outcome::failed:
      return "failed";
  }
  return "failed";
}

std::string to_json(const Summary& summary) {
  Json json = Json::object();
  add_choices(summary, json);
  add_accuracy(summary, json);
  add_course(summary, json);
  add_structure(summary, json);
  add_conformance(summary, json);
  json["multipliers_unique"] = summary.multipliers_unique;
  json["final"] = final_state(summary);
  return print(json);
}

std::string to_json(const Check& check) {
  Json json = Json::object();
  json["model"] = check.model;
  json["coordinates"] = check.coordinates;
  json["speeds"] = check.speeds;
  json["constraints"] = check.constraints;
  json["rank"] = check.rank;
  json["degrees_of_freedom"] = check.degrees_of_freedom;
  json["dependent"] = list(check.dependent);
  json["soft"] = list(check.soft);
  if (!check.inputs.empty()) {
    json["inputs"] = Json::array();
    for (const auto& [name, unit, description, value, formula] : check.inputs)
      json["inputs"].push_back({{"name", name},
                                {"unit", text_or_null(unit)},
                                {"description", text_or_null(description)},
                                {"value", number(value)},
                                {"formula", text_or_null(formula)}});
  }
  if (!check.controllers.empty()) {
    json["controllers"] = Json::array();
    for (const ControllerCheck& told : check.controllers)
      json["controllers"].push_back({{"name", told.name},
                                     {"sample_time", number(told.sample_time)},
                                     {"offset", number(told.offset)},
                                     {"measured", list(told.measured)},
                                     {"states", list(told.states)},
                                     {"sets", list(told.sets)},
                                     {"delays", by_name(told.delays)}});
  }
  json["initial_violations"] = by_name(check.initial);
  json["energy"] = number(check.energy);
  json["not_smooth"] = list(check.not_smooth);
  if (!check.parts.empty()) {
    json["parts"] = Json::array();
    for (const auto& [name, file, depth, constraints] : check.parts)
      json["parts"].push_back({{"name", name}, {"file", file}, {"depth", depth}, {"constraints", constraints}});
    json["joining"] = check.joining;
  }
  if (check.bodies > 0) {
    json["bodies"] = check.bodies;
    json["joints"] = check.joints;
    json["mobility"] = check.mobility ? Json(*check.mobility) : Json(nullptr);
    json["dependent_joints"] = list(check.dependent_joints);
    json["loops"] = check.loops;
    json["remarks"] = list(check.remarks);
    json["tree"] = list(check.tree);
  }
  json["notes"] = list(check.notes);
  return print(json);
}

namespace {

Json to_members(const Field& field) {
  return {{"name", field.name},
          {"default", text_or_null(field.default_value)},
          {"unit", text_or_null(field.unit)},
          {"range", text_or_null(field.range)},
          {"meaning", field.meaning}};
}

Json to_members(const ListEntry& entry) {
  if (entry.value) {
    Json json = to_members(*entry.value);
    json["argument"] = text_or_null(entry.argument);
    return json;
  }
  Json json{{"name", entry.name}, {"about", entry.about}, {"source", text_or_null(entry.source)}};
  json["options"] = Json::array();
  for (const Field& option : entry.options) json["options"].push_back(to_members(option));
  return json;
}

}  // namespace

std::string to_json(const std::vector<NamedList>& lists) {
  Json json = Json::object();
  for (const auto& [name, entries] : lists) {
    Json& members = json[name] = Json::array();
    for (const ListEntry& entry : entries) members.push_back(to_members(entry));
  }
  return print(json);
}

}  // namespace taut
