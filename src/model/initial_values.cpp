#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <span>
#include <unordered_set>

#include "expression/parser.hpp"
#include "expression/program.hpp"
#include "model/assignments.hpp"
#include "model/controllers.hpp"
#include "model/functions.hpp"
#include "model/import/options.hpp"
#include "model/inputs.hpp"
#include "taut/model.hpp"

namespace taut {
namespace {

/// Evaluates a model's numbers without touching its graph, so that many threads may do so at once.
class Evaluator {
 public:
  Evaluator(const Model& model, const std::vector<Assignment>& set)
      : model_(model), set_(set), values_(model.graph->symbols(), 0.0) {}

  InitialValues operator()() {
    InitialValues initial;
    for (const Parameter& parameter : model_.parameters) initial.parameters.push_back(parameter_value(parameter));
    for (const Input& input : model_.inputs)
      if (input.is_held() && input.setter != set_by_function)
        check_input_value(input, initial.parameters[static_cast<std::size_t>(input.parameter)]);
    for (const Controller& controller : model_.controllers)
      check_controller(model_, controller, [this](const Expression& e) { return evaluate(e, values_); });
    for (const Coordinate& x : model_.coordinates) {
      const std::string name = x.name + "(0)";
      initial.coordinates.push_back(value(name, x.initial, "the initial value of " + x.name, x.place));
      initial.coordinate_claims.push_back(claim(x.initial_claim, name, initial.coordinates.back()));
    }
    for (const Coordinate& x : model_.coordinates) {
      if (x.kinematics) continue;
      const std::string name = assigned_name(x.name + "'(0)", x.rate_name());
      initial.speeds.push_back(value(name, x.initial_rate, "the initial rate of " + x.name, x.place));
      initial.speed_claims.push_back(claim(x.rate_claim, name, initial.speeds.back()));
    }
    for (const Speed& u : model_.speeds) {
      const std::string name = assigned_name(u.name + "(0)", u.other_name);
      initial.speeds.push_back(value(name, u.initial, "the initial value of " + u.name, u.place));
      // What a constraint alone makes of a state is not for a guess to say.
      initial.speed_claims.push_back(u.is_algebraic ? InitialClaim::none : claim(u.claim, name, initial.speeds.back()));
    }
    if (!model_.joint_form) read_joints(initial);
    return initial;
  }

 private:
  /// Where joints are to start: as the model says, or as was set.
  void read_joints(InitialValues& initial) {
    for (std::size_t k = 0; k < model_.joints.size(); ++k) {
      const Joint& joint = model_.joints[k];
      if (!joint.start && set_.empty()) continue;
      const JointStart start = joint.start ? *joint.start : JointStart{};
      if (joint.angle_rate) read_joint(static_cast<int>(k), start.angle, false, initial);
      if (joint.travel_rate) read_joint(static_cast<int>(k), start.travel, true, initial);
    }
  }

  void read_joint(int index, const JointStart::Value& start, bool travels, InitialValues& initial) {
    const Joint& joint = model_.joints[static_cast<std::size_t>(index)];
    const std::string part = fmt::format("{}.{}", joint.name, travels ? "travel" : "angle");
    const auto number = [&](const std::string& name, const std::optional<Expression>& given) -> std::optional<double> {
      if (!given && find_assignment(set_, name) == nullptr) return std::nullopt;
      return value(name, given.value_or(0), "the initial value of " + part, joint.place);
    };
    JointStartValue result{index,           travels,      number(part + "(0)", start.position),
                           std::nullopt,    std::nullopt, start.position_claim,
                           start.rate_claim};
    result.rate = number(part + "'(0)", start.rate);
    if (joint.has_coordinate()) {
      if (find_assignment(set_, joint.name + ".rate(0)") != nullptr) result.rate = number(joint.name + ".rate(0)", {});
      result.near = number(joint.name + ".near(0)", start.near);
    }
    if (result.position || result.rate || result.near) initial.joints.push_back(result);
  }

  /// What was set, or is not zero, was given.
  InitialClaim claim(InitialClaim said, const std::string& name, double value) const {
    const bool given = value != 0 || find_assignment(set_, name) != nullptr;
    return said == InitialClaim::none && given ? InitialClaim::given : said;
  }

  /// A name under which a value may be set, or the other one where that was used.
  std::string assigned_name(const std::string& name, const std::string& other) const {
    const std::string also = other + "(0)";
    return !other.empty() && find_assignment(set_, also) != nullptr ? also : name;
  }

  double parameter_value(const Parameter& parameter) {
    if (is_driven(parameter)) {
      ++known_;
      return 0;
    }
    const double given =
        value(parameter.name, parameter.value, fmt::format("parameter '{}'", parameter.name), parameter.place);
    if (parameter.structural && given != evaluate(parameter.value, values_)) {
      throw InputError(fmt::format("'{}' decides how many parts the model has, and was {} when the model was read",
                                   parameter.name, evaluate(parameter.value, values_)),
                       "give its value to load_model or read_model");
    }
    values_[parameter.symbol] = given;
    ++known_;
    return given;
  }

  /// It has no value of its own; that a function is to compute it can be said in place of one.
  bool is_driven(const Parameter& parameter) const {
    if (model_.functions.empty()) return false;
    const auto input = std::ranges::find(model_.inputs, parameter.name, &Input::name);
    if (input == model_.inputs.end() || input->setter != set_by_function) return false;
    const Assignment* assignment = find_assignment(set_, parameter.name);
    if (assignment != nullptr && !is_function_text(assignment->value)) find_input(model_, parameter.name);
    return true;
  }

