#pragma once

#include <vector>

#include "taut/simulation.hpp"

namespace taut {

/// Adds to the summary of a run what a mechanism has beyond its equations: its joints at the end with their reactions,
/// and the accelerations of bodies under their names b.ax ... b.alpha_z.
void add_mechanism(const Model& model, const std::vector<double>& parameters, System& system, Summary& summary);

}  // namespace taut
