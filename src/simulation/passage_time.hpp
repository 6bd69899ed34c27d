#pragma once

#include <functional>

namespace taut {

/// The smallest pivot at a time, which is seen without its sign: not a number where it is not known.
using PivotAt = std::function<double(double t)>;

/// When, between two times, a pivot that goes through zero is zero. It is known to be near `guess`, to a part of the
/// way between the two; where nothing better is found, that is the answer.
double passage_time(double guess, double from, double to, const PivotAt& pivot);

}  // namespace taut
