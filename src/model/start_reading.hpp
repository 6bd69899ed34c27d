#pragma once

#include "model/reading_context.hpp"

namespace taut {

/// The section `starts`: states and parameters under a name, for `--start NAME`.
void read_starts(ReadingContext& in);

}  // namespace taut
