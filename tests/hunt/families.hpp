#pragma once

#include "hunt/case.hpp"

/// The groups of families, one file each.
namespace taut::hunt {

std::vector<Family> pendulum_families();
std::vector<Family> slider_crank_families();
std::vector<Family> near_miss_families();
std::vector<Family> contradiction_families();
std::vector<Family> pulse_families();

}  // namespace taut::hunt
