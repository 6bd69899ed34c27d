#include "cli/view_settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/arguments.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

using Json = nlohmann::json;

/// The page has controls for these; it may not ask for anything else.
constexpr std::array changeable{"until", "step", "rtol", "method", "integrator", "energy", "assemble"};
constexpr std::size_t longest_value = 200;

[[noreturn]] void refuse(const std::string& what) {
  throw InputError("the page asked for something that cannot be: " + what, "reload the page");
}

const Json& member(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_object()) refuse(std::string("there is no object '") + name + "'");
  return *found;
}

/// The names of a list, `auto` first where the choice may be left to the program.
Json names(const std::vector<ListEntry>& list, const std::string& first) {
  Json array = Json::array({first});
  for (const ListEntry& entry : list)
    if (entry.name != first) array.push_back(entry.name);
  return array;
}

Json choices_of(const Options& options) {
  Json choices = Json::object();
  for (const char* name : changeable) choices[name] = find_option(name).get(options).value_or("auto");
  return choices;
}

/// Parameters that are numbers; those that follow from others by a formula move with them.
Json parameters_of(const Model& model, const InitialValues& values) {
  Json list = Json::array();
  for (std::size_t k = 0; k < model.parameters.size(); ++k) {
    const Parameter& parameter = model.parameters[k];
    if (!parameter.value.is_constant()) continue;
    list.push_back({{"name", parameter.name}, {"value", values.parameters[k]}, {"whole", parameter.structural}});
  }
  return list;
}

/// An initial value by the name under which it can be set.
struct InitialValue {
  std::string name;
  Expression formula;
  double value;
};

std::vector<InitialValue> initial_of(const Model& model, const InitialValues& values) {
  std::vector<InitialValue> list;
  std::size_t rate = 0;
  for (std::size_t k = 0; k < model.coordinates.size(); ++k) {
    const Coordinate& x = model.coordinates[k];
    list.push_back({x.name + "(0)", x.initial, values.coordinates[k]});
    if (!x.kinematics) list.push_back({x.name + "'(0)", x.initial_rate, values.speeds[rate++]});
  }
  for (const Speed& u : model.speeds) list.push_back({u.name + "(0)", u.initial, values.speeds[rate++]});
  return list;
}

}  // namespace

ViewSettings read_settings(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) refuse("it is no object");
  ViewSettings settings;
  for (const auto& [name, value] : member(json, "options").items()) {
    if (std::find(changeable.begin(), changeable.end(), name) == changeable.end()) refuse("an option '" + name + "'");
    if (!value.is_string() || value.get_ref<const std::string&>().size() > longest_value)
      refuse("the value of '" + name + "'");
    settings.options[name] = value.get<std::string>();
  }
  for (const auto& [name, value] : member(json, "set").items()) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) refuse("the value of '" + name + "'");
    settings.set[name] = value.get<double>();
  }
  return settings;
}

Json to_json(const ViewSettings& settings) { return {{"options", settings.options}, {"set", settings.set}}; }

std::vector<Assignment> assignments_of(const ViewRequest& request, const ViewSettings& settings) {
  std::vector<Assignment> list = request.set;
  for (const auto& [name, value] : settings.set) {
    std::erase_if(list, [&name = name](const Assignment& given) { return given.name == name; });
    list.push_back({name, option_text(value)});
  }
  return list;
}

Options options_for(const Model& model, const ViewRequest& request, const ViewSettings& settings) {
  Options options = options_of(model);
  apply_options(request.settings, options, "--");
  OptionValues chosen;
  for (const auto& [name, value] : settings.options) {
    if (name == "step" && value == "auto") {
      unset_step(options);
    } else {
      chosen.emplace_back(name, value);
    }
  }
  apply_options(chosen, options, "--");
  const auto set = assignments_of(request, settings);
  options.set.insert(options.set.end(), set.begin(), set.end());
  options.record = false;
  return options;
}

std::string command_for(const ViewRequest& request, const ViewSettings& settings, const Options& options) {
  OptionValues values;
  for (const auto& given : request.settings)
    if (!settings.options.contains(given.first)) values.push_back(given);
  for (const auto& [name, value] : settings.options)
    if (name != "step" || value != "auto") values.emplace_back(name, value);
  // No word says "no step"; a tolerance does.
  const auto step = settings.options.find("step");
  if (step != settings.options.end() && step->second == "auto" && !settings.options.contains("rtol"))
    values.emplace_back("rtol", option_text(options.rtol));
  return run_command(request.model, values, assignments_of(request, settings));
}

Json controls_of(const Model& model, const ViewRequest& request) {
  const InitialValues values = initial_values(model, request.set);
  Json initial = Json::array();
  for (const InitialValue& entry : initial_of(model, values))
    initial.push_back({{"name", entry.name}, {"value", entry.value}});
  return {{"name", model.name},
          {"file", model.file},
          {"parameters", parameters_of(model, values)},
          {"initial", std::move(initial)},
          {"options", choices_of(options_for(model, request, {}))},
          {"methods", names(list_methods(), "auto")},
          {"integrators", names(list_integrators(), "auto")},
          {"energies", names(list_energy_laws(), "none")}};
}

Json formula_values(const Model& model, const std::vector<Assignment>& set) {
  Json values = Json::object();
  for (const InitialValue& entry : initial_of(model, initial_values(model, set)))
    if (!entry.formula.is_constant()) values[entry.name] = entry.value;
  for (const Assignment& assignment : set) values.erase(assignment.name);
  return values;
}

}  // namespace taut::cli
