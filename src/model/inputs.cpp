#include "model/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/nearest.hpp"

namespace taut {
namespace {

std::string range(const InputRole& role) {
  if (role.lowest && role.highest) return fmt::format("between {:g} and {:g}", *role.lowest, *role.highest);
  return role.lowest ? fmt::format("not below {:g}", *role.lowest) : fmt::format("not above {:g}", *role.highest);
}

}  // namespace

void check_input_value(const Input& input, double value) {
  if (!std::isfinite(value))
    throw InputError(input.place, fmt::format("input '{}' is to be {}, which is no finite number", input.name, value),
                     "give a number");
  const InputRole& role = input.role;
  if ((role.lowest && value < *role.lowest) || (role.highest && value > *role.highest))
    throw InputError(input.place, fmt::format("input '{}' is to be {:g}, beyond its limits", input.name, value),
                     fmt::format("keep it {}", range(role)));
}

const Input& find_input(const Model& model, const std::string& name) {
  const auto found = std::ranges::find(model.inputs, name, &Input::name);
  if (found != model.inputs.end() && !found->setter.empty())
    throw InputError(found->place, fmt::format("input '{}' is set by {}", name, found->setter),
                     "leave it to that, or take it from there");
  if (found != model.inputs.end() && found->is_held()) return *found;
  if (found != model.inputs.end())
    throw InputError(found->place,
                     fmt::format("input '{}' is a formula of time, and cannot be set between steps", name),
                     fmt::format("give it a number when the model is read, such as --set {}=0", name));
  std::vector<std::string> known;
  for (const Input& input : model.inputs)
    if (input.setter.empty()) known.push_back(input.name);
  const std::string near = nearest(name, known);
  throw InputError(fmt::format("there is no input '{}'", name),
                   known.empty()  ? "declare it under 'inputs'"
                   : near.empty() ? fmt::format("there are {}", fmt::join(known, ", "))
                                  : fmt::format("did you mean '{}'?", near));
}

}  // namespace taut
