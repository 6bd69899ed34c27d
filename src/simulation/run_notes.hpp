#pragma once

#include "simulation/recorder.hpp"
#include "simulation/run_state.hpp"

namespace taut {

/// Notes on what was not as it should be in a run that has ended, or cost more than it should.
void note_what_happened(RunState& run, const Recorder& recorder);

}  // namespace taut
