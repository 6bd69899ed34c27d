#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "exporting/c_code.hpp"
#include "exporting/dependencies.hpp"
#include "exporting/fmu.hpp"

namespace taut {
namespace {

/// Text as XML has it between quotes.
std::string quoted(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else if (static_cast<unsigned char>(c) < 0x20)
      safe += ' ';
    else
      safe += c;
  }
  return safe;
}

/// A value that a unit has.
struct Variable {
  std::string name, description, causality, variability, initial, start, unit;
  int derivative_of = -1;  ///< the reference of the state whose rate it is
};

Variable variable_of(const ExportedParameter& p) {
  const auto number = [](double value) { return fmt::format("{:.17g}", value); };
  const std::string told = p.role.description;
  const char* variability = p.tunable ? "tunable" : "fixed";
  if (p.is_sampled)
    return {p.name,
            told.empty() ? "found by a controller" : told,
            p.is_set ? "output" : "local",
            "discrete",
            "calculated",
            "",
            p.role.unit};
  if (p.is_input)
    return {p.name, told.empty() ? "an input" : told, "input", "continuous", "", number(p.value), p.role.unit};
  if (p.calculated)
    return {p.name, "a parameter that follows from others", "calculatedParameter", variability, "calculated", "", ""};
  if (is_decided(p))
    return {p.name,  p.structural ? "decides what the model is made of" : "the start was found with it",
            "local", "constant",
            "exact", number(p.value),
            ""};
  return {p.name, "a parameter", "parameter", variability, "exact", number(p.value), ""};
}

std::string unit_of_output(const ExportedModel& model, std::size_t k) {
  return k < model.output_units.size() ? model.output_units[k] : "";
}

// ---- units ----------------------------------------------------------------------------------------

/// A unit by exponents of those of the SI: kg, m, s, A, K, mol, cd, rad; and its factor.
struct KnownUnit {
  const char *name, *base;
};
constexpr KnownUnit known_units[] = {
    {"s", "s=\"1\""},
    {"1/s", "s=\"-1\""},
    {"Hz", "s=\"-1\""},
    {"m", "m=\"1\""},
    {"mm", "m=\"1\" factor=\"0.001\""},
    {"m/s", "m=\"1\" s=\"-1\""},
    {"m/s^2", "m=\"1\" s=\"-2\""},
    {"kg", "kg=\"1\""},
    {"N", "kg=\"1\" m=\"1\" s=\"-2\""},
    {"kN", "kg=\"1\" m=\"1\" s=\"-2\" factor=\"1000\""},
    {"N/m", "kg=\"1\" s=\"-2\""},
    {"N*m", "kg=\"1\" m=\"2\" s=\"-2\""},
    {"Nm", "kg=\"1\" m=\"2\" s=\"-2\""},
    {"N m", "kg=\"1\" m=\"2\" s=\"-2\""},
    {"J", "kg=\"1\" m=\"2\" s=\"-2\""},
    {"W", "kg=\"1\" m=\"2\" s=\"-3\""},
    {"Pa", "kg=\"1\" m=\"-1\" s=\"-2\""},
    {"rad", "rad=\"1\""},
    {"rad/s", "rad=\"1\" s=\"-1\""},
    {"rad/s^2", "rad=\"1\" s=\"-2\""},
    {"deg", "rad=\"1\" factor=\"0.017453292519943295\""},
    {"A", "A=\"1\""},
    {"V", "kg=\"1\" m=\"2\" s=\"-3\" A=\"-1\""},
    {"K", "K=\"1\""},
};

/// All that are used; one that is not known is defined by its name alone.
std::string unit_definitions(const std::vector<Variable>& variables) {
  std::set<std::string> used;
  for (const Variable& v : variables)
    if (!v.unit.empty()) used.insert(v.unit);
  std::string text = "  <UnitDefinitions>\n";
  for (const std::string& name : used) {
    const auto known = std::ranges::find_if(known_units, [&](const KnownUnit& unit) { return unit.name == name; });
    text += known == std::end(known_units)
                ? fmt::format("    <Unit name=\"{}\"/>\n", quoted(name))
                : fmt::format("    <Unit name=\"{}\"><BaseUnit {}/></Unit>\n", quoted(name), known->base);
  }
  return text + "  </UnitDefinitions>\n";
}

// ---- variables ------------------------------------------------------------------------------------

/// In the order of their references; see exporting/c/fmu.h.
std::vector<Variable> variables_of(const ExportedModel& model) {
  const Shape& s = model.shape;
  const auto number = [](double value) { return fmt::format("{:.17g}", value); };
  std::vector<Variable> all{{"time", "time", "independent", "continuous", "", "", "s"}};
  for (const ExportedParameter& p : model.parameters) all.push_back(variable_of(p));
  for (int i = 0; i < s.n_q(); ++i)
    all.push_back({s.coordinates[i], "a coordinate", "local", "continuous", "approx", number(model.q[i]), ""});
  for (int i = 0; i < s.n_v(); ++i)
    all.push_back({s.speeds[i], "a speed", "local", "continuous", "approx", number(model.v[i]), ""});
  const int first = 1 + static_cast<int>(model.parameters.size());
  for (int i = 0; i < s.n_q() + s.n_v(); ++i)
    all.push_back({"der(" + all[static_cast<std::size_t>(first + i)].name + ")", "its rate, drawn to the constraints",
                   "local", "continuous", "calculated", "", "", first + i});
  for (std::size_t k = 0; k < s.outputs.size(); ++k) {
    const bool taken = std::ranges::any_of(model.parameters, [&](const auto& p) { return p.name == s.outputs[k]; });
    // An input is recorded as an output is, and has its name already.
    const bool follows = k >= model.own_outputs;
    all.push_back({taken ? "taut.recorded." + s.outputs[k] : s.outputs[k],
                   follows ? "follows from the coordinates" : "an output", taken || follows ? "local" : "output",
                   "continuous", "calculated", "", unit_of_output(model, k)});
  }
  all.push_back({"taut.energy", "kinetic and potential energy", "local", "continuous", "calculated", "", ""});
  all.push_back({"taut.attraction", "the rate at which states of Model Exchange are drawn to the constraints",
                 "parameter", "fixed", "exact", number(default_attraction), "1/s"});
  return all;
}

/// References of the outputs, of the states' rates, and of the states.
struct References {
  explicit References(const ExportedModel& model) {
    const int first = 1 + static_cast<int>(model.parameters.size()), n = model.shape.n_q() + model.shape.n_v();
    states = range(first, n);
    rates = range(first + n, n);
    outputs = range(first + 2 * n, static_cast<int>(model.shape.outputs.size()));
    const std::vector<Variable> all = variables_of(model);
    outputs.clear();
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].causality == "output") outputs.push_back(static_cast<int>(k));
    find_dependencies(model);
  }
  /// What an unknown depends on: states and inputs.
  const std::vector<int>& of(int unknown) const { return dependencies_.at(unknown); }
  /// What controllers set depends on what they saw last, whatever that was.
  bool is_told(int unknown) const { return dependencies_.contains(unknown); }

  static std::vector<int> range(int first, int count) {
    std::vector<int> list(static_cast<std::size_t>(count));
    std::iota(list.begin(), list.end(), first);
    return list;
  }
  std::vector<int> states, rates, outputs;

 private:
  void find_dependencies(const ExportedModel& model) {
    const Dependencies found = dependencies_of(model);
    const int first_parameter = 1, first_output = rates.empty() ? states_end(model) : rates.back() + 1;
    const auto put = [&](int unknown, const Influences& on) {
      std::vector<int>& list = dependencies_[unknown];
      for (const int k : on.states) list.push_back(states[static_cast<std::size_t>(k)]);
      for (const int k : on.parameters) list.push_back(first_parameter + k);
      std::sort(list.begin(), list.end());
    };
    for (std::size_t k = 0; k < rates.size(); ++k) put(rates[k], found.rates[k]);
    for (std::size_t k = 0; k < found.outputs.size(); ++k) put(first_output + static_cast<int>(k), found.outputs[k]);
  }
  static int states_end(const ExportedModel& model) {
    return 1 + static_cast<int>(model.parameters.size()) + 2 * (model.shape.n_q() + model.shape.n_v());
  }

  std::map<int, std::vector<int>> dependencies_;
};

