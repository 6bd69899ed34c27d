#include "model/parameter_reading.hpp"
#include "model/bodies/present.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "expression/derivative.hpp"
#include "model/assignments.hpp"
#include "model/declare.hpp"
#include "model/sections.hpp"

namespace taut {
namespace {

/// The names that a formula uses, whatever they mean.
std::vector<std::string> names_in(const yaml::PlacedText& text) {
  std::vector<std::string> used;
  Graph scratch;
  Names names;
  names.graph = &scratch;
  names.name = [&](const std::string& name, const Place&) -> Expression {
    used.push_back(name);
    return 1.0;
  };
  try {
    parse(text.text, names, {});
  } catch (const InputError&) {
    // What is wrong with the formula is said when its turn comes; here the names before that count.
  }
  return used;
}

/// The shortest way along which an entry of a mapping is given by itself, or empty if it is not.
std::vector<std::string> circle(const yaml::Node& entries, const std::string& name) {
  std::unordered_map<std::string, const yaml::Node*> formulas;
  for (std::size_t k = 0; k < entries.keys.size(); ++k) formulas[entries.keys[k].text.text] = &entries.items[k];
  std::unordered_map<std::string, std::string> used_by;
  std::deque<std::string> open{name};
  while (!open.empty() && !used_by.contains(name)) {
    const std::string user = open.front();
    open.pop_front();
    for (const std::string& used : names_in(formulas.at(user)->text)) {
      if (formulas.contains(used) && used_by.emplace(used, user).second) open.push_back(used);
    }
  }
  if (!used_by.contains(name)) return {};
  std::vector<std::string> way{name};
  do way.push_back(used_by.at(way.back()));
  while (way.back() != name);
  std::ranges::reverse(way);
  return way;
}

/// Names that come later, so that using one too early gets a message of its own.
void expect_names(ReadingContext& in, const Part& part) {
  using Section = std::pair<std::string, std::string>;
  for (const auto& [section, what] :
       {Section{"coordinates", "a coordinate"}, Section{"speeds", "a speed"}, Section{"states", "a state"},
        Section{"definitions", "a definition"}, Section{"inputs", "an input"}, Section{"parameters", "a parameter"}}) {
    const yaml::Node* node = part.body->find(section);
    if (node == nullptr) continue;
    for (const yaml::Node& key : node->keys) in.scope.expect(part.indices.full(key.text.text), what);
  }
}

void read_parameter(ReadingContext& in, const std::string& name, const Place& place_of_name, const Value& given) {
  Parameter& parameter = add_parameter(in.model, name, place_of_name);
  const std::string what = fmt::format("parameter '{}'", name);
  const auto value = in.assigned(name, context::parameter);
  parameter.value = value ? *value : given.called(what).formula(context::parameter);
  in.parameter_values.resize(in.model.graph->symbols(), 0.0);
  in.parameter_values[parameter.symbol] = finite_value(parameter.value, in.parameter_values, what, given.place());
  in.scope.add(parameter);
}

/// A parameter that uses one after it may be part of a circle; then moving it would not help.
void explain_parameter(const InputError& error, const yaml::Node& parameters, const std::string& name) {
  std::vector<std::string> way = circle(parameters, name);
  if (way.empty()) return;
  constexpr std::size_t longest = 8;
  if (way.size() > longest) way = {way[0], way[1], way[2], "...", way.back()};
  throw InputError(error.place(), fmt::format("parameter '{}' is given by itself: {}", name, fmt::join(way, " -> ")),
                   "give one of them as a number");
}

}  // namespace

void read_parameters(ReadingContext& in, const Part& part) {
  expect_names(in, part);
  const yaml::Node* parameters = part.body->find("parameters");
  if (parameters == nullptr) return;
  expect_mapping(*parameters, "parameters", in.file);
  for (std::size_t k = 0; k < parameters->keys.size(); ++k) {
    const yaml::Node& key = parameters->keys[k];
    try {
      read_parameter(in, part.indices.full(key.text.text), in.place(key), {in, parameters->items[k], "", part});
    } catch (const InputError& error) {
      explain_parameter(error, *parameters, key.text.text);
      throw;
    }
  }
}

double structural_value(ReadingContext& in, const std::string& name, const Place& at) {
  const auto parameter = std::ranges::find(in.model.parameters, name, &Parameter::name);
  if (parameter != in.model.parameters.end()) {
    mark_structural(in.model, parameter->symbol);
    return in.parameter_values[parameter->symbol];
  }
  std::vector<std::string> known;
  for (const Parameter& other : in.model.parameters) known.push_back(other.name);
  const std::string near = nearest(name, known);
  throw InputError(at, fmt::format("'{}' is no index and no parameter, and a repetition counts with these only", name),
                   near.empty() ? "use numbers, parameters and the index" : fmt::format("did you mean '{}'?", near));
}

}  // namespace taut
