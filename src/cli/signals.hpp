#pragma once

/// Signals become a question that a run asks now and then.
namespace taut::cli {

/// A reader that closes its end of a pipe makes a write fail instead of killing the program.
void survive_closed_pipes();

/// From now on the first SIGINT or SIGTERM is only remembered; the second one kills.
void watch_interrupts();
bool interrupted();

}  // namespace taut::cli
