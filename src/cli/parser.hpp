#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// The command line. CLI11 reads it; its headers take longer to compile than any command, so that only parser.cpp sees
/// them, and here stands as much of them as the commands use.
namespace taut::cli {

/// An option, a flag or an argument of a command. Each function returns it again.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}

  Argument& required();
  /// What the help calls its value.
  Argument& type_name(const std::string& name);
  /// One value each time it is given; without this, a list takes all words that follow.
  Argument& one_at_a_time();
  /// Several values in one word, with this between them.
  Argument& delimiter(char between);
  /// Given several times, the last counts.
  Argument& take_last();
  Argument& within(int least, int most);
  Argument& within(double least, double most);
  Argument& needs(const Argument& other);
  Argument& excludes(const Argument& other);
  Argument& excludes(const std::string& name);

 private:
  CLI::Option* option_;
};

/// How a command is called. Values go to variables, which must outlive the parsing; names with dashes are options,
/// others are arguments.
class Parser {
 public:
  explicit Parser(CLI::App* app) : app_(app) {}

  Argument add_option(const std::string& name, std::string& value, const std::string& meaning);
  Argument add_option(const std::string& name, std::vector<std::string>& value, const std::string& meaning);
  Argument add_option(const std::string& name, int& value, const std::string& meaning);
  Argument add_option(const std::string& name, std::optional<int>& value, const std::string& meaning);
  Argument add_option(const std::string& name, long& value, const std::string& meaning);
  Argument add_option(const std::string& name, double& value, const std::string& meaning);
  Argument add_option(const std::string& name, const std::function<void(const std::string&)>& take,
                      const std::string& meaning);
  Argument add_flag(const std::string& name, bool& value, const std::string& meaning);
  /// `take` is told whether it is on; `--NAME=off` is off.
  Argument add_flag(const std::string& name, const std::function<void(bool)>& take, const std::string& meaning);
  void footer(const std::string& text);

  /// Is it this command that was called?
  bool parsed() const;

 private:
  CLI::App* app_;
};

/// A command line that cannot be read, and what was known when that was found.
struct Misuse {
  std::string message;                ///< the parser's own
  std::string command;                ///< that was called, "" if none was
  std::vector<std::string> unplaced;  ///< words that fit nowhere
  std::vector<std::string> options;   ///< of that command, or of the program, with their dashes
  std::vector<std::string> commands;
};

class CommandLine {
 public:
  struct Description {
    std::string name, about, version, footer;
  };
  explicit CommandLine(const Description& description);
  ~CommandLine();

  Parser add_command(const std::string& name, const std::string& about);
  /// Returns a text where one was asked for, such as the help, and nothing else is to be done. Throws Misuse.
  std::optional<std::string> parse(int argc, char** argv);

 private:
  Misuse misuse(const std::string& message) const;

  std::unique_ptr<CLI::App> app_;
};

}  // namespace taut::cli
