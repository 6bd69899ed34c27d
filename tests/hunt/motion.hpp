#pragma once

#include <functional>

#include "hunt/case.hpp"
#include "hunt/extrapolation.hpp"

/// From reduced equations to what a run is expected to end with.
namespace taut::hunt {

struct Motion {
  Rhs rates;    ///< of y = (q, v)
  State start;  ///< y at t = 0
  std::vector<std::string> names;
  /// The named figures at the end.
  std::function<State(Real t, const State& y)> figures;
  /// Times at which `rates` has kinks: integrated piece by piece.
  State breaks = {};
  /// What becomes of y where it jumps there.
  std::function<void(Real t, State& y)> jump = {};
  /// Where y is not simply integrated; by default piece by piece.
  std::function<State(const State& start, Real until, Real tolerance)> solve = {};
};

/// Figures at the end with their sensitivities, found by integrating once more from perturbed starts.
std::vector<Expected> expected_of(const Motion& motion, Real until);

}  // namespace taut::hunt
