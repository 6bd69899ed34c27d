#include "cli/watcher.hpp"

#include <algorithm>
#include <cmath>

#include "cli/signals.hpp"
#include "cli/terminal.hpp"
#include "output/json.hpp"
#include "output/report.hpp"

namespace taut::cli {

Watcher::Watcher(const Watched& watched) {
  if (!watched.output.empty()) writers_.push_back(make_writer(watched.output));
  if (!watched.report.empty()) writers_.push_back(std::make_unique<ReportWriter>(watched.report));
  for (const auto& writer : writers_) writer->choose(ColumnChoice(watched.columns));
  if (watched.progress && errors_go_to_terminal()) bar_.emplace();
  if (watched.drift) history_.emplace();
}

void Watcher::describe(const RunDescription& description, const Model& model) {
  for (const auto& writer : writers_) writer->describe(description, model);
}

Observer::Detail Watcher::detail() const {
  Detail most = history_ ? Detail::figures : Detail::none;
  for (const auto& writer : writers_) most = std::max(most, writer->detail());
  return most;
}

void Watcher::start(const std::vector<std::string>& columns) {
  for (const auto& writer : writers_) writer->start(columns);
}

void Watcher::row(const std::vector<double>& values) {
  for (const auto& writer : writers_) writer->row(values);
}

void Watcher::start_steps(const std::vector<std::string>& columns) {
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k] == "position" || columns[k] == "velocity") violations_.push_back(k);
  for (const auto& writer : writers_) writer->start_steps(columns);
}

void Watcher::step(const std::vector<double>& values) {
  for (const auto& writer : writers_) writer->step(values);
  if (!history_ || violations_.empty()) return;
  double worst = 0;
  for (const std::size_t k : violations_) worst = std::max(worst, std::abs(values[k]));
  history_->add(worst);
}

bool Watcher::progress(double t, double until, double violation) {
  if (bar_) bar_->update(t, until, violation);
  bool files_are_well = true;
  for (const auto& writer : writers_) files_are_well &= writer->progress(t, until, violation);
  return files_are_well && !interrupted();
}

void Watcher::finish(Summary& summary) {
  bar_.reset();
  const auto give_reason = [&](const std::string& reason) { summary.reason = summary.verdict_reason = reason; };
  if (summary.outcome == Outcome::interrupted && interrupted()) give_reason("interrupted by a signal");
  for (const auto& writer : writers_)
    if (!writer->failure().empty()) give_reason(writer->failure());
  const std::string json = to_json(summary);
  for (const auto& writer : writers_) {
    writer->finish(json);
    if (!writer->failure().empty()) give_reason(writer->failure());
  }
  if (history_) drift_ = history_->text();
}

bool Watcher::failed() const {
  return std::any_of(writers_.begin(), writers_.end(), [](const auto& writer) { return !writer->failure().empty(); });
}

}  // namespace taut::cli
