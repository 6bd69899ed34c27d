#pragma once

#include "simulation/run_state.hpp"
#include "simulation/start.hpp"

namespace taut {

/// The state given.
struct InitialState {
  double t = 0;
  Vector q, v;
  Claims claims;
  bool as_it_is = false;  ///< of a run that goes on: it is on the constraints as far as it ever was
};

/// A state of which all is given. Throws InputError where its sizes are not the system's.
InitialState given_state(const Shape& shape, double t, const Vector& q, const Vector& v);

/// Begins a run at the state given: puts it onto the constraints where the method needs that, decides rank there, and
/// chooses who solves the equations. Afterwards run.y stands for (q, v). Throws InputError where the state is refused,
/// or the equations cannot be evaluated there.
void start_run(RunState& run, InitialState& initial, std::unique_ptr<FeatureWatch> features);

}  // namespace taut
