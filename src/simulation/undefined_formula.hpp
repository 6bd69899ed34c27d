#pragma once

#include <vector>

#include "taut/error.hpp"
#include "taut/model.hpp"
#include "taut/vector.hpp"

namespace taut {

/// The same error, with the first operation of the model's formulas that has no finite value at the state: "1/a divides
/// by zero". As it is where none is found.
InputError with_undefined_formula(const InputError& error, const Model& model, const std::vector<double>& parameters,
                                  double t, const Vector& q, const Vector& v);

}  // namespace taut
