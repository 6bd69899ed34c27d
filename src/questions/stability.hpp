#pragma once

#include <complex>
#include <vector>

#include "questions/rest_equations.hpp"

namespace taut {

/// What small pushes do to a mechanism at rest.
struct Stability {
  bool stable = false;
  int neutral = 0;  ///< directions in which it may be moved and rests again
  std::vector<std::complex<double>> eigenvalues;
  Vector escape;  ///< u along which it leaves; empty where it does not
};

/// By the eigenvalues of the linearised equations; where forces are those of a potential, by its second derivatives on
/// the constraints, which tell zero from small. Directions without stiffness are tried: the mechanism is moved along
/// them, and forces lead it back, away, or are none.
Stability stability_of(RestModel& model, const RestPoint& point);

}  // namespace taut
