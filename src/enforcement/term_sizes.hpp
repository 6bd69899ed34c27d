#pragma once

#include "taut/system.hpp"

namespace taut {

/// How large the terms are of which each position constraint is the sum, and so its rounding errors. On the constraints
/// they cancel, and elsewhere they do not: at some places where angles have turned and lengths are others, by up to
/// half of what they are, or of `scale` where that is next to nothing. `there` and `Phi` are room to work in.
void find_term_sizes(System& system, double t, const Vector& q, double scale, Vector& there, Vector& Phi,
                     Vector& sizes);

}  // namespace taut
