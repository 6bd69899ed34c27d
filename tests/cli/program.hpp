#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "places.hpp"

/// Runs the program as a user would, and keeps what it said.
namespace taut::test {

inline std::string content(const std::string& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// A folder of this test's own, removed at the end.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "taut_cli_XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(*this / name) << text;
    return *this / name;
  }

 private:
  std::string path_;
};

struct Result {
  int status = 0;  ///< minus the signal's number if a signal ended the program
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// The program while it runs. Its streams go to files, so that it never waits for this test to read.
class Program {
 public:
  /// `err` is where standard error goes, a file of the program's own if left out.
  explicit Program(const std::vector<std::string>& arguments, std::string out = "", std::string err = "")
      : out_(out.empty() ? folder_ / "out" : std::move(out)), err_(err.empty() ? folder_ / "err" : std::move(err)) {
    std::vector<std::string> words{places::program()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    spawn(pointers.data());
  }

  pid_t id() const { return process_; }
  void signal(int number) const { kill(process_, number); }

  Result wait() {
    int status = 0;
    waitpid(process_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), content(folder_ / "out"),
            content(folder_ / "err")};
  }

 private:
  void spawn(char** words) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out_.c_str(), O_WRONLY | O_CREAT | O_NOCTTY, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err_.c_str(), O_WRONLY | O_CREAT | O_NOCTTY, 0600);
    const int failure = posix_spawn(&process_, words[0], &actions, nullptr, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) throw std::runtime_error(std::string("cannot start ") + words[0]);
  }

  Folder folder_;
  std::string out_, err_;
  pid_t process_ = 0;
};

inline Result taut(const std::vector<std::string>& arguments) { return Program(arguments).wait(); }

/// A point mass on a rod, with a slow default step that tests override.
inline const std::string pendulum_text = R"(model: pendulum
parameters: {m: 1, l: 1, g: 9.81}
coordinates:
  x: [1, 0]
  y: 0
kinetic_energy: m/2*(x'^2 + y'^2)
potential_energy: m*g*y
constraints:
  rod: x^2 + y^2 = l^2
outputs: {angle: atan2(x, -y)}
simulate: {until: 0.5, step: 0.01, method: braun-goldfarb, integrator: rk4}
)";

}  // namespace taut::test
