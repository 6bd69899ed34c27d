#pragma once

#include "model/reading_context.hpp"

/// The sections `coordinates`, `speeds` and `rates`.
namespace taut {

void read_coordinates(ReadingContext& in);
void read_speeds(ReadingContext& in);
/// The rates of coordinates in terms of the speeds.
void read_rates(ReadingContext& in);

}  // namespace taut
