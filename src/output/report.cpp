#include "output/report.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>

#include "output/page.hpp"

namespace taut {

ReportWriter::ReportWriter(std::string file) : RunWriter(std::move(file)) { require_page(file_); }

void ReportWriter::start(const std::vector<std::string>& columns) {
  draft_ = std::make_unique<Draft>(file_);
  record_.choose(choice_);
  record_.start(columns);
}

void ReportWriter::row(const std::vector<double>& values) {
  ++rows_;
  record_.row(values);
}

void ReportWriter::finish(const std::string& summary) {
  if (!record_.started() || !draft_) return;
  const RecordedRun run = record_.finish(summary);
  const std::string page = filled_page(run.json.text(), run.data);
  std::string why;
  try {
    if (draft_->write(page) < page.size()) why = std::strerror(errno);
    if (why.empty()) draft_->keep();
  } catch (const std::system_error& error) {
    why = error.code().message();
  }
  draft_.reset();
  if (!why.empty()) failure_ = "cannot write '" + file_ + "': " + why;
}

}  // namespace taut
