#pragma once

#include <string>

#include "ensemble/sweep.hpp"

namespace taut {

/// How a sweep stands, in words: counts, and why members failed.
std::string status_text(const Ledger& ledger);
/// The same as one JSON object; with what a call did, where there was one.
std::string status_json(const Ledger& ledger, const SweepOutcome* outcome = nullptr);
/// One row a member: id, what varies, state, reason, verdict, figures. Throws std::runtime_error with file and reason.
void export_csv(const Ledger& ledger, const std::string& file);

}  // namespace taut
