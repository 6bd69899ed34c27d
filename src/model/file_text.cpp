#include "model/file_text.hpp"

#include <filesystem>
#include <fstream>

#include "taut/error.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

/// A model's text is small; what is larger is something else.
constexpr std::size_t largest_file = 64U << 20U;

/// What a shell hands over by <(...), or as standard input: it was meant to be read, and ends.
bool is_handed_over(const std::string& path) {
  return path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/");
}

}  // namespace

void require_readable(const std::string& path, bool pipes_too) {
  std::error_code unknown;
  const fs::file_status status = fs::status(path, unknown);
  if (!fs::exists(status) || fs::is_regular_file(status) || (pipes_too && fs::is_fifo(status))) return;
  throw InputError({path, 0, 0}, "this is a device or a pipe", "give a file");
}

std::string file_text(const std::string& path) {
  if (fs::is_directory(path)) throw InputError({path, 0, 0}, "this is a directory", "give a model file");
  require_readable(path, is_handed_over(path));
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError({path, 0, 0}, "the file cannot be opened", "check that you may read it");
  std::string text;
  char buffer[1U << 16U];
  while (stream.read(buffer, sizeof buffer) || stream.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > largest_file) throw InputError({path, 0, 0}, "the file is too large", "give a model file");
  }
  return text;
}

}  // namespace taut
