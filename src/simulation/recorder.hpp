#pragma once

#include <string>
#include <vector>

#include "simulation/attention.hpp"
#include "simulation/run_state.hpp"
#include "simulation/state_values.hpp"
#include "simulation/step_interior.hpp"

namespace taut {

/// Records rows of a run: at every accepted step, or at equal distances in time, for which states between the ends of a
/// step are interpolated. A row goes to the observer, to the trajectory in memory, or to both.
class Recorder {
 public:
  Recorder(RunState& run, StateValues& values, StepInterior& interior, Observer* observer)
      : run_(run), values_(values), interior_(interior), observer_(observer) {}

  /// Is anything recorded at all?
  bool is_wanted() const { return observer_ || run_.parts.options.record; }
  /// States the columns, and records where the run begins.
  void start(double t, const Vector& y);
  /// The rows within the step just accepted, …
  void record_within_step();
  /// … and the one where it ends, after which the equations may be others than within.
  void record_end();

  /// Rows between steps that could not be put onto the constraints, and rows without values.
  long unprojected_rows() const { return unprojected_rows_; }
  long empty_rows() const { return empty_rows_; }
  Trajectory take_trajectory() { return std::move(trajectory_); }

 private:
  double next_row() const { return start_ + static_cast<double>(rows_ + 1) * *run_.parts.options.every; }
  bool is_at_end(double t) const;
  bool may_go_on(double t);
  void record_between(double t);
  void record(double t, const Vector& y);
  void name_columns();
  void name_effort();
  void append(const Vector& values);
  void append(const double*& values, std::size_t count);
  void append_state();
  void append_effort(double t, const Vector& y);
  void append_impulses();
  void append_forces(double t, const Vector& y);

  RunState& run_;
  StateValues& values_;
  StepInterior& interior_;
  Observer* observer_;
  Attention attention_;
  Trajectory trajectory_;
  std::vector<double> row_;
  Vector forces_, impulses_;  ///< of the constraints, and of their correction
  long impulses_of_ = 0;      ///< the step, counted from 1, that those are of
  double start_ = 0;          ///< when the run began
  long rows_ = 0;             ///< at equal distances, so far
  long unprojected_rows_ = 0, empty_rows_ = 0;
};

}  // namespace taut
