#include "cli/doorway.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace taut::cli {
namespace {

/// The folder that the desktop keeps for this user alone, or one for everybody's temporary files.
std::filesystem::path place_for_it() {
  std::error_code none;
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && std::filesystem::is_directory(runtime, none)) return runtime;
  return std::filesystem::temp_directory_path();
}

/// Nobody but the user can read it.
bool write_private(const std::string& file, const std::string& text) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return false;
  const bool written = write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  return close(descriptor) == 0 && written;
}

}  // namespace

Doorway::Doorway(const std::string& address) {
  std::string pattern = (place_for_it() / "taut-view-XXXXXX").string();
  // mkdtemp() lets in nobody but the user.
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("there is no place for a private file");
  folder_ = pattern;
  file_ = folder_ + "/open.html";
  // The address is made of digits, letters and marks that need no escape.
  if (!write_private(file_,
                     "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">"
                     "<meta http-equiv=\"refresh\" content=\"0; url=" +
                         address +
                         "\"><title>taut view</title>"
                         "<a href=\"" +
                         address + "\">taut view</a>\n"))
    throw std::runtime_error("cannot write the private file '" + file_ + "'");
}

Doorway::~Doorway() {
  std::error_code none;
  std::filesystem::remove_all(folder_, none);
}

}  // namespace taut::cli
