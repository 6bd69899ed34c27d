#include "model/file_text.hpp"

#include <filesystem>
#include <fstream>

#include "taut/error.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

/// A model's text is small; what is larger is something else.
constexpr std::size_t largest_file = 64U << 20U;

}  // namespace

std::string file_text(const std::string& path) {
  if (fs::is_directory(path)) throw InputError({path, 0, 0}, "this is a directory", "give a model file");
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
