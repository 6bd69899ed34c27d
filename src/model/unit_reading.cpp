#include "model/unit_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>

#include "base/nearest.hpp"
#include "expression/formula_text.hpp"
#include "expression/program.hpp"
#include "model/assignments.hpp"
#include "model/controllers.hpp"
#include "model/declare.hpp"
#include "model/fmu/archive.hpp"
#include "model/fmu/description.hpp"
#include "model/functional_unit.hpp"
#include "model/inputs.hpp"
#include "model/keys.hpp"

namespace taut {
namespace {

using Role = SampledValue::Role;

struct GivenUnit {
  std::optional<Value> file, interface, sample_time, offset, tolerance, inputs, parameters, outputs, set;
};

template <std::optional<Value> GivenUnit::*member>
void keep(const Value& value, GivenUnit& unit) {
  unit.*member = value;
}

const Keys<GivenUnit> unit_keys{{
    {"file", keep<&GivenUnit::file>, "give the path of the unit, such as 'file: pi.fmu'"},
    {"interface", keep<&GivenUnit::interface>},
    {"sample_time", keep<&GivenUnit::sample_time>,
     "say how long it is from one exchange with the unit to the next, such as 'sample_time: 1e-3'"},
    {"offset", keep<&GivenUnit::offset>},
    {"tolerance", keep<&GivenUnit::tolerance>},
    {"inputs", keep<&GivenUnit::inputs>},
    {"parameters", keep<&GivenUnit::parameters>},
    {"outputs", keep<&GivenUnit::outputs>},
    {"set", keep<&GivenUnit::set>},
}};

GivenUnit given_unit(const Entry& entry) {
  GivenUnit given;
  read_keys(entry.value.called(fmt::format("unit '{}'", entry.name)), unit_keys, given);
  return given;
}

std::string path_of(const Value& value) {
  const auto folder = std::filesystem::path(value.place().file.text()).parent_path();
  return (folder / value.filled().text).lexically_normal().string();
}

fmu::Description description_of(const std::string& path, const Value& at) {
  try {
    std::vector<fmu::Finding> findings;
    const fmu::Archive archive(path);
    auto description = fmu::read_description(archive.read("modelDescription.xml"), path, findings);
    if (findings.empty()) return description;
    const fmu::Finding& first = findings.front();
    at.refuse(fmt::format("the description of the unit '{}' is not as the standard asks: line {}: {}", path,
                          first.place.line, first.message),
              "see 'taut fmu check'; export the unit anew");
  } catch (const InputError& error) {
    if (error.place().file.text() != path) throw;
    at.refuse(fmt::format("the unit '{}' cannot be used: {}", path, error.message()), error.remedy());
  }
}

fmu::Interface interface_of(const GivenUnit& given, const fmu::Description& description) {
  using fmu::Interface;
  if (!given.interface) return description.co_simulation ? Interface::co_simulation : Interface::model_exchange;
  const std::string& word = given.interface->scalar().text;
  if (word != "co-simulation" && word != "model-exchange")
    given.interface->refuse(fmt::format("the interface is '{}'", word), "choose co-simulation or model-exchange");
  const Interface chosen = word == "co-simulation" ? Interface::co_simulation : Interface::model_exchange;
  if (!description.of(chosen))
    given.interface->refuse(fmt::format("the unit has no {}", fmu::name_of(chosen)), "leave 'interface' out");
  return chosen;
}

/// May formulas name it so?
bool is_word(const std::string& name) {
  bool begins = true;
  for (const char c : name) {
    if (begins ? !is_letter(c) : !is_in_name(c)) return false;
    begins = c == '.';
  }
  return !begins;
}

/// One variable of a unit, by a name of the model.
struct Pin {
  std::string own, variable;
  Place place;
  std::optional<Value> value;
};

/// Entries of a mapping.
std::vector<Pin> pins_of(const std::optional<Value>& section) {
  std::vector<Pin> pins;
  if (!section) return pins;
  const yaml::Node& node = expect_mapping(section->node(), section->what(), section->context().file);
  for (std::size_t k = 0; k < node.keys.size(); ++k) {
    const std::string own = section->context().repetition.filled(node.keys[k].text, section->part().indices).text;
    pins.push_back({own, own, section->context().place(node.keys[k]),
                    section->beside(node.items[k], fmt::format("'{}' of {}", own, section->what()))});
  }
  return pins;
}

/// Declares one unit, and later reads what it is given. What is measured of it are its inputs, then its parameters.
class UnitReader {
 public:
  UnitReader(ReadingContext& in, const Entry& entry)
      : in_(in),
        entry_(entry),
        given_(given_unit(entry)),
        path_(path_of(*given_.file)),
        description_(description_of(path_, *given_.file)) {}

