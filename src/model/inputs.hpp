#pragma once

#include <string>

#include "taut/model.hpp"

/// Values that are set from outside while a model is simulated.
namespace taut {

/// Throws InputError where a value is not finite or beyond the input's limits, or where the input is a formula of time.
void check_input_value(const Input& input, double value);

/// The held input of this name. Throws InputError, naming the nearest, if there is none.
const Input& find_input(const Model& model, const std::string& name);

}  // namespace taut
