#pragma once

#include <stdlib.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace taut {

/// A folder that goes when its test ends.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "taut-exporting-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no folder for the test");
    folder_ = pattern;
  }
  ~Scratch() { std::filesystem::remove_all(folder_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

 private:
  std::filesystem::path folder_;
};

struct Finished {
  int status;
  std::string output;  ///< standard output and standard error
};

/// Runs a command in a folder, by the shell.
inline Finished run_in(const std::filesystem::path& folder, const std::string& command) {
  FILE* pipe = popen(("cd '" + folder.string() + "' && (" + command + ") 2>&1").c_str(), "r");
  if (!pipe) throw std::runtime_error("no shell");
  std::string output;
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.append(buffer.data(), got);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

}  // namespace taut
