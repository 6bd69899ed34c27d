#include "model/fmu/rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/nearest.hpp"

namespace taut::fmu {
namespace {

using robot::Element;
using Names = std::vector<std::string>;

// ---- elements -------------------------------------------------------------------------------------

/// An element of the schema: the attributes that it needs, others that it may have, and its children.
struct Rule {
  Names needs, takes, children;
};

const Names variable_attributes = {"name",      "valueReference", "description",
                                   "causality", "variability",    "canHandleMultipleSetPerTimeInstant"};

Names joined(Names a, const Names& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Names real_attributes = {"declaredType", "quantity", "unit",      "displayUnit", "relativeQuantity", "min",
                               "max",          "nominal",  "unbounded", "start",       "derivative",       "reinit"};

std::map<std::string, Rule> rules_2() {
  const Names unknown = {"dependencies", "dependenciesKind"};
  const Names common = {"needsExecutionTool",
                        "canBeInstantiatedOnlyOncePerProcess",
                        "canNotUseMemoryManagementFunctions",
                        "canGetAndSetFMUstate",
                        "canSerializeFMUstate",
                        "providesDirectionalDerivative"};
  return {
      {"fmiModelDescription",
       {{"fmiVersion", "modelName", "guid"},
        {"description", "author", "version", "copyright", "license", "generationTool", "generationDateAndTime",
         "variableNamingConvention", "numberOfEventIndicators"},
        {"ModelExchange", "CoSimulation", "UnitDefinitions", "TypeDefinitions", "LogCategories", "DefaultExperiment",
         "VendorAnnotations", "ModelVariables", "ModelStructure"}}},
      {"ModelExchange", {{"modelIdentifier"}, joined(common, {"completedIntegratorStepNotNeeded"}), {"SourceFiles"}}},
      {"CoSimulation",
       {{"modelIdentifier"},
        joined(common, {"canHandleVariableCommunicationStepSize", "canInterpolateInputs", "maxOutputDerivativeOrder",
                        "canRunAsynchronuously"}),
        {"SourceFiles"}}},
      {"DefaultExperiment", {{}, {"startTime", "stopTime", "tolerance", "stepSize"}, {}}},
      {"ModelVariables", {{}, {}, {"ScalarVariable"}}},
      {"ScalarVariable",
       {{"name", "valueReference"},
        {"description", "causality", "variability", "initial", "canHandleMultipleSetPerTimeInstant"},
        {"Real", "Integer", "Boolean", "String", "Enumeration", "Annotations"}}},
      {"Real", {{}, real_attributes, {}}},
      {"Integer", {{}, {"declaredType", "quantity", "min", "max", "start"}, {}}},
      {"Boolean", {{}, {"declaredType", "start"}, {}}},
      {"String", {{}, {"declaredType", "start"}, {}}},
      {"Enumeration", {{"declaredType"}, {"quantity", "min", "max", "start"}, {}}},
      {"ModelStructure", {{}, {}, {"Outputs", "Derivatives", "DiscreteStates", "InitialUnknowns"}}},
      {"Outputs", {{}, {}, {"Unknown"}}},
      {"Derivatives", {{}, {}, {"Unknown"}}},
      {"InitialUnknowns", {{}, {}, {"Unknown"}}},
      {"Unknown", {{"index"}, unknown, {}}},
  };
}

std::map<std::string, Rule> rules_3() {
  const Names common = {"needsExecutionTool",
                        "canBeInstantiatedOnlyOncePerProcess",
                        "canGetAndSetFMUState",
                        "canSerializeFMUState",
                        "providesDirectionalDerivatives",
                        "providesAdjointDerivatives",
                        "providesPerElementDependencies",
                        "needsCompletedIntegratorStep",
                        "providesEvaluateDiscreteStates"};
  std::map<std::string, Rule> rules{
      {"fmiModelDescription",
       {{"fmiVersion", "modelName", "instantiationToken"},
        {"description", "author", "version", "copyright", "license", "generationTool", "generationDateAndTime",
         "variableNamingConvention", "noNamespaceSchemaLocation"},
        {"ModelExchange", "CoSimulation", "ScheduledExecution", "UnitDefinitions", "TypeDefinitions", "LogCategories",
         "DefaultExperiment", "ModelVariables", "ModelStructure", "Annotations"}}},
      {"ModelExchange", {{"modelIdentifier"}, common, {"Annotations"}}},
      {"CoSimulation",
       {{"modelIdentifier"},
        joined(common, {"canHandleVariableCommunicationStepSize", "fixedInternalStepSize", "maxOutputDerivativeOrder",
                        "recommendedIntermediateInputSmoothness", "providesIntermediateUpdate",
                        "mightReturnEarlyFromDoStep", "canReturnEarlyAfterIntermediateUpdate", "hasEventMode"}),
        {"Annotations"}}},
      {"DefaultExperiment", {{}, {"startTime", "stopTime", "tolerance", "stepSize"}, {"Annotations"}}},
      {"ModelStructure",
       {{},
        {},
        {"Output", "ContinuousStateDerivative", "ClockedState", "InitialUnknown", "EventIndicator", "Annotations"}}},
  };
  for (const char* name : {"Output", "ContinuousStateDerivative", "ClockedState", "InitialUnknown", "EventIndicator"})
    rules[name] = {{"valueReference"}, {"dependencies", "dependenciesKind"}, {"Annotations"}};
  const Names base = {
      "description", "causality", "variability",        "initial",     "canHandleMultipleSetPerTimeInstant",
      "clocks",      "previous",  "intermediateUpdate", "declaredType"};
  const Names inner = {"Dimension", "Alias", "Annotations"};
  for (const char* name : {"Float64", "Float32"})
    rules[name] = {{"name", "valueReference"}, joined(base, real_attributes), inner};
  for (const char* name : {"Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Enumeration"})
    rules[name] = {{"name", "valueReference"}, joined(base, {"quantity", "min", "max", "start"}), inner};
  rules["Boolean"] = {{"name", "valueReference"}, joined(base, {"start"}), inner};
  rules["String"] = {{"name", "valueReference"}, base, joined(inner, {"Start"})};
  rules["Binary"] = {{"name", "valueReference"}, joined(base, {"mimeType", "maxSize"}), joined(inner, {"Start"})};
  return rules;
}

class ElementCheck {
 public:
  ElementCheck(int version, std::vector<Finding>& findings)
      : rules_(version == 2 ? rules_2() : rules_3()), findings_(findings) {}

  void check(const Element& at) {
    const auto rule = rules_.find(at.name);
    if (rule == rules_.end()) return;
    check_attributes(at, rule->second);
    for (const Element& child : at.children) {
      if (is_foreign(at, child) || is_named(child.name, rule->second.children))
        check(child);
      else
        find(child, fmt::format("'{}' may not stand in '{}'", child.name, at.name),
             rule->second.children.empty() ? "take it out" : did_you_mean(child.name, rule->second.children));
    }
  }

 private:
  static bool is_named(const std::string& name, const Names& names) {
    return std::ranges::find(names, name) != names.end();
  }
  /// Children that are checked by themselves or not at all.
  static bool is_foreign(const Element& at, const Element&) { return at.name == "ModelVariables"; }

  void check_attributes(const Element& at, const Rule& rule) {
    std::set<std::string> seen;
    for (const auto& attribute : at.attributes) {
      if (attribute.name.starts_with("xmlns") || attribute.name.find(':') != std::string::npos) continue;
      if (!seen.insert(attribute.name).second) find(at, fmt::format("'{}' stands twice", attribute.name), "keep one");
      if (!is_named(attribute.name, rule.needs) && !is_named(attribute.name, rule.takes))
        find(at, fmt::format("'{}' has no attribute '{}'", at.name, attribute.name),
             did_you_mean(attribute.name, joined(rule.needs, rule.takes)));
    }
    for (const std::string& needed : rule.needs)
      if (!seen.contains(needed)) find(at, fmt::format("'{}' lacks '{}'", at.name, needed), "give it");
  }

  void find(const Element& at, const std::string& message, const std::string& remedy) {
    findings_.push_back({at.place(), message, remedy});
  }

  std::map<std::string, Rule> rules_;
  std::vector<Finding>& findings_;
};

/// Units and types that are named are defined.
void check_definitions(const Element& root, std::vector<Finding>& findings) {
  std::map<std::string, std::set<std::string>> defined;
  const auto collect = [&](const char* holder, const char* kind) {
    const Element* at = root.find(holder);
    if (at == nullptr) return;
    for (const Element& each : at->children)
      if (!defined[kind].insert(each.attribute("name")).second)
        findings.push_back({each.place(), fmt::format("'{}' is defined twice", each.attribute("name")), "keep one"});
  };
  collect("UnitDefinitions", "unit");
  collect("TypeDefinitions", "declaredType");
  const auto check = [&](const Element& at) {
    for (const char* kind : {"unit", "declaredType"}) {
      const std::string name = at.attribute(kind);
      if (!name.empty() && !defined[kind].contains(name))
        findings.push_back(
            {at.place(), fmt::format("{} '{}' is not defined", kind, name),
             kind == std::string("unit") ? "define it under UnitDefinitions" : "define it under TypeDefinitions"});
    }
  };
  if (const Element* variables = root.find("ModelVariables"))
    for (const Element& each : variables->children) {
      check(each);
      for (const Element& inner : each.children) check(inner);
    }
}

// ---- the whole ------------------------------------------------------------------------------------

/// Table of which variabilities go with a causality, and which `initial` with both.
struct Combination {
  const char *causality, *variability;
  Names initials;
};

const std::vector<Combination>& combinations() {
  static const Names calculated = {"calculated", "approx"}, any = {"exact", "calculated", "approx"};
  static const std::vector<Combination> list = [] {
    std::vector<Combination> made{{"structuralParameter", "fixed", {"exact"}},
                                  {"structuralParameter", "tunable", {"exact"}},
                                  {"parameter", "fixed", {"exact"}},
                                  {"parameter", "tunable", {"exact"}},
                                  {"calculatedParameter", "fixed", calculated},
                                  {"calculatedParameter", "tunable", calculated},
                                  {"input", "discrete", {""}},
                                  {"input", "continuous", {""}},
                                  {"output", "constant", {"exact"}},
                                  {"output", "discrete", any},
                                  {"output", "continuous", any},
                                  {"local", "constant", {"exact"}},
                                  {"local", "fixed", calculated},
                                  {"local", "tunable", calculated},
                                  {"local", "discrete", any},
                                  {"local", "continuous", any},
                                  {"independent", "continuous", {""}}};
    return made;
  }();
  return list;
}

class DescriptionCheck {
 public:
  DescriptionCheck(const Description& d, std::vector<Finding>& findings) : d_(d), findings_(findings) {}

  void check() {
    if (d_.name.empty()) find(1, "'modelName' is missing", "give the unit a name");
    if (d_.token.empty())
      find(1, d_.version == 2 ? "'guid' is missing" : "'instantiationToken' is missing", "give the unit one");
    if (!d_.model_exchange && !d_.co_simulation)
      find(1, "it offers neither Model Exchange nor Co-Simulation", "export it with one of them");
    if (d_.variables.empty()) find(1, "it has no variables", "give it at least time");
    check_names();
    for (const Variable& v : d_.variables) check_variable(v);
    check_derivatives();
    check_outputs();
    check_initial_unknowns();
  }

 private:
  void find(int line, const std::string& message, const std::string& remedy) {
    findings_.push_back({{d_.file, line, 0}, message, remedy});
  }

  void check_names() {
    std::map<std::string, int> names;
    std::map<unsigned, const Variable*> references;
    int independents = 0;
    for (const Variable& v : d_.variables) {
      if (v.name.empty()) find(v.line, "a variable has no name", "name it");
      if (!names.emplace(v.name, v.line).second && !v.name.empty())
        find(v.line, fmt::format("the name '{}' stands twice", v.name), "give each variable its own");
      const auto [first, is_new] = references.emplace(v.reference, &v);
      if (!is_new && d_.version == 3)
        find(v.line, fmt::format("'{}' has the reference of '{}'", v.name, first->second->name),
             "give each variable its own");
      independents += v.causality == "independent";
    }
    if (independents > 1) find(1, "there is more than one independent variable", "keep one");
  }

  void check_variable(const Variable& v) {
    const auto fits = [&](const Combination& c) {
      return v.causality == c.causality && v.variability == c.variability;
    };
    const auto found = std::ranges::find_if(combinations(), fits);
    if (found == combinations().end()) {
      find(v.line, fmt::format("'{}' is {} and {}, which do not go together", v.name, v.causality, v.variability),
           "see the standard's table of causality and variability");
    } else if (std::ranges::find(found->initials, v.initial) == found->initials.end()) {
      find(v.line,
           fmt::format("'{}' is {} and {}, which may not be initial=\"{}\"", v.name, v.causality, v.variability,
                       v.initial),
           v.initial.empty() ? "give one" : "take it out");
    }
    if (v.variability == "continuous" && v.type != Type::real && v.type != Type::float32)
      find(v.line, fmt::format("'{}' is continuous, and no real number", v.name), "make it discrete");
    check_start(v);
  }

  void check_start(const Variable& v) {
    const bool needed = v.initial == "exact" || v.initial == "approx" || v.causality == "input";
    if (needed && !v.start && v.type != Type::clock && v.type != Type::binary)
      find(v.line, fmt::format("'{}' has no start value", v.name), "give one");
    if (!needed && v.start && (v.initial == "calculated" || v.causality == "independent"))
      find(v.line, fmt::format("'{}' is calculated, and has a start value", v.name), "take it out");
    if (v.start && !v.is_array && is_number(v.type) && !is_value(v))
      find(v.line, fmt::format("the start value of '{}' is '{}'", v.name, *v.start), "give a finite number");
  }

  static bool is_value(const Variable& v) {
    if (v.type == Type::boolean) return *v.start == "true" || *v.start == "false" || *v.start == "1" || *v.start == "0";
    char* end = nullptr;
    const double value = std::strtod(v.start->c_str(), &end);
    const bool whole = v.type == Type::real || v.type == Type::float32 || value == std::floor(value);
    return !v.start->empty() && *end == '\0' && std::isfinite(value) && whole;
  }

  void check_derivatives() {
    for (const Unknown& u : d_.derivatives) {
      const Variable& v = d_.variables[u.variable];
      if (v.derivative < 0) {
        find(u.line, fmt::format("'{}' is listed as a rate, and does not say of what", v.name), "give 'derivative'");
        continue;
      }
      const Variable* state = state_of(v);
      if (state == nullptr)
        find(v.line, fmt::format("'{}' is the rate of a variable that there is not", v.name), "name a state");
      else if (state->variability != "continuous")
        find(v.line, fmt::format("the state '{}' is not continuous", state->name), "make it so");
    }
  }

  const Variable* state_of(const Variable& rate) const {
    const auto number = static_cast<std::size_t>(rate.derivative);
    if (d_.version == 2) return number >= 1 && number <= d_.variables.size() ? &d_.variables[number - 1] : nullptr;
    const auto found = std::ranges::find(d_.variables, static_cast<unsigned>(number), &Variable::reference);
    return found == d_.variables.end() ? nullptr : &*found;
  }

  static std::set<std::size_t> set_of(const std::vector<Unknown>& unknowns) {
    std::set<std::size_t> set;
    for (const Unknown& u : unknowns) set.insert(u.variable);
    return set;
  }

  /// Exactly those that are outputs, each once.
  void check_outputs() {
    const std::set<std::size_t> listed = set_of(d_.outputs);
    if (listed.size() != d_.outputs.size()) find(1, "an output is listed twice in ModelStructure", "list each once");
    for (std::size_t k = 0; k < d_.variables.size(); ++k) {
      const Variable& v = d_.variables[k];
      if ((v.causality == "output" && v.type != Type::clock) != listed.contains(k) && v.type != Type::clock)
        find(v.line,
             listed.contains(k) ? fmt::format("'{}' is listed as an output, and is none", v.name)
                                : fmt::format("output '{}' is not listed in ModelStructure", v.name),
             "list the outputs, and nothing else");
    }
  }

  /// Outputs and states with their rates that are approximate or calculated, and calculated parameters.
  void check_initial_unknowns() {
    std::set<std::size_t> asked;
    const auto is_found = [](const Variable& v) { return v.initial == "approx" || v.initial == "calculated"; };
    for (std::size_t k = 0; k < d_.variables.size(); ++k) {
      const Variable& v = d_.variables[k];
      if ((v.causality == "output" && is_found(v) && v.type != Type::clock) || v.causality == "calculatedParameter")
        asked.insert(k);
    }
    for (const Unknown& u : d_.derivatives) {
      const Variable& rate = d_.variables[u.variable];
      if (is_found(rate)) asked.insert(u.variable);
      const Variable* state = rate.derivative < 0 ? nullptr : state_of(rate);
      if (state != nullptr && is_found(*state)) asked.insert(static_cast<std::size_t>(state - d_.variables.data()));
    }
    const std::set<std::size_t> listed = set_of(d_.initial_unknowns);
    for (const std::size_t k : asked)
      if (!listed.contains(k))
        find(d_.variables[k].line, fmt::format("'{}' is not listed as an initial unknown", d_.variables[k].name),
             "list it in ModelStructure");
    for (const std::size_t k : listed)
      if (!asked.contains(k) && d_.version == 2)
        find(d_.variables[k].line,
             fmt::format("'{}' is listed as an initial unknown, and is none", d_.variables[k].name),
             "take it from the list");
  }

  const Description& d_;
  std::vector<Finding>& findings_;
};

}  // namespace

void check_elements(const Element& root, int version, std::vector<Finding>& findings) {
  ElementCheck(version, findings).check(root);
  check_definitions(root, findings);
}

void check_description(const Description& description, std::vector<Finding>& findings) {
  DescriptionCheck(description, findings).check();
}

}  // namespace taut::fmu
