#pragma once

#include "model/reading_context.hpp"

/// The section `fmus`: functional mock-up units in the loop.
namespace taut {

/// Names what units are given and answer, so that all formulas may use it. Inputs have been read.
void declare_units(ReadingContext& in);
/// Reads what their inputs and parameters are, which may use every name of the model.
void read_units(ReadingContext& in);

}  // namespace taut
