#include "output/csv.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>

#include "taut/error.hpp"

namespace taut {
namespace {

constexpr std::size_t buffer_size = 1 << 16;
constexpr std::chrono::seconds flush_interval{1};

void append_number(double value, std::string& line) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 17).ptr;
  line.append(digits, end);
}

/// Quotes a header name where a reader of CSV would otherwise misread it.
void append_name(const std::string& name, std::string& line) {
  const bool plain =
      name.find_first_of(",\"\r\n") == std::string::npos && !name.starts_with(' ') && !name.ends_with(' ');
  if (plain) {
    line += name;
    return;
  }
  line += '"';
  for (const char c : name) line.append(c == '"' ? 2 : 1, c);
  line += '"';
}

/// Appends the items with commas between them and the end of the line.
template <class Items, class Append>
void append_line(const Items& items, Append append, std::string& line) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) line += ',';
    append(items[i], line);
  }
  line += '\n';
}

}  // namespace

void CsvWriter::start(const std::vector<std::string>& columns) {
  stream_.reset(std::fopen(file_.c_str(), "wb"));
  if (!stream_) {
    throw InputError("cannot write '" + file_ + "': " + std::strerror(errno),
                     "name a file in a folder that exists and may be written to");
  }
  std::setvbuf(stream_.get(), nullptr, _IOFBF, buffer_size);
  flushed_ = std::chrono::steady_clock::now();
  line_.clear();
  append_line(columns, append_name, line_);
  write_line();
}

void CsvWriter::row(const std::vector<double>& values) {
  line_.clear();
  append_line(values, append_number, line_);
  write_line();
  if (failure_.empty()) ++rows_;
}

bool CsvWriter::progress(double, double, double) {
  const auto now = std::chrono::steady_clock::now();
  if (stream_ && now - flushed_ > flush_interval) {
    flushed_ = now;
    if (std::fflush(stream_.get()) != 0) fail();
  }
  return failure_.empty();
}

void CsvWriter::finish() {
  if (!stream_) return;
  if (std::fflush(stream_.get()) != 0) fail();
  stream_.reset();
}

void CsvWriter::write_line() {
  if (!stream_ || !failure_.empty()) return;
  if (std::fwrite(line_.data(), 1, line_.size(), stream_.get()) != line_.size()) fail();
}

void CsvWriter::fail() {
  if (failure_.empty()) failure_ = "cannot write '" + file_ + "': " + std::strerror(errno);
}

}  // namespace taut
