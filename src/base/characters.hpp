#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace taut {

/// The length of a UTF-8 text as it is read, in characters.
inline std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](const char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace taut
