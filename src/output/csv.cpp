#include "output/csv.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "taut/error.hpp"

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

void CsvWriter::start(const std::vector<std::string>& columns) {
  stream_.reset(std::fopen(file_.c_str(), "wb"));
  if (!stream_) {
    throw InputError("cannot write '" + file_ + "': " + std::strerror(errno),
                     "name a file in a folder that exists and may be written to");
  }
  std::setvbuf(stream_.get(), nullptr, _IONBF, 0);  // many rows are written at once
  handed_over_ = std::chrono::steady_clock::now();
  columns_ = columns.size();
  std::string header;
  for (const std::string& name : columns) {
    if (!header.empty()) header += ',';
    append_name(name, header);
  }
  header += '\n';
  write(header.data(), header.size());
  failure_ = trouble_;
}

void CsvWriter::row(const std::vector<double>& values) {
  if (!stream_ || !failure_.empty()) return;
  waiting_.insert(waiting_.end(), values.begin(), values.end());
  ++rows_;
  if (waiting_.size() >= batch_size) hand_over();
}

bool CsvWriter::progress(double, double, double) {
  if (stream_ && std::chrono::steady_clock::now() - handed_over_ > flush_interval) hand_over();
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
  if (!stream_) return;
  thread_.reset();  // when all that it was given is written
  write(waiting_);
  waiting_.clear();
  failure_ = trouble_;
  stream_.reset();
}

void CsvWriter::write(const std::vector<double>& rows) {
  const std::size_t size = write_rows(rows, columns_, text_);
  write(text_.data(), size);
}

void CsvWriter::write(const char* text, std::size_t size) {
  if (!trouble_.empty() || std::fwrite(text, 1, size, stream_.get()) == size) return;
  trouble_ = "cannot write '" + file_ + "': " + std::strerror(errno);
}

}  // namespace taut
