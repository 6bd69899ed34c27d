#pragma once

/// Signals become a question that a run asks now and then.
namespace taut::cli {

/// A reader that closes its end of a pipe, or a limit on the size of files, makes a write fail instead of killing the
/// program.
void survive_failing_writes();

/// From now on the first SIGINT, SIGTERM or SIGHUP is only remembered; the second one kills.
void watch_interrupts();
bool interrupted();

}  // namespace taut::cli
