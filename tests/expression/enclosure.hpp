#pragma once

#include <cmath>

#include "expression/interval.hpp"

namespace taut {

/// What rounding in double precision may add: enclosures are those of the double's value.
inline bool holds(const Interval& interval, long double value) {
  const long double slack = 1e-12L * (1 + std::abs(value));
  return interval.lo - slack <= value && value <= interval.hi + slack;
}

}  // namespace taut
