#include "model/controller_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "expression/program.hpp"
#include "model/assignments.hpp"
#include "model/controllers.hpp"
#include "model/declare.hpp"
#include "model/inputs.hpp"
#include "model/keys.hpp"

namespace taut {
namespace {

/// One that is measured or set: a formula alone, or a mapping. A state has a value to start with and a next one.
struct GivenSample {
  std::optional<Value> value, next, start, quantum, lowest, highest, delay;
  InputRole role;
};

template <std::optional<Value> GivenSample::*member>
void keep(const Value& value, GivenSample& sample) {
  sample.*member = value;
}

const Key<GivenSample> unit_key{"unit", [](const Value& v, GivenSample& s) { s.role.unit = v.scalar().text; }};
const Key<GivenSample> description_key{"description",
                                       [](const Value& v, GivenSample& s) { s.role.description = v.scalar().text; }};
const Key<GivenSample> quantum_key{"quantum", keep<&GivenSample::quantum>};
const Key<GivenSample> min_key{"min", keep<&GivenSample::lowest>}, max_key{"max", keep<&GivenSample::highest>};

const Keys<GivenSample> state_keys{{
    {"value", keep<&GivenSample::start>, "write {value: NUMBER, next: FORMULA}"},
    {"next", keep<&GivenSample::next>, "write {value: NUMBER, next: FORMULA}"},
    quantum_key,
    min_key,
    max_key,
    unit_key,
    description_key,
}};

const Keys<GivenSample> measured_keys{{
    {"value", keep<&GivenSample::next>, "write {value: FORMULA, quantum: NUMBER}"},
    {"start", keep<&GivenSample::start>},
    quantum_key,
    min_key,
    max_key,
    unit_key,
    description_key,
}};

const Keys<GivenSample> set_keys{{
    {"value", keep<&GivenSample::next>, "write {value: FORMULA, min: NUMBER, max: NUMBER}"},
    {"start", keep<&GivenSample::start>},
    {"delay", keep<&GivenSample::delay>},
    quantum_key,
    min_key,
    max_key,
    unit_key,
    description_key,
}};

struct GivenController {
  std::optional<Value> sample_time, offset, measure, states, set, delay;
};

template <std::optional<Value> GivenController::*member>
void keep_section(const Value& value, GivenController& controller) {
  controller.*member = value;
}

const Keys<GivenController> controller_keys{{
    {"sample_time", keep_section<&GivenController::sample_time>,
     "say how long it waits from one sample to the next, such as 'sample_time: 1e-3'"},
    {"offset", keep_section<&GivenController::offset>},
    {"delay", keep_section<&GivenController::delay>},
    {"measure", keep_section<&GivenController::measure>},
    {"states", keep_section<&GivenController::states>},
    {"set", keep_section<&GivenController::set>, "say what it sets, such as 'set: {push: -8*x}'"},
}};

GivenController given_controller(const Entry& entry) {
  GivenController given;
  read_keys(entry.value.called(fmt::format("controller '{}'", entry.name)), controller_keys, given);
  return given;
}

/// Reads a sample, whatever its role.
GivenSample given_sample(const Value& value, SampledValue::Role role) {
  GivenSample given;
  if (!value.is_mapping()) {
    if (role == SampledValue::Role::state)
      value.refuse(value.what() + " has no next value", "write {value: NUMBER, next: FORMULA}");
    given.next = value;
    return given;
  }
  switch (role) {
    case SampledValue::Role::measured:
      read_keys(value, measured_keys, given);
      break;
    case SampledValue::Role::set:
      read_keys(value, set_keys, given);
      break;
    case SampledValue::Role::state:
      read_keys(value, state_keys, given);
      break;
  }
  return given;
}

/// Entries of a controller's mapping, with what they are for. The order is the one in which they are found.
template <class Action>
void each_sample(const GivenController& controller, const std::string& name, const Action& action) {
  using Role = SampledValue::Role;
  const auto each = [&](const std::optional<Value>& section, Role role, const char* what) {
    if (!section) return;
    const yaml::Node& node = expect_mapping(section->node(), section->what(), section->context().file);
    for (std::size_t k = 0; k < node.keys.size(); ++k) {
      const std::string own = section->context().repetition.filled(node.keys[k].text, section->part().indices).text;
      const Value value = section->beside(node.items[k], fmt::format("{} '{}' of controller '{}'", what, own, name));
      action(own, role, value, section->context().place(node.keys[k]));
    }
  };
  each(controller.measure, Role::measured, "the measured value");
  each(controller.set, Role::set, "what is set of");
  each(controller.states, Role::state, "the state");
}

/// What is set with a delay is found first, under a name of the controller's own, and recorded there.
bool is_delayed(const GivenController& controller, const GivenSample& sample) {
  return sample.delay || controller.delay;
}

SampledValue::Role own_role(SampledValue::Role role) {
  return role == SampledValue::Role::set ? SampledValue::Role::measured : role;
}

/// What a value is before its first sample.
Expression start_of(const ReadingContext& in, const std::string& name, const GivenSample& given) {
  if (const auto assigned = in.assigned(name, context::initial)) return *assigned;
  return given.start ? given.start->formula(context::initial) : Expression(0);
}

class ControllerDeclaration {
 public:
  ControllerDeclaration(ReadingContext& in, const Entry& entry) : in_(in), entry_(entry) {}