// ---- 2.0 ------------------------------------------------------------------------------------------

/// Variables are numbered from 1 there.
std::string unknowns_2(const std::string& element, const std::vector<int>& references, const References& all) {
  if (references.empty()) return "";
  std::string text = fmt::format("    <{}>\n", element);
  for (const int k : references) {
    text += fmt::format("      <Unknown index=\"{}\"", k + 1);
    if (all.is_told(k)) {
      std::vector<int> indices;
      for (const int on : all.of(k)) indices.push_back(on + 1);
      text += fmt::format(" dependencies=\"{}\"", fmt::join(indices, " "));
    }
    text += "/>\n";
  }
  return text + fmt::format("    </{}>\n", element);
}

std::string variable_2(const Variable& v, int reference) {
  std::string text = fmt::format(
      "    <ScalarVariable name=\"{}\" valueReference=\"{}\" description=\"{}\" causality=\"{}\" variability=\"{}\"",
      quoted(v.name), reference, quoted(v.description), v.causality, v.variability);
  if (!v.initial.empty()) text += fmt::format(" initial=\"{}\"", v.initial);
  text += ">\n      <Real";
  if (!v.unit.empty()) text += fmt::format(" unit=\"{}\"", quoted(v.unit));
  if (!v.start.empty()) text += fmt::format(" start=\"{}\"", v.start);
  if (v.derivative_of >= 0) text += fmt::format(" derivative=\"{}\"", v.derivative_of + 1);
  return text + "/>\n    </ScalarVariable>\n";
}

