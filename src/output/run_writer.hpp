#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "output/column_choice.hpp"
#include "taut/simulation.hpp"

namespace taut {

/// What a run is, known before it starts: enough to make it again.
struct RunDescription {
  std::string model, file, text;  ///< its name, where it was read from, and what was read
  std::string command;            ///< the command that makes this run
  std::string version;            ///< of taut
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<Assignment> set;
  bool reproducible = false;  ///< nothing is to be kept that differs from run to run, such as the time it took
};

RunDescription describe(const Model& model, const Options& options, const std::string& command);

/// Something that keeps a run in a file. Trouble with the file while it is written ends the run instead of throwing,
/// so that the summary survives; failure() then says what happened.
class RunWriter : public Observer {
 public:
  explicit RunWriter(std::string file) : file_(std::move(file)) {}

  /// Called once, before the run starts. The model lives as long as the run.
  virtual void describe(const RunDescription& /*description*/, const Model& /*model*/) {}
  /// Which columns of the rows to keep; called before the run starts.
  void choose(ColumnChoice choice) { choice_ = std::move(choice); }
  /// Called once, with the summary as JSON.
  virtual void finish(const std::string& summary) = 0;
  bool progress(double /*t*/, double /*until*/, double /*violation*/) override { return failure_.empty(); }

  const std::string& file() const { return file_; }
  /// Where rows can be found though the file could not be written to its end; "" for nowhere.
  const std::string& kept_in() const { return kept_in_; }
  long rows() const { return rows_; }
  /// Why writing failed, "" if it did not.
  const std::string& failure() const { return failure_; }

 protected:
  std::string file_;
  ColumnChoice choice_;
  long rows_ = 0;
  std::string failure_, kept_in_;
};

/// The writer for a file by the ending of its name: .csv or .h5. Throws InputError for any other.
std::unique_ptr<RunWriter> make_writer(const std::string& file);

}  // namespace taut
