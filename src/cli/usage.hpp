#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace taut::cli {

/// What is wrong with a command line, and what would mend it: the nearest option or command by name.
std::string usage_message(const CLI::App& program, const CLI::ParseError& error);

}  // namespace taut::cli
