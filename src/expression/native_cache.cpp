#include "expression/native_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace taut {
namespace {

namespace fs = std::filesystem;

constexpr const char* ending = ".so";
constexpr const char* scratch_name = "making-";
constexpr std::chrono::hours longest_scratch{1};  ///< what is older was left behind by a process that died

std::uint64_t hash(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t state = seed ^ bytes.size();
  const auto mix = [&state](std::uint64_t word) {
    state = (std::rotl(state, 29) ^ word) * 0x9e3779b97f4a7c15u;
    state ^= state >> 32;
  };
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t size = std::min(bytes.size(), sizeof word);
    std::memcpy(&word, bytes.data(), size);
    mix(word);
    bytes.remove_prefix(size);
  }
  mix(0);
  return state;
}

// ---- the form of an entry -----------------------------------------------------------------------

struct Trailer {
  std::uint64_t identity_size = 0;
  std::uint64_t checksum = 0;  ///< of all that stands before
  std::array<char, 8> mark{'t', 'a', 'u', 't', 'n', 't', 'v', '1'};
};

void append_trailer(std::string& bytes, const std::string& identity) {
  bytes += identity;
  const Trailer trailer{identity.size(), hash(bytes, 0)};
  bytes.append(reinterpret_cast<const char*>(&trailer), sizeof trailer);
}

bool is_whole(std::string_view bytes, const std::string& identity) {
  Trailer trailer;
  if (bytes.size() < sizeof trailer + identity.size()) return false;
  std::memcpy(&trailer, bytes.data() + bytes.size() - sizeof trailer, sizeof trailer);
  bytes.remove_suffix(sizeof trailer);
  return trailer.mark == Trailer{}.mark && trailer.identity_size == identity.size() && bytes.ends_with(identity) &&
         trailer.checksum == hash(bytes, 0);
}

// ---- files --------------------------------------------------------------------------------------

std::runtime_error failure(const std::string& what, const fs::path& path) {
  return std::runtime_error(fmt::format("{} {}: {}", what, path.string(), std::strerror(errno)));
}

bool others_may_write(const struct stat& status) { return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0; }

/// A folder above the cache: nobody but the user and root may put another in the place of what is in it.
bool is_safe_above(const struct stat& status) {
  const bool trusted = status.st_uid == geteuid() || status.st_uid == 0;
  return trusted && (!others_may_write(status) || (status.st_mode & S_ISVTX) != 0);
}

bool is_ours(const struct stat& status) { return status.st_uid == geteuid() && !others_may_write(status); }

/// The bytes of a file of ours; none if there is no such file, or it is a link, or somebody else's.
std::optional<std::string> read(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  struct stat status {};
  std::optional<std::string> bytes;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && is_ours(status)) {
    bytes.emplace(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t done = 0;
    for (ssize_t n = 1; n > 0 && done < bytes->size(); done += static_cast<std::size_t>(std::max<ssize_t>(n, 0)))
      n = ::read(file, bytes->data() + done, bytes->size() - done);
    bytes->resize(done);
  }
  close(file);
  return bytes;
}

void write(const fs::path& path, const std::string& bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) throw failure("cannot create", path);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  const bool modes = fchmod(file, 0600) == 0;  // whatever the umask took away
  const bool closed = close(file) == 0;
  if (done < bytes.size() || !modes || !closed) throw failure("cannot write", path);
}

}  // namespace

fs::path NativeCache::users_folder() {
  const auto absolute = [](const char* name) -> std::optional<fs::path> {
    const char* value = secure_getenv(name);
    if (!value || value[0] != '/') return std::nullopt;  // the XDG specification: a relative path is ignored
    return value;
  };
  if (const auto cache = absolute("XDG_CACHE_HOME")) return *cache / "taut";
  if (const auto home = absolute("HOME")) return *home / ".cache" / "taut";
  throw std::runtime_error("there is no folder to keep compiled code in: neither XDG_CACHE_HOME nor HOME is set");
}

fs::path NativeCache::entry(const std::string& identity) const {
  return folder_ / fmt::format("{:016x}{:016x}{}", hash(identity, 1), hash(identity, 2), ending);
}

void NativeCache::make() const {
  for (const fs::path& folder : {folder_.parent_path(), folder_}) {
    if (mkdir(folder.c_str(), 0700) == 0) {
      chmod(folder.c_str(), 0700);
    } else if (errno != EEXIST) {
      throw failure("cannot create", folder);
    }
  }
}

void NativeCache::check() const {
  struct stat status {};
  if (lstat(folder_.c_str(), &status) != 0) throw failure("cannot use", folder_);
  if (!S_ISDIR(status.st_mode) || !is_ours(status))
    throw std::runtime_error(folder_.string() +
                             " is not a folder that you own and nobody else can write to; remove it");
  std::error_code error;
  for (fs::path above = fs::canonical(folder_, error).parent_path(); !error; above = above.parent_path()) {
    if (stat(above.c_str(), &status) != 0 || !is_safe_above(status))
      throw std::runtime_error(fmt::format("{} lies in {}, where others can write", folder_.string(), above.string()));
    if (above == above.root_path()) return;
  }
  throw std::runtime_error("cannot use " + folder_.string() + ": " + error.message());
}

std::optional<fs::path> NativeCache::find(const std::string& identity) const {
  const fs::path path = entry(identity);
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return std::nullopt;
  check();
  const auto bytes = read(path);
  if (!bytes || !is_whole(*bytes, identity)) return std::nullopt;
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return path;
}

fs::path NativeCache::add(const fs::path& library, const std::string& identity) const {
  chmod(library.c_str(), 0600);  // the compiler went by the umask
  auto bytes = read(library);
  if (!bytes || bytes->empty()) throw failure("cannot read", library);
  append_trailer(*bytes, identity);
  const fs::path whole = library.string() + ".whole";
  write(whole, *bytes);
  const fs::path path = entry(identity);
  if (rename(whole.c_str(), path.c_str()) != 0) throw failure("cannot create", path);
  trim(path);
  return path;
}

/// Removes what was not used for longest until the rest fits, and what dead processes left.
void NativeCache::trim(const fs::path& keep) const {
  struct Entry {
    fs::file_time_type used;
    std::uintmax_t size;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(folder_, error)) {
    const auto used = file.last_write_time(error);
    if (file.path().filename().string().starts_with(scratch_name)) {
      if (!error && fs::file_time_type::clock::now() - used > longest_scratch) fs::remove_all(file.path(), error);
    } else if (file.path().extension() == ending) {
      const auto size = file.file_size(error);
      if (error) continue;
      total += size;
      if (file.path() != keep) entries.push_back({used, size, file.path()});
    }
  }
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    if (total <= most_bytes_) return;
    if (fs::remove(entry.path, error)) total -= entry.size;
  }
}

NativeCache::Scratch::Scratch(const NativeCache& cache) {
  cache.make();
  cache.check();
  std::string name = cache.folder_ / (std::string(scratch_name) + "XXXXXX");
  if (mkdtemp(name.data()) == nullptr) throw failure("cannot create a folder in", cache.folder_);
  folder_ = name;
  chmod(name.c_str(), 0700);
}

NativeCache::Scratch::~Scratch() {
  std::error_code error;
  fs::remove_all(folder_, error);
}

}  // namespace taut
