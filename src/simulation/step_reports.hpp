#pragma once

#include <optional>

#include "simulation/attention.hpp"
#include "simulation/run_state.hpp"
#include "simulation/state_values.hpp"
#include "simulation/step_figures.hpp"

namespace taut {

/// What an observer is told of steps: figures of each, if it wishes, and now and then how far the run is.
class StepReports {
 public:
  StepReports(RunState& run, StateValues& values, Observer* observer)
      : run_(run), values_(values), observer_(observer) {}

  /// States the columns, and tells of where the run begins.
  void start(double t, const Vector& y);
  /// Of the step just accepted.
  void report(const Step& step);

 private:
  void report_figures(double t, double h, const Vector& y);
  void report_progress();

  RunState& run_;
  StateValues& values_;
  Observer* observer_;
  Attention attention_;
  std::optional<StepFigures> figures_;
};

}  // namespace taut
