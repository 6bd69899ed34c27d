#pragma once

#include "questions/linearization.hpp"

namespace taut {

/// Is the state at rest, or in a motion along which nothing accelerates and the linearised equations stay what they
/// are, as in straight rolling? `here` belongs to where the variation stands.
bool is_steady(Variation& variation, const Linearization& here);

}  // namespace taut
