#pragma once

#include <string>
#include <vector>

#include "output/hdf5.hpp"
#include "simulation/resume.hpp"

namespace taut::cli {

/// A run that was cut off, as its file has it up to the last row at the end of a step.
class Resumption {
 public:
  /// Throws InputError if the file holds no run, or none that can go on.
  explicit Resumption(const std::string& file);

  const RunDescription& description() const { return description_; }
  /// Its rows at the ends of steps.
  const EarlierRows& at_steps() const { return at_steps_; }
  /// Those that the model was simulated in; automatic, if that cannot be told.
  Coordinates coordinates_of(const Model& model) const;
  double t() const { return rows_.rows.back().front(); }
  const Trajectory& rows() const { return rows_; }
  const Trajectory& steps() const { return steps_; }

 private:
  RunDescription description_;
  std::string summary_;
  Trajectory rows_, steps_;
  EarlierRows at_steps_;
};

/// Tells an observer of the earlier run and of the one that goes on, as if there had been only one.
class ResumedObserver : public Observer {
 public:
  ResumedObserver(const Resumption& earlier, Observer& observer) : earlier_(earlier), observer_(observer) {}

  Detail detail() const override { return observer_.detail(); }
  /// Throws InputError where the columns are others than those of the earlier run.
  void start(const std::vector<std::string>& columns) override;
  void row(const std::vector<double>& values) override;
  void start_steps(const std::vector<std::string>& columns) override;
  void step(const std::vector<double>& values) override;
  bool progress(double t, double until, double violation) override { return observer_.progress(t, until, violation); }

 private:
  const Resumption& earlier_;
  Observer& observer_;
  bool first_row_ = true, first_step_ = true;  ///< what the earlier run ended with comes again
};

}  // namespace taut::cli
