#pragma once

#include "output/hdf5.hpp"

namespace taut {

/// The model of a run in a file, as it was when it ran: from its own file if that still says the same, else from the
/// text that was kept. Throws InputError if it can no longer be read.
Model kept_model(const RunDescription& run);

/// The rows of a run in a file.
Trajectory kept_rows(const Hdf5Run& run);

}  // namespace taut
