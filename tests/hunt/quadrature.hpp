#pragma once

#include <functional>

#include "hunt/real.hpp"

/// Motions of one freedom that never turn back, by quadrature: t = ∫ du / u'(u). Exact however sharply u' bends.
namespace taut::hunt {

/// ∫ f from a to b, Gauss and Legendre's rule with 16 points.
Real integral(const std::function<Real(Real)>& f, Real a, Real b);

struct OneWay {
  std::function<Real(Real)> pace;  ///< dt/du > 0 for the way that is gone
  Real start = 0;
  Real direction = 1;  ///< of u
  /// Where dt/du bends: at `bend + k period`, within `width`. period 0: no bend at all, intervals of `coarse`.
  Real bend = 0, period = 0, width = 1;
  Real coarse = 0.1L;

  /// u at a time.
  Real at(Real time) const;
};

}  // namespace taut::hunt
