#pragma once

#include "taut/vector.hpp"

namespace taut {

/// One end of a step.
struct StepEnd {
  double t;
  const Vector &y, &slope;
};

/// The cubic of Hermite between the ends of a step.
inline void hermite(const StepEnd& a, const StepEnd& b, double t, Vector& y) {
  const double h = b.t - a.t, x = (t - a.t) / h;
  y = ((1 - x) * (1 - x) * (1 + 2 * x)) * a.y + (h * x * (1 - x) * (1 - x)) * a.slope + (x * x * (3 - 2 * x)) * b.y +
      (h * x * x * (x - 1)) * b.slope;
}

}  // namespace taut
