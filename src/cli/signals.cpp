#include "cli/signals.hpp"

#include <csignal>

#include "base/interruption.hpp"

namespace taut::cli {
namespace {

void remember(int) { interruption() = true; }

void remember_first(int signal) {
  struct sigaction action = {};
  action.sa_handler = remember;
  // SA_RESETHAND: the second signal finds the default and kills a run that does not end.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void survive_failing_writes() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

void watch_interrupts() {
  interruption() = false;  // before a handler looks for it
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    // What the caller has the program ignore stays ignored: nohup does so with SIGHUP.
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    remember_first(number);
  }
}

bool interrupted() { return interruption(); }

}  // namespace taut::cli
