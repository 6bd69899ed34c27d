#pragma once

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "output/run_writer.hpp"

namespace taut {

/// Writes every recorded row to a CSV file as it comes: one header line, then 17 digits per number, so
/// that each parses back to the same double.
///
/// The file is opened by start(), not before: input that turns out wrong must not cost the user an earlier
/// result.
class CsvWriter : public RunWriter {
 public:
  using RunWriter::RunWriter;

  /// Throws InputError if the file cannot be opened.
  void start(const std::vector<std::string>& columns) override;
  void row(const std::vector<double>& values) override;
  /// Hands what is buffered to the system once a second; false once writing has failed.
  bool progress(double t, double until, double violation) override;
  /// Closes the file. Without it the file is closed on destruction, but nobody learns of a failure.
  void finish();
  void finish(const std::string& /*summary*/) override { finish(); }

 private:
  struct Close {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };
  void write_line();
  void fail();

  std::unique_ptr<std::FILE, Close> stream_;
  std::string line_;
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace taut
