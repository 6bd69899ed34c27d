#pragma once

#include <cmath>

#include "hunt/tree.hpp"

/// Quaternions, as far as orientations need them.
namespace taut::hunt {

using Quadruple = std::array<Real, 4>;

/// Hamilton's.
inline Quadruple product(const Quadruple& a, const Quadruple& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}
inline Quadruple conjugate(const Quadruple& a) { return {a[0], -a[1], -a[2], -a[3]}; }

inline Quadruple normal(const Quadruple& a) {
  const Real size = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
  return {a[0] / size, a[1] / size, a[2] / size, a[3] / size};
}

inline Triple<Real> rotated(const Quadruple& q, const Triple<Real>& x) {
  const Quadruple out = product(product(q, {0, x[0], x[1], x[2]}), conjugate(q));
  return {out[1], out[2], out[3]};
}

}  // namespace taut::hunt
