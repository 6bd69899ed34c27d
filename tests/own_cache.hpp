#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace taut::test {

/// A cache of native code for the tests of one suite alone, so that a model is compiled once, and nobody's own cache
/// is touched. `Suite` tells caches of several suites apart.
template <class Suite>
struct OwnCache {
  static void SetUpTestSuite() {
    std::string name = std::filesystem::temp_directory_path() / "taut-cache-XXXXXX";
    folder() = mkdtemp(name.data());
    setenv("XDG_CACHE_HOME", folder().c_str(), 1);
  }
  static void TearDownTestSuite() {
    unsetenv("XDG_CACHE_HOME");
    std::filesystem::remove_all(folder());
  }
  static std::filesystem::path& folder() {
    static std::filesystem::path path;
    return path;
  }
};

}  // namespace taut::test