constexpr const char* head_2 = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="{0}" guid="{1}" generationTool="taut" variableNamingConvention="flat" numberOfEventIndicators="{2}">
  <ModelExchange modelIdentifier="{3}" canGetAndSetFMUstate="true" canSerializeFMUstate="true" providesDirectionalDerivative="true">
    <SourceFiles><File name="fmi2_unit.c"/></SourceFiles>
  </ModelExchange>
  <CoSimulation modelIdentifier="{3}" canHandleVariableCommunicationStepSize="true" canInterpolateInputs="true" canGetAndSetFMUstate="true" canSerializeFMUstate="true" providesDirectionalDerivative="true">
    <SourceFiles><File name="fmi2_unit.c"/></SourceFiles>
  </CoSimulation>
{6}  <LogCategories><Category name="logStatusError"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="{4:.17g}" tolerance="1e-8" stepSize="{5:.17g}"/>
)";

std::string description_2(const ExportedModel& model, const std::string& token) {
  const std::vector<Variable> all = variables_of(model);
  const References references(model);
  std::string text = fmt::format(head_2, quoted(model.name), token, model.events(), CodeNames(model).type,
                                 model.options.until, *model.options.step, unit_definitions(all));
  text += "  <ModelVariables>\n";
  for (std::size_t k = 0; k < all.size(); ++k) text += variable_2(all[k], static_cast<int>(k));
  text += "  </ModelVariables>\n  <ModelStructure>\n";
  text += unknowns_2("Outputs", references.outputs, references);
  text += unknowns_2("Derivatives", references.rates, references);
  std::vector<int> initial = references.outputs;
  initial.insert(initial.begin(), references.rates.begin(), references.rates.end());
  initial.insert(initial.begin(), references.states.begin(), references.states.end());
  for (std::size_t k = 0; k < model.parameters.size(); ++k)
    if (model.parameters[k].calculated) initial.insert(initial.begin(), static_cast<int>(k) + 1);
  std::sort(initial.begin(), initial.end());
  if (!initial.empty()) {
    text += "    <InitialUnknowns>\n";
    for (const int k : initial) text += fmt::format("      <Unknown index=\"{}\"/>\n", k + 1);
    text += "    </InitialUnknowns>\n";
  }
  return text + "  </ModelStructure>\n</fmiModelDescription>\n";
}

