#pragma once

#include <CLI/CLI.hpp>
#include <functional>

/// The program: parse, call, print. Everything else is the library's.
namespace taut::cli {

/// The program's answer to the shell.
enum class Status { done = 0, could_not_go_on = 1, input_wrong = 2, limit_broken = 3 };

/// A subcommand: how it is parsed, and what it does once everything is parsed.
struct Command {
  CLI::App* app;
  std::function<Status()> execute;
};

Command add_bench(CLI::App& program);
Command add_run(CLI::App& program);
Command add_check(CLI::App& program);
Command add_compare(CLI::App& program);
Command add_export(CLI::App& program);
Command add_list(CLI::App& program);
Command add_reproduce(CLI::App& program);
Command add_report(CLI::App& program);
Command add_plot(CLI::App& program);
Command add_view(CLI::App& program);

}  // namespace taut::cli