  void declare() {
    claim_name(in_.model, entry_.name, "a unit", entry_.place);
    Controller& controller = in_.model.controllers.emplace_back();
    controller.name = entry_.name;
    controller.place = entry_.place;
    FunctionalUnit unit;
    unit.file = path_;
    unit.exchanges_states = interface_of(given_, description_) == fmu::Interface::model_exchange;
    if (given_.tolerance) unit.tolerance = tolerance_of(*given_.tolerance);
    for (const Pin& pin : pins_of(given_.inputs)) {
      require(pin, "input");
      unit.inputs.push_back(pin.variable);
      add_own(controller, pin, Role::measured);
    }
    for (const Pin& pin : pins_of(given_.parameters)) {
      if (require(pin, "parameter").type == fmu::Type::string) {
        unit.texts.push_back({pin.variable, pin.value->scalar().text});
      } else {
        unit.parameters.push_back(pin.variable);
        add_own(controller, pin, Role::measured);
      }
    }
    for (const Pin& pin : answers()) {
      require(pin, "output");
      unit.answers.push_back(pin.variable);
      add_own(controller, pin, Role::set);
    }
    for (Pin pin : pins_of(given_.set)) {
      pin.variable = pin.value->scalar().text;
      require(pin, "output");
      unit.answers.push_back(pin.variable);
      set_input(controller, pin);
    }
    make_unit(in_.model, entry_.name, std::move(unit));
    in_.model.tables.push_back(path_);
  }

  void read(Controller& controller) {
    static constexpr Context constant{"a value of a unit", context::constants, "use numbers and parameters"};
    controller.sample_time = given_.sample_time->formula(constant);
    if (given_.offset) controller.offset = given_.offset->formula(constant);
    std::size_t k = 0;
    for (const Pin& pin : pins_of(given_.inputs)) controller.values[k++].value = pin.value->formula(context::sample);
    for (const Pin& pin : pins_of(given_.parameters))
      if (require(pin, "parameter").type != fmu::Type::string)
        controller.values[k++].value = pin.value->formula(constant);
  }

 private:
  double tolerance_of(const Value& value) const {
    const Expression tolerance = value.formula(context::parameter);
    if (!tolerance.is_constant() || !(tolerance.value() > 0 && tolerance.value() < 1))
      value.refuse("the tolerance of a unit's states is no number between 0 and 1", "give one, such as 1e-10");
    return tolerance.value();
  }

  /// The unit's variable behind a pin, which can be used as that.
  const fmu::Variable& require(const Pin& pin, const std::string& causality) const {
    const fmu::Variable* found = description_.find(pin.variable);
    const bool is_start =
        causality == "parameter" && found != nullptr && (found->initial == "exact" || found->initial == "approx");
    if (found == nullptr || (found->causality != causality && !is_start)) {
      const std::string what = found == nullptr ? "" : fmt::format(": it is of causality '{}'", found->causality);
      throw InputError(pin.place, fmt::format("unit '{}' has no {} '{}'{}", entry_.name, causality, pin.variable, what),
                       did_you_mean(pin.variable, description_.names_of(causality)));
    }
    const bool is_text = causality == "parameter" && found->type == fmu::Type::string;
    if (found->is_array || (!fmu::is_number(found->type) && !is_text))
      throw InputError(pin.place,
                       fmt::format("{} '{}' of unit '{}' is no single number", causality, pin.variable, entry_.name),
                       "leave it out");
    return *found;
  }

