#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "output/batch_thread.hpp"
#include "output/draft.hpp"
#include "output/run_writer.hpp"

namespace taut {

/// Writes every recorded row to a CSV file as it comes: one header line, then 17 digits per number, so
/// that each parses back to the same double.
///
/// The rows go to a draft, which takes the file's name at the end: an earlier result stands until there is a new one,
/// and a run that is killed leaves its draft, with whole rows up to a second before. To find the digits of a row takes
/// as long as to find its numbers, so a long run hands rows over in batches to a thread of this writer's own, which
/// formats and writes them while the run goes on. A run of few rows has no thread.
class CsvWriter : public RunWriter {
 public:
  using RunWriter::RunWriter;
  ~CsvWriter() override { finish(); }

  /// Throws InputError if the file cannot be opened.
  void start(const std::vector<std::string>& columns) override;
  void row(const std::vector<double>& values) override;
  /// Hands what is there to the system once a second; false once writing has failed.
  bool progress(double t, double until, double violation) override;
  /// Closes the file. Without it the file is closed on destruction, but nobody learns of a failure.
  void finish();
  void finish(const std::string& /*summary*/) override { finish(); }

 private:
  void hand_over();
  /// What the thread does, and without one what finish() does.
  void write(const std::vector<double>& rows);
  void write(std::string_view text, long lines_of_text);
  void keep();

  std::unique_ptr<Draft> draft_;
  std::vector<double> waiting_;  ///< row after row
  std::chrono::steady_clock::time_point handed_over_;
  std::size_t columns_ = 1;
  std::size_t whole_ = 0;       ///< bytes of whole lines that are written
  long lines_ = 0;              ///< how many these are, with the header
  std::string text_, trouble_;  ///< of the rows written last, and why writing failed: the thread's, if there is one
  std::unique_ptr<BatchThread> thread_;  ///< the last member: it uses the others
};

}  // namespace taut
