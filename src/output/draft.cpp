#include "output/draft.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "taut/error.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;
constexpr mode_t ordinary_rights = 0666;

[[noreturn]] void refuse(const std::string& file, const std::string& why,
                         const std::string& remedy = "name a file in a folder that exists and may be written to") {
  throw InputError("cannot write '" + file + "': " + why, remedy);
}

/// Something other than a file or a folder: what is written there goes on to someone else.
bool leads_elsewhere(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/// Without waiting for somebody who reads a pipe: no signal would end that. Writing waits for the reader, as ever.
int open_now(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor >= 0) fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
}

bool is_still(const std::string& path, int descriptor) {
  struct stat named = {}, open = {};
  return stat(path.c_str(), &named) == 0 && fstat(descriptor, &open) == 0 && named.st_dev == open.st_dev &&
         named.st_ino == open.st_ino;
}

}  // namespace

std::string beside(const std::string& file, const std::string& mark) {
  fs::path path(file);
  return path.replace_extension("." + mark + path.extension().string()).string();
}

std::string behind_links(const std::string& file) {
  fs::path path(file);
  std::error_code failed;
  for (int k = 0; k < most_links && fs::is_symlink(path, failed); ++k)
    path = path.parent_path() / fs::read_symlink(path, failed);
  return path.string();
}

bool lock_alone(int descriptor) {
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  // A system of files without locks cannot tell; its users are as careful as ever.
  return fcntl(descriptor, F_OFD_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat first = {}, second = {};
  return stat(a.c_str(), &first) == 0 && stat(b.c_str(), &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

Draft::Draft(const std::string& file, Earlier earlier) : target_(behind_links(file)) {
  if (leads_elsewhere(target_)) {
    path_ = target_;
    descriptor_ = open_now(path_);
    if (descriptor_ < 0 && errno == ENXIO) refuse(file, "nobody reads this pipe", "start its reader first");
    if (descriptor_ < 0) refuse(file, std::strerror(errno));
    return;
  }
  if (fs::is_directory(target_)) refuse(file, "this is a folder");
  struct stat target = {};
  const bool there = stat(target_.c_str(), &target) == 0;
  if (there && access(target_.c_str(), W_OK) != 0) refuse(file, std::strerror(errno));
  path_ = beside(target_, "part");
  open_alone(earlier);
  if (there && fchmod(descriptor_, target.st_mode & 07777U) != 0) errno = 0;  // then it has the rights of a new file
}

void Draft::open_alone(Earlier earlier) {
  // The file may be renamed between opening and locking, by the program that had it; then it is no draft any more.
  do {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, ordinary_rights);
    if (descriptor_ < 0) refuse(target_, std::strerror(errno));
    if (!lock_alone(descriptor_)) {
      close(descriptor_);
      refuse(target_, "another program is writing it", "wait until that has ended, or name another file");
    }
  } while (!is_still(path_, descriptor_));
  if (earlier == Earlier::emptied && ftruncate(descriptor_, 0) != 0) refuse(target_, std::strerror(errno));
}

Draft::~Draft() {
  if (!kept_ && !is_device()) unlink(path_.c_str());
  close(descriptor_);
}

std::size_t Draft::write(std::string_view text) const {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t size = ::write(descriptor_, text.data() + done, text.size() - done);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    done += static_cast<std::size_t>(size);
  }
  return done;
}

void Draft::keep() {
  if (!is_device() && rename(path_.c_str(), target_.c_str()) != 0)
    throw std::system_error(errno, std::generic_category());
  kept_ = true;
}

std::string Draft::keep_unfinished() {
  kept_ = true;
  if (is_device() || fs::exists(target_) || rename(path_.c_str(), target_.c_str()) != 0) return path_;
  return target_;
}

void write_whole(const std::string& file, std::string_view text) {
  Draft draft(file);
  const auto fail = [&](const std::string& why) { throw std::runtime_error("cannot write '" + file + "': " + why); };
  if (draft.write(text) < text.size()) fail(std::strerror(errno));
  try {
    draft.keep();
  } catch (const std::system_error& error) {
    fail(error.code().message());
  }
}

}  // namespace taut
