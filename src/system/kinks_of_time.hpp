#pragma once

#include <memory>
#include <vector>

#include "system/equations.hpp"
#include "taut/system.hpp"

namespace taut {

/// As derive() and make_system(), with switching functions of kinks of time alone as well: those who vary parameters
/// have to know how the times of such kinks move.
Equations derive_with_kinks_of_time(const Model& model);
std::unique_ptr<System> make_system_with_kinks_of_time(const Model& model, const std::vector<double>& parameters);

}  // namespace taut
