#pragma once

#include <functional>

#include "cli/parser.hpp"

/// The program: parse, call, print. Everything else is the library's.
namespace taut::cli {

/// The program's answer to the shell.
enum class Status { done = 0, could_not_go_on = 1, input_wrong = 2, limit_broken = 3 };

/// A subcommand: how it is parsed, and what it does once everything is parsed.
struct Command {
  Parser parser;
  std::function<Status()> execute;
};

Command add_bench(CommandLine& program);
Command add_run(CommandLine& program);
Command add_check(CommandLine& program);
Command add_compare(CommandLine& program);
Command add_export(CommandLine& program);
Command add_list(CommandLine& program);
Command add_reproduce(CommandLine& program);
Command add_report(CommandLine& program);
Command add_plot(CommandLine& program);
Command add_sweep(CommandLine& program);
Command add_view(CommandLine& program);
Command add_equilibrium(CommandLine& program);
Command add_modes(CommandLine& program);
Command add_linearize(CommandLine& program);
Command add_sensitivity(CommandLine& program);
Command add_optimize(CommandLine& program);
Command add_fit(CommandLine& program);
Command add_inverse(CommandLine& program);
Command add_certify(CommandLine& program);
Command add_fmu(CommandLine& program);

}  // namespace taut::cli
