#pragma once

#include "model/reading_context.hpp"

/// The section `events`: what is watched, and what happens where it is zero.
namespace taut {

/// Names what events switch, and the constraints of contacts, so that formulas may use them. Constraints have been
/// declared.
void declare_events(ReadingContext& in);
/// Reads formulas and actions. Constraints and joints have been read; those that events switch are given their factor.
void read_events(ReadingContext& in);

}  // namespace taut
