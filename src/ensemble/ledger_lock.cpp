#include "ensemble/ledger_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "output/draft.hpp"
#include "taut/error.hpp"

namespace taut {
namespace {

std::string lock_file(const std::string& ledger) { return behind_links(ledger) + "-lock"; }

/// Whoever held it before may have removed it meanwhile.
bool is_still_there(const std::string& file, int descriptor) {
  struct stat there = {}, here = {};
  return stat(file.c_str(), &there) == 0 && fstat(descriptor, &here) == 0 && there.st_ino == here.st_ino &&
         there.st_dev == here.st_dev;
}

}  // namespace

LedgerLock::LedgerLock(const std::string& ledger) : file_(lock_file(ledger)) {
  do {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0)
      throw InputError(fmt::format("ledger '{}' cannot be written: {}", ledger, std::strerror(errno)),
                       "name a file in a folder that exists and may be written to");
    if (!lock_alone(descriptor_)) {
      close(descriptor_);
      throw InputError(fmt::format("ledger '{}' is in use by another program", ledger),
                       "wait until that has ended; --status tells how far it is");
    }
  } while (!is_still_there(file_, descriptor_));
}

LedgerLock::~LedgerLock() {
  unlink(file_.c_str());
  close(descriptor_);
}

bool LedgerLock::is_held(const std::string& ledger) {
  const int descriptor = open(lock_file(ledger).c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool free = lock_alone(descriptor);
  close(descriptor);
  return !free;
}

}  // namespace taut
