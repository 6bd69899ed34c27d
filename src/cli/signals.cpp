#include "cli/signals.hpp"

#include <csignal>

namespace taut::cli {
namespace {

volatile sig_atomic_t interruption = 0;

void remember(int) { interruption = 1; }

void remember_first(int signal) {
  struct sigaction action = {};
  action.sa_handler = remember;
  // SA_RESETHAND: the second signal finds the default and kills a run that does not end.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void survive_closed_pipes() { signal(SIGPIPE, SIG_IGN); }

void watch_interrupts() {
  remember_first(SIGINT);
  remember_first(SIGTERM);
}

bool interrupted() { return interruption != 0; }

}  // namespace taut::cli
