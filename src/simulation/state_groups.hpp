#pragma once

#include "integration/error_scale.hpp"
#include "taut/model.hpp"

namespace taut {

/// Which coordinates and speeds can be compared in size: those of one unit, in parts of the model that act on each
/// other. Lengths and turns of bodies are told apart; in which units formulas are is not known.
StateGroups state_groups(const Model& model);

}  // namespace taut
