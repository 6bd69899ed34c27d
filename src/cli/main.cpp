#include <exception>
#include <new>
#include <vector>

#include "cli/command.hpp"
#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "cli/usage.hpp"
#include "taut/error.hpp"

namespace taut::cli {
namespace {

void describe(CLI::App& program) {
  program.require_subcommand(1);
  program.set_version_flag("--version", "taut " TAUT_VERSION, "the version of the program");
  program.set_help_flag("--help,-h", "this help");
  program.footer(
      "Examples:\n"
      "  taut list models\n"
      "  taut check pendulum\n"
      "  taut run pendulum --until 10 --output pendulum.csv\n\n"
      "'taut COMMAND --help' tells more of a command.");
}

Status execute(const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.execute();
  }
  return Status::input_wrong;
}

Status run_program(int argc, char** argv) {
  CLI::App program("taut simulates constrained mechanical systems and keeps their constraints taut.", "taut");
  describe(program);
  const std::vector<Command> commands{
      add_run(program),  add_check(program),  add_compare(program), add_reproduce(program), add_report(program),
      add_plot(program), add_export(program), add_view(program),    add_bench(program),     add_list(program)};
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print(program.help());
    return Status::done;
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return Status::done;
  } catch (const CLI::ParseError& error) {
    complain(usage_message(program, error));
    return Status::input_wrong;
  }
  return execute(commands);
}

Status guarded(int argc, char** argv) {
  try {
    return run_program(argc, argv);
  } catch (const InputError& error) {
    complain(error.what());
    return Status::input_wrong;
  } catch (const std::bad_alloc&) {
    complain("out of memory. A smaller model, or --every for fewer rows, needs less");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return Status::could_not_go_on;
}

}  // namespace
}  // namespace taut::cli

int main(int argc, char** argv) {
  taut::cli::survive_closed_pipes();
  return static_cast<int>(taut::cli::guarded(argc, argv));
}
