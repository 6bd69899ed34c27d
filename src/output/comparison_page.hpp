#pragma once

#include <string>
#include <vector>

#include "output/run_record.hpp"
#include "taut/compare.hpp"

namespace taut {

/// A comparison as one self-contained page: the table of figures, the drawings of all runs over one another, their
/// drift over time, error against work. `runs` are those of the comparison's rows, empty where a row has none.
std::string comparison_page(const Comparison& comparison, const RunDescription& description,
                            const std::vector<RecordedRun>& runs);

}  // namespace taut