  double value(const std::string& name, const Expression& formula, const std::string& what, const Place& place) {
    const Assignment* assignment = find_assignment(set_, name);
    if (assignment == nullptr) return finite_value(formula, values_, what, place);
    try {
      Graph scratch;
      Names names;
      names.graph = &scratch;
      names.name = [this](const std::string& used, const Place& at) { return known_parameter(used, at); };
      return finite_value(parse(assignment->value, names, {}), {}, what, {});
    } catch (const InputError& error) {
      refuse_assignment(*assignment, error);
    }
  }

  Expression known_parameter(const std::string& name, const Place& place) const {
    std::vector<std::string> known;
    for (std::size_t k = 0; k < known_; ++k) {
      const Parameter& parameter = model_.parameters[k];
      if (parameter.name == name) return values_[parameter.symbol];
      known.push_back(parameter.name);
    }
    const std::string near = nearest(name, known);
    throw InputError(
        place, fmt::format("'{}' is no parameter that may be used here", name),
        near.empty() ? "use numbers, and parameters that stand before it" : fmt::format("did you mean '{}'?", near));
  }

  const Model& model_;
  const std::vector<Assignment>& set_;
  std::vector<double> values_;
  std::size_t known_ = 0;
};

}  // namespace

std::vector<std::string> assignable_names(const Model& model) {
  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters) names.push_back(parameter.name);
  // A coordinate that follows from others, such as the angle of a joint, starts where they put it.
  std::unordered_set<SymbolId> derived;
  for (const Retraction& retraction : model.retractions)
    if (retraction.derived) derived.insert(retraction.coordinate);
  for (const Coordinate& x : model.coordinates) {
    if (!derived.contains(x.symbol)) names.push_back(x.name + "(0)");
    if (!x.kinematics) names.push_back(x.name + "'(0)");
    if (!x.rate_word.empty()) names.push_back(x.rate_name() + "(0)");
  }
  for (const Speed& u : model.speeds) {
    names.push_back(u.name + "(0)");
    if (!u.other_name.empty()) names.push_back(u.other_name + "(0)");
  }
  if (model.joint_form) return names;
  for (const Joint& joint : model.joints) {
    if (joint.angle_rate) names.insert(names.end(), {joint.name + ".angle(0)", joint.name + ".angle'(0)"});
    if (joint.travel_rate) names.insert(names.end(), {joint.name + ".travel(0)", joint.name + ".travel'(0)"});
    if (joint.has_coordinate()) names.insert(names.end(), {joint.name + ".rate(0)", joint.name + ".near(0)"});
  }
  return names;
}

const Assignment* find_assignment(const std::vector<Assignment>& set, const std::string& name) {
  for (const Assignment& assignment : std::views::reverse(set))
    if (assignment.name == name) return &assignment;
  return nullptr;
}

std::string nearest_assignable(const std::string& name, const std::vector<std::string>& known) {
  const std::string initial = name + "(0)";
  return std::ranges::find(known, initial) != known.end() ? initial : nearest(name, known);
}

namespace {

/// An input that is a formula of time is part of the model's formulas, and was set when these were read.
bool was_set_when_read(const Model& model, const Assignment& assignment) {
  const auto input = std::ranges::find(model.inputs, assignment.name, &Input::name);
  if (input == model.inputs.end() || input->is_held()) return false;
  if (input->assigned == assignment.value) return true;
  throw InputError(
      fmt::format("{}={}: the input is a formula of time, and part of the model", assignment.name, assignment.value),
      "give its value to load_model or read_model");
}

}  // namespace

void check_assignments(const Model& model, const std::vector<Assignment>& set) {
  if (set.empty()) return;
  const std::vector<std::string> known = assignable_names(model);
  for (const Assignment& assignment : set) {
    const bool is_known =
        std::find(known.begin(), known.end(), assignment.name) != known.end() || was_set_when_read(model, assignment);
    if (is_known || robot::is_import_setting(assignment.name)) continue;
    const std::string near = nearest_assignable(assignment.name, known);
    throw InputError(fmt::format("{}={}: nothing in the model that can be set is named '{}'", assignment.name,
                                 assignment.value, assignment.name),
                     near.empty() ? "set a parameter, or an initial value as NAME(0) or NAME'(0)"
                                  : fmt::format("did you mean '{}'?", near));
  }
}

void refuse_assignment(const Assignment& assignment, const InputError& error) {
  throw InputError(fmt::format("{}={}: {}", assignment.name, assignment.value, error.message()),
                   error.remedy().empty() ? "give a number, or a formula of parameters" : error.remedy());
}

double finite_value(const Expression& formula, std::span<const double> values_by_symbol, const std::string& what,
                    const Place& place) {
  const double value = evaluate(formula, values_by_symbol);
  if (std::isfinite(value)) return value;
  throw InputError(place,
                   fmt::format("{} is no finite number but {}", what, std::isnan(value) ? "undefined" : "infinite"),
                   "look for a division by zero, or a root or logarithm of a negative number");
}

InitialValues initial_values(const Model& model, const std::vector<Assignment>& set) {
  check_assignments(model, set);
  return Evaluator(model, set)();
}

}  // namespace taut
