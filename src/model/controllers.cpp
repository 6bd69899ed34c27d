#include "model/controllers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "expression/derivative.hpp"
#include "model/functional_unit.hpp"

namespace taut {
namespace {

void check_limits(const Input& input, const SampledValue& sample, const ParameterNumber& number) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double lowest = sample.lowest ? number(*sample.lowest) : -infinity;
  const double highest = sample.highest ? number(*sample.highest) : infinity;
  if (!(lowest <= highest))
    throw InputError(
        sample.place,
        fmt::format("'{}' is to lie between {:g} and {:g}: there is nothing", sample.name, lowest, highest),
        "give 'min' below 'max'");
  // What the input may not be, the controller must not set.
  if (lowest < input.role.lowest.value_or(-infinity) || highest > input.role.highest.value_or(infinity))
    throw InputError(sample.place, fmt::format("input '{}' has limits that the controller may exceed", sample.name),
                     "give the controller 'min' and 'max' within those of the input, or take these away");
}

}  // namespace

std::vector<int> stages_of(const Model& model, const Controller& controller, const std::vector<char>& waits) {
  std::unordered_map<SymbolId, int> stage_of;
  std::vector<int> stages;
  for (const SampledValue& sample : controller.values) {
    int stage = 0;
    for (const SymbolId symbol : symbols_of(sample.value))
      if (const auto used = stage_of.find(symbol); used != stage_of.end()) stage = std::max(stage, used->second + 1);
    if (sample.role != SampledValue::Role::state && !waits[stages.size()])
      stage_of[model.parameters[static_cast<std::size_t>(sample.parameter)].symbol] = stage;
    stages.push_back(stage);
  }
  return stages;
}

std::string moments_of(const Model& model) {
  for (const Controller& controller : model.controllers)
    if (unit_of(model, controller.name)) return "functional mock-up units";
  if (!model.controllers.empty()) return "controllers";
  for (const Watch& event : model.events) {
    if (event.contact) return "contacts";
    if (!event.action.empty()) return "events that act";
  }
  return {};
}

void check_controller(const Model& model, const Controller& controller, const ParameterNumber& number) {
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  const auto not_negative = [](double value) { return std::isfinite(value) && value >= 0; };
  if (!positive(number(controller.sample_time)))
    throw InputError(
        controller.place,
        fmt::format("the sample time of controller '{}' is {:g}", controller.name, number(controller.sample_time)),
        "give a time above 0");
  if (!not_negative(number(controller.offset)))
    throw InputError(controller.place,
                     fmt::format("the offset of controller '{}' is {:g}", controller.name, number(controller.offset)),
                     "give the time of its first sample, 0 or later");
  for (const SampledValue& sample : controller.values) {
    if (sample.quantum && !positive(number(*sample.quantum)))
      throw InputError(sample.place,
                       fmt::format("'{}' is to be rounded to multiples of {:g}", sample.name, number(*sample.quantum)),
                       "give a quantum above 0, or none");
    if (!not_negative(number(sample.delay)))
      throw InputError(sample.place,
                       fmt::format("'{}' is to be delayed by {:g} samples", sample.name, number(sample.delay)),
                       "give 0 samples or more; parts of one are allowed");
    for (const Input& input : model.inputs)
      if (input.parameter == sample.parameter) check_limits(input, sample, number);
  }
}

}  // namespace taut
