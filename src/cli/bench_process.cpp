#include "cli/bench_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>

extern char** environ;

namespace taut::cli {
namespace {

/// Both ends of a pipe, closed when they are no longer needed.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::runtime_error("there is no pipe to a program");
  }
  ~Pipe() {
    close_writing();
    close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{};
};

std::string read_all(int from) {
  std::string text;
  std::array<char, 65536> part{};
  for (;;) {
    const ssize_t count = read(from, part.data(), part.size());
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) return text;
  }
}

pid_t spawn(const std::filesystem::path& program, std::vector<std::string> words, int out,
            const std::string& complaints) {
  words.insert(words.begin(), program.string());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_addopen(&actions, 2, complaints.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  pid_t process = 0;
  const int failure = posix_spawn(&process, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw std::runtime_error("cannot start '" + program.string() + "'");
  return process;
}

}  // namespace

std::optional<std::filesystem::path> sibling(const std::string& name) {
  std::error_code unknown;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const auto program = self.parent_path() / name;
  if (unknown || access(program.c_str(), X_OK) != 0) return std::nullopt;
  return program;
}

Finished run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                     const std::string& complaints) {
  Pipe pipe;
  const pid_t process = spawn(program, arguments, pipe.writing(), complaints);
  pipe.close_writing();
  Finished finished;
  finished.out = read_all(pipe.reading());
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return finished;
}

}  // namespace taut::cli
