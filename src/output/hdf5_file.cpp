#include "output/hdf5_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "output/draft.hpp"

namespace taut::hdf5 {
namespace {

using Json = nlohmann::ordered_json;

/// Always kept free for the summary and the end of the file, in bytes.
constexpr std::size_t spare = 1U << 18U;
std::string options_text(const RunDescription& run) {
  Json options = Json::object();
  for (const auto& [name, value] : run.options) options[name] = value;
  options["set"] = Json::object();
  for (const auto& [name, value] : run.set) options["set"][name] = value;
  return options.dump(2, ' ', false, Json::error_handler_t::replace);
}

/// Columns keep their order, though without an index of it, which would take room; groups do not note when they were
/// made.
void keep_order(hid_t creation) {
  checked(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED));
  checked(H5Pset_obj_track_times(creation, false));
}

/// The format of 2016 takes least room, but marks a file as open until it is closed, and nobody opens one that a killed
/// program has left; that of 2008 does not.
Handle make_file(const std::string& path, OutputFile::Form form) {
  const Handle creation(H5Pcreate(H5P_FILE_CREATE)), access(H5Pcreate(H5P_FILE_ACCESS));
  keep_order(creation);
  const H5F_libver_t version = form == OutputFile::Form::draft ? H5F_LIBVER_V18 : H5F_LIBVER_V110;
  checked(H5Pset_libver_bounds(access, version, version));
  return Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access));
}

}  // namespace

OutputFile::OutputFile(const std::string& path, const RunDescription& run, Form form)
    : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)) {
  if (descriptor_ < 0) throw Trouble(std::strerror(errno));
  try {
    if (!lock_alone(descriptor_)) throw Trouble("another program is writing it");
    file_ = make_file(path, form);
    write_text(file_, "model", run.model);
    write_text(file_, "file", run.file);
    write_text(file_, "text", run.text);
    write_text(file_, "command", run.command);
    write_text(file_, "version", run.version);
    write_text(file_, "options", options_text(run));
  } catch (const Trouble&) {
    ::close(descriptor_);
    throw;
  }
}

OutputFile::~OutputFile() {
  steps_ = Handle();
  file_ = Handle();
  if (descriptor_ >= 0) ::close(descriptor_);
}

hid_t OutputFile::steps() {
  if (steps_ >= 0) return steps_;
  const Handle creation(H5Pcreate(H5P_GROUP_CREATE));
  keep_order(creation);
  steps_ = Handle(H5Gcreate2(file_, diagnostics, H5P_DEFAULT, creation, H5P_DEFAULT));
  return steps_;
}

void OutputFile::claim(std::size_t bytes) const {
  hsize_t used = 0;
  checked(H5Fget_filesize(file_, &used));
  const int error = posix_fallocate(descriptor_, static_cast<off_t>(used), static_cast<off_t>(bytes + spare));
  if (error != 0) throw Trouble(std::strerror(error));
}

void OutputFile::flush() const { checked(H5Fflush(file_, H5F_SCOPE_GLOBAL)); }

void OutputFile::close() {
  flush();
  hsize_t used = 0;
  checked(H5Fget_filesize(file_, &used));
  steps_ = Handle();
  file_ = Handle();
  struct stat status = {};
  if (fstat(descriptor_, &status) == 0 && static_cast<hsize_t>(status.st_size) > used &&
      ftruncate(descriptor_, static_cast<off_t>(used)) != 0)
    throw Trouble(std::strerror(errno));
}

}  // namespace taut::hdf5