// ---- 3.0 ------------------------------------------------------------------------------------------

std::string variable_3(const Variable& v, int reference) {
  std::string text = fmt::format(
      "    <Float64 name=\"{}\" valueReference=\"{}\" description=\"{}\" causality=\"{}\" variability=\"{}\"",
      quoted(v.name), reference, quoted(v.description), v.causality, v.variability);
  if (!v.initial.empty()) text += fmt::format(" initial=\"{}\"", v.initial);
  if (!v.unit.empty()) text += fmt::format(" unit=\"{}\"", quoted(v.unit));
  if (!v.start.empty()) text += fmt::format(" start=\"{}\"", v.start);
  if (v.derivative_of >= 0) text += fmt::format(" derivative=\"{}\"", v.derivative_of);
  return text + "/>\n";
}

std::string unknowns_3(const std::string& element, const std::vector<int>& references, const References& all) {
  std::string text;
  for (const int k : references) {
    text += fmt::format("    <{} valueReference=\"{}\"", element, k);
    if (all.is_told(k)) text += fmt::format(" dependencies=\"{}\"", fmt::join(all.of(k), " "));
    text += "/>\n";
  }
  return text;
}

constexpr const char* head_3 = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="{0}" instantiationToken="{1}" generationTool="taut" variableNamingConvention="flat">
  <ModelExchange modelIdentifier="{2}" canGetAndSetFMUState="true" canSerializeFMUState="true" providesDirectionalDerivatives="true"/>
  <CoSimulation modelIdentifier="{2}" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUState="true" canSerializeFMUState="true" providesDirectionalDerivatives="true"/>
{5}  <LogCategories><Category name="logStatusError"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="{3:.17g}" tolerance="1e-8" stepSize="{4:.17g}"/>
)";

std::string description_3(const ExportedModel& model, const std::string& token) {
  std::vector<Variable> all = variables_of(model);
  const References references(model);
  const int first_event = static_cast<int>(all.size());
  for (int k = 0; k < model.events(); ++k)
    all.push_back(
        {fmt::format("taut.event[{}]", k + 1), "an event indicator", "local", "continuous", "calculated", "", ""});
  std::string text = fmt::format(head_3, quoted(model.name), token, CodeNames(model).type, model.options.until,
                                 *model.options.step, unit_definitions(all));
  text += "  <ModelVariables>\n";
  for (std::size_t k = 0; k < all.size(); ++k) text += variable_3(all[k], static_cast<int>(k));
  text += "  </ModelVariables>\n  <ModelStructure>\n";
  text += unknowns_3("Output", references.outputs, references);
  text += unknowns_3("ContinuousStateDerivative", references.rates, references);
  for (std::size_t k = 0; k < model.parameters.size(); ++k)
    if (model.parameters[k].calculated) text += fmt::format("    <InitialUnknown valueReference=\"{}\"/>\n", k + 1);
  for (const auto* list : {&references.states, &references.rates, &references.outputs})
    for (const int k : *list) text += fmt::format("    <InitialUnknown valueReference=\"{}\"/>\n", k);
  for (int k = 0; k < model.events(); ++k)
    text += fmt::format("    <EventIndicator valueReference=\"{}\"/>\n", first_event + k);
  return text + "  </ModelStructure>\n</fmiModelDescription>\n";
}

}  // namespace

std::string fmu_description(const ExportedModel& model, FmiVersion version, const std::string& token) {
  return version == FmiVersion::two ? description_2(model, token) : description_3(model, token);
}

}  // namespace taut
