#pragma once

#include "output/plot.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// What a model draws, at `flashes` moments of a recorded run, evenly spread, as curves in the plane:
/// earlier ones fainter. `parameters` are the values the run was made with.
std::vector<Curve> stroboscope(const Model& model, const std::vector<double>& parameters, const Trajectory& trajectory,
                               int flashes);

}  // namespace taut
