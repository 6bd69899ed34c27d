#pragma once

#include "output/plot.hpp"
#include "reproduction/bench.hpp"

namespace taut {

/// A figure of the book from its runs: one plot, or several over one axis. Throws Missing where a run did not reach its
/// end or a curve has no point to show, and InputError with the figure's place for what is not recorded.
std::vector<Plot> draw(const Figure& figure, Bench& bench);

}  // namespace taut
