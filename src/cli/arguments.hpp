#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/parser.hpp"
#include "taut/compare.hpp"
#include "taut/model.hpp"
#include "taut/simulation.hpp"

/// The arguments that several commands share.
namespace taut::cli {

/// Adds MODEL, which must be given.
void add_model(Parser& parser, std::string& model);
/// Adds --set NAME=VALUE, which may be repeated.
void add_set(Parser& parser, std::vector<std::string>& set);

/// Adds one option of the library's list; what is given goes to `values`, which must outlive the parsing. One without
/// an argument is a flag; `--NAME=off` takes one back that the model's own section sets.
/// --ignore, --mend-inertia and --stops: how robot files are read, as settings among `set`; add_set() adds them, too.
void add_import(Parser& parser, std::vector<std::string>& set);
void add_setting(Parser& parser, const OptionEntry& entry, OptionValues& values);

/// Throws InputError where a file cannot be written, so that this is found before the work and not after it.
/// `extension` is what its name must end with, such as ".csv".
void require_writable(const std::string& file, const std::string& extension);

/// Throws InputError where a file to be written is one that is read, under whatever name, or is to be written twice. ""
/// is no file.
void require_distinct(const std::vector<std::string>& outputs, const std::set<std::string>& inputs);

/// Reads each "NAME=VALUE". Throws InputError.
std::vector<Assignment> assignments(const std::vector<std::string>& set);

/// A word as a shell takes it.
std::string quoted(const std::string& word);
/// The command that makes a run, as a shell takes it.
std::string run_command(const std::string& model, const OptionValues& settings, const std::vector<Assignment>& set);

}  // namespace taut::cli
