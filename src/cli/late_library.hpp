#pragma once

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace taut::cli {

/// A library that is loaded where it is first needed and stays. Most commands do without it, and loading it with all
/// that it needs in turn would take longer than a short run.
class LateLibrary {
 public:
  /// Throws std::runtime_error if it cannot be loaded; `remedy` says what would help.
  LateLibrary(const char* name, const std::string& remedy) : handle_(dlopen(name, RTLD_LAZY | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw std::runtime_error(std::string(dlerror()) + "; " + remedy);
  }

  /// A function of the library, or of one that it needs. Throws std::runtime_error if there is none of that name.
  template <class Function>
  void find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(dlsym(handle_, name));
    if (function == nullptr) throw std::runtime_error(dlerror());
  }

 private:
  void* handle_;
};

}  // namespace taut::cli
