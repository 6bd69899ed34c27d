#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "exporting/c_code.hpp"
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

/// In the order of their references; see exporting/c/fmu.h.
std::vector<Variable> variables_of(const ExportedModel& model) {
  const Shape& s = model.shape;
  const auto number = [](double value) { return fmt::format("{:.17g}", value); };
  std::vector<Variable> all{{"time", "time", "independent", "continuous", "", "", "s"}};
  for (const ExportedParameter& p : model.parameters)
    all.push_back(p.calculated ? Variable{p.name, "a parameter that follows from others", "calculatedParameter",
                                          "fixed", "calculated", "", ""}
                               : Variable{p.name, "a parameter", "parameter", "fixed", "exact", number(p.value), ""});
  for (int i = 0; i < s.n_q(); ++i)
    all.push_back({s.coordinates[i], "a coordinate", "local", "continuous", "approx", number(model.q[i]), ""});
  for (int i = 0; i < s.n_v(); ++i)
    all.push_back({s.speeds[i], "a speed", "local", "continuous", "approx", number(model.v[i]), ""});
  const int first = 1 + static_cast<int>(model.parameters.size());
  for (int i = 0; i < s.n_q() + s.n_v(); ++i)
    all.push_back({"der(" + all[static_cast<std::size_t>(first + i)].name + ")", "its rate, drawn to the constraints",
                   "local", "continuous", "calculated", "", "", first + i});
  for (std::size_t k = 0; k < s.outputs.size(); ++k)
    all.push_back({s.outputs[k], "an output", "output", "continuous", "calculated", "", ""});
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
  }
  static std::vector<int> range(int first, int count) {
    std::vector<int> list(static_cast<std::size_t>(count));
    std::iota(list.begin(), list.end(), first);
    return list;
  }
  std::vector<int> states, rates, outputs;
};

// ---- 2.0 ------------------------------------------------------------------------------------------

/// Variables are numbered from 1 there.
std::string unknowns_2(const std::string& element, const std::vector<int>& references, const std::vector<int>& on) {
  if (references.empty()) return "";
  std::vector<int> indices;
  for (const int k : on) indices.push_back(k + 1);
  std::string text = fmt::format("    <{}>\n", element);
  for (const int k : references)
    text += fmt::format("      <Unknown index=\"{}\" dependencies=\"{}\"/>\n", k + 1, fmt::join(indices, " "));
  return text + fmt::format("    </{}>\n", element);
}

std::string variable_2(const Variable& v, int reference) {
  std::string text = fmt::format(
      "    <ScalarVariable name=\"{}\" valueReference=\"{}\" description=\"{}\" causality=\"{}\" variability=\"{}\"",
      quoted(v.name), reference, v.description, v.causality, v.variability);
  if (!v.initial.empty()) text += fmt::format(" initial=\"{}\"", v.initial);
  text += ">\n      <Real";
  if (!v.unit.empty()) text += fmt::format(" unit=\"{}\"", v.unit);
  if (!v.start.empty()) text += fmt::format(" start=\"{}\"", v.start);
  if (v.derivative_of >= 0) text += fmt::format(" derivative=\"{}\"", v.derivative_of + 1);
  return text + "/>\n    </ScalarVariable>\n";
}

constexpr const char* head_2 = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="{0}" guid="{1}" generationTool="taut" variableNamingConvention="flat" numberOfEventIndicators="{2}">
  <ModelExchange modelIdentifier="{3}" canGetAndSetFMUstate="true" canSerializeFMUstate="true">
    <SourceFiles><File name="fmi2_unit.c"/></SourceFiles>
  </ModelExchange>
  <CoSimulation modelIdentifier="{3}" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUstate="true" canSerializeFMUstate="true">
    <SourceFiles><File name="fmi2_unit.c"/></SourceFiles>
  </CoSimulation>
  <UnitDefinitions>
    <Unit name="s"><BaseUnit s="1"/></Unit>
    <Unit name="1/s"><BaseUnit s="-1"/></Unit>
  </UnitDefinitions>
  <LogCategories><Category name="logStatusError"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="{4:.17g}" tolerance="1e-8" stepSize="{5:.17g}"/>
)";

std::string description_2(const ExportedModel& model, const std::string& token) {
  const std::vector<Variable> all = variables_of(model);
  const References references(model);
  std::string text = fmt::format(head_2, quoted(model.name), token, model.events(), CodeNames(model).type,
                                 model.options.until, *model.options.step);
  text += "  <ModelVariables>\n";
  for (std::size_t k = 0; k < all.size(); ++k) text += variable_2(all[k], static_cast<int>(k));
  text += "  </ModelVariables>\n  <ModelStructure>\n";
  text += unknowns_2("Outputs", references.outputs, references.states);
  text += unknowns_2("Derivatives", references.rates, references.states);
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
      quoted(v.name), reference, v.description, v.causality, v.variability);
  if (!v.initial.empty()) text += fmt::format(" initial=\"{}\"", v.initial);
  if (!v.unit.empty()) text += fmt::format(" unit=\"{}\"", v.unit);
  if (!v.start.empty()) text += fmt::format(" start=\"{}\"", v.start);
  if (v.derivative_of >= 0) text += fmt::format(" derivative=\"{}\"", v.derivative_of);
  return text + "/>\n";
}

std::string unknowns_3(const std::string& element, const std::vector<int>& references, const std::vector<int>& on) {
  std::string text;
  for (const int k : references)
    text += fmt::format("    <{} valueReference=\"{}\" dependencies=\"{}\"/>\n", element, k, fmt::join(on, " "));
  return text;
}

constexpr const char* head_3 = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="{0}" instantiationToken="{1}" generationTool="taut" variableNamingConvention="flat">
  <ModelExchange modelIdentifier="{2}" canGetAndSetFMUState="true" canSerializeFMUState="true"/>
  <CoSimulation modelIdentifier="{2}" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUState="true" canSerializeFMUState="true"/>
  <UnitDefinitions>
    <Unit name="s"><BaseUnit s="1"/></Unit>
    <Unit name="1/s"><BaseUnit s="-1"/></Unit>
  </UnitDefinitions>
  <LogCategories><Category name="logStatusError"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="{3:.17g}" tolerance="1e-8" stepSize="{4:.17g}"/>
)";

std::string description_3(const ExportedModel& model, const std::string& token) {
  std::vector<Variable> all = variables_of(model);
  const References references(model);
  const int first_event = static_cast<int>(all.size());
  for (int k = 0; k < model.events(); ++k)
    all.push_back(
        {fmt::format("taut.event[{}]", k + 1), "an event indicator", "local", "continuous", "calculated", "", ""});
  std::string text =
      fmt::format(head_3, quoted(model.name), token, CodeNames(model).type, model.options.until, *model.options.step);
  text += "  <ModelVariables>\n";
  for (std::size_t k = 0; k < all.size(); ++k) text += variable_3(all[k], static_cast<int>(k));
  text += "  </ModelVariables>\n  <ModelStructure>\n";
  text += unknowns_3("Output", references.outputs, references.states);
  text += unknowns_3("ContinuousStateDerivative", references.rates, references.states);
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
