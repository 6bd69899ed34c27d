#pragma once

#include "model/reading_context.hpp"

/// The section `inputs`: values that are set from outside while a model is simulated.
namespace taut {

void read_inputs(ReadingContext& in);
/// What inputs that are functions are functions of, once all names are known.
void read_function_arguments(ReadingContext& in);

}  // namespace taut
