#pragma once

#include "model/reading_context.hpp"

/// The section `constraints`.
namespace taut {

/// Their names, so that formulas may use their multipliers.
void declare_constraints(ReadingContext& in);
void read_constraints(ReadingContext& in);

}  // namespace taut
