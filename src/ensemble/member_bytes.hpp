#pragma once

#include <string>
#include <vector>

#include "ensemble/ledger.hpp"

namespace taut {

/// Results as bytes, for machines that share an architecture. read_results() throws std::runtime_error where bytes are
/// missing.
std::string to_bytes(const std::vector<MemberResult>& results);
std::vector<MemberResult> read_results(const std::string& bytes);

std::string to_bytes(const MemberRange& range);
MemberRange read_range(const std::string& bytes);

}  // namespace taut
