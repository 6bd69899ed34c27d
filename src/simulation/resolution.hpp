#pragma once

#include <vector>

#include "expression/interval_series.hpp"
#include "integration/step_limits.hpp"

namespace taut {

/// How long steps may be so that they cannot leap over anything that a formula of time does: ascending, from
/// the start on.
///
/// Over a stretch of time the enclosed Taylor series says how well a polynomial follows the formula: a step no longer
/// than the length on which one of degree 7 does sees by its stages what happens within it, and its error test does the
/// rest. Stretches are halved while that shows longer steps to be good, so that what is found is proven, however
/// narrow: stretches where nothing happens are long.
std::vector<StepBound> step_bounds(EnclosedFormula& formula, double from, double until);

/// The shorter of two bounds at every time.
std::vector<StepBound> both(const std::vector<StepBound>& a, const std::vector<StepBound>& b);

}  // namespace taut
