#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

/// Compiled libraries, kept in a folder of the user's: $XDG_CACHE_HOME/taut, or ~/.cache/taut.
///
/// An entry is one file: the library, then the text it was made from (its identity), then sizes and a checksum. Its
/// name is a hash of the identity; since the whole identity is compared, a hash that two share does no harm, and a file
/// that was cut short is noticed. An entry appears by renaming, so another process sees all of it or nothing.
///
/// What is loaded runs with the user's rights, so folder and entries must belong to the user, and nobody else may be
/// able to write there.
namespace taut {

class NativeCache {
 public:
  static constexpr std::uintmax_t default_size = 64u << 20;

  /// Throws std::runtime_error if the environment names no place.
  static std::filesystem::path users_folder();

  explicit NativeCache(std::filesystem::path folder, std::uintmax_t most_bytes = default_size)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  /// The entry of this identity, if it is there and whole. Marks it as used. Throws std::runtime_error if the folder
  /// must not be trusted.
  std::optional<std::filesystem::path> find(const std::string& identity) const;

  /// Makes an entry of a library, and removes those that were not used for longest where there are too many. Throws
  /// std::runtime_error if it cannot be kept.
  std::filesystem::path add(const std::filesystem::path& library, const std::string& identity) const;

  /// A new folder inside the cache, removed with this object.
  class Scratch {
   public:
    explicit Scratch(const NativeCache& cache);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    const std::filesystem::path& folder() const { return folder_; }

   private:
    std::filesystem::path folder_;
  };

 private:
  std::filesystem::path entry(const std::string& identity) const;
  void make() const;
  void check() const;
  void trim(const std::filesystem::path& keep) const;

  std::filesystem::path folder_;
  std::uintmax_t most_bytes_;
};

}  // namespace taut
