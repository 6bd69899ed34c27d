#pragma once

#include "taut/vector.hpp"

namespace taut {

/// As x.allFinite(), in a fifth of the time: 0 · x is 0, unless x is infinite or not a number.
inline bool is_finite(const Vector& x) {
  const double* values = x.data();
  double sum = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) sum += 0 * values[i];
  return sum == 0;
}

/// Copies as many values as x has, and says whether all of them are finite.
inline bool copy_finite(const double* from, Vector& x) {
  double* values = x.data();
  double sum = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    values[i] = from[i];
    sum += 0 * from[i];
  }
  return sum == 0;
}

}  // namespace taut
