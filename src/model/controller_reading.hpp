#pragma once

#include "model/reading_context.hpp"

/// The section `controllers`: sampled ones, with states and formulas.
namespace taut {

/// Names what controllers find and set, so that all formulas may use it. Inputs have been read.
void declare_controllers(ReadingContext& in);
/// Reads their formulas, which may use every name of the model.
void read_controllers(ReadingContext& in);

}  // namespace taut
