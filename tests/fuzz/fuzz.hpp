#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "taut/error.hpp"

/// What the targets share. Whatever the bytes are, reading them ends with a result or with InputError; anything else is
/// found by libFuzzer and the sanitizers.
namespace taut::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

template <class Read>
int expect_result_or_refusal(Read read) {
  try {
    read();
  } catch (const InputError&) {
  }
  return 0;
}

/// A file of this process with these bytes.
inline std::string file_of(const std::string& bytes, const std::string& ending) {
  const auto file = std::filesystem::temp_directory_path() / ("taut_fuzz_" + std::to_string(getpid()) + ending);
  std::ofstream(file, std::ios::binary) << bytes;
  return file.string();
}

}  // namespace taut::fuzz