  void declare() {
    claim_name(in_.model, entry_.name, "a controller", entry_.place);
    Controller& controller = in_.model.controllers.emplace_back();
    controller.name = entry_.name;
    controller.place = entry_.place;
    const GivenController given = given_controller(entry_);
    each_sample(given, entry_.name,
                [&](const std::string& own, SampledValue::Role role, const Value& value, const Place& place) {
                  const GivenSample read = given_sample(value, role);
                  if (role != SampledValue::Role::set || is_delayed(given, read))
                    add_own(controller, {.name = own, .role = own_role(role), .parameter = -1, .place = place}, read);
                  if (role == SampledValue::Role::set)
                    set_input(controller, {.name = own, .role = role, .parameter = -1, .place = place}, value, read);
                });
  }

 private:
  /// An input of the model, or a new name.
  void set_input(Controller& controller, SampledValue sample, const Value& value, const GivenSample& given) {
    sample.name = value.part().indices.full(sample.name);
    const auto found = std::ranges::find(in_.model.inputs, sample.name, &Input::name);
    if (found == in_.model.inputs.end()) {
      const Expression symbol = add_input(in_.model, input(sample, given));
      return add(controller, std::move(sample), symbol);
    }
    refuse_taken(*found, sample);
    if (given.start)
      given.start->refuse(fmt::format("input '{}' has a value of its own to start with", sample.name),
                          "change that, and leave 'start' out");
    found->setter = fmt::format("controller '{}'", entry_.name);
    sample.parameter = found->parameter;
    controller.values.push_back(std::move(sample));
  }

  void refuse_taken(const Input& input, const SampledValue& sample) const {
    if (!input.is_held())
      throw InputError(sample.place, fmt::format("input '{}' is a formula of time, and cannot be set", sample.name),
                       "give it a number");
    if (!input.setter.empty())
      throw InputError(sample.place, fmt::format("input '{}' is set by {} already", sample.name, input.setter),
                       "let one controller set it");
  }

  void add_own(Controller& controller, SampledValue sample, const GivenSample& given) {
    const std::string own = sample.name;
    sample.name = entry_.name + "." + own;
    if (in_.model.names.contains(sample.name))
      throw InputError(sample.place, fmt::format("two values of controller '{}' are named '{}'", entry_.name, own),
                       "choose another name for one of them; what is set with a delay is measured under its name, too");
    const Expression symbol = add_part_input(in_.model, input(sample, given));
    add(controller, std::move(sample), symbol);
  }

