#include "cli/usage.hpp"

#include <vector>

#include "base/nearest.hpp"

namespace taut::cli {
namespace {

std::string help_command(const Misuse& misuse) {
  return misuse.command.empty() ? "taut --help" : "taut " + misuse.command + " --help";
}

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest(name, known);
  return near.empty() ? ". " : "; did you mean '" + near + "'? ";
}

std::string unknown(const Misuse& misuse, const std::string& argument) {
  const std::string help = "'" + help_command(misuse) + "' shows what there is";
  if (argument.starts_with('-')) {
    const std::string name = argument.substr(0, argument.find('='));
    return "there is no option '" + name + "'" + suggestion(name, misuse.options) + help;
  }
  if (misuse.command.empty()) {
    return "there is no command '" + argument + "'" + suggestion(argument, misuse.commands) + help;
  }
  return "'" + argument + "' is one argument too many. " + help;
}

/// Whatever the parser could not place; an option rather than an argument, since a misspelt option leaves
/// its value behind as an argument.
std::string unplaced(const std::vector<std::string>& rest) {
  for (const std::string& argument : rest) {
    if (argument.starts_with('-')) return argument;
  }
  return rest.empty() ? "" : rest.front();
}

/// The parser's own message in our words: "--step: 1 required H missing" says nothing to a tired reader.
std::string reworded(const std::string& message) {
  const bool value_is_missing = message.starts_with("--") && message.ends_with(" missing");
  return value_is_missing ? message.substr(0, message.find(':')) + " needs a value" : message;
}

}  // namespace

std::string usage_message(const Misuse& misuse) {
  const std::string argument = unplaced(misuse.unplaced);
  if (!argument.empty()) return unknown(misuse, argument);
  if (misuse.command.empty()) return "no command given. 'taut --help' shows what there is";
  return reworded(misuse.message) + ". '" + help_command(misuse) + "' shows how it is used";
}

}  // namespace taut::cli
