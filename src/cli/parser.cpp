#include "cli/parser.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>

namespace taut::cli {

// ---- one argument ---------------------------------------------------------------------------------

Argument& Argument::required() {
  option_->required();
  return *this;
}

Argument& Argument::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Argument& Argument::one_at_a_time() {
  option_->allow_extra_args(false);
  return *this;
}

Argument& Argument::delimiter(char between) {
  option_->delimiter(between);
  return *this;
}

Argument& Argument::take_last() {
  option_->take_last();
  return *this;
}

Argument& Argument::within(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Argument& Argument::within(double least, double most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Argument& Argument::needs(const Argument& other) {
  option_->needs(other.option_);
  return *this;
}

Argument& Argument::excludes(const Argument& other) {
  option_->excludes(other.option_);
  return *this;
}

Argument& Argument::excludes(const std::string& name) {
  option_->excludes(name);
  return *this;
}

// ---- a command ------------------------------------------------------------------------------------

Argument Parser::add_option(const std::string& name, std::string& value, const std::string& meaning) {
  return Argument(app_->add_option(name, value, meaning));
}

Argument Parser::add_option(const std::string& name, std::vector<std::string>& value, const std::string& meaning) {
  return Argument(app_->add_option(name, value, meaning));
}

Argument Parser::add_option(const std::string& name, int& value, const std::string& meaning) {
  return Argument(app_->add_option(name, value, meaning));
}

Argument Parser::add_option(const std::string& name, std::optional<int>& value, const std::string& meaning) {
  return Argument(app_->add_option(name, value, meaning));
}

Argument Parser::add_option(const std::string& name, long& value, const std::string& meaning) {
  return Argument(app_->add_option(name, value, meaning));
}

Argument Parser::add_option(const std::string& name, double& value, const std::string& meaning) {
  return Argument(app_->add_option(name, value, meaning));
}

Argument Parser::add_option(const std::string& name, const std::function<void(const std::string&)>& take,
                            const std::string& meaning) {
  return Argument(app_->add_option_function<std::string>(name, take, meaning));
}

Argument Parser::add_flag(const std::string& name, bool& value, const std::string& meaning) {
  return Argument(app_->add_flag(name, value, meaning));
}

Argument Parser::add_flag(const std::string& name, const std::function<void(bool)>& take, const std::string& meaning) {
  return Argument(app_->add_flag_function(
      name, [take](std::int64_t count) { take(count > 0); }, meaning));
}

void Parser::footer(const std::string& text) { app_->footer(text); }

bool Parser::parsed() const { return app_->parsed(); }

// ---- the program ----------------------------------------------------------------------------------

CommandLine::CommandLine(const Description& description)
    : app_(std::make_unique<CLI::App>(description.about, description.name)) {
  app_->require_subcommand(1);
  app_->set_version_flag("--version", description.version, "the version of the program");
  app_->set_help_flag("--help,-h", "this help");
  app_->footer(description.footer);
}

CommandLine::~CommandLine() = default;

Parser CommandLine::add_command(const std::string& name, const std::string& about) {
  return Parser(app_->add_subcommand(name, about));
}

std::optional<std::string> CommandLine::parse(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return app_->help();
  } catch (const CLI::CallForVersion& version) {
    return std::string(version.what()) + "\n";
  } catch (const CLI::ParseError& error) {
    throw misuse(error.what());
  }
  return std::nullopt;
}

Misuse CommandLine::misuse(const std::string& message) const {
  const auto called = app_->get_subcommands();
  const CLI::App& addressed = called.empty() ? *app_ : *called.front();
  Misuse misuse{message, called.empty() ? "" : addressed.get_name(), app_->remaining(true), {}, {}};
  for (const CLI::Option* option : addressed.get_options())
    for (const std::string& name : option->get_lnames()) misuse.options.push_back("--" + name);
  for (const CLI::App* command : app_->get_subcommands([](const CLI::App*) { return true; }))
    misuse.commands.push_back(command->get_name());
  return misuse;
}

}  // namespace taut::cli
