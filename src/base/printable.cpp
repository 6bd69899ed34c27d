#include "base/printable.hpp"

#include <algorithm>

namespace taut {
namespace {

unsigned byte(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

unsigned code_point(std::string_view text, std::size_t i, int length) {
  if (length == 1) return byte(text, i);
  unsigned code = byte(text, i) & (0xffU >> static_cast<unsigned>(length + 1));
  for (int k = 1; k < length; ++k) code = code << 6U | (byte(text, i + static_cast<std::size_t>(k)) & 0x3fU);
  return code;
}

/// C0 and C1 controls, the delete sign, line separators, and signs that turn or isolate the direction of writing.
bool is_control(unsigned code) {
  if (code == '\t' || code == '\n' || code == '\r') return false;
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

int utf8_length(std::string_view text, std::size_t i) {
  const unsigned first = byte(text, i);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (i + static_cast<std::size_t>(length) > text.size()) return 0;
  for (int k = 1; k < length; ++k)
    if ((byte(text, i + static_cast<std::size_t>(k)) & 0xc0U) != 0x80U) return 0;
  const unsigned code = code_point(text, i, length);
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  return overlong || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ? 0 : length;
}

std::size_t first_unprintable(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const int length = utf8_length(text, i);
    if (length == 0 || is_control(code_point(text, i, length))) return i;
    i += static_cast<std::size_t>(length);
  }
  return std::string_view::npos;
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t good = std::min(first_unprintable(text), text.size());
    out += text.substr(0, good);
    text.remove_prefix(good);
    const int length = text.empty() ? 0 : utf8_length(text, 0);
    for (int k = 0; k < (text.empty() ? 0 : length == 0 ? 1 : length); ++k) {
      out += "\\x";
      out += "0123456789abcdef"[byte(text, 0) >> 4U];
      out += "0123456789abcdef"[byte(text, 0) & 15U];
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace taut