  /// Those that are named, or all that formulas can name.
  std::vector<Pin> answers() const {
    std::vector<Pin> pins = pins_of(given_.outputs);
    for (Pin& pin : pins) pin.variable = pin.value->scalar().text;
    if (given_.outputs) return pins;
    for (const fmu::Variable& v : description_.variables)
      if (v.causality == "output" && fmu::is_number(v.type) && !v.is_array && is_word(v.name))
        pins.push_back({v.name, v.name, entry_.place, std::nullopt});
    return pins;
  }

  void add_own(Controller& controller, const Pin& pin, Role role) {
    SampledValue sample{.name = entry_.name + "." + pin.own, .role = role, .parameter = -1, .place = pin.place};
    if (in_.model.names.contains(sample.name) || !is_word(pin.own))
      throw InputError(pin.place, fmt::format("unit '{}' cannot have a value named '{}'", entry_.name, pin.own),
                       "choose another name, once: outputs: {NAME: OUTPUT}");
    Input input{.name = sample.name, .role = {.unit = unit_of(pin)}, .place = pin.place};
    input.setter = fmt::format("unit '{}'", entry_.name);
    if (const auto assigned = in_.assigned(sample.name, context::initial)) input.value = *assigned;
    in_.scope.add_definition(sample.name, add_part_input(in_.model, input));
    sample.parameter = static_cast<int>(in_.model.parameters.size()) - 1;
    in_.parameter_values.resize(in_.model.graph->symbols(), 0.0);
    const Parameter& parameter = in_.model.parameters.back();
    in_.parameter_values[parameter.symbol] =
        finite_value(parameter.value, in_.parameter_values, sample.name, pin.place);
    controller.values.push_back(std::move(sample));
  }

  std::string unit_of(const Pin& pin) const {
    const fmu::Variable* variable = description_.find(pin.variable);
    return variable == nullptr ? "" : variable->unit;
  }

  void set_input(Controller& controller, const Pin& pin) {
    const std::string name = entry_.part().indices.full(pin.own);
    const auto found = std::ranges::find(in_.model.inputs, name, &Input::name);
    if (found == in_.model.inputs.end() || !found->is_held()) {
      std::vector<std::string> names;
      for (const Input& input : in_.model.inputs)
        if (input.setter.empty() && input.is_held()) names.push_back(input.name);
      throw InputError(pin.place, fmt::format("there is no input '{}' that a unit may set", name),
                       names.empty() ? "declare it under 'inputs'" : did_you_mean(name, names));
    }
    if (!found->setter.empty())
      throw InputError(pin.place, fmt::format("input '{}' is set by {} already", name, found->setter),
                       "let one set it");
    if (found->role.lowest || found->role.highest)
      throw InputError(pin.place, fmt::format("input '{}' has limits that the unit may exceed", name),
                       "take 'min' and 'max' away, and limit it where it is used");
    found->setter = fmt::format("unit '{}'", entry_.name);
    controller.values.push_back({.name = name, .role = Role::set, .parameter = found->parameter, .place = pin.place});
  }

  ReadingContext& in_;
  const Entry& entry_;
  GivenUnit given_;
  std::string path_;
  fmu::Description description_;
};

}  // namespace

void declare_units(ReadingContext& in) {
  in.each_entry("fmus", [&](const Entry& entry) { UnitReader(in, entry).declare(); });
}

void read_units(ReadingContext& in) {
  const auto is_unit = [&](const Controller& controller) { return unit_of(in.model, controller.name) != nullptr; };
  const auto first = std::ranges::find_if(in.model.controllers, is_unit);
  auto k = static_cast<std::size_t>(first - in.model.controllers.begin());
  const std::size_t begin = k;
  in.each_entry("fmus", [&](const Entry& entry) { UnitReader(in, entry).read(in.model.controllers[k++]); });
  for (const Controller& controller : std::span(in.model.controllers).subspan(begin))
    check_controller(in.model, controller, [&in](const Expression& e) { return evaluate(e, in.parameter_values); });
}

}  // namespace taut
