#pragma once

#include <functional>
#include <string>
#include <vector>

#include "taut/model.hpp"

namespace taut {

/// A formula of parameters as a number.
using ParameterNumber = std::function<double(const Expression&)>;

/// Throws InputError where a sample time is not positive, a quantum is not, a delay is negative, or limits leave
/// nothing between them.
void check_controller(const Model& model, const Controller& controller, const ParameterNumber& number);

/// At which stage of an instant each value is found: one that uses others of the same instant comes after them. States
/// are those of the instant before until all is found, and what `waits`, like the values, is what is in force: neither
/// makes anyone wait.
std::vector<int> stages_of(const Model& model, const Controller& controller, const std::vector<char>& waits);

/// "controllers", "events that act" or "contacts": what happens at single moments of the model's runs; "" if nothing.
std::string moments_of(const Model& model);

}  // namespace taut
