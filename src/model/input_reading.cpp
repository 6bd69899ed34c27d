#include "model/input_reading.hpp"

#include <fmt/format.h>

#include "model/assignments.hpp"
#include "model/declare.hpp"
#include "model/function_reading.hpp"
#include "model/functions.hpp"
#include "model/inputs.hpp"
#include "model/keys.hpp"
#include "model/table.hpp"

namespace taut {
namespace {

/// A value alone, or a mapping; a table is one that says so.
struct GivenInput {
  std::optional<Value> value;
  InputRole role;
  bool is_function = false;
};

constexpr const char* give_value_once = "give 'value' or 'default', which mean the same";

void keep_input_value(const Value& v, GivenInput& input) {
  if (input.value) v.refuse(fmt::format("{} stands beside another value", v.what()), give_value_once);
  input.value = v;
}

double limit(const Value& v) {
  const Expression value = v.formula(context::parameter);
  if (!value.is_constant()) v.refuse(fmt::format("{} is not a number", v.what()), "give a number, such as 2.5");
  return value.value();
}

const Keys<GivenInput> input_keys{{
    {"value", keep_input_value},
    {"default", keep_input_value},
    {"unit", [](const Value& v, GivenInput& input) { input.role.unit = v.scalar().text; }},
    {"description", [](const Value& v, GivenInput& input) { input.role.description = v.scalar().text; }},
    {"min", [](const Value& v, GivenInput& input) { input.role.lowest = limit(v); }},
    {"max", [](const Value& v, GivenInput& input) { input.role.highest = limit(v); }},
}};

bool is_table(const Value& value) {
  return value.is_mapping() && (value.node().find("table") != nullptr || value.node().find("rows") != nullptr);
}

GivenInput given_input(const Value& value) {
  GivenInput given;
  if (value.is_mapping() && !is_table(value))
    read_keys(value, input_keys, given);
  else
    given.value = value;
  return given;
}

/// What was set from outside stands for what the model gives. Whoever gives the function's value is the program.
Expression input_value(ReadingContext& in, const std::string& name, const GivenInput& given) {
  if (given.is_function) return 0;
  if (const auto assigned = in.assigned(name, context::input)) return *assigned;
  if (!given.value) return 0;
  const Value value = given.value->called(fmt::format("input '{}'", name));
  return is_table(value) ? read_table(value, in.model.tables) : value.formula(context::input);
}

void read_input(ReadingContext& in, const Entry& entry) {
  GivenInput given = given_input(entry.value.called(fmt::format("input '{}'", entry.name)));
  given.is_function = function_of_input(in, entry.name, given.value).has_value();
  Input input{
      .name = entry.name, .value = input_value(in, entry.name, given), .role = given.role, .place = entry.place};
  if (const Assignment* set = find_assignment(in.set, entry.name)) input.assigned = set->value;
  in.scope.add_definition(entry.name, add_input(in.model, std::move(input)));
  Input& added = in.model.inputs.back();
  if (given.is_function) add_function(in.model, added, entry.place);
  if (!added.is_held() || given.is_function) return;
  const Parameter& parameter = in.model.parameters.back();
  in.parameter_values.resize(in.model.graph->symbols(), 0.0);
  double& value = in.parameter_values[parameter.symbol];
  value = finite_value(parameter.value, in.parameter_values, fmt::format("input '{}'", added.name), added.place);
  check_input_value(added, value);
}

}  // namespace

void read_inputs(ReadingContext& in) {
  in.each_entry("inputs", [&](const Entry& entry) { read_input(in, entry); });
}

void read_function_arguments(ReadingContext& in) {
  in.each_entry("inputs", [&](const Entry& entry) {
    const GivenInput given = given_input(entry.value.called(fmt::format("input '{}'", entry.name)));
    const auto text = function_of_input(in, entry.name, given.value);
    if (!text) return;
    const int parameter = std::ranges::find(in.model.inputs, entry.name, &Input::name)->parameter;
    for (StateFunction& function : in.model.functions)
      if (function.parameters.front() == parameter) function.arguments = text->arguments(in);
  });
}

}  // namespace taut
