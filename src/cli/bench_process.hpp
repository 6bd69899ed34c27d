#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// The other programs of the suite: built beside this one, each only where its library is installed.
namespace taut::cli {

/// A program of the suite beside this one, none if it has not been built.
std::optional<std::filesystem::path> sibling(const std::string& name);

struct Finished {
  int status = 0;  ///< minus the number of the signal that ended it
  std::string out;
};

/// Runs a program to its end and keeps what it prints; what it complains of goes where `complaints` says, by default
/// nowhere. Throws std::runtime_error if it cannot be started.
Finished run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                     const std::string& complaints = "/dev/null");

}  // namespace taut::cli
