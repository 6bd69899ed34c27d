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

CommandLine::Description description() {
  return {.name = "taut",
          .about = "taut simulates constrained mechanical systems and keeps their constraints taut.",
          .version = "taut " TAUT_VERSION,
          .footer =
              "Examples:\n"
              "  taut list models\n"
              "  taut check pendulum\n"
              "  taut run pendulum --until 10 --output pendulum.csv\n\n"
              "'taut COMMAND --help' tells more of a command."};
}

Status execute(const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    if (command.parser.parsed()) return command.execute();
  }
  return Status::input_wrong;
}

Status run_program(int argc, char** argv) {
  CommandLine program(description());
  const std::vector<Command> commands{
      add_run(program),       add_check(program),     add_sweep(program),       add_compare(program),
      add_reproduce(program), add_report(program),    add_plot(program),        add_export(program),
      add_view(program),      add_bench(program),     add_list(program),        add_equilibrium(program),
      add_modes(program),     add_linearize(program), add_sensitivity(program), add_optimize(program),
      add_fit(program),       add_inverse(program),   add_certify(program),     add_fmu(program)};
  try {
    if (const auto text = program.parse(argc, argv)) {
      print(*text);
      return Status::done;
    }
  } catch (const Misuse& misuse) {
    complain(usage_message(misuse));
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
  taut::cli::survive_failing_writes();
  return static_cast<int>(taut::cli::guarded(argc, argv));
}
