#include "cli/bench_system_calls.hpp"

#include <sys/prctl.h>
#include <ucontext.h>

#include <csignal>

namespace taut::cli {

#if defined(__x86_64__) && defined(__linux__)

namespace {

// prctl(PR_SET_SYSCALL_USER_DISPATCH, …), since Linux 5.11; older headers do not name it.
constexpr int set_dispatch = 59;
constexpr unsigned long dispatch_off = 0, dispatch_on = 1;
constexpr char allow = 0, block = 1;

volatile char selector = allow;
volatile long calls = 0;
volatile int last_number = -1;

/// Counts, and lets the call happen after all: the instruction is executed again with calls allowed. They stay allowed
/// until begin() is called once more.
void on_call(int, siginfo_t* about, void* context) {
  calls = calls + 1;
  last_number = about->si_syscall;
  selector = allow;
  auto* state = static_cast<ucontext_t*>(context);
  constexpr int instruction = 2;  // bytes of `syscall`
  state->uc_mcontext.gregs[REG_RIP] -= instruction;
}

}  // namespace

SystemCallWatch::SystemCallWatch() {
  struct sigaction action {};
  action.sa_sigaction = on_call;
  action.sa_flags = SA_SIGINFO;
  works_ = sigaction(SIGSYS, &action, nullptr) == 0 && prctl(set_dispatch, dispatch_on, 0, 0, &selector) == 0;
  calls = 0;
  last_number = -1;
}

SystemCallWatch::~SystemCallWatch() {
  selector = allow;
  if (works_) prctl(set_dispatch, dispatch_off, 0, 0, 0);
  std::signal(SIGSYS, SIG_DFL);
}

void SystemCallWatch::begin() { selector = works_ ? block : allow; }
void SystemCallWatch::end() { selector = allow; }
std::optional<long> SystemCallWatch::count() const { return works_ ? std::optional<long>(calls) : std::nullopt; }
int SystemCallWatch::last() const { return last_number; }

#else

SystemCallWatch::SystemCallWatch() = default;
SystemCallWatch::~SystemCallWatch() = default;
void SystemCallWatch::begin() {}
void SystemCallWatch::end() {}
std::optional<long> SystemCallWatch::count() const { return std::nullopt; }
int SystemCallWatch::last() const { return -1; }

#endif

}  // namespace taut::cli
