#pragma once

#include <functional>
#include <string>

#include "taut/model.hpp"

namespace taut {

/// A formula of parameters as a number.
using ParameterNumber = std::function<double(const Expression&)>;

/// Throws InputError where a sample time is not positive, a quantum is not, a delay is negative, or limits leave
/// nothing between them.
void check_controller(const Model& model, const Controller& controller, const ParameterNumber& number);

/// "controllers", "events that act" or "contacts": what happens at single moments of the model's runs; "" if nothing.
std::string moments_of(const Model& model);

}  // namespace taut
