#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "taut/model.hpp"

/// The arguments that several commands share.
namespace taut::cli {

/// Adds MODEL, which must be given.
void add_model(CLI::App& app, std::string& model);
/// Adds --set NAME=VALUE, which may be repeated.
void add_set(CLI::App& app, std::vector<std::string>& set);

/// Reads each "NAME=VALUE". Throws InputError.
std::vector<Assignment> assignments(const std::vector<std::string>& set);

}  // namespace taut::cli
