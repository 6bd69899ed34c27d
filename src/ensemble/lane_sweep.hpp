#pragma once

#include "ensemble/sweep.hpp"
#include "expression/system_compiler.hpp"

namespace taut {

/// The compiler for the GPU of this machine. Throws InputError where there is no GPU, or nvcc is not installed.
SystemCompiler gpu_compiler();

/// Throws InputError where members of this sweep cannot go on a GPU, with what to change.
void require_gpu(const SweepDescription& sweep, const Model& model, const KeptFigures& keep);

/// Runs every member that waits in lanes, chunk after chunk, so that any number of them needs the memory of one chunk.
/// As run_sweep() otherwise.
SweepOutcome run_in_lanes(Ledger& ledger, const SweepSettings& settings, SweepObserver* observer,
                          const SystemCompiler& compiler);

}  // namespace taut
