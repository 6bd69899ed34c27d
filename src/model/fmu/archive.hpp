#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// Functional mock-up units of others: archives, descriptions and binaries, and how they are run.
namespace taut::fmu {

/// A ZIP archive in memory (PKWARE's APPNOTE, 4.3), of files that are stored or deflated. What would write beside its
/// folder, or is larger than an archive can honestly be, is refused when it is opened.
class Archive {
 public:
  /// Throws InputError where the file is no archive, is damaged or is not safe to unpack.
  explicit Archive(const std::string& file);

  const std::string& file() const { return file_; }
  bool has(const std::string& name) const { return entries_.contains(name); }
  std::vector<std::string> names() const;
  /// Throws InputError where the entry is not there or is damaged.
  std::string read(const std::string& name) const;
  /// Writes the entries whose names begin so into a folder, under their names.
  void extract(const std::string& beginning, const std::string& folder) const;

 private:
  struct Entry {
    int method;
    std::uint32_t checksum;
    std::size_t packed, size, header;  ///< bytes, and where its local header stands
  };

  [[noreturn]] void refuse(const std::string& message) const;
  void read_directory();
  void add_entry(std::size_t at, std::size_t end);
  std::size_t find_directory_end() const;
  std::uint32_t number(std::size_t at, int bytes) const;
  std::string inflated(const std::string& name, const Entry& entry, std::size_t data) const;

  std::string file_, bytes_;
  std::map<std::string, Entry> entries_;
  std::size_t total_ = 0;  ///< bytes of all entries unpacked
};

}  // namespace taut::fmu
