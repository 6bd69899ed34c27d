#pragma once

#include "model/reading_context.hpp"

/// The sections `bodies` and `gravity`. What a body means stands in bodies/.
namespace taut {

void read_bodies(ReadingContext& in);
/// After the bodies: gravity pulls at every body there is.
void read_gravity(ReadingContext& in);

}  // namespace taut
