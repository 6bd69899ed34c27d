#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace taut::cli {

/// A folder of this process's own, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "taut-bench-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("there is no room for temporary files");
    folder_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace taut::cli
