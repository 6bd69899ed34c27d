#pragma once

#include <string>

namespace taut::cli {

/// Writes a batch script for Slurm that goes on with a sweep until nobody waits in its ledger. Everything else that the
/// sweep is stands in the ledger, so that the script can be submitted again after a time limit or a crash. Throws
/// InputError where the script cannot be written.
void write_slurm_script(const std::string& script, const std::string& model, const std::string& ledger);

}  // namespace taut::cli
