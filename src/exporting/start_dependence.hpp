#pragma once

#include <vector>

#include "exporting/exported_model.hpp"

/// How the start of what is written out depends on parameters that may be set later.
namespace taut {

/// Entries of (q, v) whose initial values are formulas of parameters, and were taken from these.
std::vector<ExportedStart> starts_by_formulas(const Model& used, const InitialValues& initial,
                                              const std::vector<Assignment>& set);

/// For each parameter: would another value of it lead to another start than those formulas give, or to other equations?
/// So it is where joint coordinates begin with speeds that were found for the bodies', where a mechanism was moved to
/// its start, and where a constraint was left out that holds with these lengths alone.
std::vector<bool> decides_start(const Model& given, const Model& used, const Options& options,
                                const InitialValues& initial, const std::vector<ExportedStart>& starts);

}  // namespace taut
