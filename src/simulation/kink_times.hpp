#pragma once

#include <vector>

#include "expression/interval_series.hpp"
#include "integration/step_limits.hpp"

namespace taut {

/// Times in [from, until] at which a function of time passes through nought or touches it, ascending; each found for
/// certain, by halving time until the enclosed derivative has one sign, or rounding hides the function's own.
/// None, and `all_found` false, where there are more than steps could end at.
std::vector<Stop> kink_times(EnclosedFormula& function, double from, double until, bool& all_found);

/// More stops than this are not kept: a square wave of as many edges takes a few tenths of a second to look through.
inline constexpr int most_stops = 50'000;

/// Stops that rounding cannot tell apart become one.
std::vector<Stop> joined(std::vector<Stop> stops);

}  // namespace taut
