#pragma once

#include "model/reading_context.hpp"

/// The section `parameters`, which is read before all others: repetitions count with them.
namespace taut {

void read_parameters(ReadingContext& in, const Part& part);
/// The value of a parameter that decides the model's structure, and from now on is marked as such.
double structural_value(ReadingContext& in, const std::string& name, const Place& place);

}  // namespace taut
