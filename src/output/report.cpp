#include "output/report.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "output/page.hpp"
#include "taut/error.hpp"

namespace taut {

ReportWriter::ReportWriter(std::string file) : RunWriter(std::move(file)) { require_page(file_); }

ReportWriter::~ReportWriter() {
  if (!stream_.is_open()) return;
  stream_.close();
  std::error_code none;
  std::filesystem::remove(draft(), none);
}

void ReportWriter::start(const std::vector<std::string>& columns) {
  // Written beside and renamed at the end: an earlier report stays until there is a new one.
  stream_.open(draft(), std::ios::binary | std::ios::trunc);
  if (!stream_) {
    throw InputError("cannot write '" + file_ + "': " + std::strerror(errno),
                     "name a file in a folder that exists and may be written to");
  }
  record_.start(columns);
}

void ReportWriter::row(const std::vector<double>& values) {
  ++rows_;
  record_.row(values);
}

void ReportWriter::finish(const std::string& summary) {
  if (!record_.started()) return;
  const RecordedRun run = record_.finish(summary);
  errno = 0;
  stream_ << filled_page(run.json.text(), run.data);
  stream_.close();
  std::error_code error;
  if (stream_) {
    std::filesystem::rename(draft(), file_, error);
    if (!error) return;
  }
  failure_ = "cannot write '" + file_ + "': " + (error ? error.message() : std::strerror(errno));
  std::filesystem::remove(draft(), error);
}

}  // namespace taut
