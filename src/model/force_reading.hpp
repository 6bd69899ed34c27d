#pragma once

#include "model/reading_context.hpp"

/// The sections `forces` and `loads`. What a force element means stands in forces/.
namespace taut {

/// An entry that is a mapping is a force element, any other a generalised force on the coordinate of that name.
void read_forces(ReadingContext& in);
/// Forces at points: {at: [EXPR, EXPR], force: [...]}.
void read_loads(ReadingContext& in);

}  // namespace taut
