#pragma once

#include <optional>

#include "simulation/event_watch.hpp"
#include "simulation/run_state.hpp"
#include "simulation/state_values.hpp"
#include "simulation/step_interior.hpp"

namespace taut {

/// Which zeros of a watched function count, and for what.
struct WatchRule {
  CrossingDirection direction = CrossingDirection::both;
  bool acts = false;        ///< it changes the run
  bool is_contact = false;  ///< whose function means something else once it has acted
};

/// Finds the zeros of watched functions in accepted steps, on the integrator's interpolation, and logs them up to the
/// first that acts on the run or ends it.
class EventSearch {
 public:
  EventSearch(RunState& run, StateValues& values, StepInterior& interior, std::optional<EventBounds> bounds)
      : run_(run), values_(values), interior_(interior), bounds_(std::move(bounds)) {}

  /// One for each function; without, all zeros are told of and none acts.
  void set_rules(std::vector<WatchRule> rules) { rules_ = std::move(rules); }
  /// Where the run begins.
  void start(double t, const Vector& y);
  void search(const Step& step);
  /// Those in the last step that act, all at one time.
  const std::vector<int>& acting() const { return acting_; }
  double acting_at() const { return acting_at_; }
  /// The state has jumped.
  void restart(double t, const Vector& y);
  /// Inputs have changed.
  void renew_bounds(const Model& model, const std::vector<double>& parameters);

 private:
  ZeroSearch::Bounds bounds_of(int event);
  void fill(double t, const Vector& y, PathPoint& point);
  void mark_end(double t, const Vector& y);
  void end_run(double t, const std::string& name);
  bool counts(int event, double t, double from, double to);
  void find_zeros_there(const std::vector<EventWatch::Crossing>& crossings);
  void arm();

  RunState& run_;
  StateValues& values_;
  StepInterior& interior_;
  std::optional<EventBounds> bounds_;  ///< none of a system that is not made of formulas
  std::optional<EventWatch> watch_;    ///< none where nothing is watched
  PathPoint point_;
  std::vector<WatchRule> rules_;
  std::vector<int> acting_;
  std::vector<int> zero_there_;  ///< functions that are zero where those act, these among them
  std::vector<double> unarmed_;  ///< of each event: 0, or how far its function has to go before it counts again
  double acting_at_ = 0;
};

}  // namespace taut
