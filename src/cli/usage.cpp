#include "cli/usage.hpp"

#include <vector>

#include "base/nearest.hpp"

namespace taut::cli {
namespace {

/// The command the user meant to give, or the program itself before one was recognised.
const CLI::App& addressed(const CLI::App& program) {
  const auto commands = program.get_subcommands();
  return commands.empty() ? program : *commands.front();
}

std::string help_command(const CLI::App& program) {
  const CLI::App& app = addressed(program);
  return &app == &program ? "taut --help" : "taut " + app.get_name() + " --help";
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest(name, known);
  return near.empty() ? ". " : "; did you mean '" + near + "'? ";
}

std::string unknown(const CLI::App& program, const std::string& argument) {
  const CLI::App& app = addressed(program);
  const std::string help = "'" + help_command(program) + "' shows what there is";
  if (argument.starts_with('-')) {
    const std::string name = argument.substr(0, argument.find('='));
    return "there is no option '" + name + "'" + suggestion(name, option_names(app)) + help;
  }
  if (&app == &program) {
    return "there is no command '" + argument + "'" + suggestion(argument, command_names(program)) + help;
  }
  return "'" + argument + "' is one argument too many. " + help;
}

/// Whatever the parser could not place; an option rather than an argument, since a misspelt option leaves
/// its value behind as an argument.
std::string unplaced(const CLI::App& program) {
  const auto rest = program.remaining(true);
  for (const std::string& argument : rest) {
    if (argument.starts_with('-')) return argument;
  }
  return rest.empty() ? "" : rest.front();
}

/// The parser's own message in our words: "--step: 1 required H missing" says nothing to a tired reader.
std::string reworded(const CLI::ParseError& error) {
  const std::string message = error.what();
  const bool value_is_missing = message.starts_with("--") && message.ends_with(" missing");
  return value_is_missing ? message.substr(0, message.find(':')) + " needs a value" : message;
}

}  // namespace

std::string usage_message(const CLI::App& program, const CLI::ParseError& error) {
  const std::string argument = unplaced(program);
  if (!argument.empty()) return unknown(program, argument);
  if (&addressed(program) == &program) return "no command given. 'taut --help' shows what there is";
  return reworded(error) + ". '" + help_command(program) + "' shows how it is used";
}

}  // namespace taut::cli
