#pragma once

#include "simulation/invariant_watch.hpp"
#include "simulation/run_state.hpp"
#include "simulation/verdict.hpp"

/// What a run has shown that its verdict depends on.
namespace taut {

/// What the motion itself has seen.
Evidence evidence_of_motion(const RunState& run);

/// Completes the evidence with what was measured at all steps, and fills in the verdict. `size`: of the largest
/// coordinate at the end.
void pass_judgement(RunState& run, const InvariantWatch& invariants, double size, Evidence evidence);

}  // namespace taut
