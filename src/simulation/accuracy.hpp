#pragma once

#include <functional>

#include "taut/simulation.hpp"

namespace taut {

/// One run of a model.
using RunOnce = std::function<Run(const Options& options, Observer* observer)>;

/// A run whose result, not whose steps, is to have an error of at most options.accuracy. Runs with tolerances apart are
/// compared at times along the motion; what they differ by is the error of the coarser one, and a third is made where
/// that is too much. The last tolerance serves for the run that is recorded. Where the motion magnifies errors so that
/// no tolerance is small enough, the verdict says so, and until when the accuracy holds.
Run simulate_accurately(const Options& options, Observer* observer, const RunOnce& run);

}  // namespace taut
