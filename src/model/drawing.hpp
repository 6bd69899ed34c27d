#pragma once

#include "model/reading_context.hpp"

/// The section `draw`, which says what to show: lines and points by formulas, solids that bodies carry.
namespace taut {

void read_drawing(ReadingContext& in);

}  // namespace taut
