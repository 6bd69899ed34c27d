#include "output/csv.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

namespace taut {
namespace {

constexpr std::chrono::seconds flush_interval{1};
/// Numbers of a batch: enough that handing over costs nothing, few enough to stay in the cache.
constexpr std::size_t batch_size = 1 << 14;
/// The longest number, "-2.2250738585072014e-308", and a comma.
constexpr std::size_t longest_number = 25;

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

/// Rows as lines. `text` only grows.
std::size_t write_rows(const std::vector<double>& values, std::size_t columns, std::string& text) {
  text.resize(std::max(text.size(), values.size() * longest_number));
  char* end = text.data();
  char* const limit = end + text.size();
  for (std::size_t k = 0; k < values.size(); ++k) {
    end = std::to_chars(end, limit, values[k], std::chars_format::general, 17).ptr;
    *end++ = (k + 1) % columns == 0 ? '\n' : ',';
  }
  return static_cast<std::size_t>(end - text.data());
}

}  // namespace

void CsvWriter::start(const std::vector<std::string>& all) {
  const std::vector<std::string> columns = choice_.start(all);
  draft_ = std::make_unique<Draft>(file_);
  handed_over_ = std::chrono::steady_clock::now();
  columns_ = columns.size();
  std::string header;
  for (const std::string& name : columns) {
    if (!header.empty()) header += ',';
    append_name(name, header);
  }
  header += '\n';
  write(header, 1);
  failure_ = trouble_;
}

void CsvWriter::row(const std::vector<double>& all) {
  if (!draft_ || !failure_.empty()) return;
  const std::vector<double>& values = choice_.of(all);
  waiting_.insert(waiting_.end(), values.begin(), values.end());
  ++rows_;
  if (waiting_.size() >= batch_size) hand_over();
}

bool CsvWriter::progress(double, double, double) {
  if (draft_ && std::chrono::steady_clock::now() - handed_over_ > flush_interval) hand_over();
  return failure_.empty();
}

void CsvWriter::hand_over() {
  if (!thread_) thread_ = std::make_unique<BatchThread>([this](const std::vector<double>& rows) { write(rows); });
  thread_->wait();
  failure_ = trouble_;  // of the batch before
  thread_->give(waiting_);
  handed_over_ = std::chrono::steady_clock::now();
}

void CsvWriter::finish() {
  if (!draft_) return;
  thread_.reset();  // when all that it was given is written
  write(waiting_);
  waiting_.clear();
  failure_ = trouble_;
  keep();
  draft_.reset();
}

void CsvWriter::keep() {
  try {
    if (failure_.empty()) return draft_->keep();
  } catch (const std::system_error& error) {
    failure_ = "cannot write '" + file_ + "': " + error.code().message();
  }
  rows_ = std::max(lines_ - 1, 0L);
  if (!draft_->is_device() && lines_ > 0) kept_in_ = draft_->keep_unfinished();
}

void CsvWriter::write(const std::vector<double>& rows) {
  const std::size_t size = write_rows(rows, columns_, text_);
  write(std::string_view(text_).substr(0, size), static_cast<long>(rows.size() / columns_));
}

void CsvWriter::write(std::string_view text, long lines_of_text) {
  if (!trouble_.empty()) return;
  errno = 0;
  const std::size_t done = draft_->write(text);
  const int error = errno;
  // Where not all got through, half a row is worse than none.
  const std::string_view lines = text.substr(0, done < text.size() ? text.substr(0, done).rfind('\n') + 1 : done);
  whole_ += lines.size();
  if (done == text.size()) {
    lines_ += lines_of_text;
    return;
  }
  lines_ += std::count(lines.begin(), lines.end(), '\n');
  trouble_ = "cannot write '" + file_ + "': " + std::strerror(error);
  if (!draft_->is_device() && ftruncate(draft_->descriptor(), static_cast<off_t>(whole_)) != 0)
    trouble_ += ", in a row";
}

}  // namespace taut
