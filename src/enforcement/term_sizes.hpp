#pragma once

#include "taut/system.hpp"

namespace taut {

/// How large the terms are of which each position constraint is the sum, and so its rounding errors. On the constraints
/// they cancel, and elsewhere they do not: at some places where angles have turned and lengths are others, by up to
/// half of what they are, or of `scale` where that is next to nothing.
struct TermSizeScratch {
  Vector &there, &Phi;  ///< room to work in: a position and its residuals
};
void find_term_sizes(System& system, double t, const Vector& q, double scale, TermSizeScratch scratch, Vector& sizes);

}  // namespace taut
