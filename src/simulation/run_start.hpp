#pragma once

#include <functional>
#include <vector>

#include "simulation/run_state.hpp"
#include "simulation/start.hpp"

namespace taut {

/// States of an earlier run at the ends of its steps.
struct History {
  std::size_t size = 0;  ///< 0: there is none
  std::function<void(std::size_t k, double& t, Vector& q, Vector& v)> find;
};

/// The state given.
struct InitialState {
  double t = 0;
  Vector q, v;
  Claims claims;
  History history;                  ///< the run goes on at its last state instead
  bool as_it_is = false;            ///< of a run that goes on: it is on the constraints as far as it ever was
  std::vector<double> memory = {};  ///< of controllers, of a run that goes on; empty: they begin
};

/// A state of which all is given. Throws InputError where its sizes are not the system's.
InitialState given_state(const Shape& shape, double t, const Vector& q, const Vector& v);

/// Begins a run at the state given: puts it onto the constraints where the method needs that, decides rank there, and
/// chooses who solves the equations. Afterwards run.y stands for (q, v). Throws InputError where the state is refused,
/// or the equations cannot be evaluated there. A run that goes on is begun where it once began and led through its
/// history, so that whatever was decided on the way (scales, rank, the order of rows) is the same; `initial` tells
/// afterwards where it goes on.
void start_run(RunState& run, InitialState& initial, std::unique_ptr<FeatureWatch> features);

}  // namespace taut