  Input input(const SampledValue& sample, const GivenSample& given) const {
    return {.name = sample.name,
            .value = start_of(in_, sample.name, given),
            .role = given.role,
            .place = sample.place,
            .setter = fmt::format("controller '{}'", entry_.name)};
  }

  void add(Controller& controller, SampledValue sample, const Expression& symbol) {
    in_.scope.add_definition(sample.name, symbol);
    const Parameter& parameter = in_.model.parameters.back();
    sample.parameter = static_cast<int>(in_.model.parameters.size()) - 1;
    in_.parameter_values.resize(in_.model.graph->symbols(), 0.0);
    in_.parameter_values[parameter.symbol] = finite_value(parameter.value, in_.parameter_values,
                                                          fmt::format("the start of '{}'", sample.name), sample.place);
    controller.values.push_back(std::move(sample));
  }

  ReadingContext& in_;
  const Entry& entry_;
};

Expression symbol_of(const Model& model, const SampledValue& sample) {
  return {*model.graph, model.graph->symbol(model.parameters[static_cast<std::size_t>(sample.parameter)].symbol)};
}

/// The names by which the formula of a controller's value k calls what is the controller's own: states, what is
/// measured before, and the sample time. So `angle: {value: angle, quantum: 0.01}` is of the model's angle.
std::vector<std::pair<std::string, Expression>> own_names(const Model& model, const Controller& controller,
                                                          std::size_t k) {
  std::vector<std::pair<std::string, Expression>> names{{"sample_time", controller.sample_time}};
  for (std::size_t i = 0; i < controller.values.size(); ++i) {
    const SampledValue& sample = controller.values[i];
    const bool is_known =
        sample.role == SampledValue::Role::measured ? i < k : sample.role == SampledValue::Role::state;
    if (is_known) names.emplace_back(sample.name.substr(controller.name.size() + 1), symbol_of(model, sample));
  }
  return names;
}

void read_controller(ReadingContext& in, const Entry& entry, Controller& controller) {
  static constexpr Context times{"a time of a controller", context::constants, "use numbers and parameters"};
  const GivenController given = given_controller(entry);
  controller.sample_time = given.sample_time->formula(times);
  if (given.offset) controller.offset = given.offset->formula(times);
  std::size_t k = 0;
  each_sample(given, entry.name, [&](const std::string&, SampledValue::Role role, const Value& value, const Place&) {
    const GivenSample read = given_sample(value, role);
    in.scope.set_locals(own_names(in.model, controller, k));
    SampledValue& sample = controller.values[k++];
    sample.value = read.next->called(value.what()).formula(context::sample);
    const auto number = [](const std::optional<Value>& v) {
      return v ? std::optional(v->formula(times)) : std::nullopt;
    };
    sample.quantum = number(read.quantum);
    sample.lowest = number(read.lowest);
    sample.highest = number(read.highest);
    if (role != SampledValue::Role::set || !is_delayed(given, read)) return;
    SampledValue& set = controller.values[k++];
    set.value = symbol_of(in.model, sample);
    set.lowest = sample.lowest;
    set.highest = sample.highest;
    set.delay = read.delay ? read.delay->formula(times) : given.delay->formula(times);
  });
  in.scope.set_locals({});
}

}  // namespace

void declare_controllers(ReadingContext& in) {
  in.each_entry("controllers", [&](const Entry& entry) { ControllerDeclaration(in, entry).declare(); });
}

void read_controllers(ReadingContext& in) {
  std::size_t k = 0;
  in.each_entry("controllers", [&](const Entry& entry) { read_controller(in, entry, in.model.controllers[k++]); });
  for (const Controller& controller : std::span(in.model.controllers).first(k))
    check_controller(in.model, controller, [&in](const Expression& e) { return evaluate(e, in.parameter_values); });
}

}  // namespace taut
