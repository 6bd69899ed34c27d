#pragma once

#include <functional>
#include <vector>

#include "hunt/extrapolation.hpp"

/// The truth's own stick and slip: contacts that rub, each of them sliding one way or the other, or at rest. Between
/// two changes the equations are smooth, and integrated as such; at a change every way that the contacts at rest could
/// take is tried, and the one that contradicts nothing is taken.
namespace taut::hunt {

struct Contacts {
  int freedoms = 1;
  /// Accelerations, where contact i rubs by sigma[i] times its friction in motion, against its slip.
  std::function<State(Real t, const State& y, const State& sigma)> accelerations;
  /// Slip speeds are slip[i]·v − belt(t)[i], with rows of constants.
  std::vector<State> slip;
  std::function<State(Real t)> belt = {}, belt_rate = {};
  /// The most that |sigma| may be at rest.
  State reach;
};

/// y = (q, v) at the end.
State stick_and_slip(const Contacts& contacts, State y, Real until);

}  // namespace taut::hunt
