#include "output/ordeal.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>

namespace taut {
namespace {

void limit(int resource, rlim_t most) {
  rlimit now = {};
  getrlimit(static_cast<__rlimit_resource_t>(resource), &now);
  now.rlim_cur = std::min(most, now.rlim_max);
  setrlimit(static_cast<__rlimit_resource_t>(resource), &now);
}

/// Memory that this process has mapped already counts against its limit.
std::size_t mapped_bytes() {
  std::size_t pages = 0;
  if (FILE* stream = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(stream, "%zu", &pages) != 1) pages = 0;
    std::fclose(stream);
  }
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

[[noreturn]] void be_the_child(const std::function<std::string()>& work, int out) {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) signal(number, SIG_DFL);
  // Whatever a library prints on its way down is not for the user.
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDERR_FILENO);
  std::string said;
  try {
    said = work();
  } catch (const std::exception&) {
    said = "it asks for too much";
  }
  const bool told = write(out, said.data(), said.size()) == static_cast<ssize_t>(said.size());
  _exit(said.empty() && told ? 0 : 1);
}

std::string all_from(int in) {
  std::string text;
  char bytes[4096];
  for (;;) {
    const ssize_t size = read(in, bytes, sizeof bytes);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(bytes, static_cast<std::size_t>(size));
  }
}

}  // namespace

std::string try_in_child(const std::function<std::string()>& work, double seconds, std::size_t bytes) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  const pid_t child = fork();
  if (child == 0) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(seconds)));
    limit(RLIMIT_AS, mapped_bytes() + bytes);
    be_the_child(work, ends[1]);
  }
  close(ends[1]);
  const std::string said = all_from(ends[0]);
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) return "";
  if (!said.empty()) return said;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return "reading it takes too long";
  return "it is damaged";
}

}  // namespace taut
