#pragma once

#include <string>

#include "cli/parser.hpp"

namespace taut::cli {

/// What is wrong with a command line, and what would mend it: the nearest option or command by name.
std::string usage_message(const Misuse& misuse);

}  // namespace taut::cli
