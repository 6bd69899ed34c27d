#pragma once

#include <string>

#include "taut/compare.hpp"

namespace taut::cli {

/// Runs every row of a comparison once more, recorded, and returns the page that shows them together. Neither the
/// figures nor the times of the table depend on it. `options` and `command` are those of the comparison.
std::string comparison_report(const Model& model, const CompareOptions& options, const Comparison& comparison,
                              const std::string& command, ComparisonObserver& observer);

}  // namespace taut::cli
