#include "simulation/settable_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/inputs.hpp"

namespace taut {

SettableInputs::SettableInputs(const Model& model, const std::vector<double>& parameters) : model_(&model) {
  for (std::size_t k = 0; k < model.inputs.size(); ++k) {
    if (!model.inputs[k].is_held() || !model.inputs[k].setter.empty()) continue;
    names_.push_back(model.inputs[k].name);
    places_.push_back(k);
  }
  values_.resize(static_cast<Eigen::Index>(names_.size()));
  for (Eigen::Index i = 0; i < values_.size(); ++i)
    values_[i] = parameters[static_cast<std::size_t>(input(i).parameter)];
  first_values_ = values_;
}

Eigen::Index SettableInputs::index(const std::string& name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) find_input(model_ ? *model_ : Model(), name);  // which says what is wrong
  return found - names_.begin();
}

void SettableInputs::set(Eigen::Index index, double value) {
  check_input_value(input(index), value);
  waiting_ = waiting_ || values_[index] != value;
  values_[index] = value;
}

void SettableInputs::set(const Vector& values) {
  if (values.size() != values_.size())
    throw InputError(fmt::format("{} values are given for {} inputs", values.size(), values_.size()),
                     "give one for each, in the order of input_names()");
  for (Eigen::Index i = 0; i < values.size(); ++i) check_input_value(input(i), values[i]);
  for (Eigen::Index i = 0; i < values.size(); ++i) set(i, values[i]);
}

std::vector<double> SettableInputs::put_into(std::vector<double> parameters) const {
  for (Eigen::Index i = 0; i < values_.size(); ++i)
    parameters[static_cast<std::size_t>(input(i).parameter)] = values_[i];
  return parameters;
}

}  // namespace taut
