#include "model/fmu/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include "model/fmu/rules.hpp"
#include "model/import/xml.hpp"

namespace taut::fmu {
namespace {

using robot::Element;

struct TypeName {
  const char* element;
  int version;
  Type type;
};
constexpr TypeName type_names[] = {
    {"Real", 2, Type::real},         {"Integer", 2, Type::int32},     {"Boolean", 2, Type::boolean},
    {"String", 2, Type::string},     {"Enumeration", 2, Type::int32}, {"Float64", 3, Type::real},
    {"Float32", 3, Type::float32},   {"Int8", 3, Type::int8},         {"UInt8", 3, Type::uint8},
    {"Int16", 3, Type::int16},       {"UInt16", 3, Type::uint16},     {"Int32", 3, Type::int32},
    {"UInt32", 3, Type::uint32},     {"Int64", 3, Type::int64},       {"UInt64", 3, Type::uint64},
    {"Enumeration", 3, Type::int64}, {"Boolean", 3, Type::boolean},   {"String", 3, Type::string},
    {"Binary", 3, Type::binary},     {"Clock", 3, Type::clock}};

const TypeName* type_called(const std::string& element, int version) {
  for (const TypeName& known : type_names)
    if (element == known.element && version == known.version) return &known;
  return nullptr;
}

template <class Number>
bool read_number(const std::string& text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// Reads one description.
class Reading {
 public:
  Reading(const Element& root, const std::string& file, std::vector<Finding>& findings)
      : root_(root), findings_(findings) {
    made_.file = file;
  }

  Description read() {
    read_head();
    check_elements(root_, made_.version, findings_);
    made_.model_exchange = interface("ModelExchange");
    made_.co_simulation = interface("CoSimulation");
    read_experiment();
    read_variables();
    read_structure();
    check_description(made_, findings_);
    return std::move(made_);
  }

 private:
  void find(const Element& at, const std::string& message, const std::string& remedy) {
    findings_.push_back({at.place(), message, remedy});
  }

  void read_head() {
    if (root_.name != "fmiModelDescription")
      throw InputError(root_.place(), fmt::format("the root is '{}', not 'fmiModelDescription'", root_.name),
                       "give a unit's archive");
    const std::string version = root_.attribute("fmiVersion");
    made_.version = version.starts_with("2.") ? 2 : version.starts_with("3.") ? 3 : 0;
    if (made_.version == 0)
      throw InputError(root_.place(), fmt::format("it is of version '{}' of the interface", version),
                       "export the unit for version 2.0 or 3.0");
    made_.name = root_.attribute("modelName");
    made_.tool = root_.attribute("generationTool");
    made_.token = root_.attribute(made_.version == 2 ? "guid" : "instantiationToken");
    if (made_.version == 2) made_.event_indicator_count = indicators();
  }

  /// Version 2.0 gives their number alone, and room is made for that many.
  std::size_t indicators() {
    constexpr unsigned most = 1'000'000;
    const unsigned count = whole(root_, "numberOfEventIndicators").value_or(0);
    if (count <= most) return count;
    find(root_, fmt::format("it claims {} event indicators, more than {}", count, most), "give how many there are");
    return 0;
  }

  /// A whole number of at least 0; none where it is not there, and a finding where it is something else.
  std::optional<unsigned> whole(const Element& at, const char* attribute) {
    const std::string text = at.attribute(attribute);
    if (text.empty()) return std::nullopt;
    unsigned value = 0;
    if (read_number(text, value)) return value;
    find(at, fmt::format("'{}' of {} is '{}'", attribute, at.name, text), "give a whole number, 0 or more");
    return std::nullopt;
  }

  std::optional<double> number(const Element& at, const char* attribute) {
    const std::string text = at.attribute(attribute);
    if (text.empty()) return std::nullopt;
    double value = 0;
    if (read_number(text.starts_with('+') ? text.substr(1) : text, value) && std::isfinite(value)) return value;
    find(at, fmt::format("'{}' of {} is '{}'", attribute, at.name, text), "give a number");
    return std::nullopt;
  }

  bool flag(const Element& at, const char* attribute) {
    const std::string text = at.attribute(attribute);
    if (!text.empty() && text != "true" && text != "false" && text != "1" && text != "0")
      find(at, fmt::format("'{}' of {} is '{}'", attribute, at.name, text), "give true or false");
    return text == "true" || text == "1";
  }

  std::optional<InterfaceDescription> interface(const char* name) {
    const Element* at = root_.find(name);
    if (at == nullptr) return std::nullopt;
    const bool two = made_.version == 2;
    InterfaceDescription told;
    told.line = at->line;
    told.identifier = at->attribute("modelIdentifier");
    told.handles_variable_steps = flag(*at, "canHandleVariableCommunicationStepSize");
    told.gets_and_sets_state = flag(*at, two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
    told.serializes_state = flag(*at, two ? "canSerializeFMUstate" : "canSerializeFMUState");
    told.once_per_process = flag(*at, "canBeInstantiatedOnlyOncePerProcess");
    told.gives_directional_derivatives =
        flag(*at, two ? "providesDirectionalDerivative" : "providesDirectionalDerivatives");
    told.needs_tool = flag(*at, "needsExecutionTool");
    const bool is_name =
        !told.identifier.empty() && std::isdigit(static_cast<unsigned char>(told.identifier[0])) == 0 &&
        std::ranges::all_of(told.identifier, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!is_name)
      find(*at, fmt::format("modelIdentifier '{}' of {} is no name of C", told.identifier, name),
           "give letters, digits and underscores, not beginning with a digit");
    return told;
  }

  void read_experiment() {
    const Element* at = root_.find("DefaultExperiment");
    if (at == nullptr) return;
    made_.start_time = number(*at, "startTime");
    made_.stop_time = number(*at, "stopTime");
    made_.tolerance = number(*at, "tolerance");
    made_.step_size = number(*at, "stepSize");
    if (made_.stop_time && *made_.stop_time < made_.start_time.value_or(0))
      find(*at, "'stopTime' is before 'startTime'", "exchange them");
    for (const auto* positive : {&made_.tolerance, &made_.step_size})
      if (*positive && !(**positive > 0)) find(*at, "a tolerance or a step size is not above 0", "give one above 0");
  }

  // ---- variables ----------------------------------------------------------------------------------

  void read_variables() {
    const Element* holder = root_.find("ModelVariables");
    if (holder == nullptr) throw InputError(root_.place(), "there is no 'ModelVariables'", "export the unit anew");
    for (const Element& each : holder->children) read_variable(each);
  }

  /// Of version 2 a ScalarVariable around an element of a type; of version 3 that element itself.
  void read_variable(const Element& at) {
    const Element* typed = &at;
    if (made_.version == 2) {
      typed = nullptr;
      for (const Element& child : at.children)
        if (type_called(child.name, 2) != nullptr) typed = &child;
      if (at.name != "ScalarVariable" || typed == nullptr)
        return find(at, fmt::format("{} '{}' says no type", at.name, at.attribute("name")),
                    "give Real, Integer, Boolean, String or Enumeration");
    }
    const TypeName* type = type_called(typed->name, made_.version);
    if (type == nullptr)
      return find(at, fmt::format("variables of type '{}' are not known", at.name), "see the standard");
    Variable v;
    v.type = type->type;
    v.is_enumeration = typed->name == "Enumeration";
    v.name = at.attribute("name");
    v.line = at.line;
    v.description = at.attribute("description");
    v.unit = typed->attribute("unit");
    v.is_array = at.find("Dimension") != nullptr;
    if (const auto reference = whole(at, "valueReference"))
      v.reference = *reference;
    else
      find(at, fmt::format("variable '{}' has no valueReference", v.name), "give each a number");
    if (const auto derivative = whole(*typed, "derivative")) v.derivative = static_cast<long>(*derivative);
    read_start(*typed, v);
    read_words(at, v);
    made_.variables.push_back(std::move(v));
  }

  /// Strings and binaries of version 3 have theirs in elements of their own.
  static void read_start(const Element& typed, Variable& v) {
    for (const auto& attribute : typed.attributes)
      if (attribute.name == "start") v.start = attribute.value;
    const Element* inner = typed.find("Start");
    if (inner != nullptr) v.start = inner->attribute("value");
  }

  void read_words(const Element& at, Variable& v) {
    v.causality = at.attribute("causality");
    if (v.causality.empty()) v.causality = "local";
    v.variability = at.attribute("variability");
    const bool floats = v.type == Type::real || v.type == Type::float32;
    const bool of_parameters =
        v.causality == "parameter" || v.causality == "calculatedParameter" || v.causality == "structuralParameter";
    if (v.variability.empty())
      v.variability = made_.version == 3 && of_parameters ? "fixed"
                      : floats || made_.version == 2      ? "continuous"
                                                          : "discrete";
    if (at.attribute("variability").empty() && made_.version == 2 && !floats) v.variability = "discrete";
    v.initial = at.attribute("initial");
    if (v.initial.empty()) v.initial = usual_initial(v);
  }

  /// What `initial` is where it is not said.
  static std::string usual_initial(const Variable& v) {
    if (v.causality == "parameter" || v.causality == "structuralParameter") return "exact";
    if (v.causality == "input" || v.causality == "independent") return "";
    return v.variability == "constant" ? "exact" : "calculated";
  }

  // ---- structure ----------------------------------------------------------------------------------

  void read_structure() {
    const Element* structure = root_.find("ModelStructure");
    if (structure == nullptr) return find(root_, "there is no 'ModelStructure'", "give one, if only an empty one");
    if (made_.version == 2) {
      made_.outputs = unknowns(structure->find("Outputs"), "Unknown");
      made_.derivatives = unknowns(structure->find("Derivatives"), "Unknown");
      made_.initial_unknowns = unknowns(structure->find("InitialUnknowns"), "Unknown");
      return;
    }
    made_.outputs = unknowns(structure, "Output");
    made_.derivatives = unknowns(structure, "ContinuousStateDerivative");
    made_.initial_unknowns = unknowns(structure, "InitialUnknown");
    for (const Unknown& indicator : unknowns(structure, "EventIndicator"))
      made_.event_indicators.push_back(indicator.variable);
    made_.event_indicator_count = made_.event_indicators.size();
  }

  std::vector<Unknown> unknowns(const Element* holder, const char* name) {
    std::vector<Unknown> list;
    if (holder == nullptr) return list;
    for (const Element* at : robot::children(*holder, name)) {
      const auto variable = variable_at(*at, at->attribute(made_.version == 2 ? "index" : "valueReference"));
      if (!variable) continue;
      Unknown& unknown = list.emplace_back();
      unknown.variable = *variable;
      unknown.line = at->line;
      read_dependencies(*at, unknown);
    }
    return list;
  }

  /// By its place, counted from 1, in version 2; by its reference in version 3.
  std::optional<std::size_t> variable_at(const Element& at, const std::string& text) {
    unsigned number = 0;
    if (read_number(text, number)) {
      if (made_.version == 2 && number >= 1 && number <= made_.variables.size()) return number - 1;
      if (made_.version == 3)
        for (std::size_t k = 0; k < made_.variables.size(); ++k)
          if (made_.variables[k].reference == number) return k;
    }
    find(at, fmt::format("{} names variable '{}', which there is not", at.name, text), "name one that there is");
    return std::nullopt;
  }

  void read_dependencies(const Element& at, Unknown& unknown) {
    const bool given = std::ranges::any_of(at.attributes, [](const auto& a) { return a.name == "dependencies"; });
    const auto count = [](const std::string& text) {
      std::istringstream words(text);
      return std::distance(std::istream_iterator<std::string>(words), {});
    };
    const std::string kinds = at.attribute("dependenciesKind");
    if (!kinds.empty() && count(kinds) != count(at.attribute("dependencies")))
      find(at, "'dependenciesKind' has not as many words as 'dependencies'", "give one kind for each");
    if (!given) return;
    std::vector<std::size_t> list;
    std::istringstream words(at.attribute("dependencies"));
    for (std::string word; words >> word;)
      if (const auto variable = variable_at(at, word)) list.push_back(*variable);
    unknown.dependencies = std::move(list);
  }

  const Element& root_;
  std::vector<Finding>& findings_;
  Description made_;
};

}  // namespace

std::string name_of(Interface interface) {
  return interface == Interface::model_exchange ? "Model Exchange" : "Co-Simulation";
}

bool is_number(Type type) { return type != Type::string && type != Type::binary && type != Type::clock; }

const Variable* Description::find(const std::string& wanted) const {
  const auto found = std::ranges::find(variables, wanted, &Variable::name);
  return found == variables.end() ? nullptr : &*found;
}

std::vector<std::string> Description::names_of(const std::string& causality) const {
  std::vector<std::string> names;
  for (const Variable& v : variables)
    if (v.causality == causality) names.push_back(v.name);
  return names;
}

Description read_description(const std::string& text, const std::string& file, std::vector<Finding>& findings) {
  const Element root = robot::parse_xml(text, file);
  return Reading(root, file, findings).read();
}

}  // namespace taut::fmu
