#pragma once

#include "simulation/run_state.hpp"

namespace taut {

/// Fills in what the steps of a run came to: their number, order and evaluations, and what keeping the constraints
/// took.
void fill_step_totals(RunState& run, long rejected);

}  // namespace taut
