#include "model/fmu/archive.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "taut/error.hpp"

namespace taut::fmu {
namespace {

namespace fs = std::filesystem;

/// No unit is larger: what claims to be is meant to fill a disk.
constexpr std::size_t most_bytes = std::size_t{1} << 30;
constexpr std::size_t most_entries = 20'000;
/// Deflate cannot pack better: a run of 258 bytes takes two bits.
constexpr std::size_t best_packing = 1040;

constexpr std::uint32_t directory_end_mark = 0x06054b50, directory_mark = 0x02014b50, local_mark = 0x04034b50;
constexpr std::size_t directory_end_size = 22, directory_entry_size = 46, local_header_size = 30;
constexpr int stored = 0, deflated = 8;

std::string content_of(const std::string& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    throw InputError(Place{file}, "there is no such file", "give the path of a unit, NAME.fmu");
  if (fs::file_size(file, error) > most_bytes)
    throw InputError(Place{file}, "it is larger than 1 GiB", "units of that size are not read");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw InputError(Place{file}, "it cannot be read", "check its permissions");
  return std::move(text).str();
}

/// Does it stay in the folder that it is unpacked into?
bool is_safe(const std::string& name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != std::string::npos) return false;
  if (name.find(':') != std::string::npos || name.find('\0') != std::string::npos) return false;
  std::stringstream parts(name);
  for (std::string part; std::getline(parts, part, '/');)
    if (part == ".." || part == "." || part.empty()) return false;
  return true;
}

/// The upper half of the attributes is a mode of Unix where the archive says that it was made there.
bool is_link(std::uint32_t made_by, std::uint32_t attributes) {
  constexpr std::uint32_t unix_host = 3, link = 0120000, kind = 0170000;
  return (made_by >> 8) == unix_host && ((attributes >> 16) & kind) == link;
}

}  // namespace

Archive::Archive(const std::string& file) : file_(file), bytes_(content_of(file)) { read_directory(); }

void Archive::refuse(const std::string& message) const {
  throw InputError(Place{file_}, message, "export the unit anew, or ask whoever made it");
}

/// Little-endian.
std::uint32_t Archive::number(std::size_t at, int bytes) const {
  if (at + static_cast<std::size_t>(bytes) > bytes_.size()) refuse("the archive ends too early");
  std::uint32_t value = 0;
  for (int k = bytes - 1; k >= 0; --k)
    value = (value << 8) | static_cast<unsigned char>(bytes_[at + static_cast<std::size_t>(k)]);
  return value;
}

/// Behind it stands a comment of at most 65,535 bytes.
std::size_t Archive::find_directory_end() const {
  if (bytes_.size() < directory_end_size) refuse("it is no archive");
  const std::size_t last = bytes_.size() - directory_end_size, first = last > 0xFFFF ? last - 0xFFFF : 0;
  for (std::size_t at = last + 1; at-- > first;)
    if (number(at, 4) == directory_end_mark && at + directory_end_size + number(at + 20, 2) == bytes_.size()) return at;
  refuse("it is no archive, or a damaged one: its directory has no end");
}

void Archive::read_directory() {
  const std::size_t end = find_directory_end();
  const std::uint32_t count = number(end + 10, 2), size = number(end + 12, 4), first = number(end + 16, 4);
  if (first == 0xFFFFFFFF || count == 0xFFFF) refuse("archives of the format ZIP64 are not read");
  if (number(end + 4, 2) != 0 || number(end + 8, 2) != count) refuse("the archive is one of several volumes");
  if (count > most_entries) refuse(fmt::format("it has {} entries, more than {}", count, most_entries));
  if (std::size_t{first} + size > end) refuse("the archive's directory is not where it says");
  std::size_t at = first;
  for (std::uint32_t k = 0; k < count; ++k) {
    add_entry(at, end);
    at += directory_entry_size + number(at + 28, 2) + number(at + 30, 2) + number(at + 32, 2);
  }
}

void Archive::add_entry(std::size_t at, std::size_t end) {
  if (at + directory_entry_size > end || number(at, 4) != directory_mark) refuse("the archive's directory is damaged");
  const std::size_t length = number(at + 28, 2);
  if (at + directory_entry_size + length > end) refuse("the archive's directory is damaged");
  const std::string name = bytes_.substr(at + directory_entry_size, length);
  const std::string folder_less = name.ends_with('/') ? name.substr(0, name.size() - 1) : name;
  if (!is_safe(folder_less)) refuse(fmt::format("the entry '{}' would be written beside the unit's folder", name));
  if (is_link(number(at + 4, 2), number(at + 38, 4))) refuse(fmt::format("the entry '{}' is a symbolic link", name));
  if (name.ends_with('/')) return;
  if ((number(at + 8, 2) & 1) != 0) refuse(fmt::format("the entry '{}' is encrypted", name));
  const Entry entry{static_cast<int>(number(at + 10, 2)), number(at + 16, 4), number(at + 20, 4), number(at + 24, 4),
                    number(at + 42, 4)};
  if (entry.method != stored && entry.method != deflated)
    refuse(fmt::format("the entry '{}' is packed by method {}, and only 0 and 8 are read", name, entry.method));
  const bool is_possible = entry.method == stored ? entry.size == entry.packed
                                                  : entry.size <= best_packing * std::max<std::size_t>(entry.packed, 1);
  total_ += entry.size;
  if (!is_possible || total_ > most_bytes)
    refuse(fmt::format("the entry '{}' claims to hold {} bytes, which it cannot", name, entry.size));
  if (!entries_.emplace(name, entry).second) refuse(fmt::format("the entry '{}' stands there twice", name));
}

std::vector<std::string> Archive::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

std::string Archive::read(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) refuse(fmt::format("there is no '{}' in it", name));
  const Entry& entry = found->second;
  if (number(entry.header, 4) != local_mark) refuse(fmt::format("the entry '{}' is not where it should be", name));
  const std::size_t data =
      entry.header + local_header_size + number(entry.header + 26, 2) + number(entry.header + 28, 2);
  if (data + entry.packed > bytes_.size()) refuse(fmt::format("the entry '{}' ends too early", name));
  std::string content = entry.method == stored ? bytes_.substr(data, entry.packed) : inflated(name, entry, data);
  const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
  if (checksum != entry.checksum) refuse(fmt::format("the entry '{}' is damaged: its checksum is another", name));
  return content;
}

std::string Archive::inflated(const std::string& name, const Entry& entry, std::size_t data) const {
  std::string content(entry.size + 1, '\0');  // one more than there may be
  z_stream stream{};
  constexpr int without_header = -15;
  if (inflateInit2(&stream, without_header) != Z_OK) refuse("there is no memory to unpack it");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data() + data));
  stream.avail_in = static_cast<uInt>(entry.packed);
  stream.next_out = reinterpret_cast<Bytef*>(content.data());
  stream.avail_out = static_cast<uInt>(content.size());
  const int outcome = inflate(&stream, Z_FINISH);
  const std::size_t made = stream.total_out;
  inflateEnd(&stream);
  if (outcome != Z_STREAM_END || made != entry.size) refuse(fmt::format("the entry '{}' cannot be unpacked", name));
  content.resize(entry.size);
  return content;
}

void Archive::extract(const std::string& beginning, const std::string& folder) const {
  for (const auto& [name, entry] : entries_) {
    if (!name.starts_with(beginning)) continue;
    const fs::path path = fs::path(folder) / name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (!(std::ofstream(path, std::ios::binary) << read(name)).flush())
      throw InputError(Place{file_}, fmt::format("cannot unpack '{}' into {}", name, folder), "make room there");
  }
}

}  // namespace taut::fmu
