#include "exporting/stored_zip.hpp"

#include <array>
#include <cstdint>

namespace taut {
namespace {

constexpr std::uint32_t local_header = 0x04034b50, central_header = 0x02014b50, end_of_directory = 0x06054b50;
constexpr std::uint16_t version = 20, names_in_utf8 = 1 << 11, stored = 0;
constexpr std::uint16_t midnight = 0, first_of_1980 = 0x21;
/// Files may be read by all, and binaries run.
constexpr std::uint32_t unix_rights = 0100755U << 16, made_on_unix = 3 << 8;

std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t k = 0; k < 256; ++k) {
    std::uint32_t value = k;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320U : 0);
    table[k] = value;
  }
  return table;
}

std::uint32_t crc32(const std::string& bytes) {
  static const auto table = crc_table();
  std::uint32_t crc = ~0U;
  for (const char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

class Bytes {
 public:
  Bytes& two(std::uint32_t value) { return put(value, 2); }
  Bytes& four(std::size_t value) { return put(static_cast<std::uint32_t>(value), 4); }
  Bytes& text(const std::string& value) {
    bytes_ += value;
    return *this;
  }
  /// What both headers of a file have: from the version that reads it to the length of its name.
  Bytes& description(const ZipEntry& entry) {
    return two(version)
        .two(names_in_utf8)
        .two(stored)
        .two(midnight)
        .two(first_of_1980)
        .four(crc32(entry.content))
        .four(entry.content.size())
        .four(entry.content.size())
        .two(static_cast<std::uint32_t>(entry.name.size()))
        .two(0);
  }
  std::string& bytes() { return bytes_; }

 private:
  Bytes& put(std::uint32_t value, int count) {
    for (int k = 0; k < count; ++k) bytes_ += static_cast<char>((value >> (8 * k)) & 0xFF);
    return *this;
  }
  std::string bytes_;
};

}  // namespace

std::string stored_zip(const std::vector<ZipEntry>& entries) {
  Bytes files, directory;
  for (const ZipEntry& entry : entries) {
    const std::size_t at = files.bytes().size();
    files.four(local_header).description(entry).text(entry.name).text(entry.content);
    directory.four(central_header).two(made_on_unix | version).description(entry);
    directory.two(0).two(0).two(0).four(unix_rights).four(at).text(entry.name);
  }
  const std::size_t start = files.bytes().size(), size = directory.bytes().size();
  const auto count = static_cast<std::uint32_t>(entries.size());
  directory.four(end_of_directory).two(0).two(0).two(count).two(count).four(size).four(start).two(0);
  return files.bytes() + directory.bytes();
}

}  // namespace taut
