#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "output/draft.hpp"
#include "output/run_writer.hpp"

/// Runs in HDF5 files. At the top one data set for each column of a CSV file, by the same names; in the group
/// `diagnostics` one for each figure of every accepted step; as attributes of the file `model`, `file`, `text`,
/// `command`, `version`, `options` (JSON), `summary` (JSON) and `timing` (JSON, what differs from run to run: left out
/// of one that is to be reproducible). Columns keep their order as the order of creation. The same run gives the same
/// bytes.
namespace taut {

/// Writes a run as it comes, to drafts beside the file: two, of which one is always whole and has the draft's name,
/// while the other is brought up to date. When the run ends the file is made of them, packed, and takes its place.
class Hdf5Writer : public RunWriter {
 public:
  explicit Hdf5Writer(std::string file);
  ~Hdf5Writer() override;

  Detail detail() const override { return Detail::constraints; }
  void describe(const RunDescription& description, const Model& model) override;
  /// Throws InputError if the file cannot be created.
  void start(const std::vector<std::string>& columns) override;
  void row(const std::vector<double>& values) override;
  void start_steps(const std::vector<std::string>& columns) override;
  void step(const std::vector<double>& values) override;
  bool progress(double t, double until, double violation) override;
  void finish(const std::string& summary) override;

 private:
  struct Copy;
  void save();
  void write_final(std::string summary);
  void keep_draft();

  RunDescription description_;
  std::unique_ptr<Draft> draft_;
  std::string aside_;  ///< where the draft stands that is being written
  std::array<std::unique_ptr<Copy>, 2> copies_;
  std::size_t next_ = 1;  ///< the copy that is written next
  long saved_rows_ = 0;
  std::chrono::steady_clock::time_point written_;
  std::chrono::steady_clock::duration cost_{};  ///< of the last write
};

/// A run as it stands in a file.
class Hdf5Run {
 public:
  /// Throws InputError if there is no such file or it holds no run.
  explicit Hdf5Run(const std::string& file);
  ~Hdf5Run();

  const RunDescription& description() const { return description_; }
  /// As JSON; "" where the run was cut off before it had one.
  const std::string& summary() const { return summary_; }
  const std::vector<std::string>& columns() const;
  const std::vector<std::string>& step_columns() const;
  /// One column by name, of the rows or of the steps.
  std::vector<double> column(const std::string& name) const;
  std::vector<double> step_column(const std::string& name) const;
  /// Tells an observer of everything, as the run did.
  void replay(Observer& observer) const;

 private:
  struct File;
  RunDescription description_;
  std::string summary_;
  std::unique_ptr<File> in_;
};

}  // namespace taut
