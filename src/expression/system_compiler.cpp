#include "expression/system_compiler.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "base/interruption.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

/// Arithmetic as written, so that native code and interpreter agree to the last bit: no contraction, and no function
/// replaced by another formula (compilers know sin(atan(x)) = x/sqrt(x^2 + 1), which rounds otherwise).
constexpr const char* options[] = {
    "-std=c99",          "-fPIC",        "-shared",         "-fno-semantic-interposition",
    "-ffp-contract=off", "-fno-builtin", "-fno-math-errno", "-w"};

/// Instructions with three operands, and four numbers at a time, where the processor has them: they round like others.
/// Options are part of a library's name in the cache, so that a home folder may be shared with other processors.
std::vector<std::string> processor_options() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx2")) return {"-mavx2"};
#endif
  return {};
}

/// Of the environment, unless the program runs with rights that its caller does not have.
std::string environment(const char* name) {
  const char* value = secure_getenv(name);
  return value ? value : "";
}

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

std::optional<std::string> on_path(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (!is_program(name)) return std::nullopt;
    return fs::absolute(name).string();
  }
  std::istringstream folders(environment("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    // An empty or relative entry means the current folder, where anybody's file may lie.
    if (!folder.starts_with('/')) continue;
    const fs::path path = fs::path(folder) / name;
    if (is_program(path)) return path.string();
  }
  return std::nullopt;
}

/// A program's path, size and date: changes with every update of the compiler, and costs no run of it.
std::string stamp(const std::string& program) {
  struct stat status {};
  if (stat(program.c_str(), &status) != 0) return program;
  return fmt::format("{} {} {}.{}", program, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<std::string> compiler_command() {
  std::vector<std::string> command = words(environment("CC"));
  if (!command.empty()) {
    const auto found = on_path(command.front());
    if (!found) throw std::runtime_error("the compiler '" + command.front() + "' that CC names was not found");
    command.front() = *found;
    return command;
  }
  for (const char* name : {"cc", "gcc", "clang"})
    if (const auto found = on_path(name)) return {*found};
  throw std::runtime_error("there is no C compiler: none of cc, gcc and clang is on the PATH, and CC names none");
}

std::string cuda_compiler() {
  const std::string home = environment("CUDA_HOME");
  std::vector<std::string> places{"nvcc", "/usr/local/cuda/bin/nvcc"};
  if (!home.empty()) places.insert(places.begin() + 1, home + "/bin/nvcc");
  for (const std::string& place : places)
    if (const auto found = on_path(place)) return *found;
  throw std::runtime_error("there is no compiler for it: nvcc is neither on the PATH nor in CUDA_HOME");
}

std::string machine() {
  utsname name{};
  uname(&name);
  return name.machine;
}

// ---- running it ---------------------------------------------------------------------------------

/// The environment of the compiler: ours, with temporary files in `folder` and messages in English.
class Environment {
 public:
  explicit Environment(const fs::path& folder) : own_{"TMPDIR=" + folder.string(), "LC_ALL=C"} {
    for (char** entry = environ; *entry != nullptr; ++entry)
      if (!is_own(*entry)) entries_.push_back(*entry);
    for (std::string& entry : own_) entries_.push_back(entry.data());
    entries_.push_back(nullptr);
  }
  char** data() { return entries_.data(); }

 private:
  static bool is_own(std::string_view entry) { return entry.starts_with("TMPDIR=") || entry.starts_with("LC_ALL="); }

  std::vector<std::string> own_;
  std::vector<char*> entries_;
};

/// Where the compiler's input and output go, in a process group of its own so that all of it can be ended.
class Setting {
 public:
  explicit Setting(const fs::path& log) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
  }
  ~Setting() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  Setting(const Setting&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

/// The exit status, or none if it did not end in time, or nobody waits for it any more, and was ended.
std::optional<int> wait_for(pid_t process, std::chrono::seconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process) return status;
    if (ended < 0 && errno != EINTR) throw std::runtime_error("the compiler's exit status cannot be had");
    if (interruption() || std::chrono::steady_clock::now() > end) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(-process, SIGKILL);
  waitpid(process, nullptr, 0);
  return std::nullopt;
}

/// The first line that says "error", or else the first line.
std::string complaint(const fs::path& log) {
  std::ifstream stream(log);
  std::string first;
  for (std::string line; std::getline(stream, line);) {
    if (line.find("error") != std::string::npos) return ": " + line;
    if (first.empty()) first = line;
  }
  return first.empty() ? "" : ": " + first;
}

}  // namespace

SystemCompiler find_system_compiler(Optimising optimising) {
  SystemCompiler compiler{compiler_command(), machine() + "\n"};
  for (const std::string& word : compiler.command) {
    const auto program = on_path(word);
    compiler.identity += (program ? stamp(*program) : word) + "\n";
  }
  std::vector<std::string> all(std::begin(options), std::end(options));
  all.emplace_back(optimising == Optimising::fully ? "-O1" : "-Og");
  for (const std::string& option : processor_options()) all.push_back(option);
  for (const std::string& option : all) {
    compiler.command.push_back(option);
    compiler.identity += option + " ";
  }
  return compiler;
}

/// Operations may be fused: that is a third faster, and rounds once less.
SystemCompiler find_cuda_compiler(const std::string& architecture) {
  SystemCompiler compiler{{cuda_compiler()}, machine() + "\n", std::chrono::seconds{900}};
  compiler.identity += stamp(compiler.command.front()) + "\n";
  for (const std::string& option :
       {std::string("-x"), std::string("cu"), std::string("-O3"), std::string("-w"), std::string("-shared"),
        std::string("-Xcompiler"), std::string("-fPIC"), "-arch=" + architecture}) {
    compiler.command.push_back(option);
    compiler.identity += option + " ";
  }
  return compiler;
}

void compile_library(const SystemCompiler& compiler, const fs::path& source, const fs::path& library,
                     const fs::path& folder) {
  std::vector<std::string> arguments = compiler.command;
  for (const std::string& word : {std::string("-o"), library.string(), source.string(), std::string("-lm")})
    arguments.push_back(word);
  std::vector<char*> pointers;
  for (std::string& word : arguments) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  const fs::path log = folder / "messages";
  const Setting setting(log);
  Environment surroundings(folder);
  pid_t process = 0;
  const int failure =
      posix_spawn(&process, pointers[0], &setting.actions, &setting.attributes, pointers.data(), surroundings.data());
  if (failure != 0) throw std::runtime_error(fmt::format("{} cannot be started: {}", arguments[0], strerror(failure)));
  const auto status = wait_for(process, compiler.patience);
  if (!status)
    throw std::runtime_error(
        fmt::format("{} {} and was ended", arguments[0], interruption() ? "was interrupted" : "took too long"));
  if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0)
    throw std::runtime_error(fmt::format("{} failed{}", arguments[0], complaint(log)));
}

}  // namespace taut
