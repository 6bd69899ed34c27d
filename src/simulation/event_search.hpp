#pragma once

#include <optional>

#include "simulation/event_watch.hpp"
#include "simulation/run_state.hpp"
#include "simulation/state_values.hpp"
#include "simulation/step_interior.hpp"

namespace taut {

/// Finds the zeros of watched functions in accepted steps, on the integrator's interpolation, and logs them up to the
/// first that ends the run.
class EventSearch {
 public:
  EventSearch(RunState& run, StateValues& values, StepInterior& interior, std::optional<EventBounds> bounds)
      : run_(run), values_(values), interior_(interior), bounds_(std::move(bounds)) {}

  /// Where the run begins.
  void start(double t, const Vector& y);
  void search(const Step& step);
  /// Inputs have changed.
  void renew_bounds(const Model& model, const std::vector<double>& parameters);

 private:
  ZeroSearch::Bounds bounds_of(int event);
  void fill(double t, const Vector& y, PathPoint& point);
  void mark_end(double t, const Vector& y);
  void end_run(double t, const std::string& name);

  RunState& run_;
  StateValues& values_;
  StepInterior& interior_;
  std::optional<EventBounds> bounds_;  ///< none of a system that is not made of formulas
  std::optional<EventWatch> watch_;    ///< none where nothing is watched
  PathPoint point_;
};

}  // namespace taut
