#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/progress.hpp"
#include "output/run_writer.hpp"
#include "output/sparkline.hpp"

namespace taut::cli {

/// What is to be watched of a run, and where it goes.
struct Watched {
  std::string output, report;  ///< file names, "" for none
  std::string columns;         ///< which of them the files have; "" for all
  bool progress = true;        ///< a bar, where standard error is a terminal
  bool drift = false;          ///< a sparkline of the drift
};

/// Passes a run on to its files, shows the progress, and ends the run when the user or a file asks for it.
class Watcher : public Observer {
 public:
  explicit Watcher(const Watched& watched);

  void describe(const RunDescription& description, const Model& model);
  Detail detail() const override;
  void start(const std::vector<std::string>& columns) override;
  void row(const std::vector<double>& values) override;
  void start_steps(const std::vector<std::string>& columns) override;
  void step(const std::vector<double>& values) override;
  bool progress(double t, double until, double violation) override;
  /// Ends the files. A file that could not be written ends a run that went through: it could not go on.
  void finish(Summary& summary);

  bool failed() const;
  const std::vector<std::unique_ptr<RunWriter>>& writers() const { return writers_; }
  const std::string& drift() const { return drift_; }

 private:
  std::vector<std::unique_ptr<RunWriter>> writers_;
  std::optional<ProgressBar> bar_;
  std::optional<DriftHistory> history_;
  std::vector<std::size_t> violations_;  ///< columns of a step
  std::string drift_;
};

}  // namespace taut::cli
